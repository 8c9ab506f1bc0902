"""The store on disk holds the corpus, whatever it held before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.rdf import quad_store as stores
from kg.rdf.quad_store import NotAStore, open_store, remove_store, replace_graph
from kg.rdf.quads import DIGEST_PROPERTY, as_quads, corpus_graph_name, graph_name
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n---\n# {}\n"


def _claims(**titles: str) -> Corpus:
    return corpus_of_notes(**{name: CLAIM.format(title) for name, title in titles.items()})


def _many(last: str) -> Corpus:
    return _claims(**{f"n{number}": f"Title {number}" for number in range(9)}, n9=last)


def _holds(store: ox.Store, corpus: Corpus) -> bool:
    return set(store) == set(as_quads(corpus))


def test_a_new_store_holds_the_corpus_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    assert _holds(open_store(_many("x"), tmp_path / "build" / "store"), _many("x"))
    assert [place.name for place in (tmp_path / "build").iterdir()] == ["store"]


def test_an_edited_note_replaces_no_other_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(_many("before"), tmp_path / "store")
    replaced = []
    monkeypatch.setattr(
        stores, "replace_graph", lambda *it: (replaced.append(it[1].value), replace_graph(*it))
    )
    store = open_store(_many("after"), tmp_path / "store")
    assert _holds(store, _many("after"))
    # and that of the corpus, which holds a digest of all
    after = _many("after")
    assert replaced == [graph_name(after, "n9.md").value, corpus_graph_name(after).value]


def test_a_note_that_is_gone_takes_its_graph_with_it(tmp_path: Path) -> None:
    fewer = corpus_of_notes(
        **{f"n{number}": CLAIM.format(f"Title {number}") for number in range(9)}
    )
    open_store(_many("x"), tmp_path / "store")
    assert _holds(open_store(fewer, tmp_path / "store"), fewer)


def test_a_graph_without_its_digest_is_written_again(tmp_path: Path) -> None:
    store = open_store(_many("x"), tmp_path / "store")
    graph = graph_name(_many("x"), "n3.md")
    for quad in list(store.quads_for_pattern(None, None, None, graph))[:3]:
        store.remove(quad)
    for quad in list(store.quads_for_pattern(None, DIGEST_PROPERTY, None, graph)):
        store.remove(quad)
    del store
    assert _holds(open_store(_many("x"), tmp_path / "store"), _many("x"))


def test_what_others_wrote_into_the_store_is_gone(tmp_path: Path) -> None:
    store = open_store(_many("x"), tmp_path / "store")
    node = ox.NamedNode("https://evil.example/x")
    store.add(ox.Quad(node, node, node))
    store.add(ox.Quad(node, node, node, node))
    del store
    assert _holds(open_store(_many("x"), tmp_path / "store"), _many("x"))


def test_a_store_that_cannot_be_read_is_rebuilt(tmp_path: Path) -> None:
    store = open_store(_many("x"), tmp_path / "store")
    del store
    (tmp_path / "store" / "CURRENT").write_text("nonsense")
    assert _holds(open_store(_many("x"), tmp_path / "store"), _many("x"))


@every_row("damaged", ["*.sst", "MANIFEST-*", "CURRENT"])
def test_a_damaged_store_is_no_locked_one_whatever_its_folder_is_called(
    tmp_path: Path, damaged: str
) -> None:
    folder = tmp_path / "blocks" / "store"
    store = open_store(_many("x"), folder)
    store.optimize()
    del store
    for file in folder.glob(damaged):
        data = file.read_bytes()
        file.write_bytes(bytes(byte ^ 0xFF for byte in data))
    with pytest.raises(RuntimeError, match="Corruption"):
        ox.Store(str(folder))
    store = open_store(_many("x"), folder)
    assert _holds(store, _many("x"))
    del store
    assert _holds(ox.Store(str(folder)), _many("x")), "on disk, too"


def test_a_store_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    first = open_store(_many("x"), tmp_path / "store")
    second = open_store(_many("y"), tmp_path / "store")
    assert _holds(first, _many("x"))
    assert _holds(second, _many("y"))


@pytest.mark.integration
def test_a_store_that_another_process_uses_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    store = open_store(_many("x"), folder)
    del store
    hold = (
        f"import pyoxigraph as o; s = o.Store({str(folder)!r}); print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert _holds(open_store(_many("y"), folder), _many("y"))
        other.communicate(b"\n")
    assert _holds(ox.Store(str(folder)), _many("x"))


@given(random_corpora(), random_corpora())
@examples(3)
def test_replacing_graphs_leads_from_any_corpus_to_any_other(one: Corpus, two: Corpus) -> None:
    store = ox.Store()
    store.extend(as_quads(one))
    quads = set(as_quads(two))
    for graph in [*store.named_graphs(), *{quad.graph_name for quad in quads}]:
        replace_graph(store, graph, [quad for quad in quads if quad.graph_name == graph])
    assert set(store) == quads


@every_row("name", ["thesis.txt", "LOG.txt", "2020.log", "notes"])
def test_a_folder_with_anything_else_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    kept_rest = tmp_path / "work"
    (kept_rest / "notes").mkdir(parents=True)
    (kept_rest / name).touch()
    before = sorted(kept_rest.rglob("*"))
    for go in (lambda: open_store(_many("x"), kept_rest), lambda: remove_store(kept_rest)):
        with pytest.raises(NotAStore, match="not a store"):
            go()
    assert sorted(kept_rest.rglob("*")) == before


def test_a_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("mine")
    with pytest.raises(NotAStore):
        open_store(_many("x"), tmp_path / "CURRENT")
    assert (tmp_path / "CURRENT").read_text() == "mine"


def test_a_store_is_removed_whole_and_what_is_none_is_none(tmp_path: Path) -> None:
    open_store(_many("x"), tmp_path / "store").optimize()
    remove_store(tmp_path / "store")
    remove_store(tmp_path / "store")
    assert list(tmp_path.iterdir()) == []
