"""Every place that names something is resolved as the corpus does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import resolve
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.linked_notes import CONFIG, LIBRARY, linked_notes
from tests.support.own import own_corpus

K = ReferenceKind


def lines_without_edge(corpus: Corpus) -> set[tuple[str, int]]:
    spans = [each.edge.span for each in corpus.unresolved_edges]
    spans += [each.span for each in corpus.diagnostics if each.rule == "missing-target"]
    return {(span.path, span.line) for span in spans}


def references_of(texts: dict[str, str], corpus: Corpus) -> list[Reference]:
    """All but those in list items of which the corpus made no edge."""
    left_out = lines_without_edge(corpus)
    references = []
    for path, text in texts.items():
        for each in find_references(text, path):
            assert text[each.start : each.end] == each.name
            line = text.count("\n", 0, each.start) + 1
            in_edge = each.kind in (K.TARGET, K.PREMISE)
            if not (in_edge and (path, line) in left_out):
                references.append(each)
    return references


def resolved_targets(
    corpus: Corpus, references: list[Reference], *kinds: K
) -> set[tuple[str, str, str]]:
    """Who says what of whom, by the references."""
    return {
        (each.holder, each.word, target)
        for each in references
        if each.kind in kinds and (target := resolve(corpus, each)) is not None
    }


def assert_same_as_corpus(corpus: Corpus, references: list[Reference]) -> None:
    left_out = lines_without_edge(corpus)
    kept_edges = [edge for edge in corpus.edges if (edge.span.path, edge.span.line) not in left_out]
    result_edges = [edge for edge in kept_edges if not edge.nested]
    placed = {(each.line, each.camp, each.statement) for each in corpus.placements}
    steps = {
        (line.id, "next", step.target)
        for line in corpus.lines.values()
        for step in line.next
        if step.target
    }
    edges = {(edge.origin, edge.relation.value, edge.target) for edge in result_edges}
    assert resolved_targets(corpus, references, K.TARGET) == edges | placed | steps
    premises = {(edge.origin, each) for edge in kept_edges for each in edge.together}
    assert {(a, c) for a, _, c in resolved_targets(corpus, references, K.PREMISE)} == premises
    known = {*corpus.statements, *corpus.lines, *corpus.sources}
    mentions = {(each.origin, each.target) for each in corpus.mentions}
    rows = {(a, c) for a, _, c in resolved_targets(corpus, references, K.MENTION) if a in known}
    assert rows == mentions
    cited_rows = {
        (id, citation.key)
        for things in (corpus.statements, corpus.lines)
        for id, thing in things.items()
        for citation in thing.citations
        if citation.key in corpus.sources
    }
    citing = {*corpus.statements, *corpus.lines}  # what the notes of sources cite is not kept
    assert {
        (a, c) for a, _, c in resolved_targets(corpus, references, K.CITATION) if a in citing
    } == cited_rows
    result_rows = {(id, line.proposition) for id, line in corpus.lines.items() if line.proposition}
    assert {
        (a, c) for a, _, c in resolved_targets(corpus, references, K.PROPOSITION)
    } == result_rows
    topics = {(id, each) for id, one in corpus.statements.items() for each in one.topics}
    topics |= {(id, each) for id, one in corpus.lines.items() for each in one.topics}
    topics |= {(id, each) for id, one in corpus.sources.items() for each in one.topics}
    assert {
        (a, c) for a, _, c in resolved_targets(corpus, references, K.TOPIC) if a in known
    } == topics
    aliases = {each.name for each in references if each.kind is K.ALIAS}
    assert {
        (each.name, id)
        for each in references
        if each.kind is K.ALIAS and (id := resolve(corpus, each)) is not None
    } == {(alias, id) for alias, id in corpus.aliases.items() if alias in aliases}
    camps = {(id, one.camp) for id, one in corpus.statements.items() if one.camp}
    assert {(a, c) for a, _, c in resolved_targets(corpus, references, K.CAMP)} == camps


@pytest.mark.integration
def test_our_own_notes_name_what_the_corpus_links() -> None:
    corpus = own_corpus()
    folder = Path(__file__).parents[3] / "notes"
    texts = {
        str(file.relative_to(folder).as_posix()): file.read_text("utf-8")
        for file in folder.rglob("*.md")
        if file.name != "README.md"
    }
    references = references_of(texts, corpus)
    assert_same_as_corpus(corpus, references)
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
