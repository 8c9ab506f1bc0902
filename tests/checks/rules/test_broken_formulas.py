"""What only looks like a formula."""

from __future__ import annotations

from pathlib import Path

from kg.checks import check
from kg.loader import load_corpus
from tests.support.every_row import every_row
from tests.support.rule_problems import CLAIM


@every_row(
    ("written", "count"),
    [(r"So $\frac{1}{t$ it is.", 1), (r"So \frac{1}{t and $5 it is.", 0)],
)
def test_two_signs_make_a_formula(tmp_path: Path, written: str, count: int) -> None:
    (tmp_path / "a.md").write_text(f"{CLAIM}{written}\n", "utf-8")
    found = [each for each in check(load_corpus(tmp_path)) if each.rule == "broken-formula"]
    assert len(found) == count
