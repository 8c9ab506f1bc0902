"""The reasons for a statement and the objections to it, as trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Any
from urllib.parse import quote

import msgspec

from kg.corpus import Corpus
from kg.corpus.independent_sources import is_retracted
from kg.corpus.reasons_for_and_against import reasons_of, undercuts_of
from kg.corpus.same_and_superseded import same_statements, superseded_statements
from kg.model import Bearing, Edge, Kind, Relation, SourceKey, StatementId, Value
from kg.queries.line_scope import statement_or_proposition
from kg.queries.results.edge_drawing import draw_edges
from kg.queries.results.reported_result import StatementCaption, caption_of_statement, dots_of
from kg.queries.support_groups import group_evidence, opposition_of, support_of
from kg.reporting.csv_cells import csv_columns
from kg.reporting.data_frames import as_frame
from kg.reporting.report import escape_markdown, link_cell
from kg.text.printable import printable

MAX_STEPS_FOLLOWED = 50  # in depth; each is three calls in one another, and Python allows 1,000

BRANCH_COLUMNS = (
    "depth", "parent", "relation", "statement", "title", "reason", "sources", "retracted",
    "together", "undercut_by", "superseded_by", "seen",
)  # fmt: skip


class Branch(Value, frozen=True):
    """A statement in a tree of reasons, and the edge by which it bears on the one above.

    `seen` marks a statement that was already shown, whose branch is not repeated;
    `undercuts` lists the edges that undercut the branch's own edge (in tables `undercut_by` has the
    statements from which they come), `retracted` its retracted sources, `superseded_by` the
    statement that replaces it. `amount_of_evidence` says in words, at the root, on how much
    evidence the tree rests.
    """

    statement: StatementId
    caption: StatementCaption
    sources: tuple[SourceKey, ...] = ()
    edge: Edge | None = None
    branches: tuple[Branch, ...] = ()
    seen: bool = False
    undercuts: tuple[Edge, ...] = ()
    amount_of_evidence: str = ""
    retracted: tuple[SourceKey, ...] = ()
    superseded_by: StatementId = ""

    def __str__(self) -> str:
        return "\n".join(
            "  " * depth + printable(text_line)
            for depth, branch in self.walk()
            for text_line in branch.text_lines()
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Nested lists, and a drawing if the tree is small."""
        branches = [branch for _, branch in self.walk()]
        edges = (branch.edge for branch in branches if branch.edge is not None)
        dots = dots_of({each.statement: each.caption for each in branches})
        return _render_nested(self) + draw_edges(edges, dots)

    def text_lines(self) -> Iterator[str]:
        """The lines of the branch: its title, then the reason of its edge."""
        before, after = self.words_around_title()
        yield before + self.caption.title + after
        if reason := self.edge.reason if self.edge else self.amount_of_evidence:
            yield f"  {reason}"

    def words_around_title(self) -> tuple[str, str]:
        """The words before and after the title."""
        after = f"  [{self.statement}]" + "".join(f" {source}" for source in self.shown_sources)
        if self.together:
            after += f" (together with {', '.join(self.together)})"
        if self.undercuts:
            after += f" (undercut by {', '.join(edge.origin for edge in self.undercuts)})"
        if self.superseded_by:
            after += f" (superseded by {self.superseded_by}, so it does not count)"
        if self.seen:
            after += " (shown above)"
        return f"{self.edge.relation.value}: " if self.edge else "", after

    @property
    def shown_sources(self) -> tuple[str, ...]:
        """The sources as shown, with retracted ones marked."""
        retracted = self.retracted
        return tuple(
            f"@{key} (retracted)" if key in retracted else f"@{key}" for key in self.sources
        )

    @property
    def together(self) -> tuple[StatementId, ...]:
        """The other joint premises of the branch's edge."""
        joint = self.edge is not None and self.statement in self.edge.premises
        return self.edge.together_with(self.statement) if self.edge and joint else ()

    def columns(self) -> dict[str, list[Any]]:
        """The tree as columns with a row per branch, from the root: depth, parent and so on."""
        rows = []
        ancestors: list[StatementId] = []
        for depth, branch in self.walk():
            edge = branch.edge
            del ancestors[depth:]
            row = (
                depth,
                ancestors[-1] if ancestors else None,
                edge.relation.value if edge else None,
                branch.statement,
                branch.caption.title,
                edge.reason if edge else branch.amount_of_evidence,
                list(branch.sources),
                list(branch.retracted),
                list(branch.together),
                [undercut.origin for undercut in branch.undercuts],
                branch.superseded_by or None,
                branch.seen,
            )
            ancestors.append(branch.statement)
            rows.append(row)
        return dict(zip(BRANCH_COLUMNS, map(list, zip(*rows, strict=True)), strict=True))

    def to_frame(self, library: str | None = None) -> Any:
        """The tree as a data frame with a row per branch. Raises `MissingLibrary`.

        `corpus.why("gap-is-a-matter-of-incentives").to_frame()`
        """
        return as_frame(self.columns(), library)

    def to_csv(self) -> str:
        """The tree as CSV with a row per branch."""
        return csv_columns(self.columns())

    def to_markdown(self) -> str:
        """The tree as a list in Markdown."""
        rows = []
        for depth, branch in self.walk():
            title, *reason_lines = (
                escape_markdown(text_line.strip()) for text_line in branch.text_lines()
            )
            rows.append(
                "  " * depth + f"- {title}" + "".join(f" — {each}" for each in reason_lines)
            )
        return "\n".join(rows) + "\n"

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Branch]]:
        """Yield every branch with its depth, from the root down."""
        yield depth, self
        for branch in self.branches:
            yield from branch.walk(depth + 1)


