"""Statements and edges are known again under another id, and by what they say."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.queries.history.find_changes import diff
from tests.queries.history.changed_notes import claim
from tests.support.every_row import every_row

Make = Callable[..., Corpus]
TWICE = "- supports:: [[p]] — one\n- supports:: [[p]] — two"


def test_a_note_whose_alias_is_its_former_id_is_renamed_with_its_parts(corpus_of: Make) -> None:
    nested = "> [!evidence] Seen ^seen\n> So. (method:: survey)\n"
    before = corpus_of(p=claim("P"), old=claim("A", nested + "\n- supports:: [[p]] ^e"),
                       u=claim("U", "- undercuts:: [[old#^e]]"))  # fmt: skip
    moved = claim("A", nested + "\n- supports:: [[p]] ^e").replace("camp:", "aliases: [old]\ncamp:")
    after = corpus_of(p=claim("P"), new=moved, u=claim("U", "- undercuts:: [[new#^e]]"))
    changes = diff(before, after)
    assert {(change.was, change.id) for change in changes.renamed} == {
        ("old", "new"),
        ("old#seen", "new#seen"),
    }
    assert (changes.added, changes.removed) == ((), ())
    assert (changes.edges_added, changes.edges_removed) == ((), ())


def test_a_statement_of_the_same_text_under_another_id_is_renamed(corpus_of: Make) -> None:
    text = "Raters reward answers that sound finished, so habits that interrupt go first."
    before = corpus_of(one=claim("Tuning strips acts", text), two=claim("Same title"))
    after = corpus_of(
        uno=claim("Tuning strips the acts", text),
        dos=claim("Same title", "With more words than it had before."),
        tre=claim("Wholly new"),
    )
    changes = diff(before, after)
    assert {(c.was, c.id) for c in changes.renamed} == {("one", "uno"), ("two", "dos")}
    assert changes.added == ("tre",)


@every_row(
    ("now", "added", "changed", "removed"),
    [
        (TWICE.replace("one", "won"), [], ["won"], []),
        (TWICE.replace("two", "too"), [], ["too"], []),
        ("- supports:: [[p]] — two", [], [], ["one"]),
        ("- supports:: [[p]] — one", [], [], ["two"]),
        ("- supports:: [[p]] — nought\n" + TWICE, ["nought"], [], []),
        ("- supports:: [[p]] — two\n- supports:: [[p]] — one", [], [], []),
    ],
)
def test_edges_that_link_the_same_are_told_apart(
    corpus_of: Make, now: str, added: list[str], changed: list[str], removed: list[str]
) -> None:
    before = corpus_of(p=claim("P"), a=claim("A", TWICE))
    changes = diff(before, corpus_of(p=claim("P"), a=claim("A", now)))
    assert [edge.reason for edge in changes.edges_added] == added
    assert [edge.reason for edge in changes.edges_changed] == changed
    assert [edge.reason for edge in changes.edges_removed] == removed


def test_an_edge_is_known_by_its_name_before_what_it_says(corpus_of: Make) -> None:
    named = claim("A", "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y")
    swapped = claim("A", "- supports:: [[p]] — two ^x\n- supports:: [[p]] — three ^y")
    changes = diff(corpus_of(p=claim("P"), a=named), corpus_of(p=claim("P"), a=swapped))
    assert [edge.id for edge in changes.edges_changed] == ["a#x", "a#y"]


def test_an_undercut_follows_the_edge_that_it_denies(corpus_of: Make) -> None:
    links = "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y"
    notes = {"p": claim("P"), "a": claim("A", links)}
    on_x, on_y = (claim("U", f"- undercuts:: [[a#^{name}]]") for name in "xy")
    moved = diff(corpus_of(**notes, u=on_x), corpus_of(**notes, u=on_y))
    assert [edge.target for edge in moved.edges_removed] == ["a#x"]
    assert [edge.target for edge in moved.edges_added] == ["a#y"]
    renamed = links.replace("^x", "^z")
    again = corpus_of(p=claim("P"), a=claim("A", renamed), u=claim("U", "- undercuts:: [[a#^z]]"))
    assert diff(corpus_of(**notes, u=on_x), again).is_empty


def test_a_changed_premise_is_a_change_and_a_renamed_one_is_none(corpus_of: Make) -> None:
    text = "- supports:: [[p]] with [[{}]]"
    held = {"p": claim("P"), "b": claim("B"), "c": claim("C")}
    before = corpus_of(**held, a=claim("A", text.format("b")))
    changes = diff(before, corpus_of(**held, a=claim("A", text.format("c"))))
    assert [edge.together for edge in changes.edges_changed] == [("c",)]
    renamed = {"p": claim("P"), "d": claim("B"), "c": claim("C")}
    after = corpus_of(**renamed, a=claim("A", text.format("d")))
    assert diff(before, after).edges_changed == ()


def test_of_two_reasons_with_other_premises_the_right_one_is_gone(corpus_of: Make) -> None:
    held = {"p": claim("P"), "b": claim("B"), "c": claim("C")}
    links = ["- supports:: [[p]] with [[b]]", "- supports:: [[p]] with [[c]]"]
    before = corpus_of(**held, a=claim("A", "\n".join(links)))
    stronger = f"{links[1]} (strength:: strong)"
    changes = diff(before, corpus_of(**held, a=claim("A", stronger)))
    assert [edge.together for edge in changes.edges_removed] == [("b",)]
    assert [edge.together for edge in changes.edges_changed] == [("c",)]
