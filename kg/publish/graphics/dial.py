"""The dial of a line: its answer and each camp's own view on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.model import CampId, InquiryLine
from kg.publish.graphics.map import draw_mark
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import Html, element, join
from kg.publish.markup.phrases import LEAST_MOVE_SHOWN
from kg.publish.page_builder import PageBuilder

if TYPE_CHECKING:
    from kg.reasoning.answers.verdict import Verdict

BREADTH, HEIGHT = 320, 32  # units of the drawing, as in the style sheet
NEAR_END = 0.2  # of the range of the trials: nearer to its end the needle seems misplaced
EDGE, MIDDLE = 10, 22  # room on either side for half a mark; the height of the scale
_HOLDS, _FAILS = "It holds", "It does not hold"
_ASKS = "How sure it is that this holds: "
_MARKS = ("surely not", "undecided", "surely")
_NEEDLE = "the answer"
_UNSURE = "no surer than “perhaps”"
_BAND = "if sources are graded a little differently"
_OTHER_STRENGTHS_KEY = "under other settings and rules"


def dial(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """The scale of how sure an answer is, and its legend; nothing without a number."""
    if verdict.strength is None:
        return None
    scale = scale_with_ends(builder, line, verdict, verdict.strength)
    key = scale_key(builder, [(line, verdict)])
    return element("div", scale, key, class_="kg-dial-box")


def scale_with_ends(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, strength: float
) -> Html:
    """The scale beneath the claim that it is about, with how far the answer shifts."""
    claim = element("p", _ASKS, builder.statement(verdict.asked.statement), class_="kg-small")
    ends = element("p", *[element("span", each) for each in _MARKS], class_="kg-ends")
    scale = draw_dial(builder, verdict, strength, _other_strengths(builder, line, verdict))
    return join("", [claim, scale, ends])


def scale_key(
    builder: PageBuilder, lines_with_verdicts: Sequence[tuple[InquiryLine, Verdict]]
) -> Html | None:
    """The legend for the marks on the scales of some lines; nothing if none is drawn."""
    if not lines_with_verdicts:
        return None
    maker = builder.link_maker
    unsure_flags = [_is_unsure(verdict) for _, verdict in lines_with_verdicts]
    marks = []
    if not all(unsure_flags):
        marks.append((element("span", class_="kg-key-needle"), _NEEDLE))
    if any(unsure_flags):
        hollow_needle = element("span", class_="kg-key-needle kg-key-unsure")
        marks.append((hollow_needle, f"{_NEEDLE}, {_UNSURE}" if all(unsure_flags) else _UNSURE))
    camps_shown = {
        camp for _, verdict in lines_with_verdicts for camp, _ in _camp_strengths(verdict)
    }
    camps = [camp for camp in builder.context.corpus.config.camp_ids if camp in camps_shown]
    marks += [(maker.mark(camp), f"{maker.camp_label(camp)} alone") for camp in camps]
    return _explain_marks([*marks, *_bar_key(builder, lines_with_verdicts)])


def _bar_key(
    builder: PageBuilder, lines_with_verdicts: Sequence[tuple[InquiryLine, Verdict]]
) -> list[tuple[Html, str]]:
    """The bars on some scales, each with what it shows."""
    bars = []
    if any(_describe_spread(verdict) for _, verdict in lines_with_verdicts):
        lean = _describe_lean(lines_with_verdicts[0][1]) if len(lines_with_verdicts) == 1 else ""
        bars.append((element("span", class_="kg-key-band"), _BAND + lean))
    if any(_other_strengths(builder, line, verdict) for line, verdict in lines_with_verdicts):
        bars.append((element("span", class_="kg-key-ways"), _OTHER_STRENGTHS_KEY))
    return bars


def _describe_lean(verdict: Verdict) -> str:
    """On which side of the needle most trials come out, if it stands near an end of their range."""
    low, high, strength = verdict.low, verdict.high, verdict.strength
    if low is None or high is None or strength is None or high - low < LEAST_MOVE_SHOWN:
        return ""
    part = (strength - low) / (high - low)
    if NEAR_END <= part <= 1.0 - NEAR_END:
        return ""
    return f": mostly {'more to the right' if part < NEAR_END else 'more to the left'}"


def _explain_marks(marks: Sequence[tuple[Html, str]]) -> Html:
    return element(
        "p",
        *(element("span", mark, " ", words) for mark, words in marks),
        class_="kg-dial-key",
    )


def _other_strengths(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> list[float]:
    """The strengths under other rules and settings; empty if none were tried."""
    robustness = builder.context.strengths.robustness(line.id)
    settings = [each.strength for each in robustness.other_settings] if robustness else []
    return [each for each in (*verdict.others.values(), *settings) if each is not None]


def short_answers_of(line: InquiryLine) -> tuple[str, str]:
    """A line's answers up to a colon, should its claim fail and should it hold."""
    return _shorten_answer(line.answers.fails) or _FAILS, _shorten_answer(
        line.answers.holds
    ) or _HOLDS


