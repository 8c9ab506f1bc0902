"""Every place that names something: found where it stands, and resolved as the corpus does.

Of `kg/editing/references/table_references.py` and
`kg/editing/references/resolve_reference.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.editing.references import find_references
from kg.editing.references.note_references import references_in_note
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import resolve
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.linked_notes import CONFIG, LIBRARY, linked_notes
from tests.support.own import own_corpus

K = ReferenceKind


def lines_without_edge(corpus: Corpus) -> set[tuple[str, int]]:
    spans = [each.edge.span for each in corpus.unresolved]
    spans += [each.span for each in corpus.diagnostics if each.rule == "missing-target"]
    return {(span.path, span.line) for span in spans}


def references_of(texts: dict[str, str], corpus: Corpus) -> list[Reference]:
    """All but those in list items of which the corpus made no edge."""
    left_out = lines_without_edge(corpus)
    found = []
    for path, text in texts.items():
        for each in find_references(text, path):
            assert text[each.start : each.end] == each.name
            line = text.count("\n", 0, each.start) + 1
            in_edge = each.kind in (K.TARGET, K.PREMISE)
            if not (in_edge and (path, line) in left_out):
                found.append(each)
    return found


def resolved(corpus: Corpus, found: list[Reference], *kinds: K) -> set[tuple[str, str, str]]:
    """Who says what of whom, by the references."""
    return {
        (each.holder, each.word, target)
        for each in found
        if each.kind in kinds and (target := resolve(corpus, each)) is not None
    }


def assert_same_as_corpus(corpus: Corpus, found: list[Reference]) -> None:
    left_out = lines_without_edge(corpus)
    kept = [edge for edge in corpus.edges if (edge.span.path, edge.span.line) not in left_out]
    written = [edge for edge in kept if not edge.nested]
    placed = {(each.line, each.camp, each.statement) for each in corpus.placements}
    steps = {
        (line.id, "next", step.target)
        for line in corpus.lines.values()
        for step in line.next
        if step.target
    }
    edges = {(edge.source, edge.relation.value, edge.target) for edge in written}
    assert resolved(corpus, found, K.TARGET) == edges | placed | steps
    premises = {(edge.source, each) for edge in kept for each in edge.together}
    assert {(a, c) for a, _, c in resolved(corpus, found, K.PREMISE)} == premises
    known = {*corpus.statements, *corpus.lines, *corpus.sources}
    mentions = {(each.origin, each.target) for each in corpus.mentions}
    told = {(a, c) for a, _, c in resolved(corpus, found, K.MENTION) if a in known}
    assert told == mentions
    cited = {
        (id, citation.key)
        for things in (corpus.statements, corpus.lines)
        for id, thing in things.items()
        for citation in thing.citations
        if citation.key in corpus.sources
    }
    citing = {*corpus.statements, *corpus.lines}  # what the notes of sources cite is not kept
    assert {(a, c) for a, _, c in resolved(corpus, found, K.CITATION) if a in citing} == cited
    weighed = {(id, line.proposition) for id, line in corpus.lines.items() if line.proposition}
    assert {(a, c) for a, _, c in resolved(corpus, found, K.PROPOSITION)} == weighed
    topics = {(id, each) for id, one in corpus.statements.items() for each in one.topics}
    topics |= {(id, each) for id, one in corpus.lines.items() for each in one.topics}
    topics |= {(id, each) for id, one in corpus.sources.items() for each in one.topics}
    assert {(a, c) for a, _, c in resolved(corpus, found, K.TOPIC) if a in known} == topics
    camps = {(id, one.camp) for id, one in corpus.statements.items() if one.camp}
    assert {(a, c) for a, _, c in resolved(corpus, found, K.CAMP)} == camps


@pytest.mark.integration
def test_our_own_notes_name_what_the_corpus_links() -> None:
    corpus = own_corpus()
    folder = Path(__file__).parents[3] / "notes"
    texts = {
        str(file.relative_to(folder).as_posix()): file.read_text("utf-8")
        for file in folder.rglob("*.md")
        if file.name != "README.md"
    }
    found = references_of(texts, corpus)
    assert_same_as_corpus(corpus, found)
    library = {"references.bib": (folder / "references.bib").read_text("utf-8")}
    keys = references_of(library, corpus)
    in_bib = {each.name for each in keys if each.kind is K.KEY}
    assert in_bib == {key for key, source in corpus.sources.items() if source.entry}


@examples(15)
@given(linked_notes())
def test_any_notes_name_what_their_corpus_links(texts: dict[str, str]) -> None:
    notes = {path.removesuffix(".md"): text for path, text in texts.items()}
    corpus = corpus_of_notes(LIBRARY, CONFIG, **notes)
    assert_same_as_corpus(corpus, references_of(texts, corpus))


def names_of(path: str, text: str) -> list[tuple[str, str]]:
    found = list(find_references(text, path))
    assert all(text[each.start : each.end] == each.name for each in found)
    if path.endswith(".md"):
        assert list(found) == list(references_in_note(text, path))
    return [(each.kind.value, each.name) for each in found]


def test_a_bibliography_names_its_keys_and_what_they_inherit_from() -> None:
    entries = '@inproceedings{ roe:1, crossref = {all}, title="@misc{x,"}\n@proceedings(all,\n}\n'
    found = names_of("references.bib", entries.replace("(all,", "{all,"))
    assert found == [("key", "roe:1"), ("inherited", "all"), ("key", "all")]
    assert names_of("references.json", '[{"title": "id", "id": "roe"}]') == [("key", "roe")]


def test_a_table_names_the_edges_that_are_judged() -> None:
    table = 'note, Edge ,label\n"a, ""b""\nc",a--supports--b,supports\nx,"c#d ",neutral\n,,\n'
    found = names_of("judgements/one.csv", table)
    assert found == [("judged-edge", "a--supports--b"), ("judged-edge", "c#d")]
    assert names_of("judgements/two.csv", "label,note\nx,y\n") == []
    assert names_of("judgements/three.csv", "edge\nno--line--end") == [
        ("judged-edge", "no--line--end")
    ]


def test_settings_name_their_camps() -> None:
    settings = (
        '# id = "left"\n[[camps]]\nlabel = "id = \'left\'"\nid = "left"\n[[camps]]\nid = \'b\'\n'
    )
    assert names_of("kg.toml", settings) == [("camp-id", "left"), ("camp-id", "b")]
    assert names_of("kg.toml", "[[camps") == []


def test_broken_front_matter_names_nothing_and_the_body_does() -> None:
    assert names_of("a.md", "---\ncamp: [\n---\n\n[[b]]\n") == [("mention", "b")]


def test_front_matter_is_named_word_by_word() -> None:
    head = "id: 'a'\naliases: [\"x y\", z]\ntopics: one, two words\nproposition: '[[b#^c|words]]'"
    assert names_of("n.md", f"---\n{head}\nCamp: left\n---\n") == [
        ("id", "a"),
        ("alias", "x y"),
        ("alias", "z"),
        ("topic", "one"),
        ("topic", "two words"),
        ("proposition", "b"),
        ("camp", "left"),
    ]


def test_what_looks_like_a_field_names_something_in_callouts_alone() -> None:
    field = "(asserted_by:: roe)"
    assert names_of("a.md", f"---\ntype: claim\n---\n\n# A\n\nSaid. {field}\n") == [("title", "A")]
    found = names_of("a.md", f"---\ntype: claim\n---\n\n# A\n\n> [!evidence] E\n> Seen. {field}\n")
    assert ("holder", "roe") in found
