"""A corpus goes to a server and comes back, whatever happens on the way."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kg.cli.exchanging import pull_command, push_command
from kg.corpus import Corpus
from kg.endpoints import push_and_pull as pushing
from kg.endpoints.connections import EndpointError, NoReply
from kg.endpoints.push_and_pull import (
    PushResult,
    find_graphs,
    graphs_under,
    preview_push,
    pull,
    push,
)
from kg.loader import load_corpus
from kg.model.errors import NotACorpus
from kg.rdf.iris import Iris
from kg.rdf.quads import as_quads
from kg.rdf.read_records import load_rdf
from tests.support.corpora import corpus_of_notes, random_corpora, require_same
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.golden import NOTES
from tests.support.sparql_servers import oxigraph
from tests.support.store_endpoints import MemoryEndpoint

CLAIM = "---\ntype: claim\n---\n# {}\n"


def _numbered_claims(count: int, **others: str) -> Corpus:
    return corpus_of_notes(
        **{f"n{number}": CLAIM.format(f"Title {number}") for number in range(count)}, **others
    )


# -- without a network -------------------------------------------------------------------------


@given(random_corpora())
@examples(3)
def test_what_is_pushed_comes_back(corpus: Corpus) -> None:
    endpoint = MemoryEndpoint()
    push(corpus, endpoint)
    assert set(endpoint.store) == set(as_quads(corpus))
    require_same(pull(endpoint), corpus)


def test_notes_that_hold_one_of_everything_go_and_come_back() -> None:
    corpus = load_corpus(NOTES)
    endpoint = MemoryEndpoint()
    push(corpus, endpoint)
    require_same(pull(endpoint), corpus)


def test_only_what_changed_is_written() -> None:
    endpoint = MemoryEndpoint()
    assert push(_numbered_claims(3), endpoint) == PushResult(
        written_graphs=4, removed_graphs=0, unchanged_graphs=0
    )
    endpoint.texts.clear()
    assert push(_numbered_claims(3), endpoint) == PushResult(
        written_graphs=0, removed_graphs=0, unchanged_graphs=4
    )
    assert endpoint.texts == []
    changed = _numbered_claims(1, n1=CLAIM.format("New"), n9=CLAIM.format("Added"))
    # the corpus's own graph, too: it holds a digest of all
    assert preview_push(changed, endpoint) == PushResult(
        written_graphs=3, removed_graphs=1, unchanged_graphs=1
    )
    assert endpoint.texts == []
    assert push(changed, endpoint) == PushResult(
        written_graphs=3, removed_graphs=1, unchanged_graphs=1
    )
    assert preview_push(changed, endpoint) == PushResult(
        written_graphs=0, removed_graphs=0, unchanged_graphs=4
    )
    assert set(endpoint.store) == set(as_quads(changed))


def test_what_others_keep_on_the_server_stays() -> None:
    endpoint = MemoryEndpoint()
    node = ox.NamedNode("https://other.example/x")
    theirs = {ox.Quad(node, node, node, node), ox.Quad(node, node, node)}
    endpoint.store.extend(theirs)
    push(_numbered_claims(2), endpoint)
    push(_numbered_claims(1), endpoint)
    assert set(endpoint.store) == set(as_quads(_numbered_claims(1))) | theirs


@given(st.integers(0, 30), st.integers(1, 3))
@examples(4)
def test_a_push_that_stops_anywhere_is_neither_pulled_nor_lost(operations: int, batch: int) -> None:
    endpoint = MemoryEndpoint()
    before = _numbered_claims(4, n9=CLAIM.format("Old"))
    push(before, endpoint)
    after = _numbered_claims(3, n9=CLAIM.format("New"), m=CLAIM.format("More"))
    endpoint.left = operations
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pushing, "QUADS_PER_UPDATE", batch * 4)
        try:
            push(after, endpoint)
        except NoReply:
            assert set(endpoint.store) != set(as_quads(after))
        endpoint.left = None
        with suppress(EndpointError):  # whole or not at all: never some old and some new notes
            require_same(
                pull(endpoint), before if set(endpoint.store) == set(as_quads(before)) else after
            )
        push(after, endpoint)
    assert set(endpoint.store) == set(as_quads(after))


class Interrupted(MemoryEndpoint):
    """Runs another push in the same store before one of its operations, or of its requests."""

    def __init__(
        self, store: ox.Store, operations: int, other: Corpus, *, within_requests: bool = True
    ) -> None:
        super().__init__()
        self.store, self.operations, self.other = store, operations, other
        self.within_requests = within_requests

    def update(self, text: str) -> None:
        for part in text.split(" ;\n") if self.within_requests else [text]:
            if self.operations == 0:
                between = MemoryEndpoint()
                between.store = self.store
                push(self.other, between)
            self.operations -= 1
            super().update(part)


ALIKE = _numbered_claims(2, n2=CLAIM.format("Another title"))
UNLIKE = corpus_of_notes(n0=CLAIM.format("0"), n1=CLAIM.format("1"), n2=CLAIM.format("Title 2"))


@every_row("is_known", [False, True])
@every_row("batch", [1, 1000])
@every_row("theirs", [ALIKE, UNLIKE])
def test_two_pushes_at_once_are_mended_by_the_next(
    is_known: bool, batch: int, theirs: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "QUADS_PER_UPDATE", batch)
    mine = _numbered_claims(3)
    before = MemoryEndpoint()
    if is_known:
        push(_numbered_claims(4), before)
    for position in range(
        0, 200, 3 if batch == 1 else 1
    ):  # most of single quads go to the same graph
        endpoint = MemoryEndpoint()
        endpoint.store.extend(before.store)
        interrupted = Interrupted(endpoint.store, position, theirs)
        push(mine, interrupted)
        if interrupted.operations >= 0:  # it ended before the other began
            assert position >= 3
            return
        with suppress(EndpointError, NotACorpus):
            pulled_corpus = pull(endpoint)
            assert set(as_quads(pulled_corpus)) in (set(as_quads(mine)), set(as_quads(theirs)))
        push(mine, endpoint)
        assert set(endpoint.store) == set(as_quads(mine))
    pytest.fail("no push ended alone")


@every_row("batch", [1, 1000])
def test_a_push_that_stops_after_another_ended_is_mended_by_the_next(
    batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the stopped one still wrote is neither overlooked nor taken for a part of the other."""
    monkeypatch.setattr(pushing, "QUADS_PER_UPDATE", batch)
    mine = _numbered_claims(3)
    theirs = _numbered_claims(2, n2=CLAIM.format("Another title"), n9=CLAIM.format("Only theirs"))
    base = mine.config.base_iri
    before = MemoryEndpoint()
    push(_numbered_claims(4), before)
    for request in range(0, 30 if batch == 1 else 4, 2):
        for operations in (1, 3, 6):
            endpoint = MemoryEndpoint()
            endpoint.store.extend(before.store)
            stopped = Interrupted(endpoint.store, request, mine, within_requests=False)
            stopped.left = request + operations
            with suppress(NoReply):
                push(theirs, stopped)
            graphs = graphs_under(endpoint, base)
            assert sorted(find_graphs(endpoint, base)[0]) == sorted(graphs)
            with suppress(EndpointError, NotACorpus):
                assert set(as_quads(pull(endpoint))) in (set(as_quads(mine)), set(as_quads(theirs)))
            push(mine, endpoint)
            assert set(endpoint.store) == set(as_quads(mine))


