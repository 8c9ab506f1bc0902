"""Graphs to explore in the browser; the only module that loads pyvis.

pyvis's own page contacts other hosts and shows titles as HTML, so its template is not used: the
graph is a script of its own, and every title stays text. The browser places a few boxes at a time
in columns, and runs no simulation.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from kg.corpus.reasons_for_and_against import undercuts_of
from kg.model import Bearing, EdgeId, EdgeStroke, InquiryLine, Kind, SeenIn, Statement, StatementId
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import direction_key
from kg.publish.graphics.argument import DrawnReason, ReasonsBeneath
from kg.publish.graphics.dial import scale_of, strength_shown
from kg.publish.markup.camp_and_relation_styles import SIGNS, camp_shape, stroke_of
from kg.publish.markup.html import as_script_json
from kg.publish.markup.link_maker import open_copy_address, published_address
from kg.publish.markup.phrases import (
    FORWARD,
    KINDS,
    LEAST_NATS_COUNTED,
    SEEN,
    as_sentence,
    capitalize_first,
    describe_amount,
)
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page import Alternate
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.sureness_words import Sureness, answer_phrase, is_surer

# pyvis names one class of IPython, for notebooks alone, where IPython is loaded already.
_STUB = ModuleType("IPython.display")
_STUB.IFrame = None  # type: ignore[attr-defined]
try:
    sys.modules.setdefault(_STUB.__name__, _STUB)
    from pyvis.network import Network
finally:
    if sys.modules[_STUB.__name__] is _STUB:
        del sys.modules[_STUB.__name__]


GRAPH = ".graph.js"  # suffix of the address of a line's graph
_PLAIN_MOVE = 0.05  # of strength: a smaller move is shown only with the number
_LEAST_LOSS = 0.01  # of what a reason counts; less is not shown
_DASHES: dict[EdgeStroke, Any] = {
    EdgeStroke.SOLID: False,
    EdgeStroke.DASHED: [6, 4],
    EdgeStroke.DOTTED: [2, 4],
    EdgeStroke.CHAINED: [8, 3, 2, 3],
}


def graph_file(context: SiteContext, line: InquiryLine, argument: ReasonsBeneath) -> Alternate:
    """The file beside a line's page with the graph of what its answer rests on. It also has the
    answers at the ends of the line's scale, on which side its claim holds, and where the bar of
    the answer ends. It is a script, which a page can also load from the disk.
    """
    network = network_of(context, line, argument)
    verdict = context.answers.verdict(line.id)
    scale = scale_of(context.corpus.config, verdict)
    content = {
        "nodes": network.nodes,
        "edges": network.edges,
        "ends": answers_at_ends(line),
        "isMirrored": scale.is_mirrored,
    }
    if verdict and verdict.strength is not None:
        content["bar"] = round(scale.place_of(strength_shown(scale.steps, verdict)), 3)
    graph = as_script_json(content)
    return Alternate(GRAPH, "text/javascript", f"kgGraph({graph});\n")


def network_of(context: SiteContext, line: InquiryLine, argument: ReasonsBeneath) -> Network:
    """The statements of an argument and its reasons, in its order."""
    network = Network(directed=True)
    for id in argument.statements:
        _add_statement(network, context, line, id, argument)
    effects = _effects_of_reasons(context, line, argument)
    network.edges = [
        _undercut_of(context, reason)
        if reason.conclusion
        else _edge_data(reason, FORWARD[reason.edge.relation]) | effects.get(reason.edge.id, {})
        for reason in argument.reasons
    ]
    return network


def _effects_of_reasons(
    context: SiteContext, line: InquiryLine, argument: ReasonsBeneath
) -> dict[EdgeId, dict[str, str]]:
    """Describe what the answer becomes without each of its own reasons that move it visibly."""
    verdict, answers = (
        context.answers.verdict(line.id),
        context.answers.answers_without_reasons(line.id),
    )
    effects = dict[EdgeId, dict[str, str]]()
    for reason in argument.reasons:
        is_own_reason = reason.target == argument.statements[0] and not reason.conclusion
        if verdict and is_own_reason and reason.premise in answers:
            strength, side, sureness = answers[reason.premise]
            words = describe_effect(verdict, strength, side, sureness)
            move = _move(verdict, strength) if side == verdict.side else 0
            number = f"{abs(move):.2f} {'weaker' if move < 0 else 'stronger'}"
            effects[reason.edge.id] = {
                **({"without": f"without it the answer is {words}"} if words else {}),
                **({"moves": f"without it the answer is {number}"} if move else {}),
            }
    return effects


def describe_effect(verdict: Verdict, strength: float, side: int, sureness: Sureness) -> str:
    """Describe how an answer differs from a verdict: in its sureness, or else plainly in its
    strength; empty if it hardly differs.
    """
    if side != verdict.side:
        return "the opposite" if side else "undecided"
    if sureness != verdict.sureness:
        change = "surer" if is_surer(sureness, verdict.sureness) else "less sure"
        return f"{change}, “{answer_phrase(verdict.word, sureness)}”"
    move = _move(verdict, strength)
    return f"somewhat {'stronger' if move > 0 else 'weaker'}" if abs(move) >= _PLAIN_MOVE else ""


def _move(verdict: Verdict, strength: float) -> float:
    """Return by how much an answer of this strength is farther from the middle than a verdict."""
    return round(abs(strength - 0.5) - abs((verdict.strength or 0.0) - 0.5), 2)


def _edge_data(reason: DrawnReason, words: str) -> dict[str, Any]:
    """A reason, which these `words` name."""
    edge = reason.edge
    return {
        "origin": reason.premise,
        "target": reason.target,
        "title": words + (f": {as_sentence(edge.reason)}" if edge.reason else ""),
        "dashes": _DASHES[stroke_of(edge.relation)],
        "share": round(reason.share, 3),
        "adds": describe_amount(abs(reason.share)),
    }


def _undercut_of(context: SiteContext, undercut: DrawnReason) -> dict[str, Any]:
    """An objection to a reason, and how much less the reason counts with all that object to it."""
    corpus, standings = context.corpus, context.standings
    conclusion = corpus.statements[undercut.conclusion or ""]
    reason = corpus.edges_by_id[undercut.edge.target]
    key = direction_key(Bearing(reason, undercut.target, conclusion.id))
    full_share, remark = abs(standings.share_unless_undercut(key) or 0.0), {}
    loss = 1 - abs(standings.share(key)) / full_share if full_share >= LEAST_NATS_COUNTED else 0.0
    if loss >= _LEAST_LOSS:
        is_single = len({each.origin for each in undercuts_of(corpus, reason.id)}) == 1
        objections = "it" if is_single else "all objections"
        remark = {"loss": f"with {objections} the reason counts {loss:.0%} less"}
    words = f"{FORWARD[undercut.edge.relation]} the link to “{conclusion.title}”"
    return _edge_data(undercut, words) | {"conclusion": conclusion.id} | remark


def _add_statement(
    network: Network,
    context: SiteContext,
    line: InquiryLine,
    id: StatementId,
    argument: ReasonsBeneath,
) -> None:
    statement = context.corpus.statements[id]
    camp = context.link_maker.camp_shown(id, line.id)
    mark = SIGNS[camp_shape(context.corpus.config, camp)][statement.kind is Kind.EVIDENCE]
    kind = KINDS[statement.kind].lower()
    standing = context.standings.of(id)
    more = {
        "counts": argument.counts[id].words,
        "beyond": argument.beyond.get(id),
        "word": standing.limit_in_words and capitalize_first(standing.answer_phrase),
        "sources": statement.kind is Kind.EVIDENCE and _sources_of(context, statement),
        "seen": statement.kind is Kind.EVIDENCE and _how_seen(statement),
    }
    network.add_node(
        id,
        label=statement.title,
        shape="box",
        mark=mark,
        kind=f"{context.link_maker.camp_label(camp)} {kind}" if camp else capitalize_first(kind),
        standing=context.standings.quality_words(id) or capitalize_first(standing.word_explained),
        group=context.link_maker.camp_class(camp),
        page=context.addresses.of(id),
        **{name: value for name, value in more.items() if value},
    )


def _how_seen(evidence: Statement) -> str:
    """Say whether its author read the work, or knows of it second-hand."""
    if evidence.seen_in is None:
        return "Not recorded where it was seen"
    start = "Read" if evidence.seen_in is SeenIn.PRIMARY else "Second-hand: seen"
    return f"{start} in {SEEN[evidence.seen_in]}"


def _sources_of(context: SiteContext, statement: Statement) -> list[dict[str, str]]:
    """The works that a statement cites: name and title of each, its page, and the work itself."""
    sources = context.corpus.sources
    return [
        {"name": context.link_maker.names[key], "label": source.title}
        | {"page": context.addresses.of(key)}
        | ({"paper": paper} if paper else {})
        for key in statement.sources
        if (source := sources.get(key))
        for paper in [published_address(source) or open_copy_address(source)]
    ]
