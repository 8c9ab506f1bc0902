"""The direct reasons of an answer, the total of each side, and what objections take from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kg.model import EdgeId, Relation, StatementId, Value
from kg.reasoning.graph.arrays import (
    Floats,
    Ints,
    mark_reached,
    positions_in_runs,
    round_off,
    round_off_or_none,
)
from kg.reasoning.graph.graph import Graph
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import arc_shares_of, premises_together_with
from kg.reasoning.scenarios import keep_outcome, run_without_arcs
from kg.reasoning.word_and_side import outcome_of
from kg.reporting.report import render_signed
from kg.runtime.memoize import memoize
from kg.text.plurals import pluralize
from kg.text.sentences import quote_title

LEAST_SHARE_LISTED = 0.005  # the share from which a reason has a row of its own
ROWS_A_SIDE = 15  # rows of the table per side: both fit on one screen


class Reason(Value, frozen=True, omit_defaults=False):
    """A direct reason: its statement, edge and strength, its share in nats, and the relation
    written in the notes.

    Under the logistic semantics shares add up: logit(strength) = logit(base) + sum of shares.
    `together` are its other joint premises; the weakest of them all represents the reason; of
    equals the one that adds most, then the first by id. `fallen` is true for a premise on which
    the statement asked about depends, if it lowers that by having fallen, and false for a
    premise that stands.
    """

    statement: StatementId
    title: str
    edge: EdgeId
    strength: float | None
    weight: float
    share: float
    relation: Relation
    together: tuple[StatementId, ...] = ()
    fallen: bool = False

    @property
    def side(self) -> int:
        """The side to which it adds: 1 for, -1 against."""
        return 1 if self.share > 0 else -1

    @property
    def words(self) -> str:
        """The title, or how far the premise has fallen."""
        if not self.fallen or self.strength is None:
            return self.title
        return f"its premise {quote_title(self.title)} has fallen to {self.strength:.2f}"


class Balance(Value, frozen=True, omit_defaults=False):
    """The sum of the reasons: from the strength `base`, where it starts, those for and those
    against, in nats.

    `lessened` is what objections to the reasons of a side take, where the other has no direct
    reason of weight.
    """

    base: float
    pro: float
    con: float
    lessened: tuple[LossToObjections, ...]


def balance_of(question: Question) -> Balance:
    """Reasons for and against the statement asked about."""
    shares = arc_shares_of(question)[question.graph.arcs_bearing_on(question.node)]
    return Balance(
        base=round_off(question.graph.base[question.node]),
        pro=round_off(shares[shares > 0.0].sum()),
        con=round_off(-shares[shares < 0.0].sum()),
        lessened=_objections_beneath(question),
    )


@memoize
def direct_reasons(question: Question) -> tuple[Reason, ...]:
    """The direct reasons, the heaviest first; their shares add up to the change in log-odds."""
    summed_shares = shares_of_reasons(question.graph, arc_shares_of(question))
    reasons = [reason_of_arcs(question, arcs, summed_shares) for arcs in arcs_of_reasons(question)]
    return tuple(sorted(reasons, key=lambda reason: -abs(reason.share)))


def arcs_of_reasons(question: Question) -> list[list[int]]:
    """The arcs to the statement asked about, grouped by reason, the heaviest arc first.

    Several edges from statements declared the same are one reason, under one id.
    """
    graph = question.graph
    by_reason: dict[tuple[int, int], list[int]] = {}
    for arc in _heaviest_arcs(question):
        # one statement may speak in several ways: for (-1), against (-2), as a fallen premise
        # (-3), or in a joint reason, by the reason's number from 0 on
        sole_key = -1 - int(graph.arc_weight[arc] < 0.0) - int(graph.fallen[arc])
        joint = int(graph.joint[arc])
        by_reason.setdefault(
            (int(graph.arc_premise[arc]), joint if joint >= 0 else sole_key), []
        ).append(arc)
    return list(by_reason.values())


def shares_of_reasons(graph: Graph, shares: Floats) -> Floats:
    """The shares of arcs; each premise of a joint reason has the sum of their shares."""
    summed = shares.copy()
    is_joint = graph.joint >= 0
    if is_joint.any():
        summed[is_joint] = np.bincount(graph.joint[is_joint], shares[is_joint])[
            graph.joint[is_joint]
        ]
    return summed


def _heaviest_arcs(question: Question) -> list[int]:
    """The arcs to the statement asked about, the heaviest first; one for each joint reason."""
    graph = question.graph
    arcs = graph.arcs_bearing_on(question.node).tolist()
    shares = arc_shares_of(question)
    summed_shares = shares_of_reasons(graph, shares)

    def order(arc: int) -> tuple[float, float, float, float, str, str]:
        # rounded, so that rounding errors do not decide between equals: the weight of the arc
        # does, and then ids
        reason_share, arc_share = (
            abs(round(float(table[arc]), 9)) for table in (summed_shares, shares)
        )
        # joint premises that add nothing are silenced by the weakest of them
        is_silenced = graph.joint[arc] >= 0 and not reason_share
        strength = (
            round(float(question.strengths[graph.arc_premise[arc]]), 9) if is_silenced else 0.0
        )
        weight = abs(float(graph.arc_weight[arc]))
        return (
            -reason_share,
            -arc_share,
            strength,
            -weight,
            graph.ids[graph.arc_premise[arc]],
            graph.edge_of_arc[arc],
        )

    visited: set[int] = set()
    heaviest = []
    for arc in sorted(arcs, key=order):  # premises that count only together are one reason
        reason = int(graph.joint[arc])
        if reason < 0 or reason not in visited:
            heaviest.append(arc)
            visited.add(reason)
    return heaviest


def reason_of_arcs(question: Question, arcs: Sequence[int], summed_shares: Floats) -> Reason:
    """The direct reason made up of `arcs`; `summed_shares` are those of `shares_of_reasons`."""
    graph = question.graph
    arc = arcs[0]
    node = int(graph.arc_premise[arc])
    share = round_off(summed_shares[list(arcs)].sum())
    return Reason(
        statement=graph.ids[node],
        title=question.statement_at(node).title,
        edge=graph.edge_of_arc[arc],
        strength=round_off_or_none(question.strengths[node]),
        weight=round_off(graph.arc_weight[arc]),
        share=share,
        relation=question.reading.corpus.edges_by_id[graph.edge_of_arc[arc]].relation,
        together=premises_together_with(question.reading, graph, arc),
        fallen=bool(graph.fallen[arc]) and share < 0.0,
    )


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A row of the table: the nats that a reason adds; without a reason, those of `lighter`
    reasons that share a row.
    """

    nats: float
    reason: Reason | None
    lighter: int = 0

    @property
    def title(self) -> str:
        """The label of the row."""
        if self.reason is None:
            return pluralize(self.lighter, "lighter reason")
        partners = self.reason.together
        return self.reason.words + (f" (together with {', '.join(partners)})" if partners else "")

    @property
    def statement(self) -> StatementId:
        """The id of the reason; empty if several share the row."""
        return self.reason.statement if self.reason else ""

    @property
    def share(self) -> str:
        """The nats that it adds, with their sign."""
        return render_signed(self.nats)


