"""Which differences between a text and the recorded figures are slips."""

from __future__ import annotations

from tests.checks.rule_problems import problems_of_rule
from tests.support.every_row import every_row

CLAIM = """---
type: claim
---

# It harms

> [!evidence] {text} ^seen
> (reason:: it was measured) (method:: experiment) {fields}
"""


@every_row(
    ("text", "fields", "count"),
    [
        ("Of 140 students most did", "(sample:: 410 students)", 1),
        ("Of 41 students most did", "(sample:: 410 students)", 1),
        ("Of 4810 students most did", "(sample:: 410 students)", 1),
        ("Of 1,040 students most did", "(sample:: 1400 students)", 1),
        ("Of 1\u2009040 students most did", "(sample:: 1400 students)", 1),
        ("In 2019 1400 were asked; 1040 students did", "(sample:: 1400 students)", 0),
        ("Of 120 students most did", "(sample:: 410 students)", 0),  # a part of them
        ("Of 140 papers most did", "(sample:: 410 students)", 0),
        ("Of 140 of 410 students most did", "(sample:: 410 students)", 0),
        ("Of 8 students most did", "(sample:: 80 students)", 0),  # a single digit
        ("Of 90 students most did", "(sample:: 9 students)", 0),
        ("Of 100 students most did", "(sample:: 10 students)", 1),
        ("It was clear (p = .3)", "(p:: 0.03)", 1),
        ("It was clear (p = .03)", "(p:: 0.03)", 0),
        ("It was clear (p = .3, then p = .2)", "(p:: 0.03)", 0),
        ("The odds ratio was 0.94", "(effect:: OR=0.49)", 1),
        ("The odds ratio was 0.94", "(effect:: d=0.49)", 0),
        ("It fell (d = −0.24)", "(effect:: d=0.42)", 1),
        ("It fell (d = 0.24)", "(effect:: d=-0.42)", 1),
    ],
)
def test_slips_are_reported_and_other_differences_are_not(
    text: str, fields: str, count: int
) -> None:
    problems = problems_of_rule(
        "figures-differ-from-text", o=CLAIM.format(text=text, fields=fields)
    )
    assert len(problems) == count


@every_row(
    ("abstract", "count"),
    [
        ("We asked 140 students.", 1),
        ("We asked 140 students, then 410 students.", 0),
        ("We asked 120 students.", 0),
    ],
)
def test_a_figure_is_compared_with_the_abstract(abstract: str, count: int) -> None:
    entry = f"@article{{k, title={{It}}, author={{Doe, Jo}}, year=2020, abstract={{{abstract}}}}}"
    claim = CLAIM.format(text="It was seen", fields="(sample:: 410 students) [@k]")
    assert len(problems_of_rule("figures-seen-otherwise", o=claim, references=entry)) == count


def test_with_two_sources_no_abstract_is_compared() -> None:
    entry = (
        "@article{{{}, title={{{}}}, author={{Doe, Jo}}, year=2020, abstract={{Of 140 students}}}}"
    )
    claim = CLAIM.format(text="It was seen", fields="(sample:: 410 students) [@k; @l]")
    entries = entry.format("k", "It") + entry.format("l", "That")
    assert not problems_of_rule("figures-seen-otherwise", o=claim, references=entries)
