"""The strongest case that each camp can make, and the best rebuttals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kg.corpus import UnknownId
from kg.model import CampId, EdgeId, StatementId, Value
from kg.model.errors import require_type
from kg.reasoning.asked_question import asked_about
from kg.reasoning.default_rule.strengths_by_voices import voices_of
from kg.reasoning.graph.arrays import (
    ROUNDING,
    Bools,
    Floats,
    Ints,
    mark_reached,
    round_off,
    round_off_or_none,
)
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.camp_views import AGAINST, FOR, camps_of, strengths_by_camp
from kg.reasoning.reasons.direct_reasons import (
    Reason,
    arcs_of_reasons,
    reason_of_arcs,
    shares_of_reasons,
)
from kg.reasoning.reasons.shares import arc_shares, arc_shares_of, slopes_of
from kg.reasoning.scenarios import keep_strength, mute_nodes, run_muted
from kg.reasoning.solution import solve
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, columns, lines_in_cell, list_names, table
from kg.text.sentences import quote_title
from kg.text.spelling import similar_names

REASONS_SHOWN = 5  # the heaviest make the case; the verdict lists all of them
NO_ARC = -1  # the arc of the last statement of a chain, which has no next one


class _DirectReason(NamedTuple):
    """A direct reason, and its arcs: one, or several where edges of statements declared the same
    are one reason; of a joint reason that of its heaviest premise.
    """

    arcs: list[int]
    reason: Reason


class _ChainStep(NamedTuple):
    """A statement of a chain, and the arc by which it bears on the next."""

    node: int
    arc: int


class Rebuttal(Value, frozen=True, omit_defaults=False):
    """The best answer to a reason: `effect` is how far the camp's cause would rise without it."""

    statement: StatementId
    title: str
    edge: EdgeId
    effect: float


class Argument(Value, frozen=True, omit_defaults=False):
    """A direct reason of a camp, its best line of support, and its best rebuttal.

    `chain` leads to the reason, step by step, from the statement (most often evidence) that
    brings most of its share; to a fallen premise, from what brings it down most. `alone` is its
    share if no other camp spoke.
    """

    reason: Reason
    chain: tuple[StatementId, ...]
    alone: float
    rebuttal: Rebuttal | None


def _describe_argument(argument: Argument) -> str:
    reason = argument.reason
    rebuttal = argument.rebuttal
    return lines_in_cell(
        reason.statement + (" (a premise that has fallen)" if reason.fallen else ""),
        *(f"  together with {name}" for name in reason.together),
        *(f"  ← {name}" for name in reversed(argument.chain[:-1])),
        f"  answered by {rebuttal.statement}" if rebuttal else "",
    )


ARGUMENT = columns(
    Argument,
    ("reason, best chain to it, best answer", _describe_argument),
    ("share", lambda a: a.reason.share),
    ("share, others silent", lambda a: a.alone),
    ("answer takes", lambda a: a.rebuttal.effect if a.rebuttal else None),
    meaning="share, others silent: what the reason would add if no other camp "
    "spoke (less than now where its sources would then come another way, or others spoke for it); "
    "answer takes: how far the strength would move to this side without the answer",
)


class Case(WeighedAnswer, frozen=True, kw_only=True):
    """The strongest case of a camp: its heaviest direct reasons.

    `own_view` is the strength with every other camp silenced, `strength` with all heard.
    `undercutters` are statements that help the camp only by weakening others' reasons, `needed`
    those that help it as premises of something, or by supporting such premises.
    """

    camp: CampId
    side: int
    strength: float | None
    own_view: float | None
    arguments: tuple[Argument, ...]
    undercutters: tuple[StatementId, ...]
    needed: tuple[StatementId, ...]

    def report(self) -> Report:
        facts = {
            "camp": self.camp,
            "side": {1: "for", -1: "against", 0: "none"}[self.side],
            "strength": self.strength,
            "strength it alone would see": self.own_view,
        }
        arguments_table = table("arguments", self.arguments, ARGUMENT)
        helping = list_names("help it only by weakening others' reasons", self.undercutters)
        premises = list_names(
            "help it as premises that must not fall, or by supporting these", self.needed
        )
        return self.as_report(facts, arguments_table, *helping, *premises)


