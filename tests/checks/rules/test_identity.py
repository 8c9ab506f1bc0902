"""Rules about one thing with two names, and two things with one name."""

from __future__ import annotations

from tests.support.every_row import every_row
from tests.support.rule_problems import CLAIM, problems_of_rule

NAMED = "---\ntype: claim\nopen: nobody looked\naliases: [{}]\n---\n\n# It {}\n"


@every_row(
    ("first", "second", "count"),
    [
        ("harm", "hurt", 0),
        ("harm", "harm", 1),
        ("c", "hurt", 1),  # the id of another note
        ("o", "hurt", 0),  # its own id
    ],
)
def test_whose_alias_it_is(first: str, second: str, count: int) -> None:
    notes = {"o": NAMED.format(first, "harms"), "p": NAMED.format(second, "hurts")}
    assert len(problems_of_rule("alias-taken", **notes)) == count


def test_an_alias_of_two_notes_that_a_link_uses_is_told_at_the_link_alone() -> None:
    notes = {"o": NAMED.format("harm", "harms"), "p": NAMED.format("harm", "hurts")}
    linked = f"{CLAIM}- contradicts:: [[harm]] — not so\n"
    assert not problems_of_rule("alias-taken", **{**notes, "c": linked})
    assert len(problems_of_rule("ambiguous-target", **{**notes, "c": linked})) == 1


ENTRY = "@article{{{}, title={{{}}}, author={{Doe, Jo}}, year={{{}}}, {}}}\n"


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
def test_what_is_one_work(first: tuple[str, ...], second: tuple[str, ...], count: int) -> None:
    entries = ENTRY.format(*first) + ENTRY.format(*second)
    assert len(problems_of_rule("same-work-twice", references=entries)) == count


def test_the_case_of_an_author_does_not_make_another_work() -> None:
    first = ENTRY.format("a", "Naps", "2020", "")
    second = ENTRY.format("b", "Naps", "2020", "").replace("Doe", "DOE")
    assert len(problems_of_rule("same-work-twice", references=first + second)) == 1


def test_entries_that_count_as_one_source_anyway_may_be_alike() -> None:
    entries = ENTRY.format("a", "Naps", "2020", "independence={lab}")
    entries += ENTRY.format("b", "Naps", "2020", "independence={lab}")
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
