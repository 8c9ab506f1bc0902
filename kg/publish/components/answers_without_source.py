"""The effect of a source on the answers: what each would be without it, and by which reasons."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from kg.corpus.same_and_superseded import same_statements
from kg.model import Source, StatementId
from kg.publish.components.strength_bar import MEANING
from kg.publish.context.standings import SourceLoss, direction_key
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    element,
    join,
    join_children,
    remark,
    row_name,
    table,
)
from kg.publish.markup.phrases import LEAST_NATS_COUNTED, is_visible_move, quote
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness_words import describe_undecided, is_surer, why_surer
from kg.text.plurals import join_with_and

LOST_TOGETHER = 3  # sources whose loss together would undo an answer, named on their pages
_ONE_SIDE_ALONE = "only that side has weight"


def answers_without(builder: PageBuilder, source: Source) -> Html:
    """The lines' answers without this source."""
    losses = builder.context.answers.losses_of(source.key)
    rows = [
        [
            row_name(
                join_children(
                    (
                        builder.link_maker.line(loss.line_id, builder.root),
                        _route_to_answer(builder, source, loss),
                    )
                )
            ),
            quote(_name_answer(builder, loss, loss.sureness)) if loss.sureness else BLANK,
            [_describe_move(builder, loss), _loss_with_others(builder, loss)],
        ]
        for loss in losses
        if loss.takes_from_side
        or loss.sureness_without
        or is_visible_move(loss.strength_before, loss.strength_after)
    ]
    words = "Every other answer stays as it is." if rows else "Every answer stays as it is."
    rest = element("p", words, class_="kg-small") if len(rows) < len(losses) else None
    head = ("Question", "The answer now", "Without it")
    return join_children((table(head, rows, "Answers without it"), rest))


def _describe_move(builder: PageBuilder, loss: SourceLoss) -> Child:
    """Say what becomes of an answer; if its strength is then near the middle, also why it has a
    side.
    """
    if loss.takes_from_side:
        return element("strong", "would fall")
    if not side_of(loss.word):
        return f"stays {describe_undecided(loss.word)}"
    if loss.strength_before is None or loss.strength_after is None:
        return "stands"
    if loss.sureness_without:
        answer = quote(_name_answer(builder, loss, loss.sureness_without))
        parts: list[Child] = ["would be ", answer, _why_surer_without(builder, loss)]
    else:
        is_stronger = abs(loss.strength_after - 0.5) > abs(loss.strength_before - 0.5)
        parts = [f"would stay so, but {'firmer' if is_stronger else 'less firm'}"]
    least_strength = builder.context.corpus.config.reasoning.contested_below
    if max(loss.strength_after, 1.0 - loss.strength_after) < least_strength:
        parts += [": ", element("a", _ONE_SIDE_ALONE, href=builder.root + MEANING)]
    return parts


def _why_surer_without(builder: PageBuilder, loss: SourceLoss) -> str:
    """`, as then all rules of weighing agree`; empty if the answer is not surer."""
    verdict = builder.context.answers.verdict(loss.line_id)
    if verdict is None or not is_surer(loss.sureness_without, loss.sureness):
        return ""
    why = why_surer(verdict.sureness_basis.limit)
    return f", {why}" if why else ""


def _route_to_answer(builder: PageBuilder, source: Source, loss: SourceLoss) -> Html | None:
    """`Through: finding → claim`: the chain of reasons by which a source moves an answer. Of a
    source that moves it only as part of an independent source, it is the chain of the work that
    carries this.
    """
    corpus = builder.context.corpus
    independence = builder.context.answers.sources(loss.line_id)
    effects = independence.effects if independence else ()
    effect = next((each for each in effects if source.key in each.sources), None)
    if independence is None or effect is None or not effect.effect or not effect.carried_by:
        return None
    carrier = source.key if source.key in effect.carried_by else effect.carried_by[0]
    citing = {each.id for each in corpus.statements_citing.get(carrier, ())}
    findings = [id for id in effect.evidence if id in citing]
    side = 1 if effect.effect > 0 else -1
    chain = _shortest_chain(builder, findings, independence.asked.statement, side)
    if not chain:
        return None
    names = [builder.statement(id) for id in chain]
    if carrier != source.key:
        names.insert(0, builder.link_maker.source_or_missing(carrier, builder.root))
    return remark("Through: ", join(" → ", names))


def _shortest_chain(
    builder: PageBuilder, starts: Sequence[StatementId], end: StatementId, side: int
) -> list[StatementId]:
    """The statements of the shortest chain of reasons with weight from one of `starts` to `end`,
    without `end` itself. It speaks for `end` (side 1) or against it (-1); of equals it is the one
    along the heaviest reasons.
    """
    corpus, same_ids = builder.context.corpus, {*same_statements(builder.context.corpus, end)}
    chains = {(id, 1): [id] for id in starts}
    queue = deque(chains)
    while queue:
        id, side_so_far = queue.popleft()
        shares = {
            each.target: builder.context.standings.share(direction_key(each))
            for each in corpus.bearings_from(id)
            if each.target in corpus.statements
        }
        for target in sorted(shares, key=lambda each: -abs(shares[each])):
            next_end = (target, side_so_far * (1 if shares[target] > 0 else -1))
            if abs(shares[target]) < LEAST_NATS_COUNTED or next_end in chains:
                continue
            if target not in same_ids:
                chains[next_end] = [*chains[id, side_so_far], target]
                queue.append(next_end)
            elif next_end[1] == side:
                return chains[id, side_so_far]
    return []


def _loss_with_others(builder: PageBuilder, loss: SourceLoss) -> Html | None:
    """Name the other sources with which a source carries an answer that none of them carries
    alone.
    """
    answers = builder.context.answers
    flips, independence = answers.flips(loss.line_id), answers.sources(loss.line_id)
    smallest = (
        next(iter(flips.minimal_undoing), None) if flips and not loss.takes_from_side else None
    )
    if smallest is None or independence is None or len(smallest.removed) > LOST_TOGETHER:
        return None
    lost_effects = [each for each in independence.effects if each.source_group in smallest.removed]
    if all(each.sources != loss.sources for each in lost_effects):
        return None
    others = [
        str(builder.link_maker.source_or_missing(each.carried_by[0], builder.root))
        for each in lost_effects
        if each.sources != loss.sources and each.carried_by
    ]
    if not others:
        return None
    end = " as well, it would lose its lead."
    return remark("Without ", Html(join_with_and(others)), end)


def _name_answer(builder: PageBuilder, loss: SourceLoss, sureness: str) -> str:
    """An answer on the side where it is now, in the words of its own question."""
    return answer_at_end(builder.context.corpus.lines[loss.line_id], sureness, side_of(loss.word))
