"""What `import kg` gives: a corpus that can be asked."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from kg import corpus as sealed
from kg.load import load_corpus
from kg.model import Diagnostic, Kind, Statement
from kg.queries.explain import Branch, Route
from kg.queries.find import Wanted, find_statements
from kg.queries.line import LineView
from kg.queries.stats import Stats

if TYPE_CHECKING:
    import networkx as nx
    import rdflib


class Corpus(sealed.Corpus):
    """All statements, edges, sources and lines of a folder of notes, and the questions to them."""

    def find(self, text: str = "", *, kind: str | tuple[str, ...] = (), **wanted: str) -> Answer:
        """Statements that fit: `corpus.find("reward", camp="skeptic", line="social-grounding")`.

        Takes `kind`, `camp`, `line`, `topic`, `about`, `source`, and, each with a statement's id,
        `supports`, `contradicts`, `qualifies`, `supported_by`, `contradicted_by`, `qualified_by`.
        Raises `UnknownId` for an id that the corpus does not have.
        """
        kinds = (kind,) if isinstance(kind, str) else kind
        found = find_statements(self, Wanted(text=text, kind=tuple(map(Kind, kinds)), **wanted))
        return Answer(tuple(found), self, wanted.get("line"))

    def why(self, statement: str) -> Branch:
        """What supports a statement, as a tree. Raises `UnknownId`."""
        from kg.queries import explain

        return explain.why(self, statement)

    def against(self, statement: str) -> Branch:
        """What speaks against a statement, as a tree. Raises `UnknownId`."""
        from kg.queries import explain

        return explain.against(self, statement)

    def path(self, start: str, end: str) -> Route | None:
        """A shortest chain of edges between two statements. Raises `UnknownId`."""
        from kg.queries import explain

        return explain.path(self, start, end)

    def view_line(self, line: str) -> LineView:
        """An inquiry line's camps, clashes and sources. Raises `UnknownId`."""
        from kg.queries.line import view_line

        return view_line(self, line)

    def stats(self) -> Stats:
        """How much the corpus holds."""
        from kg.queries.stats import count

        return count(self)

    def check(self) -> list[Diagnostic]:
        """Every problem in the notes."""
        from kg.checks import check

        return check(self)

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The graph: statements as nodes, edges keyed by relation; frozen."""
        from kg.views.network import as_network

        return as_network(self)

    def to_rdf(self) -> rdflib.Dataset:
        """The graph as an rdflib data set."""
        from kg.views.rdf import as_rdf

        return as_rdf(self)


class Answer(tuple[Statement, ...]):
    """Statements that were found: a tuple that shows itself as a table."""

    corpus: sealed.Corpus
    line: str | None

    def __new__(
        cls, found: tuple[Statement, ...], corpus: sealed.Corpus, line: str | None = None
    ) -> Answer:
        answer = super().__new__(cls, found)
        answer.corpus = corpus
        answer.line = line
        return answer

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of what was found."""
        return tuple(statement.id for statement in self)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        return [
            (s.id, s.kind.value, self.corpus.camp_of(s.id, self.line) or "", s.title) for s in self
        ]

    def __repr__(self) -> str:
        rows = "\n".join(
            f"{id:40} {kind:14} {camp:10} {title}" for id, kind, camp, title in self._rows()
        )
        return f"{rows}\n{len(self)} statements" if rows else "no statements"

    def _repr_html_(self) -> str:
        from html import escape

        def row(cells: tuple[str, ...], tag: str = "td") -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        head = row(("id", "kind", "camp", "title"), "th")
        body = "".join(map(row, self._rows()))
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def load(notes: Path | str = "notes") -> Corpus:
    """The corpus in the folder `notes`. Raises `NoSuchFolder` and `ConfigError`."""
    base = load_corpus(notes)
    return Corpus(**{field.name: getattr(base, field.name) for field in fields(base)})


__all__ = ["Answer", "Corpus", "load"]