@accepts_corpus
def case(
    reading: Reading, name: str, camp: CampId, k: int = REASONS_SHOWN
) -> Case | LineWithoutProposition:
    """The strongest case of `camp`, an id or label, on `name`: its `k` heaviest reasons.

    If the notes do not name two camps here, the camps are “for” and “against”. A camp that
    `kg.toml` declares but that has no statement here has no case. Raises `UnknownId` for names,
    and for other camps.

    `corpus.case("social-grounding", "skeptic")`
    """
    require_type(camp, str, "a camp is named by its id or label")
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    camps = camps_of(question)
    # not the id of a camp that argues here: it may be a label, or a camp without statements here
    declared_camp = None if camp in camps.side_of_camp else reading.corpus.config.find_camp(camp)
    camp = declared_camp or camp
    if declared_camp and camp not in camps.side_of_camp:
        return _empty_case(question, camp)
    if camp not in camps.side_of_camp:
        raise UnknownId(camp, similar_names(camp, camps.names) or camps.names, "camp")
    side = camps.side_of_camp[camp]
    graph = question.graph
    shares = shares_of_reasons(question.graph, arc_shares_of(question))
    # a statement in no camp is a reason of the camp on its side; a fallen premise is a reason of
    # the other side, whatever its camp
    camp_reasons = [
        _DirectReason(arcs, reason)
        for arcs in arcs_of_reasons(question)
        if side * (reason := reason_of_arcs(question, arcs, shares)).share > 0.0
        and (reason.fallen or camps.camp_of_node[graph.arc_premise[arcs[0]]] in {None, camp})
    ]
    camp_reasons.sort(key=lambda each: (-abs(each.reason.share), each.reason.edge))
    arguments = _arguments_of_camp(question, camp, camp_reasons[:k])
    own_view = float(strengths_by_camp(question)[question.node, camps.names.index(camp)])
    helping = _find_helping_members(question, camp)
    needed = _mask_of_needed_statements(question)
    return Case(
        sentence=_case_sentence(question, camp, arguments, own_view),
        asked=asked_about(question),
        camp=camp,
        side=side,
        strength=round_off_or_none(question.strength_or_nan),
        own_view=round_off_or_none(own_view),
        arguments=arguments,
        undercutters=tuple(graph.ids[i] for i in helping if not needed[i])[:k],
        needed=tuple(graph.ids[i] for i in helping if needed[i])[:k],
    )


def _empty_case(question: Question, camp: CampId) -> Case:
    """The empty case of a declared camp that has no statements here."""
    title = quote_title(question.title)
    sentence = f"No statement that bears on {title} is in the camp {camp}, so it has no case."
    if any(question.declared_camp(node) == camp for node in range(question.graph.size)):
        sentence = (
            f"Only the camp {camp} has statements that bear on {title}, so the two sides are "
            f"called {FOR} and {AGAINST}: ask for one of these."
        )
    return Case(
        sentence=sentence,
        asked=asked_about(question),
        camp=camp,
        side=0,
        strength=round_off_or_none(question.strength_or_nan),
        own_view=None,
        arguments=(),
        undercutters=(),
        needed=(),
    )


def _arguments_of_camp(
    question: Question, camp: CampId, camp_reasons: list[_DirectReason]
) -> tuple[Argument, ...]:
    shares_alone = _shares_alone(question, camp)
    chains = [_chain_beneath(question, arcs) for arcs, _ in camp_reasons]
    attacks = [
        _attackers_of_chain(question, [*arcs, *(step.arc for step in chain if step.arc != NO_ARC)])
        for (arcs, _), chain in zip(camp_reasons, chains, strict=True)
    ]
    # of all reasons at once, since one may answer several and each removal is a scenario
    effects = _gains_for_camp(
        question, camp, sorted({node for by_node in attacks for node in by_node})
    )
    return tuple(
        Argument(
            reason=reason,
            chain=tuple(question.graph.ids[step.node] for step in chain),
            alone=round_off(shares_alone[arcs].sum()),
            rebuttal=_best_rebuttal(question, attackers, effects),
        )
        for (arcs, reason), chain, attackers in zip(camp_reasons, chains, attacks, strict=True)
    )


def _shares_alone(question: Question, camp: CampId) -> Floats:
    """Shares of all arcs in the camp's own view."""
    camps = camps_of(question)
    graph = mute_nodes(question.graph, camps.statements_without_voice(camp))
    return shares_of_reasons(graph, arc_shares(graph, solve(graph).state))


def _chain_beneath(question: Question, arcs: list[int]) -> list[_ChainStep]:
    """Statements from a leaf to a direct reason: each step follows the arc that brings most of
    the source to which the reason owes most of its share.

    For a premise that has fallen, the last step is the heaviest arc against it.
    """
    graph = question.graph
    shares = arc_shares_of(question)
    nats_carried = _nats_of_heaviest_source(question, arcs)
    node = int(graph.arc_premise[arcs[0]])
    chain = [_ChainStep(node, NO_ARC)]
    visited = {question.node, node}  # a circle would not end
    falls = bool(graph.fallen[arcs[0]])
    while graph.is_claim[node]:
        incoming = graph.arcs_bearing_on(node)
        incoming = incoming[~np.isin(graph.arc_premise[incoming], list(visited))]
        if falls:
            weight = -shares[incoming]
        else:
            incoming = incoming[~graph.fallen[incoming]]
            # if the source does not come through here, follow the heaviest reason
            weight = (
                nats_carried[incoming]
                if (nats_carried[incoming] > ROUNDING).any()
                else shares[incoming]
            )
        if not (weight > ROUNDING).any():
            break
        arc = int(incoming[int(np.argmax(weight))])
        falls = bool(graph.fallen[arc])
        node = int(graph.arc_premise[arc])
        visited.add(node)
        chain.append(_ChainStep(node, arc))
    return chain[::-1]


