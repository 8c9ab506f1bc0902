"""Cells of a table that no program takes for a formula."""

from __future__ import annotations

from kg.reporting.csv_cells import escape_formula, unescape_formula


def test_only_what_begins_like_a_formula_is_marked() -> None:
    assert escape_formula("=x") == "'=x"
    assert escape_formula("a=x") == "a=x"
    for unseen in "\x00\x0b\x7f\x9b\u00ad\u180e\u200b\u200e\u202a\u2066\ufeff":
        assert escape_formula(f"{unseen}=x") == f"'{unseen}=x"
        assert unescape_formula(escape_formula(f"{unseen}=x")) == f"{unseen}=x"
        assert escape_formula(f"{unseen}x") == f"{unseen}x"
