"""The scales on a line's page, on which readers weigh the evidence themselves."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from kg.model import InquiryLine, SourceKey, StatementId
from kg.publish.components.line.answer_robustness import limits_without_names
from kg.publish.components.line.turning_points import left_out_on_scales
from kg.publish.context.site_context import SiteContext
from kg.publish.context.weighing import Weighing
from kg.publish.graphics.dial import (
    Steps,
    scale_of,
)
from kg.publish.markup.html import EMPTY, Html, as_script_json, element, join_children
from kg.publish.markup.phrases import LEAST_NATS_COUNTED, capitalize_first, describe_shared
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page import Alternate
from kg.publish.page_builder import PageBuilder
from kg.reasoning.partial_evidence.evidence_subsets import AnswerOnSubset
from kg.reasoning.strength_words import StrengthWord
from kg.reasoning.sureness_words import (
    LEAST_HELD_BACK,
    SCALE_WORDS,
    Sureness,
    frame_held_back,
    reach_of_words,
    why_surer,
    words_if_weighed_otherwise,
)
from kg.text.plurals import join_with_and

DATA = ".weigh.js"  # suffix of the address of a line's data for weighing


class _LossOfWork(NamedTuple):
    """An answer without the independent source of a work, as on the source's page."""

    strength: float | None = None
    others: tuple[str, ...] = ()  # works removed with it
    sureness: Sureness = Sureness.NONE  # if it was tried
    source_group: str = ""  # name of the independent source
    link_words: str = ""  # what its works share


class _FewestLosses(TypedDict):
    undoing: dict[str, list[str]]  # `falls` and `mute` of the fewest losses found that undo it
    undoingCount: int  # the independent sources that these are


class _DataOfScales(_FewestLosses):
    """The data for the scales of a line, by the names that the scripts of the scales read."""

    weighing: Weighing  # what the strength is computed from; orders the works and statements below
    bylines: list[str]  # of each work
    pages: list[str]  # the address of each statement
    lost: list[_LossOfWork]  # with each work
    reasons: dict[str, list[str]]  # the ids of those that count “for” it and “against” it
    sureness: Sureness
    why: str  # a clause, without names, that says why it is no surer
    heldBack: list[str]  # the words around the reason why a word is held back
    released: str  # a clause that says why a change makes it surer
    words: dict[StrengthWord, tuple[int, Sureness]]  # its side and greatest sureness
    reach: dict[Sureness, float]  # how far from the middle each sureness reaches
    steps: Steps  # where on the scale each word begins
    isMirrored: bool  # the claim holds at the left end of the scale
    scaleWords: Sequence[str]  # those beneath the scale, from left to right
    leastHeldBack: float  # by which a word must hold a strength back to be drawn so
    doubts: dict[str, str]  # words of each part of the evidence that one tick leaves
    # the sureness, the strength and `why` on each part alone, on what two have in common, and
    # without some findings
    parts: dict[str, tuple[str, float, str]]
    camps: dict[str, dict[str, str]]  # the label of each camp, and the classes of its mark
    ends: tuple[str, str]  # the answers at the ends of the scale: if the claim fails, if it holds


def scales_of_line(
    builder: PageBuilder, line: InquiryLine, losses: Iterable[frozenset[StatementId]] = ()
) -> tuple[Html, tuple[Alternate, ...]]:
    """The scales, closed, and the file that is loaded when they are opened; neither if the browser
    could not compute the same as the program. Of `losses` of evidence the file tells the sureness.
    """
    context = builder.context
    line_weighing = context.answers.weighing(line.id)
    if line_weighing is None:
        return EMPTY, ()
    content = _data_of_scales(builder, line, line_weighing, losses)
    script = f"kgWeighing({as_script_json(content)});\n"
    name = posixpath.basename(builder.url).removesuffix(".html") + DATA
    return _closed_panel(builder, name), (Alternate(DATA, "text/javascript", script),)