def why(corpus: Corpus, name: str, depth: int = MAX_STEPS_FOLLOWED) -> Branch:
    """Return what supports a statement, what supports that, and so on. Raises `UnknownId`."""
    root = statement_or_proposition(corpus, name).id
    shown_ids = {*same_statements(corpus, root)}
    tree = _make_branch(
        corpus,
        root,
        branches=_branches_of_reasons(corpus, _reasons_for(corpus, root), depth - 1, shown_ids),
    )
    return msgspec.structs.replace(tree, amount_of_evidence=_amount_of_support(corpus, root))


def _amount_of_support(corpus: Corpus, id: StatementId) -> str:
    """Say in words how much evidence a statement rests on."""
    statement = corpus.statements[id]
    if is_retracted(corpus, statement):
        return "is evidence itself, but retracted, so it does not count"
    support = support_of(corpus, id)
    amount = f"rests on {support}"
    if statement.kind is Kind.EVIDENCE and not support.evidence:
        amount = "is evidence itself; no other supports it"
    twins = same_statements(corpus, id)[1:]
    return f"one statement with {', '.join(twins)}; {amount}" if twins else amount


def against(corpus: Corpus, name: str, depth: int = MAX_STEPS_FOLLOWED) -> Branch:
    """Return what contradicts, qualifies or undercuts a statement, and what supports those.

    A mutual contradiction counts from both sides. Objections to its reasons are counted too, as
    in `timeline`, but shown only in the trees of these reasons. A premise that it depends on is
    listed with the objections to it, if evidence speaks against it. Raises `UnknownId`.
    """
    root = statement_or_proposition(corpus, name).id
    shown_ids = {*same_statements(corpus, root)}
    branches = _branches_of_reasons(corpus, _reasons_against(corpus, root), depth - 1, shown_ids)
    contested_edges = _contested_premises(corpus, root)
    premise_branches = tuple(
        _branch_of_edge(corpus, edge, edge.target, depth - 1, shown_ids, _reasons_against)
        for edge in contested_edges
    )
    tree = _make_branch(corpus, root, branches=branches + premise_branches)
    direct, total = (opposition_of(corpus, root, include_beneath=each) for each in (False, True))
    amount = f"against it: {direct}"
    if total != direct:
        amount += f"; against it or a reason for it: {total}"
    if contested_edges:
        against_it = (
            opposition_of(corpus, edge.target, include_beneath=True) for edge in contested_edges
        )
        opposing_evidence = {id for each in against_it for id in each.evidence}
        amount += f"; against what it depends on: {group_evidence(corpus, opposing_evidence)}"
    return msgspec.structs.replace(tree, amount_of_evidence=amount)


