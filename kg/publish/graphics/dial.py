"""The dial of a line: its answer and each camp's own view on a scale of the words for an answer,
each of which has its part of the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kg.model import CampId, InquiryLine
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.markup.camp_and_relation_styles import SHAPE_POINTS, camp_shape
from kg.publish.markup.html import Child, Html, element, join_children
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.verdict_words import (
    is_held_back,
    reach_of_words,
    remark_on_hold,
    render_strength,
    side_of,
    sureness_in_words,
)

Steps = Sequence[tuple[float, float]]
BREADTH, HEIGHT = 320, 20  # units of the drawing, as in the style sheet
EDGE, MIDDLE = 10, 10  # room on either side for half a mark; the height of the scale
LEAST_SEEN = 1.5  # of a bar
_HOLDS, _FAILS = "It holds", "It does not hold"
PLACES = (0.0, 0.09, 0.23, 0.37, 0.5)
"""How far from the middle of the scale the parts of its words begin, and the last one ends: wide
enough for the words, which the style sheet sets beneath them (.kg-ends).
"""
SCALE_WORDS = (
    *("very probably not", "probably not", "perhaps not", "undecided"),
    *("perhaps", "probably", "very probably"),
)
_ANSWER, _BY_WEIGHTS = "the answer", "if only the weights counted"
_WEIGHTS_TITLE = "What the answer would be if nothing else held it back"
_CAMP_TITLE = "What the answer would be by this camp's reasons alone"


def dial(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """The scale of how sure an answer is, and its legend; nothing without a number."""
    if verdict.strength is None:
        return None
    scale = scale_with_ends(builder, line, verdict)
    key = scale_key(builder, [(line, verdict)])
    return element("div", scale, key, class_="kg-dial-box")


def scale_with_ends(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
    """The scale, beneath what it is about: the line's answer, or else its claim."""
    claim = builder.statement(verdict.asked.statement)
    question = element("p", *question_of_scale(line, claim), class_="kg-small")
    titles = {SCALE_WORDS[0]: line.answers.fails, SCALE_WORDS[-1]: line.answers.holds}
    answer_word = sureness_in_words(verdict.sureness, verdict.word).partition(",")[0]
    names = [
        element(
            "strong" if each == answer_word else "span",
            each,
            title=titles.get(each) or None,
        )
        for each in SCALE_WORDS
    ]
    ends = element("p", *names, class_="kg-ends")
    return join_children((question, draw_dial(builder, verdict), ends))


def question_of_scale(line: InquiryLine, claim: Child) -> tuple[Child, ...]:
    """What the scale of a line is about: `How sure is “Hardly any”?`; of its `claim`, if the line
    names no answer.
    """
    if line.answers.holds:
        return (f"How sure is “{short_answers_of(line)[1]}”?",)
    return ("How sure it is that this holds: ", claim)


def scale_key(
    builder: PageBuilder, lines_with_verdicts: Sequence[tuple[InquiryLine, Verdict]]
) -> Html | None:
    """The legend for the marks on the scales of some lines; nothing if none is drawn."""
    if not lines_with_verdicts:
        return None
    maker = builder.link_maker
    marks: list[tuple[Html, Child]] = [(element("span", class_="kg-key-answer"), _ANSWER)]
    if any(_is_held(verdict) for _, verdict in lines_with_verdicts):
        words = element("span", _BY_WEIGHTS, title=_WEIGHTS_TITLE)
        marks.append((element("span", class_="kg-key-weights"), words))
    camps_shown = {
        camp for _, verdict in lines_with_verdicts for camp, _ in _camp_strengths(verdict)
    }
    camps = [camp for camp in builder.context.corpus.config.camp_ids if camp in camps_shown]
    marks += [
        (maker.mark(camp), element("span", f"{maker.camp_label(camp)} alone", title=_CAMP_TITLE))
        for camp in camps
    ]
    rows = (element("span", mark, " ", words) for mark, words in marks)
    return element("p", *rows, class_="kg-dial-key")


def short_answers_of(line: InquiryLine) -> tuple[str, str]:
    """A line's answers up to a colon, should its claim fail and should it hold."""
    return _shorten_answer(line.answers.fails) or _FAILS, _shorten_answer(
        line.answers.holds
    ) or _HOLDS


def _shorten_answer(answer: str) -> str:
    return answer.partition(":")[0].strip().removesuffix(".")


def steps_of_scale(settings: Reasoning) -> Steps:
    """How far from the middle a strength lies where a word begins, and how far that is on the
    scale, as fractions of it.
    """
    reach = reach_of_words(settings)
    bounds = (0.0, *(reach[each] for each in ("undecided", "perhaps", "probably")), 0.5)
    return list(zip(bounds, PLACES, strict=True))


