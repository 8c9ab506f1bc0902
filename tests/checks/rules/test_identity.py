"""Rules about one thing with two names, and two things with one name."""

from __future__ import annotations

from tests.checks.rule_problems import CLAIM, problems_of_rule
from tests.support.every_row import every_row


@every_row(
    ("names", "messages"),
    [
        (("naps", "rest"), []),
        (("naps", "Naps"), ["naps.md"]),
        (("aux", "rest"), ["aux.md"]),
        (("auxiliary", "rest"), []),
    ],
)
def test_a_name_that_some_systems_do_not_allow_is_reported(
    names: tuple[str, ...], messages: list[str]
) -> None:
    notes = {
        name: CLAIM.replace("open", f"id: {position}\nopen") for position, name in enumerate(names)
    }
    assert [each.span.path for each in problems_of_rule("unportable-name", **notes)] == messages


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
def test_an_alias_that_another_note_has_is_a_problem(first: str, second: str, count: int) -> None:
    notes = {"o": NAMED.format(first, "harms"), "p": NAMED.format(second, "hurts")}
    assert len(problems_of_rule("alias-taken", **notes)) == count


def test_an_alias_of_two_notes_that_a_link_uses_is_reported_at_the_link_alone() -> None:
    notes = {"o": NAMED.format("harm", "harms"), "p": NAMED.format("harm", "hurts")}
    linked_text = f"{CLAIM}- contradicts:: [[harm]] — not so\n"
    assert not problems_of_rule("alias-taken", **{**notes, "c": linked_text})
    assert len(problems_of_rule("ambiguous-target", **{**notes, "c": linked_text})) == 1


@every_row(("relation", "count"), [("same-as", 0), ("supersedes", 0), ("supports", 1)])
def test_claims_of_one_title_may_say_how_they_are_related(relation: str, count: int) -> None:
    title = CLAIM.replace("It helps", "Sleeping long helps memory")
    linked = f"{title}- {relation}:: [[a]] — so\n"
    assert len(problems_of_rule("nearly-equal-title", a=title, b=linked)) == count