@dataclass(frozen=True, slots=True)
class ReasonTable:
    """The reasons for and against, heaviest first, and the statements that are linked to the
    answer but add less than `LEAST_SHARE_LISTED` directly.
    """

    pro: tuple[ReasonRow, ...]
    con: tuple[ReasonRow, ...]
    idle: tuple[StatementId, ...]
    balance: Balance

    def total(self, side: int) -> str:
        """The total of one side (1 for, -1 against)."""
        return render_signed(self.balance.pro if side > 0 else -self.balance.con)

    def is_rounded(self, side: int) -> bool:
        """Return whether the rows of a side, as printed, do not add up to its total."""
        printed = sum(round(item.nats, 2) for item in (self.pro if side > 0 else self.con))
        return render_signed(printed) != self.total(side) and bool(printed)


def reason_table(
    reasons: Sequence[Reason], balance: Balance, max_rows: int = ROWS_A_SIDE
) -> ReasonTable:
    """The reasons of an answer, at most `max_rows` reasons a side; the lighter ones share a row."""
    weighing_reasons = [reason for reason in reasons if reason.share]
    pro, light_pro = _rows_of_side([r for r in weighing_reasons if r.share > 0.0], max_rows)
    con, light_con = _rows_of_side([r for r in weighing_reasons if r.share < 0.0], max_rows)
    weightless = [reason.statement for reason in reasons if not reason.share]
    ids_in_rows = {item.statement for item in (*pro, *con)}
    idle = [id for id in (*light_pro, *light_con, *weightless) if id not in ids_in_rows]
    return ReasonTable(pro, con, tuple(dict.fromkeys(idle)), balance)


def _rows_of_side(
    reasons: Sequence[Reason], max_rows: int
) -> tuple[tuple[ReasonRow, ...], tuple[StatementId, ...]]:
    """The rows of one side, and the statements too light for a row."""
    with_row = [reason for reason in reasons if abs(reason.share) >= LEAST_SHARE_LISTED][:max_rows]
    # reasons come heaviest first, so those without a row are the last
    lighter = reasons[len(with_row) :]
    nats = sum(reason.share for reason in lighter)
    rows = [ReasonRow(reason.share, reason) for reason in with_row]
    if abs(nats) < LEAST_SHARE_LISTED:
        return tuple(rows), tuple(reason.statement for reason in lighter)
    # many light reasons may add up to something, and rows have to add up
    return (*rows, ReasonRow(nats, None, len(lighter))), ()


