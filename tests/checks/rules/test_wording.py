"""Reasons that are missing, and those that only went astray."""

from __future__ import annotations

from kg.checks import check
from tests.support import corpora
from tests.support.every_row import every_row
from tests.support.rule_problems import CLAIM


@every_row(("field", "rules"), [("(reason: it was)", {"almost-a-field"}), ("", {"missing-reason"})])
def test_a_reason_that_went_astray_is_told_once(field: str, rules: set[str]) -> None:
    note = f"{CLAIM}> [!evidence] It was seen\n> So it was. {field}\n"
    found = {each.rule for each in check(corpora.corpus_of_notes(c=note))}
    assert found & {"almost-a-field", "missing-reason"} == rules
