"""The Python interface, `import kg`: a corpus to ask questions of."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.model import Diagnostic
from kg.model.errors import require_type
from kg.queries import reason_trees, shortest_path
from kg.queries.engines.engine import MemoryEngine
from kg.queries.language.builders import (
    claims,
    counter_claims,
    edges,
    evidence,
    lines,
    sources,
    statements,
)
from kg.queries.line_scope import LineView, view_line
from kg.queries.reason_trees import Branch
from kg.queries.results.counts_and_summaries import Sizes, Stats, count_corpus
from kg.queries.results.found_records import Findable, FoundRecords, Groups
from kg.queries.shortest_path import Chain
from kg.queries.support_groups import support_of

if TYPE_CHECKING:
    import rdflib

    import kg
    from kg.graphs_with_strengths.networkx_graph import Network
    from kg.history.changes import Changes
    from kg.history.corpus_comparison import CorpusComparison
    from kg.queries.comparison import Comparison, LineComparison
    from kg.queries.connection import Connection
    from kg.queries.find import FindResult
    from kg.queries.language.parse_query import FindRequest
    from kg.queries.search_documents import Hits
    from kg.queries.search_text import TextIndex
    from kg.queries.support_groups import GroupedSupport
    from kg.queries.timeline import Timeline
    from kg.rdf.sparql_result import Rows, Triples, Truth
    from kg.reasoning.answers.case import Case
    from kg.reasoning.answers.crux import Cruxes
    from kg.reasoning.answers.flips import Flips
    from kg.reasoning.answers.gaps import Gaps
    from kg.reasoning.answers.impact import Impact
    from kg.reasoning.answers.independence import Independence
    from kg.reasoning.answers.robustness import Robustness
    from kg.reasoning.answers.tensions import Tensions
    from kg.reasoning.answers.verdict import Verdict
    from kg.reasoning.answers.whatif import WhatIf
    from kg.reasoning.line_without_proposition import LineWithoutProposition
    from kg.reasoning.losses.smallest_losses import LossKind


class AskableCorpus(Findable, Corpus):
    """All statements, edges, sources and lines of a folder of notes, and questions about them.

    `kg.load("notes")`
    """

    # The base is what all rooms use. Questions are added here, above the rooms that answer them;
    # each loads its room when it is asked, since some of them load numpy.

    def _find(self, request: FindRequest) -> FindResult:
        from kg.queries.find import find

        return find(MemoryEngine(self), request)

    def stored(self, folder: Path | None = None) -> Connection:
        """This corpus in an Oxigraph store, kept in `folder` if one is given.

        `corpus.stored().find(claims())`. Raises `NotAStore` for a folder with other files.
        """
        from kg.queries.connection import connect_store
        from kg.rdf.quad_store import as_store, open_store

        return connect_store(open_store(self, folder) if folder else as_store(self))

    def search(self, text: str, limit: int = 20) -> Hits:
        """The best matches of the words, with snippets: `corpus.search('"next turn" reward*')`.

        Matches of all the words come first, then those of some. Raises `NothingToSearch`.
        """
        require_type(text, str, "what is searched for is text")
        require_type(limit, int, "a limit is a whole number")
        return self._text_index.search(text, limit)

    @cached_property
    def _text_index(self) -> TextIndex:
        from kg.queries.search_text import text_index

        return text_index(self)

    def why(self, statement: str) -> Branch:
        """Return what supports a statement, as a tree. Raises `UnknownId`.

        `corpus.why("gap-is-a-matter-of-incentives")`
        """
        return reason_trees.why(self, statement)

    def against(self, statement: str) -> Branch:
        """Return what speaks against a statement, as a tree. Raises `UnknownId`.

        `corpus.against("gap-is-a-matter-of-incentives")`
        """
        return reason_trees.against(self, statement)

    def path(self, start: str, end: str) -> Chain | None:
        """A shortest chain of edges between two statements. Raises `UnknownId`.

        `corpus.path("collabllm-user-study", "form-alone-yields-no-meaning")`
        """
        return shortest_path.path(self, start, end)

    @overload
    def compare(self, one: Corpus) -> CorpusComparison: ...
    @overload
    def compare(self, one: str, other: str) -> Comparison | LineComparison: ...
    def compare(
        self, one: Corpus | str, other: str = ""
    ) -> CorpusComparison | Comparison | LineComparison:
        """Compare two statements or two lines, or this corpus with another: what they share, and
        what differs.

        `corpus.compare("social-grounding", "text-or-interaction")`. Raises `UnknownId`.
        """
        from kg.history.corpus_comparison import compare_corpora
        from kg.queries.comparison import compare

        require_type(one, (str, Corpus), "compare takes two ids, or another corpus")
        return compare(self, one, other) if isinstance(one, str) else compare_corpora(self, one)

    def timeline(self, statement: str) -> Timeline:
        """Return how the case for a statement changed from year to year. Raises `UnknownId`.

        `corpus.timeline("gap-is-a-matter-of-incentives")`
        """
        from kg.queries.timeline import timeline

        return timeline(self, statement)

    def support(self, statement: str) -> GroupedSupport:
        """The evidence beneath a statement, in separate groups. Raises `UnknownId`.

        `corpus.support("gap-is-a-matter-of-incentives")`
        """
        return support_of(self, statement)

    def diff(self, earlier: Corpus | str) -> Changes:
        """List what changed since another corpus, or since a git revision: `corpus.diff("main")`.

        Raises `NoRevision`.
        """
        from kg.history.find_changes import diff
        from kg.history.revision import load_revision

        require_type(earlier, (str, Corpus), "diff takes a git revision, or a corpus")
        if isinstance(earlier, str):
            notes_folder = self.folder or Path("notes")
            earlier = load_revision(notes_folder, earlier, drafts=self.drafts is None)
        return diff(earlier, self)

    def view_line(self, line: str) -> LineView:
        """An inquiry line's camps, clashes and sources. Raises `UnknownId`.

        `corpus.view_line("social-grounding")`
        """
        return view_line(self, line)

    # -- weighing ----------------------------------------------------------------------

    def verdict(self, name: str) -> Verdict | LineWithoutProposition:
        """The answer of the corpus on a line or statement. Raises `UnknownId`.

        `corpus.verdict("social-grounding")`
        """
        from kg import reasoning

        return reasoning.verdict(self, name)

    def case(self, name: str, camp: str) -> Case | LineWithoutProposition:
        """A camp's strongest case on a line or statement. Raises `UnknownId`.

        `corpus.case("social-grounding", "skeptic")`
        """
        from kg import reasoning

        return reasoning.case(self, name, camp)

    def crux(self, name: str) -> Cruxes | LineWithoutProposition:
        """The disagreements of the camps that decide the answer. Raises `UnknownId`.

        `corpus.crux("social-grounding")`
        """
        from kg import reasoning

        return reasoning.crux(self, name)

    def flips(self, name: str, by: LossKind = "evidence") -> Flips | LineWithoutProposition:
        """Evidence, or sources, without which the answer would change. Raises `UnknownId`.

        `corpus.flips("social-grounding", by="source")`
        """
        from kg import reasoning

        return reasoning.flips(self, name, by=by)

    def robustness(self, name: str) -> Robustness | LineWithoutProposition:
        """Measure how robust an answer is. Raises `UnknownId`.

        `corpus.robustness("social-grounding")`
        """
        from kg import reasoning

        return reasoning.robustness(self, name)

    def independence(self, name: str) -> Independence | LineWithoutProposition:
        """The sources that the answer depends on, the most important first. Raises `UnknownId`.

        `corpus.independence("social-grounding")`
        """
        from kg import reasoning

        return reasoning.independence(self, name)

    def gaps(self, name: str | None = None) -> Gaps | LineWithoutProposition:
        """Claims without evidence, or on too little of it. Raises `UnknownId`.

        `corpus.gaps("social-grounding")`
        """
        from kg import reasoning

        return reasoning.gaps(self, name)

    def tensions(self, name: str | None = None) -> Tensions | LineWithoutProposition:
        """Contradictions that are believed, torn claims and double talk. Raises `UnknownId`.

        `corpus.tensions("social-grounding")`
        """
        from kg import reasoning

        return reasoning.tensions(self, name)

    def impact(self, ids: str | Iterable[str]) -> Impact:
        """Find what would lose its support without these sources or statements. Raises `UnknownId`.

        `corpus.impact("shaikh2024")`
        """
        from kg import reasoning

        return reasoning.impact(self, ids)

    def whatif(
        self,
        *,
        mute: str | Iterable[str] = (),
        hold: Mapping[str, float] | None = None,
        base: Mapping[str, float] | None = None,
        weights: Mapping[str, float] | None = None,
        add: str | Iterable[str] = (),
        since: int | None = None,
    ) -> WhatIf:
        """Weigh all answers again under a supposition: statements muted, held or re-based, edges
        re-weighed, imagined studies added (`add=["experiment, n=400, supports ID"]`), or only what
        was published since a year counted.

        Raises `UnknownId` and `ValueError`.

        `corpus.whatif(add=["experiment, n=400, contradicts social-grounding"])`
        """
        from kg import reasoning

        return reasoning.whatif(
            self, mute=mute, hold=hold, base=base, weights=weights, add=add, since=since
        )

    def stats(self) -> Stats:
        """The size of the corpus: `corpus.stats()`."""
        return count_corpus(self)

    def check(self) -> list[Diagnostic]:
        """List all problems in the notes: `corpus.check()`."""
        from kg.checks import check

        return check(self)

    def to_networkx(self, *, records: bool = False) -> Network:
        """The graph: statements as nodes, edges keyed by their ids; frozen.

        Attributes are text and numbers; `records` adds `statement` and `edge`.

        `corpus.to_networkx()`
        """
        from kg.graphs_with_strengths.networkx_graph import as_network

        return as_network(self, records=records)

    def to_rdf(self, *, strengths: bool = False) -> rdflib.Dataset:
        """The graph as an rdflib data set; `strengths` adds a graph of strengths and verdicts.

        `corpus.to_rdf(strengths=True)`
        """
        from kg.graphs_with_strengths.rdf_with_strengths import store_with_strengths
        from kg.rdf.rdflib_dataset import as_rdflib_dataset, read_only_view

        return read_only_view(store_with_strengths(self)) if strengths else as_rdflib_dataset(self)

    def sparql(
        self, query: str, /, *, strengths: bool = False, **bindings: Any
    ) -> Rows | Triples | Truth:
        """The result of a SPARQL query; `bindings` set its variables to texts, dates or records.

        With `strengths`, the query can also use weighed values: `kg:weighedStrength`, `kg:verdict`.

        `corpus.sparql("SELECT ?s { ?s kg:topic ?topic }", topic="norms")`.
        Raises `BadQuery` and `BadBinding`.
        """
        require_type(query, str, "a SPARQL query is text")
        from kg.graphs_with_strengths.rdf_with_strengths import sparql_with_strengths
        from kg.rdf.run_query import sparql

        return (sparql_with_strengths if strengths else sparql)(self, query, bindings)


# Users know it as `kg.Corpus`: so it is called in messages, too.
AskableCorpus.__module__ = "kg"
AskableCorpus.__name__ = AskableCorpus.__qualname__ = "Corpus"


def connect(url: str) -> Connection:
    """A corpus behind a SPARQL endpoint: `kg.connect("http://localhost:7878/query").find(…)`.

    Raises `EndpointError` if nothing answers, and `NotACorpus` if the endpoint has no corpus.
    """
    require_type(url, str, "the address of an endpoint is text")
    from kg.endpoints.endpoint import open_endpoint
    from kg.queries.connection import Connection, engine_of_server

    server = open_endpoint(url)
    engine = engine_of_server(lambda query: server.select(query).rows)
    return Connection(engine, server.ask, url)


def load(notes: str | os.PathLike[str] = "notes", *, drafts: bool = False) -> kg.Corpus:
    """The corpus in the folder `notes`; its drafts only with `drafts`.

    Raises `NoSuchFolder` and `ConfigError`. `kg.load("notes", drafts=True)`
    """
    require_type(notes, (str, os.PathLike), "load takes the path of a folder")
    base = load_corpus(notes, drafts=drafts)
    return AskableCorpus(
        **{field.name: getattr(base, field.name) for field in fields(base) if field.init}
    )


__all__ = [
    "AskableCorpus",
    "FoundRecords",
    "Groups",
    "Sizes",
    "claims",
    "connect",
    "counter_claims",
    "edges",
    "evidence",
    "lines",
    "load",
    "sources",
    "statements",
]
