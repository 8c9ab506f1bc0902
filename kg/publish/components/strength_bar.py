"""The strength of a statement as a bar and words, shown with every mention of it."""

from __future__ import annotations

from kg.corpus.quality.evidence_quality import Quality
from kg.model import Statement
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.standings import Standing
from kg.publish.markup.html import EMPTY, Child, Html, element, escape, join, join_children
from kg.publish.markup.phrases import capitalize_first, describe_balance, describe_quality_briefly
from kg.publish.page_builder import PageBuilder
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness_words import (
    BETWEEN_CLAUSES,
    answer_phrase,
    frame_held_back,
    is_held_back,
)
from kg.reporting.report import render_signed

GAUGE, TIP, LEVELS = 26, 1, 3  # a gauge: its width, the room at its ends, steps a side
_ONE_LINE = f"M{TIP} 4.5H{GAUGE - TIP}"
_TWO_WAYS = f"M4 1.5L1 4.5L4 7.5M1 4.5H{GAUGE - 1}M{GAUGE - 4} 1.5L{GAUGE - 1} 4.5L{GAUGE - 4} 7.5"
MEANING = "how-to-read.html#what-the-words-of-an-answer-mean"


def draw_bar(standing: Standing, settings: Reasoning) -> Html:
    """A small bar from the middle: to the right if backed, to the left if refuted, as far as its
    word reaches. A thin line goes on to where the weights alone would put it.

    The bar of evidence is neither for nor against, so it starts on the left. Words are for those
    who cannot see it.
    """
    if standing.strength is None:
        return EMPTY
    if standing.quality is not None:
        return _quality_bar(round(standing.quality, 2), round(standing.strength, 2))
    return _bar_of_strength(standing, settings)


def signs_of(builder: PageBuilder, id: str) -> Html:
    """The gauge after a link in running text: the statement's strength, and any dispute."""
    if id not in builder.context.corpus.statements:
        return EMPTY
    standing = builder.standing(id)
    if standing.strength is None:
        return EMPTY
    is_disputed = builder.link_maker.is_disputed(id)
    if standing.quality is not None:
        return _quality_gauge(
            _quality_label(standing.quality), round(standing.strength, 2), is_disputed
        )
    label = f"{_label_of(standing, builder.settings)}{', disputed' if is_disputed else ''}"
    return _gauge(label, standing.sureness_steps, is_disputed)


def _gauge(label: str, level: int, is_disputed: bool = False) -> Html:
    """A gauge filled by `level` steps from the middle; of a disputed statement it points both
    ways.
    """
    half = GAUGE / 2
    width = abs(level) * (half - TIP) / LEVELS
    start = half if level > 0 else half - width
    rect_attributes = {"x": f"{start:.1f}", "y": 1.5, "width": f"{width:.1f}", "height": 6}
    side = "for" if level > 0 else "against"
    return _inline_svg(
        label,
        element("path", d=_TWO_WAYS if is_disputed else _ONE_LINE, class_="kg-gauge"),
        element("rect", **rect_attributes, class_=f"kg-bar-{side}") if level else None,
        element("rect", x=half - 0.5, y=0, width=1, height=9, class_="kg-bar-middle"),
    )


def _quality_gauge(word: str, strength: float, is_disputed: bool) -> Html:
    """A small gauge of evidence for running text: from the left, as far as its strength."""
    width = f"{strength * (GAUGE - TIP):.1f}"
    return _inline_svg(
        f"{word}{', disputed' if is_disputed else ''}",
        element("path", d=_TWO_WAYS if is_disputed else _ONE_LINE, class_="kg-gauge"),
        element("rect", x=0, y=1.5, width=width, height=6, class_="kg-bar-quality"),
        element("rect", x=0, y=0, width=1, height=9, class_="kg-bar-middle"),
    )


