"""Links from a line onward: the next questions of its essay, and related lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import same_statements
from kg.model import Edge, InquiryLine, Kind, NextStep, Relation, StatementId
from kg.publish.components.clashes import Clash, group_by_pair, is_answered
from kg.publish.components.line.best_reasons import best_on_side
from kg.publish.markup.html import (
    Child,
    Html,
    collapsible,
    element,
    item_list,
    join,
    join_children,
    remark,
)
from kg.publish.markup.phrases import as_sentence
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from kg.text.plurals import count_of

MAX_LINES_LISTED = 4  # computed next lines, which no note names
_COMPUTED = "They share statements with this one, or contradict a claim of it unanswered."


class NeighbouringLine(NamedTuple):
    """A related line, the statements that both use, and unanswered contradictions between them."""

    line_id: str
    shared_ids: list[str]
    tensions: list[Clash]


def neighbouring_lines(corpus: Corpus, line: InquiryLine) -> list[NeighbouringLine]:
    """Lines that share statements with `line`, or contradict it unanswered; the nearest first.

    A shared statement counts one, an open contradiction two, since both lines must deal with it.
    """
    members = set(LineScope(corpus, line).members)
    neighbour_list = []
    for other_line in corpus.lines.values():
        if other_line.id == line.id:
            continue
        other_members = set(LineScope(corpus, other_line).members)
        shared_ids = [id for id in sorted(members & other_members) if id in corpus.statements]
        tensions = _tensions_between(corpus, members - other_members, other_members - members)
        if shared_ids or tensions:
            neighbour_list.append(NeighbouringLine(other_line.id, shared_ids, tensions))
    return sorted(
        neighbour_list,
        key=lambda each: (-len(each.shared_ids) - 2 * len(each.tensions), each.line_id),
    )


def _tensions_between(corpus: Corpus, ids: set[str], other_ids: set[str]) -> list[Clash]:
    """Unanswered contradictions between the claims that only one of two lines has."""
    crossing_edges: list[Edge] = []
    for id in sorted(ids | other_ids):
        if corpus.statements[id].kind is Kind.EVIDENCE:
            continue
        opposite = other_ids if id in ids else ids
        crossing_edges += [
            edge
            for edge in corpus.edges_from.get(id, ())
            if edge.relation is Relation.CONTRADICTS and edge.target in opposite
        ]
    return [
        clash for clash in group_by_pair(corpus, crossing_edges) if not is_answered(corpus, clash)
    ]


def next_lines(builder: PageBuilder, line: InquiryLine) -> Html:
    """The next questions from the note, then computed ones, each with its reason."""
    neighbour_by_line = {
        each.line_id: each for each in neighbouring_lines(builder.context.corpus, line)
    }
    for next_step in line.next:
        neighbour_by_line.pop(next_step.target or "", None)
    asked_here = [(each.target, each) for each in line.next if each.target is not None]
    asked_nowhere = [each for each in line.next if each.target is None]
    written_steps = join_children(
        (
            item_list(
                (_written_step(builder, id, each) for id, each in asked_here), id="next-written"
            ),
            _questions_without_page(builder, asked_nowhere),
        )
    )
    if not neighbour_by_line:
        return written_steps
    rows = [
        element(
            "li",
            _line_with_answer(builder, neighbour.line_id),
            _connections_with(builder, neighbour),
            class_="kg-near",
        )
        for neighbour in [*neighbour_by_line.values()][:MAX_LINES_LISTED]
    ]
    computed_lines = collapsible(
        f"{count_of(len(rows), 'other question' if line.next else 'question')} close to this one",
        element("p", _COMPUTED, class_="kg-lead-in"),
        item_list(rows),
        id="next-computed",
    )
    return Html(written_steps + computed_lines)


def _questions_without_page(builder: PageBuilder, next_steps: Sequence[NextStep]) -> Html | None:
    """Next questions that no line asks."""
    if not next_steps:
        return None
    questions = item_list(builder.inline_html(each.question, each.span.path) for each in next_steps)
    return element("div", element("p", "Not answered here:", class_="kg-lead-in"), questions)


def _written_step(builder: PageBuilder, id: str, next_step: NextStep) -> Html:
    why = remark(builder.inline_html(as_sentence(next_step.reason), next_step.span.path))
    return element("li", _line_with_answer(builder, id), why)


def _line_with_answer(builder: PageBuilder, id: str) -> list[Child]:
    """A line, with how sure its answer is."""
    verdict = builder.context.answers.verdict(id) if id in builder.context.corpus.lines else None
    if verdict is None:
        return [builder.link_of(id)]
    sureness = builder.sureness_word(verdict.sureness, verdict.sureness.partition(",")[0])
    return [builder.link_of(id), element("span", " ", sureness, class_="kg-note")]


def _connections_with(builder: PageBuilder, neighbour: NeighbouringLine) -> list[Html | None]:
    """The statements that two lines share, and the contradictions between them."""
    shared = item_list(map(builder.statement, neighbour.shared_ids))
    tensions = item_list(
        (builder.statement(clash.left), " against ", builder.statement(clash.right))
        for clash in neighbour.tensions
    )
    shared_label = f"{count_of(len(neighbour.shared_ids), 'statement')} in both"
    label = f"{count_of(len(neighbour.tensions), 'contradiction')} between the two, unanswered"
    return [
        collapsible(shared_label, shared) if shared else None,
        collapsible(label, tensions) if tensions else None,
    ]


def lines_beneath(builder: PageBuilder, line: InquiryLine) -> list[InquiryLine]:
    """The lines whose answer is the best reason for the answer of this one."""
    verdict = builder.context.answers.verdict(line.id)
    if verdict is None or not verdict.side:
        return []
    best = best_on_side(builder.context.corpus, verdict, verdict.side)
    return lines_affirming(builder, line, best.statement) if best else []


def lines_affirming(builder: PageBuilder, line: InquiryLine, id: StatementId) -> list[InquiryLine]:
    """The other lines that ask about a reason and answer yes."""
    context = builder.context
    same_ids = {*same_statements(context.corpus, id)}
    return [
        other_line
        for other_line in context.corpus.lines.values()
        if other_line.id != line.id and other_line.proposition in same_ids
        if (verdict := context.answers.verdict(other_line.id)) is not None and verdict.side > 0
    ]


def describe_answers_of_lines(
    builder: PageBuilder, lines: Sequence[InquiryLine], words: str
) -> Html | None:
    """Says, with `words` before the questions, that something is the answer of other lines."""
    links = [builder.link_maker.line(line.id, builder.root) for line in lines]
    return element("p", words, join("; ", links), class_="kg-small") if links else None