def _reasons_for(corpus: Corpus, id: StatementId) -> list[Bearing]:
    return [reason for reason in reasons_of(corpus, id) if reason.side > 0]


def _reasons_against(corpus: Corpus, id: StatementId) -> list[Bearing]:
    """Edges that oppose a statement, or undercut one of the reasons for it."""
    opposing_reasons = [reason for reason in reasons_of(corpus, id) if reason.side < 0]
    support_ids = (reason.edge.id for reason in _reasons_for(corpus, id))
    undercuts = (undercut for id in support_ids for undercut in corpus.bearings_on(id))
    return [*opposing_reasons, *undercuts]


def _contested_premises(corpus: Corpus, id: StatementId) -> list[Edge]:
    """Edges to the premises that a statement depends on and that evidence speaks against."""
    ends = same_statements(corpus, id)
    edges = (edge for end in ends for edge in corpus.edges_from.get(end, ()))
    return [
        edge
        for edge in edges
        if edge.relation is Relation.DEPENDS_ON
        and edge.target in corpus.statements
        and edge.target not in ends
        and opposition_of(corpus, edge.target, include_beneath=True).evidence
    ]


def _make_branch(corpus: Corpus, id: StatementId, **fields: Any) -> Branch:
    source_keys = corpus.statements[id].sources
    cited_sources = (corpus.sources.get(key) for key in source_keys)
    retracted = tuple(
        source.key for source in cited_sources if source is not None and source.retracted
    )
    return Branch(
        statement=id,
        caption=caption_of_statement(corpus, id),
        sources=source_keys,
        retracted=retracted,
        superseded_by=superseded_statements(corpus).get(id, ""),
        **fields,
    )


def _branches_of_reasons(
    corpus: Corpus, reasons: Iterable[Bearing], depth: int, shown_ids: set[StatementId]
) -> tuple[Branch, ...]:
    """A branch for each statement that speaks by one of the reasons."""
    return tuple(
        _branch_of_edge(corpus, reason.edge, premise, depth, shown_ids, _reasons_for)
        for reason in reasons
        for premise in reason.premises
    )


def _branch_of_edge(
    corpus: Corpus,
    edge: Edge,
    statement: StatementId,
    depth: int,
    shown_ids: set[StatementId],
    reasons_of_next: Callable[[Corpus, StatementId], Iterable[Bearing]],
) -> Branch:
    undercuts = undercuts_of(corpus, edge.id)
    # shown once, wherever it comes first: reasons may lead in a circle, or along many ways to one
    if statement in shown_ids or depth <= 0:
        return _make_branch(
            corpus, statement, edge=edge, seen=statement in shown_ids, undercuts=undercuts
        )
    shown_ids.update(same_statements(corpus, statement))
    branches = _branches_of_reasons(
        corpus, reasons_of_next(corpus, statement), depth - 1, shown_ids
    )
    return _make_branch(corpus, statement, edge=edge, branches=branches, undercuts=undercuts)


def _render_nested(branch: Branch) -> str:
    """A branch and all below it, each statement a link to its note."""
    before, after = (escape(printable(text)) for text in branch.words_around_title())
    title = link_cell(branch.caption.title, quote(branch.caption.note))
    _, *reason_lines = branch.text_lines()
    reason = "".join(
        f"<br><em>{escape(printable(text_line.strip()))}</em>" for text_line in reason_lines
    )
    nested_items = "".join(f"<li>{_render_nested(each)}</li>" for each in branch.branches)
    return f"{before}{title}{after}{reason}" + (f"<ul>{nested_items}</ul>" if nested_items else "")
