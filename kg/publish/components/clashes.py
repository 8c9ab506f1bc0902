"""Clashes between statements, and both sides of a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from math import inf
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import group_of_same, superseded_statements
from kg.model import CampId, Edge, EdgeStrength, InquiryLine, Kind, Relation, StatementId
from kg.publish.components.line_camps import (
    best_backed,
    best_on_side,
    best_reply,
    camps_of_line,
    describe_reply,
    heaviest_of_camp,
    sort_reasons,
    unheard_camps,
)
from kg.publish.components.reasons import reason_of, undercut_row
from kg.publish.components.strength_bar import seen_elsewhere_note, standing_words
from kg.publish.graphics.dial import short_answers_of
from kg.publish.markup.html import (
    Child,
    Html,
    collapsible,
    element,
    item_list,
    join,
)
from kg.publish.markup.phrases import (
    BACKWARD,
    FORWARD,
    HEARD,
    as_sentence,
    capitalize_first,
    describe_no_effect,
)
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.contributions.direct_reasons import Reason
from kg.text.plurals import count_of

_ALL_ELSE = "All else that is said on this question"
SIDES_PLACE = "sides"  # where they stand on a line's page
CLASHES_UNFOLDED = 5  # pairs shown unfolded where no reasons are weighed
REASONS_UNFOLDED = 2  # of each side; the rest is folded
_NO_REASON = element("p", "None.", class_="kg-none")
_NO_REPLY = element("p", "No reply recorded.", class_="kg-end kg-none")
_REACH: dict[EdgeStrength | None, str] = {
    EdgeStrength.MODERATE: "needs a further assumption",
    EdgeStrength.WEAK: "bears on part of the answer, or by analogy",
}


class Clash(NamedTuple):
    """Two statements, and the edges by which one or each opposes the other."""

    left: str
    right: str
    edges: tuple[Edge, ...]

    @property
    def is_mutual(self) -> bool:
        """Whether each opposes the other."""
        return any(e.goes_both_ways for e in self.edges) or len({e.source for e in self.edges}) > 1

    def is_live(self, corpus: Corpus) -> bool:
        """Whether neither is superseded; a superseded statement does not count."""
        superseded_ids = corpus.derive(superseded_statements)
        return self.left not in superseded_ids and self.right not in superseded_ids


def group_by_pair(corpus: Corpus, edges: Iterable[Edge], line_id: str | None = None) -> list[Clash]:
    """Edges grouped by pairs of statements, in the order of their first edges.

    In every pair, the statement of the camp that `kg.toml` names first is on the left.
    """
    camps = corpus.config.camp_ids
    edges_by_pair: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        edges_by_pair.setdefault(frozenset((edge.source, edge.target)), []).append(edge)

    def column(id: str) -> int:
        camp = corpus.camp_of(id, line_id)
        return camps.index(camp) if camp in camps else len(camps)

    pairs = []
    for pair_edges in edges_by_pair.values():
        left, right = pair_edges[0].source, pair_edges[0].target
        if column(right) < column(left):
            left, right = right, left
        pairs.append(Clash(left, right, tuple(pair_edges)))
    return pairs


def objectors_outside(corpus: Corpus, clash: Clash, edge: Edge) -> list[str]:
    """Statements outside a clash that object to its attacker."""
    ids_inside = (*group_of_same(corpus, clash.left), *group_of_same(corpus, clash.right))
    ends = dict.fromkeys(reason.source for reason in reasons_by_side(corpus, edge.source).con)
    return [end for end in ends if end not in ids_inside]


def is_answered(corpus: Corpus, clash: Clash) -> bool:
    """Whether there are objections from outside to every attacker in a clash."""
    return all(objectors_outside(corpus, clash, edge) for edge in clash.edges)


def clash_list(
    builder: PageBuilder, clashes: Sequence[Clash], first: str = "", name_unanswered: bool = False
) -> Html:
    """Clashes grouped by the statement that most of them share, or by `first`: it is shown once,
    on the left, with all that clash with it on the right, in the given order. Each may name the
    claims that object in it and that nothing else answers.
    """
    rows = [
        element(
            "li",
            element("div", _clash_side(builder, shared_id, []), class_="kg-clash-head"),
            item_list(
                (_opponent_item(builder, clash, shared_id, name_unanswered) for clash in group),
                "kg-opponents",
            ),
            class_="kg-clash",
        )
        for shared_id, group in _group_by_statement(clashes, first)
    ]
    return item_list(rows, "kg-clash-list")


def _group_by_statement(clashes: Sequence[Clash], first: str) -> list[tuple[str, list[Clash]]]:
    """Each clash under one of its ends: `first`, or the one with most remaining clashes."""
    remaining, groups = list(clashes), dict[str, list[Clash]]()
    while remaining:
        counts = Counter(id for clash in remaining for id in (clash.left, clash.right))
        shared_id = first if first in counts else counts.most_common(1)[0][0]
        groups[shared_id] = [clash for clash in remaining if shared_id in (clash.left, clash.right)]
        remaining = [clash for clash in remaining if shared_id not in (clash.left, clash.right)]
    order = {clash: index for index, clash in enumerate(clashes)}
    return sorted(groups.items(), key=lambda group: order[group[1][0]])


def _unanswered_objection(builder: PageBuilder, clash: Clash) -> Html:
    """Which of the claims of a clash objects without an answer from outside."""
    corpus = builder.context.corpus
    objectors = [edge.source for edge in clash.edges if not objectors_outside(corpus, clash, edge)]
    names = join("; ", [builder.statement(id) for id in dict.fromkeys(objectors)])
    return element("p", "Nothing else speaks against: ", names, class_="kg-small")


def _opponent_item(
    builder: PageBuilder, clash: Clash, shared_id: str, name_unanswered: bool
) -> Html:
    """The statement that clashes with `shared_id`, after words for how they oppose each other. If
    both do, the reason of `shared_id` comes first.
    """
    opponent_id = clash.right if clash.left == shared_id else clash.left
    edges_of_shared = (
        [edge for edge in clash.edges if edge.source == shared_id] if clash.is_mutual else []
    )
    edges_of_other = [edge for edge in clash.edges if edge not in edges_of_shared]
    parts = (
        _describe_opposition(clash, shared_id),
        *_reasons_of_edges(builder, edges_of_shared),
        _clash_side(builder, opponent_id, edges_of_other),
    )
    remark = _unanswered_objection(builder, clash) if name_unanswered else None
    return element("li", *parts, remark)


def _describe_opposition(clash: Clash, shared_id: str) -> Html:
    """How the two oppose each other, seen from `shared_id`: `contradicted by`."""
    relation = clash.edges[0].relation
    words = FORWARD[relation] if clash.edges[0].source == shared_id else BACKWARD[relation]
    if clash.is_mutual:
        limits = any(edge.relation is not Relation.CONTRADICTS for edge in clash.edges)
        words = f"each {'limits' if limits else 'contradicts'} the other:"
    return element("span", words, class_="kg-versus-words")


def _clash_side(builder: PageBuilder, id: str, edges: Sequence[Edge]) -> Html:
    """One side of a clash: the statement, its standing, and the reasons on its edges."""
    camp = builder.context.corpus.camp_of(id, builder.line_id)
    return element(
        "div",
        element("p", builder.statement(id), class_="kg-card-title"),
        *_reasons_of_edges(builder, edges),
        element("p", standing_words(builder, id), class_="kg-small"),
        class_=f"kg-end {builder.link_maker.camp_class(camp)}",
    )


def _reasons_of_edges(builder: PageBuilder, edges: Iterable[Edge]) -> list[Child]:
    return [
        element(
            "p", builder.inline_html(as_sentence(edge.reason), edge.span.path), class_="kg-reason"
        )
        for edge in edges
        if edge.reason
    ]


# -- both sides of a line ------------------------------------------------------------------


def both_sides(builder: PageBuilder, scope: LineScope) -> Iterator[Child]:
    """The best reasons of each side of a line, each beside the best reply to it; in one fold, what
    else is said: the reasons without weight, other clashes, and what the line places in each camp.
    """
    corpus, line = scope.corpus, scope.line
    proposition = line.proposition or ""
    same_ids = {*group_of_same(corpus, proposition)}
    verdict = builder.context.strengths.verdict(line.id) if proposition else None
    reasons = verdict.reasons if verdict else ()
    if verdict and reasons:
        yield from _paired_reasons(builder, line, verdict)
    paired_ids = {each.statement for each in reasons}
    clashes = group_by_pair(corpus, scope.clashes, line.id)
    clashes.sort(key=partial(_rank_of_clash, builder, same_ids))
    # where reasons are weighed, what else is opposed must concern one of them
    own_ids = same_ids | paired_ids if reasons else {*scope.members}
    live_clashes = [
        clash
        for clash in clashes
        if clash.is_live(corpus) and not _is_paired(clash, same_ids, paired_ids)
        if not own_ids.isdisjoint((clash.left, clash.right))
    ]
    count = 0 if reasons else CLASHES_UNFOLDED
    if first := live_clashes[:count]:
        yield clash_list(builder, first, proposition)
    idle_ids = [each.statement for each in reasons if abs(each.share) < HEARD]
    dead = [clash for clash in clashes if not clash.is_live(corpus)]
    steps = _disputed_steps(scope, own_ids)
    idle = f"{count_of(len(idle_ids), 'more reason')} {describe_no_effect(len(idle_ids))}"
    links = count_of(sum(map(len, steps.values())), "link")
    placed = count_of(len(line.placements), "statement")
    lists = {
        idle: item_list(map(builder.statement, idle_ids)),
        f"{count_of(len(live_clashes[count:]), 'more pair')} of opposed statements": clash_list(
            builder, live_clashes[count:], proposition
        ),
        f"{links} that a statement denies": item_list(
            [_undercuts_by(builder, id, undercuts) for id, undercuts in steps.items()], "kg-tree"
        ),
        "Pairs with a superseded statement, which does not count": clash_list(builder, dead),
        f"All {placed} of this question, camp by camp": camps_of_line(builder, line),
    }
    if folds := [collapsible(label, content) for label, content in lists.items() if content]:
        yield collapsible(_ALL_ELSE, *folds)


def _is_paired(clash: Clash, same_ids: set[str], paired_ids: set[str]) -> bool:
    """Whether a clash is that of a direct reason with what is weighed."""
    ends = {clash.left, clash.right}
    return not same_ids.isdisjoint(ends) and not paired_ids.isdisjoint(ends - same_ids)


class _ShownReasons(NamedTuple):
    """The reasons by side, for the answer first; those not folded; and camps without a reason."""

    reasons: dict[int, list[Reason]]
    in_view: dict[int, list[Reason]]
    silent_camps: list[CampId]


def _choose_reasons(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> _ShownReasons:
    """The best reasons of each side in view, and the best of each camp that is not among these."""
    corpus, side = builder.context.corpus, verdict.side or 1
    reasons = {sign: _reasons_in_order(corpus, verdict, sign) for sign in (side, -side)}
    # no single one is folded
    in_view = {
        sign: each[:REASONS_UNFOLDED] if len(each) > REASONS_UNFOLDED + 1 else [*each]
        for sign, each in reasons.items()
    }
    for sign, first in in_view.items():
        first += _firmer_finding(builder, first, reasons[sign][len(first) :])
    heard_camps = [
        corpus.camp_of(reason.statement, line.id) for each in in_view.values() for reason in each
    ]
    silent_camps = []
    for camp in unheard_camps(corpus, line, heard_camps):
        if reason := heaviest_of_camp(builder, line, verdict, camp):
            in_view[1 if reason.share > 0 else -1].append(reason)
        else:
            silent_camps.append(camp)
    return _ShownReasons(reasons, in_view, silent_camps)


def _paired_reasons(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Iterator[Child]:
    """The best reasons for the answer and against it, each with the best reply; also the best of a
    camp that is not among these. The lighter ones are folded.
    """
    choice = _choose_reasons(builder, line, verdict)

    def rows_of(reasons: Sequence[Reason]) -> Html:
        rows = (_reason_and_reply(builder, line, verdict, reason) for reason in reasons)
        return item_list(rows, "kg-pairs")

    answer = short_answers_of(line)[(verdict.side or 1) > 0]
    for sign, heading in zip(choice.reasons, ("For", "Against"), strict=True):
        yield element("h3", f"{heading} “{answer}”")
        yield rows_of(choice.in_view[sign]) or _NO_REASON
        if rest := [each for each in choice.reasons[sign] if each not in choice.in_view[sign]]:
            yield collapsible(count_of(len(rest), "lighter reason"), rows_of(rest))
    for camp in choice.silent_camps:
        label = builder.link_maker.camp_label(camp)
        best = builder.statement(best_backed(builder, line, camp))
        yield element(
            "p", f"{label}: no reason bears directly on the answer. Its best-backed claim: ", best
        )


def _reasons_in_order(corpus: Corpus, verdict: Verdict, side: int) -> list[Reason]:
    """The reasons on a side: the best, which the top of the page names, and then by weight."""
    best = best_on_side(corpus, verdict, side)
    return sorted(sort_reasons(verdict, side), key=lambda each: each != best)


def _reason_and_reply(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason
) -> Html:
    """A reason, and on its right the best reply to it."""
    edge = builder.context.corpus.edges_by_id[reason.edge]
    reply, answer = best_reply(builder, line, verdict, reason), _NO_REPLY
    if reply is not None:
        target = describe_reply(builder, reply)
        answer = _half_of_pair(builder, reply.statement, reply.edge, target)
    why = _why_it_weighs(builder, reason)
    return element("li", _half_of_pair(builder, reason.statement, edge, why), answer)


def _half_of_pair(builder: PageBuilder, id: StatementId, edge: Edge, words: str) -> Html:
    camp = builder.context.corpus.camp_of(id, builder.line_id)
    label = element("p", words, class_="kg-small")
    title = element("p", builder.statement(id), reason_of(builder, edge))
    return element("div", label, title, class_=f"kg-end {builder.link_maker.camp_class(camp)}")


def _why_it_weighs(builder: PageBuilder, reason: Reason) -> str:
    """How far the link of a reason reaches, and what holds the reason itself back."""
    corpus, standing = builder.context.corpus, builder.context.strengths.of(reason.statement)
    facts = (
        _REACH.get(corpus.edges_by_id[reason.edge].strength, "bears directly on the answer"),
        seen_elsewhere_note(corpus.statements[reason.statement]),
        "disputed" if builder.link_maker.is_disputed(reason.statement) else "",
        standing.why if standing.hangs_on else "",
    )
    return capitalize_first("; ".join(filter(None, facts)))


def _firmer_finding(
    builder: PageBuilder, in_view: Sequence[Reason], folded: Sequence[Reason]
) -> list[Reason]:
    """The first folded finding that was seen first-hand and is undisputed, if its link is as strong
    as that of a reason in view that is second-hand or disputed.
    """
    statements, is_disputed = builder.context.corpus.statements, builder.link_maker.is_disputed
    doubtful = [
        reason
        for reason in (*in_view, *folded)
        if is_disputed(reason.statement) or seen_elsewhere_note(statements[reason.statement])
    ]
    least_weight = min((abs(each.weight) for each in in_view if each in doubtful), default=inf)
    findings = [each for each in folded if statements[each.statement].kind is Kind.EVIDENCE]
    firm = [each for each in findings if each not in doubtful]
    return [each for each in firm if abs(each.weight) >= least_weight][:1]


def _rank_of_clash(
    builder: PageBuilder, propositions: set[str], clash: Clash
) -> tuple[bool, float, bool, bool]:
    """Pairs with the proposition come first, then those whose objections move the answer farthest;
    of equals, those across camps, and contradictions.
    """
    corpus, ends = builder.context.corpus, (clash.left, clash.right)
    effect_by_edge = builder.context.strengths.objection_effects(builder.line_id or "")
    camps = {corpus.camp_of(id, builder.line_id) for id in ends} - {None}
    answer_move = max(abs(effect_by_edge.get(edge.id, 0.0)) for edge in clash.edges)
    only_limits = clash.edges[0].relation is not Relation.CONTRADICTS
    return propositions.isdisjoint(ends), -round(answer_move, 6), len(camps) < 2, only_limits


def _disputed_steps(
    scope: LineScope, targets: Set[StatementId]
) -> dict[StatementId, list[tuple[Edge, Edge]]]:
    """Edges that undercut one to a target, each with the edge that it undercuts, by the statement
    that does so.
    """
    corpus, undercuts_by_statement = scope.corpus, dict[StatementId, list[tuple[Edge, Edge]]]()
    for edge in scope.disputed_steps:
        step = corpus.edges_by_id[edge.target]
        if step.target in targets and edge in undercuts_of(corpus, step):
            undercuts_by_statement.setdefault(edge.source, []).append((edge, step))
    return undercuts_by_statement


def _undercuts_by(
    builder: PageBuilder, id: StatementId, undercuts: Sequence[tuple[Edge, Edge]]
) -> Html:
    """A statement, named once, and the links that it undercuts."""
    rows = [element("li", undercut_row(builder, edge, step)) for edge, step in undercuts]
    links = element("ul", *rows, class_="kg-plain")
    return element("li", builder.statement(id), links, class_="kg-against")