def test_a_push_asks_for_every_triple_only_after_one_that_did_not_end() -> None:
    endpoint = MemoryEndpoint()
    push(_numbered_claims(3), endpoint)
    base = _numbered_claims(1).config.base_iri
    remains = ox.NamedNode(f"{base}notes/gone.md")  # of a graph that a server was removing
    node = ox.NamedNode("https://other.example/x")
    endpoint.store.add(ox.Quad(node, node, node, remains))
    assert remains.value not in find_graphs(endpoint, base)[0]
    endpoint.left = 1  # the digest of the corpus is deleted, and nothing else
    with pytest.raises(NoReply):
        push(_numbered_claims(2), endpoint)
    endpoint.left = None
    assert remains.value in find_graphs(endpoint, base)[0]
    push(_numbered_claims(2), endpoint)
    assert set(endpoint.store) == set(as_quads(_numbered_claims(2)))


def test_whole_graphs_of_two_pushes_are_not_pulled_as_one_corpus() -> None:
    """Each changes another note of what it found, and both end: nobody wrote what is there then."""
    endpoint = MemoryEndpoint()
    push(_numbered_claims(3), endpoint)
    mine = _numbered_claims(2, n2=CLAIM.format("Mine"))
    theirs = corpus_of_notes(
        n0=CLAIM.format("Theirs"), n1=CLAIM.format("Title 1"), n2=CLAIM.format("Title 2")
    )
    push(mine, Interrupted(endpoint.store, 0, theirs, within_requests=False))
    with pytest.raises(EndpointError, match="or those of several pushes: push again"):
        pull(endpoint)
    push(theirs, endpoint)
    require_same(pull(endpoint), theirs)