def place_on_scale(steps: Steps, strength: float) -> float:
    """Where a strength lies on the scale, from 0 to 1: in the part of its word, which begins and
    ends at `steps`. The scales of the site follow this rule, too (“placeOnScale” in
    site/assets/weigh.js).
    """
    distance, side = abs(strength - 0.5), 1 if strength > 0.5 else -1
    for (low, start), (high, end) in pairwise(steps):
        if distance < high:
            return 0.5 + side * (start + (end - start) * (distance - low) / (high - low))
    return 0.5 + side * steps[-1][1]


def draw_dial(builder: PageBuilder, verdict: Verdict) -> Html:
    """The scale alone: a bar from the middle is the answer, as far as its word reaches; a thin line
    goes on to where the weights alone would put it, and the marks are the camps' own views.
    """
    views = _camp_strengths(verdict)
    steps = steps_of_scale(builder.context.corpus.config.reasoning)
    marks = [_camp_mark(builder, steps, camp, camp_strength) for camp, camp_strength in views]
    label = ", ".join(
        [_strength_in_words(verdict), *_spread_in_words(verdict)]
        + [
            f"{builder.link_maker.camp_label(camp)} alone {camp_strength:.2f}"
            for camp, camp_strength in views
        ]
    )
    return element(
        "svg",
        element("title", label),
        element("path", d=f"M{EDGE} {MIDDLE}H{BREADTH - EDGE}", class_="kg-dial"),
        element("path", d=f"M{BREADTH / 2:g} {MIDDLE - 7}v14"),
        *marks,
        _line_of_weights(steps, verdict) if _is_held(verdict) else None,
        _bar_of_answer(steps, verdict),
        viewBox=f"0 0 {BREADTH} {HEIGHT}",
        role="img",
        class_="kg-scale",
    )


def _strength_in_words(verdict: Verdict) -> str:
    hold = remark_on_hold(verdict.strength, verdict.held_strength)
    strength = render_strength(verdict.strength or 0.0)
    return f"Strength {strength}{hold} on a scale from 0 (does not hold) to 1 (holds)"


def _is_held(verdict: Verdict) -> bool:
    """Whether the bar visibly ends nearer to the middle than the weights would put it."""
    return is_held_back(verdict.strength, verdict.held_strength)


def _bar_of_answer(steps: Steps, verdict: Verdict) -> Html:
    """A bar from the middle to where the answer stands; short, if that is the middle."""
    start, end = BREADTH / 2, _x_of_strength(steps, _strength_shown(steps, verdict))
    if abs(end - start) < LEAST_SEEN:
        start, end = start - LEAST_SEEN, start + LEAST_SEEN
    return element("path", d=f"M{start:g} {MIDDLE}H{end:.1f}", class_="kg-dial-answer")


def _strength_shown(steps: Steps, verdict: Verdict) -> float:
    """Where the bar ends; with weight on both sides an answer may be undecided beyond the part of
    that word, in which it is kept.
    """
    strength = verdict.held_strength or 0.0
    reach = steps[1][0]
    return strength if side_of(verdict.word) else min(max(strength, 0.5 - reach), 0.5 + reach)


def _line_of_weights(steps: Steps, verdict: Verdict) -> Html:
    """A thin line from the bar to where the weights would put the answer, with a stroke there."""
    start, end = (
        _x_of_strength(steps, each or 0.0) for each in (verdict.held_strength, verdict.strength)
    )
    d = f"M{start:.1f} {MIDDLE}H{end:.1f}M{end:.1f} {MIDDLE - 6}v12"
    return element("path", d=d, class_="kg-by-weights")


def _camp_strengths(verdict: Verdict) -> list[tuple[CampId, float]]:
    """The camps that see an answer, with its strength as each does; not those without one."""
    return [(view.camp, view.strength) for view in verdict.camps if view.strength is not None]


def _spread_in_words(verdict: Verdict) -> list[str]:
    if verdict.low is None or verdict.high is None:
        return []
    return [f"between {verdict.low:.2f} and {verdict.high:.2f} in nine of ten trials"]


def _x_of_strength(steps: Steps, strength: float) -> float:
    return EDGE + place_on_scale(steps, strength) * (BREADTH - 2 * EDGE)


def _camp_mark(builder: PageBuilder, steps: Steps, camp: CampId, strength: float) -> Html:
    name = camp_shape(builder.context.corpus.config, camp)
    mark = _draw_mark(name, f"{_x_of_strength(steps, strength):.1f}")
    return element("g", mark, class_=builder.link_maker.camp_class(camp))


def _draw_mark(name: str, x: str) -> Html:
    """A camp's shape, given by name, on the scale."""
    if name in SHAPE_POINTS:
        points, place = SHAPE_POINTS[name], f"translate({x} {MIDDLE}) scale(.7)"
        return element("polygon", points=points, transform=place, class_="kg-scale-mark")
    return element("circle", cx=x, cy=MIDDLE, r=3.4, class_="kg-scale-mark")