def legend_of_signs(builder: PageBuilder) -> Html:
    """Explain in a line the signs at links in running text."""
    maker = builder.link_maker
    camps = builder.context.corpus.config.camps
    signs = [
        *((maker.mark(camp.id), maker.camp_label(camp.id)) for camp in camps),
        (_gauge("to the right", 2), "backed"),
        (_gauge("to the left", -2), "denied"),
        (_gauge("with arrows", 0, True), "disputed"),
        (_quality_gauge("from the left", 0.6, False), "quality of a finding"),
    ]
    return element("p", *(element("span", *sign) for sign in signs), class_="kg-key-signs kg-small")


def _inline_svg(label: str, *parts: Html | None) -> Html:
    """An inline picture; its label is for those who cannot see it."""
    return element(
        "svg",
        element("title", label),
        *parts,
        width=GAUGE,
        height=9,
        viewBox=f"0 0 {GAUGE} 9",
        role="img",
        class_="kg-bar",
    )


def _label_of(standing: Standing, settings: Reasoning) -> str:
    """`probably, strength 0.84`, or a word that is held back: `perhaps (depends on one source)`."""
    # the number of one that is held back would contradict the order of the words
    if standing.strength is None or is_held_back(standing.strength, standing.held_strength):
        return standing.word_with_reason
    return f"{standing.word_with_reason}, {standing.describe_strength(settings)}"


def _bar_of_strength(standing: Standing, settings: Reasoning) -> Html:
    """A bar up to where the statement stands, and a thin line up to its strength beyond."""
    strength = _steps_from_middle(standing.strength)
    place = _steps_from_middle(standing.held_strength)
    side = f" kg-bar-{'for' if strength > 0 else 'against'}" if strength else ""
    width = f" kg-wide-{abs(place) * 5}" if place else ""
    line = f'<i class="kg-wide-{abs(strength) * 5}"></i>' if strength != place else ""
    return _styled_bar(_label_of(standing, settings), side + width, line)


def _steps_from_middle(strength: float | None) -> int:
    """Count the steps of .05 from the middle to a strength, rounded as it is shown."""
    return 0 if strength is None else round((round(strength, 2) - 0.5) * 20)


def _quality_label(quality: float) -> str:
    return f"quality {quality:.2f}"


def _quality_bar(quality: float, strength: float) -> Html:
    """A bar filled from the left up to the strength; outlined to the quality, if that differs."""
    width_classes = f" kg-bar-quality kg-wide-{round(strength * 100)}"
    quality_outline = (
        f'<i class="kg-wide-{round(quality * 100)}"></i>' if quality != strength else ""
    )
    return _styled_bar(_quality_label(quality), width_classes, quality_outline)


def _styled_bar(label: str, classes: str, inner: str = "") -> Html:
    """A bar drawn by the style sheet, since there are many on a page."""
    start = f'<span class="kg-bar{classes}" role="img" title="{escape(label)}">'
    return Html(f"{start}{inner}</span>")


def standing_words(builder: PageBuilder, id: str) -> Html:
    """“Probably” and its bar; for a piece of evidence what it is, and its quality."""
    standing = builder.standing(id)
    word = builder.answer_word(standing, builder.context.standings.quality_words(id))
    return element("span", word, " ", draw_bar(standing, builder.settings), class_="kg-standing")


def describe_weights(standing: Standing) -> Html:
    """Compare the reasons for and against in words, with the numbers as a tooltip; nothing for
    evidence, if none has weight, or if the statement's word says so itself.
    """
    if standing.quality is not None or not (standing.pro or standing.con):
        return EMPTY
    if standing.limit_in_words and not side_of(standing.word):
        return EMPTY
    words = describe_balance(standing.word, standing.pro, standing.con)
    return element("span", words, title=_numbers_of_reasons(standing))


def _numbers_of_reasons(standing: Standing) -> str:
    return f"Reasons weigh {standing.pro:.2f} for, {standing.con:.2f} against"