def test_a_half_written_corpus_is_not_pulled() -> None:
    endpoint = MemoryEndpoint()
    push(_numbered_claims(3), endpoint)
    title = ox.NamedNode("http://purl.org/dc/terms/title")
    endpoint.store.remove(
        next(endpoint.store.quads_for_pattern(None, title, ox.Literal("Title 1")))
    )
    with pytest.raises(EndpointError, match=r"1 graphs .* incomplete, such as .*n1\.md"):
        pull(endpoint)


def test_several_corpora_live_side_by_side(tmp_path: Path) -> None:
    from kg.model.settings.config import Config

    endpoint = MemoryEndpoint()
    other = corpus_of_notes(
        config=Config(base_iri="https://other.example/"), a=CLAIM.format("Other")
    )
    push(_numbered_claims(2), endpoint)
    push(other, endpoint)
    with pytest.raises(EndpointError, match="told which"):
        pull(endpoint)
    require_same(pull(endpoint, "https://other.example/"), other)
    with pytest.raises(NotACorpus):
        pull(endpoint, "https://third.example/")


def test_progress_is_reported_from_nothing_to_all() -> None:
    steps: list[tuple[int, int]] = []
    push(
        _numbered_claims(3),
        MemoryEndpoint(),
        lambda done_count, total: steps.append((done_count, total)),
    )
    assert steps[0] == (0, 4)
    assert steps[-1] == (4, 4)


def test_graphs_that_fit_together_are_written_by_one_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count_requests(quads_per_update: int) -> int:
        endpoint = MemoryEndpoint()
        monkeypatch.setattr(pushing, "QUADS_PER_UPDATE", quads_per_update)
        push(corpus, endpoint)
        return len(endpoint.texts) - 1  # the last writes the graph of the corpus

    corpus = _numbered_claims(4)
    graph_sizes = Counter(quad.graph_name for quad in as_quads(corpus))
    del graph_sizes[ox.NamedNode(Iris(corpus.config.base_iri).corpus)]
    (size,) = {*graph_sizes.values()}
    assert count_requests(4 * size) == 1
    assert count_requests(3 * size) == 2
    assert count_requests(2 * size) == 2
    assert count_requests(2 * size - 1) == 4


# -- the commands ----------------------------------------------------------------------------------


def test_the_commands_push_and_pull(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    notes.joinpath("a.md").write_text(CLAIM.format("A"))
    back = tmp_path / "back.nq"
    with oxigraph() as server:
        where = ["--endpoint", server.url]
        query = [*where, "--notes", str(notes)]
        outputs = [
            CliRunner().invoke(push_command, arguments).output
            for arguments in ([*query, "--dry-run"], query, [*query, "--dry-run"], query)
        ]
        pulled = CliRunner().invoke(pull_command, ["nq", *where, "--output", str(back)])
    assert "2 graphs to write, 0 to remove, 0 unchanged; nothing was sent" in outputs[0]
    assert "2 graphs written, 0 removed, 0 unchanged" in outputs[1]
    assert "0 graphs to write, 0 to remove, 2 unchanged" in outputs[2]
    assert "0 graphs written, 0 removed, 2 unchanged" in outputs[3]
    assert pulled.exit_code == 0, pulled.output
    require_same(load_rdf(back), load_corpus(notes))
