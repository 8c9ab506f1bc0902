"""Statements and edges are known again under another id, and by what they say."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kg.corpus import Corpus
from kg.history.find_changes import diff
from kg.history.match_records import match_edges
from kg.model import Relation
from tests.history.changed_notes import claim_text
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.every_row import every_row

TWICE = "- supports:: [[p]] — one\n- supports:: [[p]] — two"


def test_a_note_whose_alias_is_its_former_id_is_renamed_with_its_parts() -> None:
    nested = "> [!evidence] Seen ^seen\n> So. (method:: survey)\n"
    before = corpus_of_notes(
        p=claim_text("P"),
        old=claim_text("A", nested + "\n- supports:: [[p]] ^e"),
        u=claim_text("U", "- undercuts:: [[old#^e]]"),
    )
    moved_text = claim_text("A", nested + "\n- supports:: [[p]] ^e").replace(
        "camp:", "aliases: [old]\ncamp:"
    )
    after = corpus_of_notes(
        p=claim_text("P"), new=moved_text, u=claim_text("U", "- undercuts:: [[new#^e]]")
    )
    changes = diff(before, after)
    assert {(change.was, change.id) for change in changes.renamed} == {
        ("old", "new"),
        ("old#seen", "new#seen"),
    }
    assert (changes.added, changes.removed) == ((), ())
    assert (changes.edges_added, changes.edges_removed) == ((), ())


def test_a_statement_of_the_same_text_under_another_id_is_renamed() -> None:
    text = "Raters reward answers that sound finished, so habits that interrupt go first."
    before = corpus_of_notes(
        one=claim_text("Tuning strips acts", text), two=claim_text("Same title")
    )
    after = corpus_of_notes(
        uno=claim_text("Tuning strips the acts", text),
        dos=claim_text("Same title", "With more words than it had before."),
        tre=claim_text("Wholly new"),
    )
    changes = diff(before, after)
    assert {(c.was, c.id) for c in changes.renamed} == {("one", "uno"), ("two", "dos")}
    assert changes.added == ("tre",)


@every_row(
    ("after", "added", "changed", "removed"),
    [
        (TWICE.replace("one", "won"), [], ["won"], []),
        (TWICE.replace("two", "too"), [], ["too"], []),
        ("- supports:: [[p]] — two", [], [], ["one"]),
        ("- supports:: [[p]] — one", [], [], ["two"]),
        ("- supports:: [[p]] — nought\n" + TWICE, ["nought"], [], []),
        ("- supports:: [[p]] — two\n- supports:: [[p]] — one", [], [], []),
    ],
)
def test_edges_that_link_the_same_are_distinguished(
    after: str, added: list[str], changed: list[str], removed: list[str]
) -> None:
    before = corpus_of_notes(p=claim_text("P"), a=claim_text("A", TWICE))
    changes = diff(before, corpus_of_notes(p=claim_text("P"), a=claim_text("A", after)))
    assert [edge.reason for edge in changes.edges_added] == added
    assert [edge.reason for edge in changes.edges_changed] == changed
    assert [edge.reason for edge in changes.edges_removed] == removed


def test_an_edge_is_known_by_its_name_before_what_it_says() -> None:
    note_text = claim_text("A", "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y")
    swapped = claim_text("A", "- supports:: [[p]] — two ^x\n- supports:: [[p]] — three ^y")
    changes = diff(
        corpus_of_notes(p=claim_text("P"), a=note_text),
        corpus_of_notes(p=claim_text("P"), a=swapped),
    )
    assert [edge.id for edge in changes.edges_changed] == ["a#x", "a#y"]


def test_edges_of_another_strength_in_another_order_are_known_by_their_reasons() -> None:
    weaker = (
        "- supports:: [[p]] (strength:: weak) — two\n- supports:: [[p]] (strength:: weak) — one"
    )
    before, after = (
        corpus_of_notes(p=claim_text("P"), a=claim_text("A", links)) for links in (TWICE, weaker)
    )
    pairs = match_edges(before, after, {}).items()
    reasons = {
        (before.edges_by_id[old].reason, after.edges_by_id[new].reason) for old, new in pairs
    }
    assert reasons == {("one", "one"), ("two", "two")}


def test_an_undercut_follows_the_edge_that_it_denies() -> None:
    links = "- supports:: [[p]] — one ^x\n- supports:: [[p]] — two ^y"
    notes = {"p": claim_text("P"), "a": claim_text("A", links)}
    on_x, on_y = (claim_text("U", f"- undercuts:: [[a#^{name}]]") for name in "xy")
    moved = diff(corpus_of_notes(**notes, u=on_x), corpus_of_notes(**notes, u=on_y))
    assert [edge.target for edge in moved.edges_removed] == ["a#x"]
    assert [edge.target for edge in moved.edges_added] == ["a#y"]
    renamed = links.replace("^x", "^z")
    again = corpus_of_notes(
        p=claim_text("P"), a=claim_text("A", renamed), u=claim_text("U", "- undercuts:: [[a#^z]]")
    )
    assert diff(corpus_of_notes(**notes, u=on_x), again).is_empty
    reused = claim_text("A", "- supports:: [[u]] ^x")  # another edge has the id now
    changes = diff(
        corpus_of_notes(**notes, u=on_x), corpus_of_notes(**notes | {"a": reused}, u=on_x)
    )
    assert "u--undercuts--a#x" in {edge.id for edge in changes.edges_added}


@every_row(("target", "name"), [("c#^z", "a"), ("c#^z", "renamed"), ("b#^y", "a"), ("a#^x", "a")])
def test_undercuts_in_a_circle_are_matched_and_what_undercuts_them(target: str, name: str) -> None:
    def corpus(a: str) -> Corpus:
        circle = {
            a: claim_text("A", "- undercuts:: [[b#^y]] ^x"),
            "b": claim_text("B", f"- undercuts:: [[{target}]] ^y"),
            "c": claim_text("C", f"- undercuts:: [[{a}#^x]] ^z"),
            "d": claim_text("D", "- undercuts:: [[c#^z]]"),
        }
        return corpus_of_notes(**circle)

    changes = diff(corpus("a"), corpus(name))
    assert (changes.edges_added, changes.edges_removed) == ((), ())


@given(random_corpora(), st.randoms(use_true_random=False))
def test_a_corpus_does_not_differ_from_itself(corpus: Corpus, draw: Random) -> None:
    edges = [
        structs.replace(edge, target=draw.choice(corpus.edges).id)
        if edge.relation is Relation.UNDERCUTS
        else edge
        for edge in corpus.edges
    ]
    corpus = replace(corpus, edges=tuple(edges))
    assert diff(corpus, corpus).is_empty


def test_a_changed_premise_is_a_change_and_a_renamed_one_is_none() -> None:
    text = "- supports:: [[p]] with [[{}]]"
    note_texts = {"p": claim_text("P"), "b": claim_text("B"), "c": claim_text("C")}
    before = corpus_of_notes(**note_texts, a=claim_text("A", text.format("b")))
    changes = diff(before, corpus_of_notes(**note_texts, a=claim_text("A", text.format("c"))))
    assert [edge.together for edge in changes.edges_changed] == [("c",)]
    renamed = {"p": claim_text("P"), "d": claim_text("B"), "c": claim_text("C")}
    after = corpus_of_notes(**renamed, a=claim_text("A", text.format("d")))
    assert diff(before, after).edges_changed == ()


def test_of_two_reasons_with_other_premises_the_right_one_is_gone() -> None:
    note_texts = {"p": claim_text("P"), "b": claim_text("B"), "c": claim_text("C")}
    links = ["- supports:: [[p]] with [[b]]", "- supports:: [[p]] with [[c]]"]
    before = corpus_of_notes(**note_texts, a=claim_text("A", "\n".join(links)))
    stronger = f"{links[1]} (strength:: strong)"
    changes = diff(before, corpus_of_notes(**note_texts, a=claim_text("A", stronger)))
    assert [edge.together for edge in changes.edges_removed] == [("b",)]
    assert [edge.together for edge in changes.edges_changed] == [("c",)]


@every_row(
    ("old", "new", "renamed"),
    [
        ({"a": "Red green blue one"}, {"b": "Red green blue two"}, {("a", "b")}),
        ({"a": "Red green blue one"}, {"b": "Red green two three"}, set()),
        (
            {"a": "Red green blue grey white one", "b": "Red green blue grey white two"},
            {"c": "Red green blue grey white two three"},
            {("b", "c")},
        ),
    ],
)
def test_texts_are_matched_from_a_bound_on_and_the_most_similar_first(
    old: dict[str, str], new: dict[str, str], renamed: set[tuple[str, str]]
) -> None:
    states = (
        corpus_of_notes(**{id: claim_text(title) for id, title in each.items()})
        for each in (old, new)
    )
    assert {(change.was, change.id) for change in diff(*states).renamed} == renamed


def test_a_claim_is_never_a_finding_of_the_same_title() -> None:
    before = corpus_of_notes(a=claim_text("Same title"))
    finding = "---\ntype: evidence\nmethod: survey\n---\n\n# Same title\n"
    changes = diff(before, corpus_of_notes(b=finding))
    assert (changes.added, changes.removed, [*changes.renamed]) == (("b",), ("a",), [])
