"""Notes stored one by one answer as a corpus in memory does, and weigh as much.

Of `kg/reasoning/graph/stored_graph.py` and `kg/reasoning/reading.py`, too.
"""

from __future__ import annotations

import dataclasses
import shutil
from inspect import cleandoc
from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest

from kg.corpus import Corpus
from kg.corpus.record_file import DamagedRecords
from kg.graphs_with_strengths.stored_notes import open_stored_notes, store_notes
from kg.loader import load_corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.rdf import quad_store as stores
from kg.rdf.quad_store import NotAStore, open_store
from kg.rdf.quads import as_quads
from kg.reasoning import judgements_of, reading_of, strengths, verdict
from kg.reasoning.graph.graph import Graph
from tests.queries.small_notes import SMALL
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.own import NOTES, own_corpus

CLAIM = "---\ntype: claim\n---\n# {}\n"


def _holds(store: ox.Store, corpus: Corpus) -> bool:
    return set(store) == set(as_quads(corpus))


def _write_titles(folder: Path, **titles: str) -> Path:
    folder.mkdir()
    for name, title in titles.items():
        (folder / f"{name}.md").write_text(CLAIM.format(title), "utf-8")
    return folder


@every_row("characters", [1, 1500, 10**6])
def test_notes_are_stored_one_by_one_as_a_corpus_is_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, characters: int
) -> None:
    monkeypatch.setattr(stores, "CHARACTERS_IN_A_RUN", characters)
    notes = _write_titles(tmp_path / "notes", a="A", b="B", c="C")
    for _ in range(2):  # also in place of the store that is there
        store_notes(notes, tmp_path / "build" / "store")
        store = ox.Store.read_only(str(tmp_path / "build" / "store"))
        assert _holds(store, load_corpus(notes))
        del store
        assert [place.name for place in (tmp_path / "build").iterdir()] == ["store"]


def test_notes_are_stored_in_no_folder_that_holds_anything_else(tmp_path: Path) -> None:
    notes = _write_titles(tmp_path / "notes", a="A")
    with pytest.raises(NotAStore):
        store_notes(notes, notes)
    assert [place.name for place in notes.iterdir()] == ["a.md"]


def _stored_folder(tmp_path: Path) -> tuple[Path, Corpus]:
    notes = _write_titles(tmp_path / "notes", a="A", b="B", c="C")
    store_notes(notes, tmp_path / "store")
    return tmp_path / "store", load_corpus(notes)


def test_records_are_read_beside_the_quads_of_a_store_that_is_as_it_was_made(
    tmp_path: Path,
) -> None:
    folder, corpus = _stored_folder(tmp_path)
    for place in (folder, tmp_path / "moved"):
        folder.rename(place)
        store, read = open_stored_notes(place)
        assert _holds(store, corpus)
        assert read is not None
        assert dict(read.statements.items()) == dict(corpus.statements)
        del store


@every_row("change", ["add", "remove", "load"])
def test_records_beside_a_store_with_other_quads_are_not_read(tmp_path: Path, change: str) -> None:
    folder, _ = _stored_folder(tmp_path)
    store = ox.Store(str(folder))
    quad = next(iter(store))
    if change == "add":
        store.add(ox.Quad(quad.subject, quad.predicate, ox.Literal("more"), quad.graph_name))
    elif change == "remove":
        store.remove(quad)
    else:
        store.bulk_extend([ox.Quad(quad.subject, quad.predicate, ox.Literal("more"))])
    assert open_stored_notes(folder)[1] is None, "while it is open, too"
    del store
    assert open_stored_notes(folder)[1] is None
    store_notes(tmp_path / "notes", folder)
    assert open_stored_notes(folder)[1] is not None


def test_records_of_another_store_are_not_read(tmp_path: Path) -> None:
    folder, corpus = _stored_folder(tmp_path)
    rows = (folder / "notes.rows").read_bytes()
    assert open_stored_notes(folder)[1] is not None
    open_store(corpus_of_notes(a=CLAIM.format("X")), folder)
    assert open_stored_notes(folder)[1] is None
    other = tmp_path / "other"
    open_store(corpus, other)
    (other / "notes.rows").write_bytes(rows)
    assert open_stored_notes(other)[1] is None


@pytest.fixture(scope="module")
def own_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own notes, stored: only copies of it may be altered."""
    place = tmp_path_factory.mktemp("own") / "store"
    store_notes(NOTES, place)
    return place


@pytest.mark.integration
def test_strengths_and_verdicts_of_our_own_stored_notes_are_those_in_memory(
    own_store: Path,
) -> None:
    _require_same_as_in_memory(own_store, own_corpus())


def test_strengths_and_verdicts_of_stored_notes_are_those_in_memory(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in SMALL.items():
        (folder / name).write_text(cleandoc(text) + "\n", "utf-8")
    judgements = folder / "judgements"
    judgements.mkdir()
    edge = next(edge.id for edge in load_corpus(folder).edges if edge.relation == "supports")
    rows = f"edge,annotator,label\n{edge},ann,contradicts\n{edge},bob,supports\n"
    (judgements / "of-ours.csv").write_text(rows, "utf-8")
    store_notes(folder, tmp_path / "store")
    _require_same_as_in_memory(tmp_path / "store", load_corpus(folder))


def _require_same_as_in_memory(store: Path, corpus: Corpus) -> None:
    _, stored = open_stored_notes(store)
    assert stored is not None
    assert judgements_of(stored) == judgements_of(corpus)
    read, reading = reading_of(stored), reading_of(corpus)
    assert not isinstance(read.graph.edge_of_arc, tuple), "it was read from its file"
    for field in dataclasses.fields(Graph):
        ours, theirs = getattr(read.graph, field.name), getattr(reading.graph, field.name)
        if isinstance(theirs, np.ndarray):
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs), field.name
        elif field.name in ("ids", "number_of", "gate_count", "settings"):
            assert ours == theirs, field.name
    assert list(read.graph.edge_of_arc) == list(reading.graph.edge_of_arc)
    assert read.unweighed_edges == reading.unweighed_edges
    assert dict(read.qualities.items()) == dict(reading.qualities)
    assert dict(read.source_groups.sources) == dict(reading.source_groups.sources)
    assert strengths(stored) == strengths(corpus)
    reweighed, also_reweighed = (
        reading_of(each, Reasoning(moderate=0.9, weak=0.1)) for each in (stored, corpus)
    )
    assert strengths(reweighed) == strengths(also_reweighed)
    for line in sorted(corpus.lines)[:1]:  # of the same numbers the others follow in the same way
        assert str(verdict(stored, line).report()) == str(verdict(corpus, line).report())


def test_strengths_without_the_stored_graph_are_made_of_the_records(
    tmp_path: Path, own_store: Path
) -> None:
    shutil.copytree(own_store, tmp_path / "store")
    (tmp_path / "store" / "notes.graph").unlink()
    _, stored = open_stored_notes(tmp_path / "store")
    assert stored is not None
    assert strengths(stored) == strengths(own_corpus())


def test_strengths_without_the_stored_judgements_are_none(tmp_path: Path, own_store: Path) -> None:
    shutil.copytree(own_store, tmp_path / "store")
    (tmp_path / "store" / "notes.judgements").unlink()
    _, stored = open_stored_notes(tmp_path / "store")
    assert stored is not None
    with pytest.raises(DamagedRecords):
        strengths(stored)
