"""The claim that would change an answer, were it settled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.corpus.same_and_superseded import with_same
from kg.model import Edge, InquiryLine, StatementId
from kg.publish.components.reasons import reason_of
from kg.publish.components.turning_points import settling
from kg.publish.markup.html import Html, element, join
from kg.publish.markup.phrases import capitalize_first
from kg.publish.page_builder import PageBuilder

if TYPE_CHECKING:
    from kg.reasoning.answers.crux import Crux

OVERTURNS, DECIDES = "What would overturn it", "What would decide it"
SHAKES = "What would shake it most"
_OUTCOMES = {
    "turns": "the answer turns round",
    "undoes": "the answer becomes undecided",
    "decides": "the question is decided",
}


def _is_called(crux: Crux) -> str:
    """What a claim is to the answer: what only takes its side from it overturns nothing."""
    outcomes = {crux.when_true, crux.when_false}
    return OVERTURNS if "turns" in outcomes else DECIDES if "decides" in outcomes else SHAKES


def what_settles(
    builder: PageBuilder, line: InquiryLine, above: Mapping[StatementId, str]
) -> Html | None:
    """The claim that would change the answer and by what way; by its title, unless it is called
    otherwise `above`.
    """
    crux = next(iter(settling(builder, line)), None)
    if crux is None:
        return None
    name = above.get(crux.statement, "").lower() or None
    return element(
        "p",
        element("span", f"{_is_called(crux)}: ", class_="kg-label"),
        builder.link_maker.statement(crux.statement, builder.root, line.id, name),
        ". ",
        describe_if_settled(crux),
        " So far it is “",
        builder.context.strengths.of(crux.statement).said,
        "”.",
        None if name else _way(builder, line, crux),
        class_="kg-settles",
    )


def _direct_edges(builder: PageBuilder, line: InquiryLine, crux: Crux) -> list[Edge]:
    """The edges by which a claim bears on what is weighed with no other between."""
    corpus = builder.context.corpus
    weighed = with_same(corpus, line.proposition or "")
    return [each.edge for each in corpus.bearings_from(crux.statement) if each.target in weighed]


def _way(builder: PageBuilder, line: InquiryLine, crux: Crux) -> Html:
    """Why a claim bears on what is weighed, or by way of which claims it does."""
    direct = _direct_edges(builder, line, crux)
    if direct:
        return reason_of(builder, direct[0], whole=True)
    corpus = builder.context.corpus
    ends = [x.target for x in corpus.bearings_from(crux.statement) if x.target in corpus.statements]
    named = join("; ", [builder.statement(end) for end in dict.fromkeys(ends)])
    return element("span", "It bears on the answer by way of: ", named, ".", class_="kg-reason")


def describe_if_settled(crux: Crux) -> Html:
    """What a claim would make of the answer, once settled."""
    numbers = f"Strength {crux.if_true:.2f} if true, {crux.if_false:.2f} if false"
    return element("span", _once_settled(crux), title=numbers)


def _once_settled(crux: Crux) -> str:
    """`If it is shown to be true, the answer turns round.`; what leaves the answer is not told."""
    cases = {"true": _OUTCOMES.get(crux.when_true), "false": _OUTCOMES.get(crux.when_false)}
    if cases["true"] == cases["false"]:
        return f"True or false, {cases['true'] or 'the answer stays'}."
    told = [f"if it is shown to be {case}, {does}" for case, does in cases.items() if does]
    return f"{capitalize_first('; '.join(told))}."