def _data_of_scales(
    builder: PageBuilder,
    line: InquiryLine,
    line_weighing: Weighing,
    losses: Iterable[frozenset[StatementId]],
) -> _DataOfScales:
    context = builder.context
    site_answers = context.answers
    verdict = site_answers.verdict(line.id)
    reasons = verdict.reasons if verdict else ()
    robustness = site_answers.robustness(line.id)
    scale = scale_of(context.corpus.config, verdict)
    why = limits_without_names(verdict, robustness) if verdict and robustness else ""
    answers_without = (site_answers.answer_without(line.id, each) for each in losses)
    answers = (
        *site_answers.answers_on_subsets(line.id),
        *site_answers.answers_on_pairs(line.id),
        *filter(None, answers_without),
    )
    return {
        "weighing": line_weighing,
        "bylines": [context.link_maker.names.get(work.key, "") for work in line_weighing.works],
        "pages": [context.addresses.of(each.id) for each in line_weighing.statements],
        "lost": _losses_by_work(context, line, line_weighing),
        "reasons": {
            side: [each.statement for each in reasons if sign * each.share >= LEAST_NATS_COUNTED]
            for side, sign in (("for", 1), ("against", -1))
        },
        "sureness": verdict.sureness if verdict else Sureness.NONE,
        "why": why,
        **_fewest_losses(context, line),
        "released": why_surer(verdict.sureness_basis.limit) if verdict else "",
        "words": words_if_weighed_otherwise(),
        "heldBack": [*frame_held_back("{sureness}", "{surest}")],
        "reach": reach_of_words(context.corpus.config.reasoning),
        "steps": scale.steps,
        "isMirrored": scale.is_mirrored,
        "scaleWords": scale.in_order(SCALE_WORDS),
        "leastHeldBack": LEAST_HELD_BACK,
        "doubts": _doubts_of_one_tick(site_answers.answers_offered(line.id)),
        "parts": {each.name: (each.sureness, each.strength, each.why) for each in answers},
        "camps": {
            camp.id: {
                "label": context.link_maker.camp_label(camp.id),
                "mark": context.link_maker.mark_classes(camp.id),
            }
            for camp in context.corpus.config.camps
        },
        "ends": answers_at_ends(line),
    }


def _losses_by_work(
    context: SiteContext, line: InquiryLine, line_weighing: Weighing
) -> list[_LossOfWork]:
    """Compute what the answer loses with each work."""
    independence, names = context.answers.sources(line.id), context.link_maker.names
    sureness_without = _sureness_by_source_group(context, line)
    loss_by_key = {
        key: _LossOfWork(
            effect.strength,
            tuple(names.get(other, other) for other in effect.sources if other != key),
            sureness_without.get(effect.source_group, Sureness.NONE),
            effect.source_group,
            _what_works_share(context, effect.sources) if len(effect.sources) > 1 else "",
        )
        for effect in (independence.effects if independence else ())
        for key in effect.sources
    }
    return [loss_by_key.get(work.key, _LossOfWork()) for work in line_weighing.works]


def _fewest_losses(context: SiteContext, line: InquiryLine) -> _FewestLosses:
    """The fewest sources found without which together the answer leaves its side."""
    flips = context.answers.flips(line.id)
    removed = flips.minimal_undoing[0].removed if flips and flips.minimal_undoing else ()
    left_out = left_out_on_scales(context, line, removed)
    return {"undoing": left_out._asdict(), "undoingCount": len(removed)}


def _what_works_share(context: SiteContext, keys: Sequence[SourceKey]) -> str:
    """Explain why works are left out together: `They count as one source: the same team
    (Artzi).`
    """
    sources, names = context.corpus.sources, context.link_maker.names
    groups = Counter(name for key in keys if key in sources for name in sources[key].independence)
    shared = {describe_shared(name, names): None for name, count in groups.items() if count > 1}
    return f". They count as one source: {join_with_and([*shared]) or 'by way of other sources'}."


def _doubts_of_one_tick(offered: Sequence[AnswerOnSubset]) -> dict[str, str]:
    """Words of the part of the evidence that one tick leaves to count."""
    return {
        each.name: f"{capitalize_first(each.subset)} ({each.counted} of {each.total})"
        for each in offered
    }


def _sureness_by_source_group(context: SiteContext, line: InquiryLine) -> dict[str, Sureness]:
    """Map each independent source to the sureness of the answer without it, as far as that was
    tried: the flips of a site's lines are losses of sources.
    """
    verdict, flips = context.answers.verdict(line.id), context.answers.flips(line.id)
    independence = context.answers.sources(line.id)
    if verdict is None or flips is None or independence is None:
        return {}
    surenesses: dict[str, Sureness] = {}
    if flips.words_tried >= len(independence.effects):
        surenesses = dict.fromkeys(
            (each.source_group for each in independence.effects), verdict.sureness
        )
    changes = (*flips.singles, *flips.undoing, *flips.words)
    return surenesses | {each.removed[0]: each.sureness for each in changes}


def _closed_panel(builder: PageBuilder, name: str) -> Html:
    panel = element(
        "div",
        element("button", "Open the scales", type="button", class_="kg-button"),
        element("p", role="status", class_="kg-small kg-weigh-said"),
        class_="kg-weigh",
        data_kg_weigh=name,
        data_kg_root=builder.root,
    )
    no_scripts_note = element("p", "The scales need scripts, which are off here.", class_="kg-none")
    return join_children((panel, element("noscript", no_scripts_note)))