def remark_on_no_contradiction(reasons: Sequence[Reason], side: int) -> str:
    """A further sentence, if nothing contradicts a statement that comes out as refuted."""
    against = [reason for reason in reasons if reason.share <= -LEAST_SHARE_LISTED]
    if side >= 0 or any(reason.relation is not Relation.QUALIFIES for reason in against):
        return ""
    return (
        " Nothing contradicts it: all that speaks against it qualifies it, so it may still hold "
        "within limits."
    )


# -- objections beneath the direct reasons ---------------------------------------------------------


class LossToObjections(Value, frozen=True, omit_defaults=False):
    """The loss of the reasons of one side (1 for, -1 against) to objections to them.

    `nats` are what that side would gain without any of these objections; `heaviest` is the
    objector without which it would gain most (empty if too many would have to be tried).
    """

    side: int
    nats: float
    heaviest: StatementId
    title: str


def _objections_beneath(question: Question) -> tuple[LossToObjections, ...]:
    """Find what each side loses to objections beneath it, if that carries weight and no direct
    reason of the other side does.
    """
    threshold = question.settings.open_below
    _, pro, con = outcome_of(question)
    sides = [side for side, other in ((1, con), (-1, pro)) if other < threshold]
    lessened = (_find_lessened(question, side) for side in sides)
    return tuple(loss for loss in lessened if loss and loss.nats >= threshold)


def _find_lessened(question: Question, side: int) -> LossToObjections | None:
    graph = question.graph
    arcs = _arcs_of_objections(question, side)
    if not len(arcs):
        return None
    row = 1 if side > 0 else 2  # of an outcome: strength, for, against
    current_nats = outcome_of(question)[row]
    nats = float(_outcomes_without(question, [arcs])[row, 0]) - current_nats
    objectors = np.unique(graph.arc_premise[arcs])
    name = ""
    if nats >= question.settings.open_below and len(objectors) <= question.affordable():
        groups = [_with_joint_partners(graph, arcs, node) for node in objectors.tolist()]
        name = graph.ids[objectors[int(np.argmax(_outcomes_without(question, groups)[row]))]]
    title = question.reading.corpus.statements[name].title if name else ""
    return LossToObjections(side=side, nats=round_off(nats), heaviest=name, title=title)


def _with_joint_partners(graph: Graph, arcs: Ints, node: int) -> Ints:
    """Those of `arcs` by which the statement `node` speaks, with all arcs of its joint reasons."""
    arc_mask = np.zeros(len(graph.arc_premise), dtype=bool)
    arc_mask[arcs[graph.arc_premise[arcs] == node]] = True
    return np.flatnonzero(graph.with_joint_partners(arc_mask))


def _outcomes_without(question: Question, groups: list[Ints]) -> Floats:
    """`keep_outcome` without each of several groups of arcs."""
    return run_without_arcs(question.graph, groups, keep_outcome(question.node))


def _arcs_of_objections(question: Question, side: int) -> Ints:
    """The arcs that attack or undercut a side's chains of support."""
    graph = question.graph
    direct = graph.arcs_bearing_on(question.node)
    reasons_of_side = direct[(np.sign(graph.arc_weight[direct]) == side) & ~graph.fallen[direct]]
    supporting, objecting = _supporting_chains(graph, reasons_of_side, question.node)
    gates = np.unique(graph.gate[supporting])
    gates = gates[gates != graph.open_gate]
    return np.unique(np.concatenate([objecting, _find_arcs_into(graph, gates)]))


def _supporting_chains(graph: Graph, speaking: Ints, node: int) -> tuple[Ints, Ints]:
    """The supporting arcs that lead to `speaking`, these included, and the arcs against them."""

    def premises_of(arcs: Ints) -> Ints:
        premises = graph.arc_premise[arcs]
        # the statement asked about supports none of its own reasons
        return np.asarray(premises[premises != node])

    def supporters_of(nodes: Ints) -> Ints:
        arcs = _find_arcs_into(graph, nodes)
        return premises_of(arcs[graph.arc_weight[arcs] > 0.0])

    is_reached = mark_reached(premises_of(speaking), graph.node_count + 1, supporters_of)
    arcs = _find_arcs_into(graph, np.flatnonzero(is_reached))
    supporting = np.concatenate([speaking, arcs[graph.arc_weight[arcs] > 0.0]])
    return supporting, arcs[graph.arc_weight[arcs] < 0.0]


def _find_arcs_into(graph: Graph, nodes: Ints) -> Ints:
    """The arcs that bear on `nodes`."""
    order, starts = graph.arcs_into
    return np.asarray(order[positions_in_runs(starts, nodes)])


def describe_losses_to_objections(lessened: LossToObjections) -> str:
    """Say what objections to its reasons take from a side, as the end of a sentence."""
    whose = "its reasons" if lessened.side > 0 else "the reasons against it"
    heaviest = f", the heaviest {quote_title(lessened.title)}" if lessened.title else ""
    return f"objections to {whose} take {lessened.nats:.2f}{heaviest}"
