"""The dial of a line: its answer and each camp's own view on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from kg.model import CampId, InquiryLine
from kg.publish.markup.camp_and_relation_styles import SHAPE_POINTS, camp_shape
from kg.publish.markup.html import Child, Html, element, join_children
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.verdict_words import BY_WEIGHTS, is_held_back, is_surer, render_strength

BREADTH, HEIGHT = 320, 32  # units of the drawing, as in the style sheet
EDGE, MIDDLE = 10, 22  # room on either side for half a mark; the height of the scale
_HOLDS, _FAILS = "It holds", "It does not hold"
_ASKS = "How sure it is that this holds: "
_MARKS = ("surely not", "undecided", "surely")
_NEEDLE = "answer"
_UNSURE = ", hollow: no surer than “perhaps”"
_BAND = "graded differently"
_NOT_HOW_MUCH = "How sure, not how much:"
_BAND_TITLE = "Where nine in ten trials come out, with grades and weights shifted a little"
_CAMP_TITLE = "Where the answer would stand if only this camp's reasons were heard"
MAX_LETTERS_AT_END = 48  # of an answer at an end of the scale: two lines


def dial(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """The scale of how sure an answer is, and its legend; nothing without a number."""
    if verdict.strength is None:
        return None
    scale = scale_with_ends(builder, line, verdict)
    key = scale_key(builder, [(line, verdict)])
    return element("div", scale, key, class_="kg-dial-box")


def scale_with_ends(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
    """The scale from one answer of the line to the other; without these, beneath its claim."""
    left, middle, right = _MARKS
    claim, titles = None, ("", "")
    if line.answers.fails and line.answers.holds:
        left, right = (
            f"{right} “{shorten(answer, MAX_LETTERS_AT_END, placeholder=' …')}”"
            for answer in short_answers_of(line)
        )
        titles = (line.answers.fails, line.answers.holds)
    else:
        claim = element("p", _ASKS, builder.statement(verdict.asked.statement), class_="kg-small")
    names = [
        element("span", each, title=title or None)
        for each, title in zip((left, middle, right), (titles[0], "", titles[1]), strict=True)
    ]
    ends = element("p", *names, class_="kg-ends")
    return join_children((claim, draw_dial(builder, verdict), ends))


def scale_key(
    builder: PageBuilder, lines_with_verdicts: Sequence[tuple[InquiryLine, Verdict]]
) -> Html | None:
    """The legend for the marks on the scales of some lines; nothing if none is drawn."""
    if not lines_with_verdicts:
        return None
    maker = builder.link_maker
    unsure_flags = [_is_unsure(verdict) for _, verdict in lines_with_verdicts]
    needle, hollow_needle = (
        element("span", class_=f"kg-key-needle{style}") for style in ("", " kg-key-unsure")
    )
    some_unsure = any(unsure_flags) and not all(unsure_flags)
    marks: list[tuple[Html, Child]] = [
        (hollow_needle if all(unsure_flags) else needle, _NEEDLE + _UNSURE * some_unsure)
    ]
    # the band lies about the fainter mark where there is one, and is explained with it
    has_band = any(_spread_in_words(verdict) for _, verdict in lines_with_verdicts)
    if any(_is_held(verdict) for _, verdict in lines_with_verdicts):
        faint = element("span", class_="kg-key-weights")
        band = element("span", class_="kg-key-band kg-held")
        words = f"{BY_WEIGHTS}, and {_BAND}" if has_band else BY_WEIGHTS
        title = _BAND_TITLE if has_band else None
        marks.append(
            (
                join_children((faint, band)) if has_band else faint,
                element("span", words, title=title),
            )
        )
    elif has_band:
        band = element("span", class_="kg-key-band")
        marks.append((band, element("span", _BAND, title=_BAND_TITLE)))
    camps_shown = {
        camp for _, verdict in lines_with_verdicts for camp, _ in _camp_strengths(verdict)
    }
    camps = [camp for camp in builder.context.corpus.config.camp_ids if camp in camps_shown]
    marks += [
        (maker.mark(camp), element("span", f"{maker.camp_label(camp)} alone", title=_CAMP_TITLE))
        for camp in camps
    ]
    return _explain_marks(marks)


def _explain_marks(marks: Sequence[tuple[Html, Child]]) -> Html:
    return element(
        "p",
        element("span", _NOT_HOW_MUCH),
        *(element("span", mark, " ", words) for mark, words in marks),
        class_="kg-dial-key",
    )


def short_answers_of(line: InquiryLine) -> tuple[str, str]:
    """A line's answers up to a colon, should its claim fail and should it hold."""
    return _shorten_answer(line.answers.fails) or _FAILS, _shorten_answer(
        line.answers.holds
    ) or _HOLDS


def _shorten_answer(answer: str) -> str:
    return answer.partition(":")[0].strip().removesuffix(".")


