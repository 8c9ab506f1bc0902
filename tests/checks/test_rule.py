"""What follows from a problem that reading found is not told beside it."""

from __future__ import annotations

from kg.checks import check
from kg.checks.rule import misread_statements
from tests.support import corpora
from tests.support.every_row import every_row

LINE = "---\ntype: inquiry-line\nproposition: c\n{}\n---\n# Does it?\n"
CLAIM = "---\ntype: claim\n---\n# It does\n"
SEEN = "\n> [!evidence] It was seen{} ^seen\n"
FAILED = "\n> [!counter-evidence] It failed ^failed\n"
EVIDENCE = "---\ntype: evidence\nmethod: {}\n---\n# It did\n\n- supports:: [[c]] — it did\n"


def rules_of(**notes: str) -> set[str]:
    return {each.rule for each in check(corpora.corpus_of_notes(**notes))}


@every_row(
    ("follows", "expected", "notes"),
    [
        ("line-without-answers", "bad-value", {"l": LINE.format("answers: {holds: Yes}")}),
        ("line-without-answers", "bad-value", {"l": LINE.format("anwsers: Yes")}),
        ("unsourced-evidence", "bad-value", {"e": EVIDENCE.format("anecdot")}),
        ("unsourced-evidence", "almost-a-field", {"c": CLAIM + SEEN.format(" (method: anecdote)")}),
        ("unsupported-claim", "unknown-callout", {"c": CLAIM + "\n[!evidence] It was seen\n"}),
        ("unsupported-claim", "unknown-callout", {"c": CLAIM + "\n> [!evidnce] It was seen\n"}),
        (
            "unsupported-claim",
            "unknown-callout",
            {"c": CLAIM + FAILED + "> [!evidence] It was seen\n"},
        ),
    ],
)
def test_a_problem_hides_what_follows_from_it(
    follows: str, expected: str, notes: dict[str, str]
) -> None:
    rules = rules_of(**{"c": CLAIM, **notes})
    assert expected in rules
    assert follows not in rules


def test_a_problem_that_no_other_hides_is_reported() -> None:
    rules = rules_of(l=LINE.format("doubt: none"), c=CLAIM, e=EVIDENCE.format("experiment"))
    assert {"line-without-answers", "unsourced-evidence"} <= rules
    assert "unsupported-claim" in rules_of(c=CLAIM)
    assert "unsourced-evidence" in rules_of(c=CLAIM + SEEN.format(""))


def test_a_field_misread_above_all_statements_is_in_none() -> None:
    line = (
        LINE.format("answers: {holds: Yes, fails: No}") + "\n- optimist:: [[c]] (reason: it is)\n"
    )
    corpus = corpora.corpus_of_notes(l=line, c=CLAIM)
    assert "almost-a-field" in {each.rule for each in corpus.diagnostics}
    assert misread_statements(corpus) == set()
