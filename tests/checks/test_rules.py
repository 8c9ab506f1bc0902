"""The ends of rules that their pages leave out: what is told, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.checks import check
from kg.checks.locate import end_of_line
from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.model import Diagnostic, Span
from tests.support import corpora

CLAIM = "---\ntype: claim\nopen: nobody looked\n---\n\n# It helps\n\n"
LINE = (
    "---\ntype: line\nproposition: c\nanswers: {holds: 'Yes', fails: 'No'}\n---\n\n# Does it?\n\n"
)
ENTRY = "@article{{k, title={{It}}, author={{Doe, Jo}}, {}}}"


def told(rule: str, **notes: str) -> list[Diagnostic]:
    found = check(corpora.read(**{"c": CLAIM, **notes}))
    return [each for each in found if each.rule == rule]


@pytest.mark.parametrize(
    ("rule", "fields", "locator", "count"),
    [
        ("page-out-of-range", "year=2020", "pp. 5-5", 0),
        ("page-out-of-range", "year=2020", "pp. 6-5", 1),
        ("page-out-of-range", "year=2020, pages={2--8}", "p. 8", 0),
        ("page-out-of-range", "year=2020, pages={2--8}", "p. 9", 1),
        ("page-out-of-range", "year=2020, pages={2+}", "p. 9", 0),
        ("doubtful-entry", "volume=1", "p. 1", 0),
        ("doubtful-entry", "year={2020a}", "p. 1", 0),
        ("doubtful-entry", "year={in press}", "p. 1", 1),
    ],
)
def test_an_entry_and_the_pages_cited_of_it(
    rule: str, fields: str, locator: str, count: int
) -> None:
    cited = f"{CLAIM}It was seen [@k, {locator}].\n"
    assert len(told(rule, c=cited, references=ENTRY.format(fields))) == count


@pytest.mark.parametrize(
    ("kind", "field", "count"),
    [
        ("misc", "organization={WHO}", 0),
        ("misc", "translator={Roe, Jo}", 0),
        ("book", "publisher={Ink}", 1),
        ("misc", "note={found}", 1),
    ],
)
def test_somebody_stands_for_an_author(kind: str, field: str, count: int) -> None:
    entry = f"@{kind}{{k, title={{It}}, year=2020, {field}}}"
    assert len(told("missing-author", c=f"{CLAIM}Seen [@k].\n", references=entry)) == count


def test_a_line_and_a_note_are_told_which_words_they_may_have() -> None:
    (in_line,) = told("unknown-camp", l=f"{LINE}- nobody:: [[c]]\n")
    (in_note,) = told("unknown-camp", c=CLAIM.replace("open", "camp: nobody\nopen"))
    assert in_line.help == in_note.help + "; a line also has `next`"


def test_a_link_to_what_cannot_be_read_hides_no_other() -> None:
    rows = "- supports:: [[untyped]] — so\n- supports:: [[nowhere]] — so\n"
    found = told("unknown-target", a=CLAIM + rows, untyped="---\nstatus: stable\n---\n\n# So\n")
    assert [each.span.line for each in found] == [9]


@pytest.mark.parametrize(
    ("field", "rules"), [("(reason: it was)", {"almost-a-field"}), ("", {"missing-reason"})]
)
def test_a_reason_that_went_astray_is_told_once(field: str, rules: set[str]) -> None:
    note = f"{CLAIM}> [!evidence] It was seen\n> So it was. {field}\n"
    found = {each.rule for each in check(corpora.read(c=note))}
    assert found & {"almost-a-field", "missing-reason"} == rules


@pytest.mark.parametrize(
    ("written", "count"),
    [(r"So $\frac{1}{t$ it is.", 1), (r"So \frac{1}{t and $5 it is.", 0)],
)
def test_two_signs_make_a_formula(tmp_path: Path, written: str, count: int) -> None:
    (tmp_path / "a.md").write_text(f"{CLAIM}{written}\n", "utf-8")
    found = [each for each in check(load_corpus(tmp_path)) if each.rule == "broken-formula"]
    assert len(found) == count


@pytest.mark.parametrize(
    ("behind", "ends"), [("\n- more\n", True), ("\n\nMore.\n", True), ("\n  and more\n", False)]
)
def test_the_end_of_an_item_is_seen_where_it_is_one_line(behind: str, ends: bool) -> None:
    corpus = Corpus({}, unwritten={"a.md": f"# A\n\n- [[b]] — so{behind}".encode()})
    assert end_of_line(corpus, Span("a.md", 3)) == (Span("a.md", 3, 13) if ends else None)