def _shorten_answer(answer: str) -> str:
    return answer.partition(":")[0].strip().removesuffix(".")


def draw_dial(
    builder: PageBuilder, verdict: Verdict, strength: float, other_strengths: Sequence[float] = ()
) -> Html:
    """The scale alone: the needle is the answer, and the marks are the camps' own views.
    `other_strengths` are those under other rules and settings.
    """
    has_others = len(other_strengths) > 0
    low = min((strength, *other_strengths))
    high = max((strength, *other_strengths))
    views = _camp_strengths(verdict)
    marks = [_camp_mark(builder, camp, camp_strength) for camp, camp_strength in views]
    label = ", ".join(
        [f"Strength {strength:.2f} on a scale from 0 (does not hold) to 1 (holds)"]
        + _describe_spread(verdict)
        + [f"{low:.2f} to {high:.2f} under other settings and numerical rules"] * has_others
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
        _bar_between(low, high, 2, "kg-ways") if has_others else None,
        _band_of_variation(verdict),
        element(
            "rect", x=BREADTH / 2 - 0.5, y=MIDDLE - 6, width=1, height=12, class_="kg-dial-half"
        ),
        *marks,
        _needle_at(_position_of_strength(strength), _is_unsure(verdict)),
        viewBox=f"0 0 {BREADTH} {HEIGHT}",
        role="img",
        class_="kg-scale",
    )


def _camp_strengths(verdict: Verdict) -> list[tuple[CampId, float]]:
    """The camps that see an answer, with its strength as each does; not those without one."""
    return [(view.camp, view.strength) for view in verdict.camps if view.strength is not None]


def _describe_spread(verdict: Verdict) -> list[str]:
    if verdict.low is None or verdict.high is None:
        return []
    return [f"between {verdict.low:.2f} and {verdict.high:.2f} in nine of ten trials"]


def _band_of_variation(verdict: Verdict) -> Html | None:
    """A broad, light bar: the range of nine in ten answers when grades and weights shift."""
    if verdict.low is None or verdict.high is None:
        return None
    return _bar_between(verdict.low, verdict.high, 5, "kg-band")


def _bar_between(low: float, high: float, half: int, style: str) -> Html:
    """A bar from one strength to another, reaching `half` above and below the middle."""
    left, right = _position_of_strength(low), _position_of_strength(high)
    size = {"x": f"{left:.1f}", "width": f"{max(right - left, 2.0):.1f}"}
    return element("rect", **size, y=MIDDLE - half, height=2 * half, rx=half / 2, class_=style)


def _position_of_strength(strength: float) -> float:
    return EDGE + strength * (BREADTH - 2 * EDGE)


def _is_unsure(verdict: Verdict) -> bool:
    """Whether an answer's word is at most `perhaps`, whatever its strength."""
    from kg.reasoning.verdict_words import is_surer

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
    mark = draw_mark(name, _position_of_strength(strength), MIDDLE, hollow=False)
    return element("g", mark, class_=builder.link_maker.camp_class(camp))
