"""Every way in which a note may be named, and which comes first."""

from __future__ import annotations

from kg.corpus import Corpus, UnresolvedReason
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


def c(body: str, head: str = "type: claim") -> str:
    return f"---\n{head}\n---\n\n# T\n\n{body}\n"


def aside(corpus: Corpus) -> list[tuple[str, UnresolvedReason, tuple[str, ...]]]:
    return [(u.edge.target, u.reason, u.candidates) for u in corpus.unresolved_edges]


def targets(corpus: Corpus) -> list[str]:
    return [edge.target for edge in corpus.edges]


@every_row(
    "link",
    [
        "[[b]]",
        "[[folder/b]]",
        "[[B]]",
        "[[b|words]]",
        "[[b#Heading]]",
        "[[old b]]",
        "[[file-b]]",
        "[words](../x/file-b.md)",
        "[words](../x/file-b.md#part)",
        "[[OLD B]]",
        "[[b.md]]",
    ],
)
def test_every_way_of_naming_a_note_leads_to_it(link: str) -> None:
    other = c("", "type: claim\nid: b\naliases: [old b]")
    corpus = corpus_of_notes(**{"y/a": c(f"- supports:: {link}"), "x/file-b": other})
    assert (targets(corpus), aside(corpus)) == (["b"], [])


@every_row(
    ("file", "link"),
    [
        ("cafe\u0301", "[[caf\u00e9]]"),
        ("caf\u00e9", "[[cafe\u0301]]"),
        ("x/cafe\u0301", "[w](x/caf\u00e9.md)"),
        ("caf\u00e9", "[w](cafe%CC%81.md)"),
        ("b", "[[\u0041\u030a]]"),
    ],
)
def test_accents_may_stand_in_their_letters_or_apart(file: str, link: str) -> None:
    other = c("", "type: claim\naliases: [\u00c5]")
    corpus = corpus_of_notes(**{"a": c(f"- supports:: {link}\n\n{link}"), file: other})
    assert targets(corpus) == [corpus.mentions[0].target] == [corpus.edges[0].target]
    assert (len(targets(corpus)), aside(corpus)) == (1, [])


def test_an_id_comes_before_an_alias_and_an_alias_before_another_case() -> None:
    corpus = corpus_of_notes(
        a=c("- supports:: [[b]]\n- supports:: [[C]]"),
        b=c(""),
        d=c("", "type: claim\naliases: [b, C]"),
        **{"z/c": c("")},
    )
    assert targets(corpus) == ["b", "d"]
    assert corpus.find_id("C") == "d"


@every_row(
    ("link", "id"),
    [
        ("b#^why", "b#why"),
        ("B#^why", "b#why"),
        ("b#^found", "b#found--supports--b"),
        ("b--extends--a", "b--extends--a"),
        ("b#^was-here", "moved--supports--b"),
        ("b#^none", None),
    ],
)
def test_an_edge_is_named_by_its_id_by_its_callout_or_by_what_its_callout_was(
    link: str, id: str | None
) -> None:
    corpus = corpus_of_notes(
        a=c(f"- undercuts:: [[{link}]] — no"),
        b=c("- supports:: [[a]] ^why\n- extends:: [[a]]\n\n> [!evidence] E ^found"),
        moved=c("- supports:: [[b]]", "type: evidence\naliases: [b#was-here]"),
    )
    assert [edge.target for edge in corpus.edges_from.get("a", ())] == ([] if id is None else [id])