def draw_dial(builder: PageBuilder, verdict: Verdict) -> Html:
    """The scale alone: the needle is the answer, as far as its word reaches; a fainter mark is
    where the weights alone would put it, and the marks on the scale are the camps' own views.
    """
    views = _camp_strengths(verdict)
    marks = [_camp_mark(builder, camp, camp_strength) for camp, camp_strength in views]
    label = ", ".join(
        [*_place_in_words(verdict), *_spread_in_words(verdict)]
        + [
            f"{builder.link_maker.camp_label(camp)} alone {camp_strength:.2f}"
            for camp, camp_strength in views
        ]
    )
    return element(
        "svg",
        element("title", label),
        element(
            "rect",
            x=EDGE,
            y=MIDDLE - 2,
            width=BREADTH - 2 * EDGE,
            height=4,
            rx=2,
            class_="kg-dial",
        ),
        _band_of_variation(verdict),
        element(
            "rect", x=BREADTH / 2 - 0.5, y=MIDDLE - 6, width=1, height=12, class_="kg-dial-half"
        ),
        *marks,
        _mark_of_weights(verdict) if _is_held(verdict) else None,
        _needle_at(_position_of_strength(verdict.held_strength or 0.0), _is_unsure(verdict)),
        viewBox=f"0 0 {BREADTH} {HEIGHT}",
        role="img",
        class_="kg-scale",
    )


def _place_in_words(verdict: Verdict) -> list[str]:
    """Where the needle stands and, if it is held back, where the weights alone would put it."""
    strength, place = verdict.strength or 0.0, verdict.held_strength or 0.0
    scale = "on a scale from 0 (does not hold) to 1 (holds)"
    if not _is_held(verdict):
        return [f"Strength {render_strength(strength)} {scale}"]
    return [
        f"At {place:.2f} {scale}, as far as “{verdict.sureness}” reaches",
        f"{BY_WEIGHTS} {render_strength(strength)}",
    ]


def _is_held(verdict: Verdict) -> bool:
    """Whether the needle visibly stands nearer to the middle than the weights would put it."""
    return is_held_back(verdict.strength, verdict.held_strength)


def _mark_of_weights(verdict: Verdict) -> Html:
    x = _position_of_strength(verdict.strength or 0.0)
    points = f"{x - 4.5:.1f},5 {x + 4.5:.1f},5 {x:.1f},12"
    return element("polygon", points=points, class_="kg-by-weights")


def _camp_strengths(verdict: Verdict) -> list[tuple[CampId, float]]:
    """The camps that see an answer, with its strength as each does; not those without one."""
    return [(view.camp, view.strength) for view in verdict.camps if view.strength is not None]


def _spread_in_words(verdict: Verdict) -> list[str]:
    if verdict.low is None or verdict.high is None:
        return []
    return [f"between {verdict.low:.2f} and {verdict.high:.2f} in nine of ten trials"]


def _band_of_variation(verdict: Verdict) -> Html | None:
    """A broad, light bar: the range of nine in ten answers when grades and weights shift. It is as
    faint as the mark of the weights where the needle does not stand there.
    """
    if verdict.low is None or verdict.high is None:
        return None
    left, right = _position_of_strength(verdict.low), _position_of_strength(verdict.high)
    classes = "kg-band kg-held" if _is_held(verdict) else "kg-band"
    size = {"x": f"{left:.1f}", "width": f"{max(right - left, 2.0):.1f}"}
    return element("rect", **size, y=MIDDLE - 5, height=10, rx=2.5, class_=classes)


def _position_of_strength(strength: float) -> float:
    return EDGE + strength * (BREADTH - 2 * EDGE)


def _is_unsure(verdict: Verdict) -> bool:
    """Whether an answer's word is at most `perhaps`, whatever its strength."""
    return bool(verdict.sureness) and not is_surer(verdict.sureness, "perhaps")


def _needle_at(x: float, is_unsure: bool) -> Html:
    """The needle at the answer; hollow if the answer is unsure."""
    points = f"{x - 6:.1f},2 {x + 6:.1f},2 {x:.1f},11"
    return element(
        "g",
        element("polygon", points=points),
        element("rect", x=f"{x - 1:.1f}", y=10, width=2, height=20),
        class_="kg-needle kg-unsure" if is_unsure else "kg-needle",
    )


def _camp_mark(builder: PageBuilder, camp: CampId, strength: float) -> Html:
    name = camp_shape(builder.context.corpus.config, camp)
    mark = _draw_mark(name, f"{_position_of_strength(strength):.1f}")
    return element("g", mark, class_=builder.link_maker.camp_class(camp))


def _draw_mark(name: str, x: str) -> Html:
    """A camp's shape, given by name, on the scale."""
    if name in SHAPE_POINTS:
        points, place = SHAPE_POINTS[name], f"translate({x} {MIDDLE})"
        return element("polygon", points=points, transform=place, class_="kg-scale-mark")
    return element("circle", cx=x, cy=MIDDLE, r=4.5, class_="kg-scale-mark")
