"""Rules about sources: entries of a bibliography, and the pages that are cited of them."""

from __future__ import annotations

from pathlib import Path

from kg.checks import check
from kg.checks.rules.sources import parse_cited_pages, parse_printed_pages
from kg.loader import load_corpus
from tests.checks.rule_problems import CLAIM, problems_of_rule
from tests.support.every_row import every_row

ENTRY = "@article{{k, title={{It}}, author={{Doe, Jo}}, {}}}"


@every_row(
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
        ("retracted-source", "year=2020", "p. 1", 0),
        ("retracted-source", "year=2020, integrity={retracted}", "p. 1", 1),
    ],
)
def test_an_entry_is_reported_where_it_is_doubtful_retracted_or_lacks_the_cited_page(
    rule: str, fields: str, locator: str, count: int
) -> None:
    cited_text = f"{CLAIM}It was seen [@k, {locator}].\n"
    assert len(problems_of_rule(rule, c=cited_text, references=ENTRY.format(fields))) == count


def test_a_snapshot_behind_a_slash_is_looked_for_beside_the_note(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Sleep helps.")
    (tmp_path / "k.md").write_text("---\ntype: source\nsnapshot: /text.txt\n---\n\n# It\n")
    (found,) = [each for each in check(load_corpus(tmp_path)) if each.rule == "missing-snapshot"]
    assert found.help.startswith("did you mean `text.txt`?")


@every_row(
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
    assert (
        len(problems_of_rule("missing-author", c=f"{CLAIM}Seen [@k].\n", references=entry)) == count
    )


@every_row(
    ("method", "count"), [("argument", 0), ("demonstration", 0), ("anecdote", 0), ("survey", 1)]
)
def test_what_is_in_own_words_needs_no_source(method: str, count: int) -> None:
    seen = f"{CLAIM}> [!evidence] It was seen ^seen\n> So. (method:: {method})\n"
    assert len(problems_of_rule("unsourced-evidence", c=seen)) == count


@every_row(
    ("field", "name"),
    [
        ("method: survey", "method"),
        ("sample: 30 people", "sample"),
        ("effect: d = 0.5", "effect_text"),
        ("p: 0.01", "p"),
        ("seen_in: primary", "seen_in"),
        ("quality: 0.5", "quality"),
    ],
)
def test_each_field_of_evidence_is_reported_on_a_claim(field: str, name: str) -> None:
    claim = CLAIM.replace("type: claim\n", f"type: claim\n{field}\n")
    messages = [each.message for each in problems_of_rule("figures-of-a-claim", c=claim)]
    assert messages == [f"a claim records `{name}`"]


@every_row(
    ("locator", "pages"),
    [
        ("p. 3", [(3, 3)]),
        ("pp. 823–8, and p. 900", [(823, 828), (900, 900)]),
        ("S. 12 - 15", [(12, 15)]),
        ("chap. 3", []),
    ],
)
def test_the_pages_that_a_citation_names_are_read(
    locator: str, pages: list[tuple[int, int]]
) -> None:
    assert parse_cited_pages(locator) == pages


@every_row(
    ("text", "pages"),
    [
        ("1--24", [(1, 24)]),
        ("823-8, 840-55", [(823, 828), (840, 855)]),
        ("e12-e19", []),
        ("823+", []),
        ("7", []),
    ],
)
def test_the_pages_that_an_entry_gives_are_read(text: str, pages: list[tuple[int, int]]) -> None:
    assert parse_printed_pages(text) == pages


@every_row(
    ("interval", "p", "count"),
    [
        ("0.9, 1.5", "0.049", 1),
        ("0.9, 1.5", "0.05", 0),
        ("0.9, 1.5", "< 0.04", 1),
        ("0.9, 1.5", "< 0.05", 1),
        ("0.9, 1.5", "> 0.04", 0),
        ("1.1, 1.5", "0.051", 1),
        ("1.1, 1.5", "0.05", 0),
        ("1.1, 1.5", "> 0.06", 1),
        ("1.1, 1.5", "> 0.05", 1),
        ("1.1, 1.5", "> 0.04", 0),
        ("1.1, 1.5", "< 0.06", 0),
        ("1, 1.5", "0.04", 0),  # a bound may be rounded
        ("1, 1.5", "0.06", 0),
    ],
)
def test_an_interval_is_compared_with_a_p_that_is_sure_to_lie_on_one_side(
    interval: str, p: str, count: int
) -> None:
    head = f"type: evidence\nmethod: experiment\neffect: OR=1.2 [{interval}]\np: '{p}'"
    note = f"---\n{head}\n---\n\n# It was seen\n\n- supports:: [[c]] — so\n"
    assert len(problems_of_rule("contradictory-figures", e=note)) == count


WORK = "@article{{{}, title={{{}}}, author={{Doe, Jo}}, year={{{}}}, {}}}\n"


@every_row(
    ("first", "second", "count"),
    [
        (("a", "Naps", "2020", ""), ("b", "Naps", "2020", ""), 1),
        (("a", "Naps", "2020", ""), ("b", "NAPS!", "2020", ""), 1),
        (("a", "Naps", "2020", ""), ("b", "Naps", "2021", ""), 0),
        (("a", "Naps", "2020", "doi={10.1/X}"), ("b", "Sleep", "2021", "doi={10.1/x}"), 1),
        (("a", "Naps", "2020", "doi={10.1/x}"), ("b", "Naps", "2020", "doi={10.1/y}"), 0),
        (("a", "Naps", "2020", ""), ("A", "Sleep", "2021", ""), 1),
    ],
)
def test_entries_that_look_like_one_work_are_a_problem(
    first: tuple[str, ...], second: tuple[str, ...], count: int
) -> None:
    entries = WORK.format(*first) + WORK.format(*second)
    assert len(problems_of_rule("same-work-twice", references=entries)) == count


def test_the_case_of_an_author_does_not_make_another_work() -> None:
    first = WORK.format("a", "Naps", "2020", "")
    second = WORK.format("b", "Naps", "2020", "").replace("Doe", "DOE")
    assert len(problems_of_rule("same-work-twice", references=first + second)) == 1


def test_entries_that_count_as_one_source_anyway_may_be_alike() -> None:
    entries = WORK.format("a", "Naps", "2020", "independence={lab}")
    entries += WORK.format("b", "Naps", "2020", "independence={lab}")
    assert not problems_of_rule("same-work-twice", references=entries)


@every_row(
    ("first", "second"),
    [
        ("a, title={Naps}, year={2020}", "b, title={Naps}, year={2020}"),
        ("a, title={Naps}, author={Doe, Jo}", "b, title={Naps}, author={Doe, Jo}"),
        ("doe-2020, author={Doe, Jo}, year={2020}", "doe2020, author={Doe, Jo}, year={2020}"),
    ],
)
def test_entries_that_do_not_say_which_work_they_are_may_be_alike(first: str, second: str) -> None:
    entries = f"@article{{{first}}}\n@article{{{second}}}\n"
    assert not problems_of_rule("same-work-twice", references=entries)
