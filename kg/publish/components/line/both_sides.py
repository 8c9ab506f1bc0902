"""Both sides of a line: the best reasons of each, each beside the best reply to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from math import inf
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import undercuts_of
from kg.corpus.same_and_superseded import same_statements
from kg.model import CampId, Edge, InquiryLine, Kind, Relation, StatementId
from kg.publish.components.clashes import Clash, clash_list, group_by_pair
from kg.publish.components.line.best_reasons import best_on_side, heaviest_of_camp, sort_reasons
from kg.publish.components.line.line_camps import best_backed, camps_of_line, unheard_camps
from kg.publish.components.line.replies import (
    best_reply,
    describe_reply,
    for_want_of_reasons,
)
from kg.publish.components.reasons import reason_of, undercut_row
from kg.publish.markup.html import (
    Child,
    Html,
    collapsible,
    element,
    item_list,
    join_children,
)
from kg.publish.markup.phrases import (
    LEAST_NATS_COUNTED,
    capitalize_first,
    describe_no_effect,
    second_hand,
)
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.direct_reasons import Reason
from kg.text.plurals import count_of

_ALL_ELSE = "All else that is said on this question"
SIDES_PLACE = "sides"  # their anchor on a line's page
CLASHES_SHOWN_AT_FIRST = 5  # pairs shown unfolded where no reasons are weighed
REASONS_SHOWN_AT_FIRST = 2  # of each side; the rest is folded
_KEY_OF_BARS = element(
    "p",
    "Bars: how much each reason counts.",
    class_="kg-lead-in",
)
_HEAD_OF_REPLIES = element("p", "The best reply to each", class_="kg-small")
_NO_REPLY = element("p", "No reply recorded.", class_="kg-end kg-none")


def both_sides(builder: PageBuilder, scope: LineScope) -> Iterator[Child]:
    """The best reasons of each side of a line, each beside the best reply to it; in one fold, what
    else is said: the reasons without weight, other clashes, and what the line places in each camp.
    """
    corpus, line = scope.corpus, scope.line
    proposition = line.proposition or ""
    verdict = builder.context.answers.verdict(line.id) if proposition else None
    reasons = verdict.reasons if verdict else ()
    if verdict and reasons:
        yield from _paired_reasons(builder, line, verdict)
    same_ids = {*same_statements(corpus, proposition)}
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
    count = 0 if reasons else CLASHES_SHOWN_AT_FIRST
    if first := live_clashes[:count]:
        yield clash_list(builder, first, proposition)
    collapsibles = (
        _idle_reasons(builder, reasons),
        _more_clashes(builder, live_clashes[count:], proposition),
        _links_denied(builder, _undercuts_of_reasons(scope, own_ids)),
        _collapsible_if_any(
            "Pairs with a superseded statement, which does not count",
            clash_list(builder, [clash for clash in clashes if not clash.is_live(corpus)]),
        ),
        _collapsible_if_any(
            "All statements of this question, camp by camp",
            camps_of_line(builder, line),
        ),
    )
    if any(collapsibles):
        yield collapsible(_ALL_ELSE, *filter(None, collapsibles))


def _collapsible_if_any(label: str, content: Html | None) -> Html | None:
    return collapsible(label, content) if content else None


def _idle_reasons(builder: PageBuilder, reasons: Iterable[Reason]) -> Html | None:
    """The reasons that add nothing that is seen."""
    ids = [each.statement for each in reasons if abs(each.share) < LEAST_NATS_COUNTED]
    label = f"{count_of(len(ids), 'more reason')} {describe_no_effect(len(ids))}"
    return _collapsible_if_any(label, item_list(map(builder.statement, ids)))


def _more_clashes(builder: PageBuilder, clashes: Sequence[Clash], first: str) -> Html | None:
    label = f"{count_of(len(clashes), 'more pair')} of opposed statements"
    return _collapsible_if_any(label, clash_list(builder, clashes, first))


def _links_denied(
    builder: PageBuilder, undercuts_by_statement: Mapping[StatementId, Sequence[tuple[Edge, Edge]]]
) -> Html | None:
    """The statements that undercut links, each with these links."""
    links = count_of(sum(map(len, undercuts_by_statement.values())), "link")
    rows = [_undercuts_by(builder, *each) for each in undercuts_by_statement.items()]
    return _collapsible_if_any(f"{links} that a statement denies", item_list(rows, "kg-tree"))


def _is_paired(clash: Clash, same_ids: set[str], paired_ids: set[str]) -> bool:
    """Return whether a clash is between a direct reason and the statement that is weighed."""
    ends = {clash.left, clash.right}
    return not same_ids.isdisjoint(ends) and not paired_ids.isdisjoint(ends - same_ids)


class _ShownReasons(NamedTuple):
    """The reasons by side, for the answer first; those not folded; and camps without a reason."""

    reasons: dict[int, list[Reason]]
    in_view: dict[int, list[Reason]]
    silent_camps: list[CampId]


def _choose_reasons(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> _ShownReasons:
    """The best reasons of each side in view, and the best of each camp that is not among these."""
    corpus, side = builder.context.corpus, verdict.side_shown
    reasons = {sign: _reasons_in_order(corpus, verdict, sign) for sign in (side, -side)}
    in_view = {sign: each[:REASONS_SHOWN_AT_FIRST] for sign, each in reasons.items()}
    for sign, first in in_view.items():
        first += _undoubted_finding(builder, first, reasons[sign][len(first) :])
    heard_camps = [
        corpus.camp_of(reason.statement, line.id) for each in in_view.values() for reason in each
    ]
    silent_camps = []
    for camp in unheard_camps(corpus, line, heard_camps):
        if reason := heaviest_of_camp(builder, line, verdict, camp):
            in_view[reason.side].append(reason)
        else:
            silent_camps.append(camp)
    for sign, first in in_view.items():
        folded = [each for each in reasons[sign] if each not in first]
        first += folded if len(folded) == 1 else []
    return _ShownReasons(reasons, in_view, silent_camps)


def _paired_reasons(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Iterator[Child]:
    """The best reasons for the answer and against it, each with the best reply; also the best of a
    camp that is not among these. The lighter ones are folded.
    """
    choice = _choose_reasons(builder, line, verdict)
    full_width = max(abs(each.share) for each in verdict.reasons)

    def rows_of(reasons: Sequence[Reason]) -> Html:
        rows = (_reason_and_reply(builder, line, verdict, reason, full_width) for reason in reasons)
        return item_list(rows, "kg-pairs")

    yield _KEY_OF_BARS
    answers = answers_at_ends(line)
    for sign in choice.reasons:
        # not “for” it: some only limit what speaks for the other end
        title = element("h3", f"Towards “{answers[sign > 0]}”")
        head_of_replies = _HEAD_OF_REPLIES if choice.in_view[sign] else None
        yield element("div", title, head_of_replies, class_="kg-pairs-head")
        yield rows_of(choice.in_view[sign]) or for_want_of_reasons(builder, line, verdict, sign)
        if rest := [each for each in choice.reasons[sign] if each not in choice.in_view[sign]]:
            more = count_of(len(rest), "more reason")
            yield collapsible(f"{more} towards “{answers[sign > 0]}”", rows_of(rest))
    for camp in choice.silent_camps:
        label = builder.link_maker.camp_label(camp)
        best = builder.statement(best_backed(builder, line, camp))
        yield element(
            "p",
            f"{label}: none of its reasons speaks directly to the answer. Its best-backed claim: ",
            best,
        )


def _reasons_in_order(corpus: Corpus, verdict: Verdict, side: int) -> list[Reason]:
    """The reasons on a side: the best, which the top of the page names, and then by weight."""
    best = best_on_side(corpus, verdict, side)
    return sorted(sort_reasons(verdict, side), key=lambda each: each != best)


def _reason_and_reply(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason, full_width: float
) -> Html:
    """A reason, with a bar for what it adds, and on its right the best reply to it."""
    edge = builder.context.corpus.edges_by_id[reason.edge]
    reply, answer = best_reply(builder, line, verdict, reason), _NO_REPLY
    if reply is not None:
        how_seen = second_hand(builder.context.corpus.statements[reply.statement])
        target = describe_reply(builder, reply)
        if how_seen:
            target = f" · {target[0].lower()}{target[1:]}"
        # the head of the column says it where there are columns
        is_usual = reply.is_counted and not reply.to_study
        label = join_children(
            (
                capitalize_first(how_seen),
                element("span", target, class_="kg-usual" if is_usual else None),
            )
        )
        answer = _half_of_pair(builder, reply.statement, reply.edge, label)
    why = _why_it_weighs(builder, reason)
    bar = _share_bar(reason.share, full_width)
    return element("li", _half_of_pair(builder, reason.statement, edge, why, bar), answer)


def _share_bar(share: float, full_width: float) -> Html | None:
    """A bar as long as what a reason adds; of one scale on both sides, so that they compare."""
    width = round(100 * abs(share) / full_width) if full_width else 0
    if not width:
        return None
    words = f"adds {abs(share):.2f}; the heaviest reason adds {full_width:.2f}"
    return element("p", class_=f"kg-share kg-wide-{width}", role="img", title=words)


def _half_of_pair(
    builder: PageBuilder,
    id: StatementId,
    edge: Edge,
    words: str | Html,
    bar: Html | None = None,
) -> Html:
    camp = builder.link_maker.camp_shown(id, builder.line_id)
    label = element("p", words, class_="kg-small") if words else None
    title = element("p", builder.statement(id), reason_of(builder, edge))
    camp_class = builder.link_maker.camp_class(camp)
    return element("div", label, title, bar, class_=f"kg-end {camp_class}")


def _why_it_weighs(builder: PageBuilder, reason: Reason) -> str:
    """Say what holds a reason back: how it was seen, and on how little it rests. The reply beside
    it shows that it is disputed.
    """
    corpus, standing = builder.context.corpus, builder.standing(reason.statement)
    facts = (
        second_hand(corpus.statements[reason.statement]),
        standing.limit_in_words if standing.sureness_basis.hangs_on else "",
    )
    return capitalize_first(" · ".join(filter(None, facts)))


def _undoubted_finding(
    builder: PageBuilder, in_view: Sequence[Reason], folded: Sequence[Reason]
) -> list[Reason]:
    """The first folded finding that was seen first-hand and is undisputed, if its link is as strong
    as that of a reason in view that is second-hand or disputed.
    """
    statements, is_disputed = builder.context.corpus.statements, builder.link_maker.is_disputed
    doubtful = [
        reason
        for reason in (*in_view, *folded)
        if is_disputed(reason.statement) or second_hand(statements[reason.statement])
    ]
    least_weight = min((abs(each.weight) for each in in_view if each in doubtful), default=inf)
    findings = [each for each in folded if statements[each.statement].kind is Kind.EVIDENCE]
    undoubted = [each for each in findings if each not in doubtful]
    return [each for each in undoubted if abs(each.weight) >= least_weight][:1]


def _rank_of_clash(
    builder: PageBuilder, propositions: set[str], clash: Clash
) -> tuple[bool, float, bool, bool]:
    """Pairs with the proposition come first, then those whose objections move the answer farthest;
    of equals, those across camps, and contradictions.
    """
    corpus, ends = builder.context.corpus, (clash.left, clash.right)
    effect_by_edge = builder.context.answers.objection_effects(builder.line_id or "")
    camps = {corpus.camp_of(id, builder.line_id) for id in ends} - {None}
    answer_move = max(abs(effect_by_edge.get(edge.id, 0.0)) for edge in clash.edges)
    only_limits = clash.edges[0].relation is not Relation.CONTRADICTS
    return propositions.isdisjoint(ends), -round(answer_move, 6), len(camps) < 2, only_limits


def _undercuts_of_reasons(
    scope: LineScope, targets: Set[StatementId]
) -> dict[StatementId, list[tuple[Edge, Edge]]]:
    """Edges that undercut an edge to one of `targets`, each with that edge, by the statement that
    undercuts it.
    """
    corpus, undercuts_by_statement = scope.corpus, dict[StatementId, list[tuple[Edge, Edge]]]()
    for edge in scope.undercuts:
        undercut_edge = corpus.edges_by_id[edge.target]
        if undercut_edge.target in targets and edge in undercuts_of(corpus, undercut_edge.id):
            undercuts_by_statement.setdefault(edge.origin, []).append((edge, undercut_edge))
    return undercuts_by_statement


def _undercuts_by(
    builder: PageBuilder, id: StatementId, undercuts: Sequence[tuple[Edge, Edge]]
) -> Html:
    """A statement, named once, and the links that it undercuts."""
    rows = [
        element("li", undercut_row(builder, edge, undercut_edge))
        for edge, undercut_edge in undercuts
    ]
    links = element("ul", *rows, class_="kg-plain")
    return element("li", builder.statement(id), links, class_="kg-against")