def _nats_of_heaviest_source(question: Question, arcs: list[int]) -> Floats:
    """Return what each arc of the graph brings of the one source that counts most at `arcs`.

    If sources are not followed, all that each arc brings.
    """
    graph = question.graph
    if not graph.settings.follows_routes:
        return arc_shares_of(question)
    voices = voices_of(graph)
    at_arcs = np.isin(voices.arc, arcs)
    nats_by_group = np.bincount(voices.source_group[at_arcs], np.abs(voices.nats[at_arcs]))
    is_of_heaviest = at_arcs  # of no voice if none passes `arcs`
    if len(nats_by_group):
        is_of_heaviest = voices.source_group == np.argmax(nats_by_group)
    nats_carried = np.bincount(
        voices.arc[is_of_heaviest], voices.nats[is_of_heaviest], len(graph.arc_premise)
    )
    return np.asarray(nats_carried, dtype=float)


def _attackers_of_chain(question: Question, chain: list[int]) -> dict[int, int]:
    """The statements that attack a chain of arcs or undercut an arc of it, each with the first arc
    by which it does. Support for a premise attacks the arc that passes on its fall.
    """
    graph = question.graph
    arc_of: dict[int, int] = {}
    for arc in chain:
        for other in graph.arcs_bearing_on(int(graph.arc_premise[arc])).tolist():
            if (graph.arc_weight[other] < 0.0) != graph.fallen[arc]:
                arc_of.setdefault(int(graph.arc_premise[other]), other)
        if graph.gate[arc] != graph.open_gate:
            for other in graph.arcs_bearing_on(int(graph.gate[arc])).tolist():
                arc_of.setdefault(int(graph.arc_premise[other]), other)
    # in a circle the statement asked about may be among them: it is no answer to its own reason
    arc_of.pop(question.node, None)
    return arc_of


def _gains_for_camp(question: Question, camp: CampId, nodes: list[int]) -> dict[int, float]:
    """Measure how far the camp's cause would rise without each of `nodes`."""
    if not nodes:
        return {}
    groups = [np.array([i]) for i in nodes]
    strengths_without = run_muted(question.graph, groups, keep_strength(question.node))[0]
    rise = camps_of(question).side_of_camp[camp] * (strengths_without - question.strength_or_nan)
    return dict(zip(nodes, rise.tolist(), strict=True))


def _best_rebuttal(
    question: Question, attackers: dict[int, int], effects: dict[int, float]
) -> Rebuttal | None:
    """The attacker of a reason whose removal helps its camp most."""
    best = max(attackers, key=lambda node: effects[node], default=None)
    if best is None or not effects[best] > ROUNDING:  # NaN, where nothing settles, is no effect
        return None
    return Rebuttal(
        statement=question.graph.ids[best],
        title=question.statement_at(best).title,
        edge=question.graph.edge_of_arc[attackers[best]],
        effect=round_off(effects[best]),
    )


def _find_helping_members(question: Question, camp: CampId) -> list[int]:
    """Members that help their camp, but not through its direct reasons; the most helpful first."""
    graph = question.graph
    camps = camps_of(question)
    side = camps.side_of_camp[camp]
    behind_reasons = np.zeros(graph.node_count + 1, dtype=bool)
    for arc in graph.arcs_bearing_on(question.node).tolist():
        if side * graph.arc_weight[arc] > 0.0:
            behind_reasons |= graph.ancestors(int(graph.arc_premise[arc]))
    members: Ints = camps.members(camp)
    helping = [
        i for i in members.tolist() if camps.effect_sign[i] == side and not behind_reasons[i]
    ]
    # rounded, so that ids decide between equals, not rounding errors
    return sorted(
        helping,
        key=lambda i: (-abs(round(float(slopes_of(question)[i]), 9)), graph.ids[i]),
    )


def _mask_of_needed_statements(question: Question) -> Bools:
    """Mark the statements that something depends on, and those that support one of these."""
    graph = question.graph
    is_support = (graph.arc_weight > 0.0) & ~graph.fallen
    return mark_reached(
        np.unique(graph.arc_premise[graph.fallen]),
        graph.node_count + 1,
        lambda front: graph.arc_premise[is_support & np.isin(graph.arc_target, front)],
    )


def _case_sentence(
    question: Question, camp: CampId, arguments: tuple[Argument, ...], own_view: float
) -> str:
    title = quote_title(question.title)
    if not arguments:
        return f"The {camp} side has no reason that moves {title}."
    first = arguments[0]
    reason = quote_title(first.reason.title)
    strongest = f"that its premise {reason} has fallen" if first.reason.fallen else reason
    rebuttal = f", best answered by “{first.rebuttal.title}”" if first.rebuttal else ""
    return (
        f"The {camp} side's strongest reason on {title} is {strongest}{rebuttal}; "
        f"heard alone, that side would see {own_view:.2f}."
    )