def standing_line(builder: PageBuilder, id: str, numbers: bool = False) -> Html:
    """A statement's verdict in a row: word, bar, and how its reasons compare or their `numbers`."""
    standing = builder.standing(id)
    if standing.strength is None:
        return element("p", "No stable strength was found.", class_="kg-verdict-words")
    if standing.quality is not None:
        return _quality_line(builder, id, standing)
    reasons = _numbers_of_reasons(standing)
    word = builder.answer_word(standing)
    words: Child = describe_weights(standing)
    if standing.clauses_why_held and not numbers:
        word = builder.sureness_word(standing.sureness, capitalize_first(standing.answer_phrase))
        words = _why_held_back(builder, standing)
    if numbers:
        words = f"{standing.describe_strength(builder.settings)}; {reasons[0].lower()}{reasons[1:]}"
    return element(
        "p",
        element("strong", word),
        " ",
        draw_bar(standing, builder.settings),
        element("span", words, class_="kg-small"),
        class_="kg-verdict-words",
        title=reasons if not words and (standing.pro or standing.con) else None,
    )


def _why_held_back(builder: PageBuilder, standing: Standing) -> Html:
    """`Added up, the reasons give “probably”. But it depends on Doe 2020. So …`"""
    start, end = frame_held_back(standing.answer_phrase, answer_phrase(standing.word))
    gravest, *others = standing.clauses_why_held
    clause: list[Child] = [gravest]
    if standing.sureness_basis.depends_on:
        clause += [" (", builder.statement(standing.sureness_basis.depends_on), ")"]
    if standing.sureness_basis.hangs_on:
        clause = ["it depends on ", builder.works_it_hangs_on(standing)]
    because = join(BETWEEN_CLAUSES, [join_children(clause), *others])
    because = builder.explain_stricter_check(because)
    return element("span", start, because, end, title=_numbers_of_reasons(standing))


def _quality_line(builder: PageBuilder, id: str, standing: Standing) -> Html:
    """Render what a finding is, and beneath it its quality, in figures and as a bar."""
    quality = builder.context.standings.quality_of(id)
    return element(
        "p",
        element(
            "strong", builder.answer_word(standing, builder.context.standings.quality_words(id))
        ),
        " ",
        element(
            "span",
            f"Quality {quality.base:.2f} of 1 ",
            draw_bar(standing, builder.settings),
            class_="kg-small kg-carries",
        ),
        class_="kg-verdict-words",
    )


def describe_points(builder: PageBuilder, quality: Quality) -> str:
    """`experiment 3.00, peer reviewed +0.25; 3.25 points of 5`."""
    retraction_remark = f"; retracted: {', '.join(quality.retracted)}" if quality.retracted else ""
    if quality.given or not quality.terms:
        return "given by the note" + retraction_remark
    first, *rest = quality.terms
    terms = [
        f"{first.text} {first.points:.2f}",
        *(f"{t.text} {render_signed(t.points)}" for t in rest),
    ]
    points = sum(term.points for term in quality.terms)
    top = builder.context.corpus.config.quality.top
    return f"{', '.join(terms)}; {points:.2f} points of {top:g}{retraction_remark}"


def describe_study(builder: PageBuilder, evidence: Statement) -> list[Child]:
    """`Doe 2020: fair evidence, 555 scenarios`: its works, and what matters most of it."""
    papers = builder.link_maker.papers(evidence.sources, builder.root)
    strength = builder.standing(evidence.id).strength
    if strength is None:
        return [papers]
    words = describe_quality_briefly(evidence, strength)
    return [papers, ": ", words] if papers else [capitalize_first(words)]


def describe_quality_and_works(builder: PageBuilder, evidence: Statement) -> list[Child]:
    """`Fair: benchmark, 555 scenarios, second-hand. Doe 2020`."""
    return [
        builder.context.standings.quality_words(evidence.id),
        ". ",
        builder.link_maker.papers(evidence.sources, builder.root),
    ]
