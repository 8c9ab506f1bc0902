"""The dial of a line: its answer and each camp's own view on a scale of the words for an answer,
each of which has its part of the scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from kg.model import CampId, InquiryLine
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.markup.camp_and_relation_styles import SHAPE_POINTS, camp_shape
from kg.publish.markup.html import Html, element, join, join_children
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.graph.arrays import ROUNDING
from kg.reasoning.partial_evidence.evidence_subsets import AnswerOnSubset
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import (
    SCALE_WORDS,
    Sureness,
    answer_phrase,
    held_strength,
    is_held_back,
    reach_of_words,
)

T = TypeVar("T")
Steps = Sequence[tuple[float, float]]
BREADTH, END_ROOM = 320, 10  # units of the drawing; room on either side for half a mark
# Room above and beneath the scale; the height of its word, and the breadth of a letter in it and in
# the other words, at the sizes that the style sheet sets (.kg-scale text).
MARGIN, ROW, LETTER, SMALL_LETTER = 10, 13, 6.6, 4.6
WORD_GAP = 4  # between words, at least
LEAST_SEEN = 1.5  # of a bar
_KEY = ": the answer if only that camp’s reasons counted"
_OUR_ANSWER = "our answer"
# How far from the middle of the scale the parts of its words begin, and the last one ends: wide
# enough for the words, which the style sheet sets beneath them (.kg-ends).
PLACES = (0.0, 0.09, 0.23, 0.37, 0.5)


@dataclass(frozen=True)
class Scale:
    """The scale of a line's answer. `is_mirrored` if its claim holds at the left end: of the camps
    of a line, the one that `kg.toml` names first argues for the right end, so that a camp is on the
    same side of all scales.
    """

    steps: Steps
    is_mirrored: bool = False

    def place_of(self, strength: float) -> float:
        """Return the place of a strength, from 0 on the left to 1."""
        place = place_on_scale(self.steps, strength)
        return 1.0 - place if self.is_mirrored else place

    def in_order(self, things: Sequence[T]) -> Sequence[T]:
        """Things in the order in which the claim holds ever more, from left to right."""
        return things[::-1] if self.is_mirrored else things


def scale_of(config: Config, verdict: Verdict | None) -> Scale:
    """The scale on which an answer is shown."""
    sides = {each.camp: each.side for each in verdict.camps} if verdict else {}
    first_side = next((sides[camp] for camp in config.camp_ids if sides.get(camp)), 1)
    return Scale(steps_of_scale(config.reasoning), is_mirrored=first_side < 0)


def dial(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """The scale of how sure an answer is, with its words; nothing without a number."""
    if verdict.strength is None:
        return None
    scale = scale_of(builder.context.corpus.config, verdict)
    return element(
        "div",
        draw_dial(builder, verdict),
        _words_of_dial(scale, verdict),
        ends_of_scale(line, scale),
        legend_of_camps(builder, [verdict]),
        class_="kg-dial-box",
    )


def _words_of_dial(scale: Scale, verdict: Verdict) -> Html:
    """All words of the scale, for screens; the drawing says the same."""
    place = _place_among_words(scale, verdict)
    words = [
        element("span", each.removesuffix(" not"), class_="kg-reached" if number == place else None)
        for number, each in enumerate(scale.in_order(SCALE_WORDS))
    ]
    return element("p", *words, class_="kg-ends kg-dial-words", aria_hidden="true")


def small_dial(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
    """The scale for lists, of which readers may guess the answer."""
    scale = scale_of(builder.context.corpus.config, verdict)
    drawing = draw_dial(builder, verdict, in_list=True)
    return join_children((drawing, _words_of_dial(scale, verdict), ends_of_scale(line, scale)))


def legend_of_small_dials(builder: PageBuilder, verdicts: Sequence[Verdict]) -> Html | None:
    """What the bar and the marks on the scales in a list mean; nothing if no answer has a scale.

    The words of the scales stand over their column, each as wide as its part.
    """
    if all(each.strength is None for each in verdicts):
        return None
    names = _names_of_camps(builder, verdicts)
    bar = element("span", element("span", class_="kg-key-answer"), f" {_OUR_ANSWER}")
    camps = element("span", names, _KEY) if names else None
    words = [element("span", each.removesuffix(" not")) for each in SCALE_WORDS]
    return element(
        "div",
        element("p", bar, camps, class_="kg-dial-key"),
        element("p", *words, class_="kg-ends"),
        class_="kg-scales-head",
    )


def legend_of_camps(builder: PageBuilder, verdicts: Iterable[Verdict]) -> Html | None:
    """Explain the marks on scales; nothing if none has any."""
    names = _names_of_camps(builder, verdicts)
    return element("p", element("span", names, _KEY), class_="kg-dial-key") if names else None


def _names_of_camps(builder: PageBuilder, verdicts: Iterable[Verdict]) -> Html | None:
    camps = dict.fromkeys(camp for each in verdicts for camp, _ in _camp_strengths(each))
    maker = builder.link_maker
    names = [join(" ", [maker.mark(camp), maker.camp_label(camp)]) for camp in camps]
    return join(", ", names) if names else None


def ends_of_scale(line: InquiryLine, scale: Scale) -> Html:
    """The answers at the ends of a scale, to be put beneath it."""
    titles = (line.answers.fails, line.answers.holds)
    names = zip(answers_at_ends(line), titles, strict=True)
    ends = [element("span", name, title=title or None) for name, title in names]
    return element("p", *scale.in_order(ends), class_="kg-two-ends")


def steps_of_scale(settings: Reasoning) -> Steps:
    """Return for each word how far from the middle the strength at which it begins lies, and how
    far that is on the scale, as fractions of it.
    """
    reach = reach_of_words(settings)
    bounds = (0.0, *(reach[each] for each in reach if each != Sureness.UNDECIDED_WITH_LEAD))
    return list(zip(bounds, PLACES, strict=True))


def place_on_scale(steps: Steps, strength: float) -> float:
    """Return the place of a strength on the scale, from 0 to 1: in the part of its word, which
    begins and ends at `steps`. The scales of the site follow this rule, too (“placeOnScale” in
    site/assets/weigh.js).
    """
    distance, side = abs(strength - 0.5), 1 if strength > 0.5 else -1
    for (low, start), (high, end) in pairwise(steps):
        if distance < high:
            return 0.5 + side * (start + (end - start) * (distance - low) / (high - low))
    return 0.5 + side * steps[-1][1]


def draw_dial(builder: PageBuilder, verdict: Verdict, *, in_list: bool = False) -> Html:
    """The scale alone, with the answer as a bar from the middle, as far as its sureness reaches.

    Strokes part the words, and the marks are the camps' own views. If `in_list`, it tells the
    script in which readers guess the place of the answer among the words.
    """
    scale = scale_of(builder.context.corpus.config, verdict)
    marks = [
        _camp_mark(builder, _x_of_strength(scale, camp_strength), camp)
        for camp, camp_strength in _camp_strengths(verdict)
    ]
    bar_end = _bar_end(scale, verdict)
    return element(
        "svg",
        element("title", _describe_dial(builder, verdict)),
        element("path", d=f"M{END_ROOM} 0H{BREADTH - END_ROOM}", class_="kg-dial"),
        element("path", d=_strokes_between_words(), class_="kg-scale-steps"),
        element("path", d=f"M{BREADTH / 2:g} -7v14"),
        _bar_of_answer(bar_end),
        *marks,
        *_words_beneath(bar_end, verdict.sureness.partition(",")[0]),
        viewBox=f"0 {-MARGIN} {BREADTH} {2 * MARGIN + ROW}",
        # its place among the words, for who guesses it
        data_kg_word=_place_among_words(scale, verdict) if in_list else None,
        role="img",
        class_="kg-scale",
    )


def _strokes_between_words() -> str:
    places = (0.5 + side * place for place in PLACES[1:-1] for side in (-1, 1))
    return "".join(f"M{_x_of_place(place):.1f} -4v8" for place in places)


def _bar_end(scale: Scale, verdict: Verdict) -> float:
    return _x_of_strength(scale, strength_shown(scale.steps, verdict))


def _words_beneath(x: float, word: str) -> list[Html]:
    """The word of the bar beneath its end, within the drawing; and those of the middle and of the
    ends of the scale, where they do not run into it.
    """
    room = len(word) * LETTER / 2
    x_inside = min(max(x, room), BREADTH - room)
    words = [element("text", word, x=f"{x_inside:.1f}", y=2 * MARGIN, class_="kg-scale-word")]
    middle, surest = Sureness.UNDECIDED, Sureness.VERY_PROBABLY
    end_breadth = len(surest) * SMALL_LETTER
    for start, breadth, other, class_ in (
        (END_ROOM, end_breadth, surest, "kg-at-start"),
        ((BREADTH - len(middle) * SMALL_LETTER) / 2, len(middle) * SMALL_LETTER, middle, ""),
        (BREADTH - END_ROOM - end_breadth, end_breadth, surest, "kg-at-end"),
    ):
        if start + breadth + WORD_GAP <= x_inside - room or x_inside + room + WORD_GAP <= start:
            place = {"kg-at-start": start, "": BREADTH / 2, "kg-at-end": start + breadth}[class_]
            classes = f"kg-scale-far {class_}".strip()
            words.append(element("text", other, x=f"{place:g}", y=2 * MARGIN, class_=classes))
    return words


def _describe_dial(builder: PageBuilder, verdict: Verdict) -> str:
    """Say what the drawing shows. A number stands only beside a word that it does not
    contradict.
    """
    word, strength = answer_phrase(verdict.word, verdict.sureness), verdict.strength or 0.0
    settings = builder.settings
    parts = [
        word if _is_held(verdict) else f"{word}, strength {render_strength(strength, settings)}"
    ]
    parts += [
        f"{builder.link_maker.camp_label(camp)} reasons alone {render_strength(value, settings)}"
        for camp, value in _camp_strengths(verdict)
    ]
    return f"{'; '.join(parts)}; on a scale from 0 (does not hold) to 1 (holds)"


def _word_on_scale(verdict: Verdict) -> str:
    return answer_phrase(verdict.word, verdict.sureness).partition(",")[0]


def _place_among_words(scale: Scale, verdict: Verdict) -> int | None:
    """The number of the answer's word on the scale, from the left; evidence has none."""
    words, word = scale.in_order(SCALE_WORDS), _word_on_scale(verdict)
    return words.index(word) if word in words else None


def _is_held(verdict: Verdict) -> bool:
    """Return whether the bar visibly ends nearer to the middle than the weights would put it."""
    return is_held_back(verdict.strength, verdict.held_strength)


def _bar_of_answer(end: float) -> Html:
    """A bar from the middle to where the answer stands; short, if that is the middle."""
    start = BREADTH / 2
    if abs(end - start) < LEAST_SEEN:
        start, end = start - LEAST_SEEN, start + LEAST_SEEN
    return element("path", d=f"M{start:g} 0H{end:.1f}", class_="kg-dial-answer")


def strength_shown(steps: Steps, verdict: Verdict) -> float:
    """Return where the bar ends. If an answer's word holds it back, that is in the middle of the
    word's part, as it would otherwise seem to be nearly the next one. With weight on both sides an
    answer may be undecided beyond the part of that word, in which it is kept. The scales of the
    site follow this rule, too (“middleBefore” in site/assets/weigh-controls.js).
    """
    strength = verdict.held_strength or 0.0
    return _strength_within_word(steps, strength, side_of(verdict.word), _is_held(verdict))


def _strength_within_word(steps: Steps, strength: float, side: int, is_held: bool) -> float:
    if is_held:
        distance, direction = abs(strength - 0.5), 1 if strength > 0.5 else -1
        return next(
            0.5 + direction * (low + high) / 2
            for (low, _), (high, _) in pairwise(steps)
            if distance <= high + ROUNDING
        )
    reach = steps[1][0]
    return strength if side else min(max(strength, 0.5 - reach), 0.5 + reach)


def place_of_subset(scale: Scale, settings: Reasoning, answer: AnswerOnSubset) -> float:
    """Return where the bar of an answer on some of the evidence ends, from 0 on the left to 1."""
    strength = held_strength(answer.sureness, answer.side, answer.strength, settings)
    is_held = is_held_back(answer.strength, strength)
    return scale.place_of(_strength_within_word(scale.steps, strength, answer.side, is_held))


def word_of_subset(scale: Scale, answer: AnswerOnSubset) -> int:
    """Return the number, from the left, of the word of an answer on some of the evidence."""
    word = answer.sureness.partition(",")[0]
    is_denied = answer.side < 0 and word != Sureness.UNDECIDED
    return scale.in_order(SCALE_WORDS).index(f"{word} not" if is_denied else word)


def _camp_strengths(verdict: Verdict) -> list[tuple[CampId, float]]:
    """The camps that see an answer, with its strength as each does; not those without one."""
    return [(view.camp, view.strength) for view in verdict.camps if view.strength is not None]


def _x_of_strength(scale: Scale, strength: float) -> float:
    return _x_of_place(scale.place_of(strength))


def _x_of_place(place: float) -> float:
    return END_ROOM + place * (BREADTH - 2 * END_ROOM)


def _camp_mark(builder: PageBuilder, x: float, camp: CampId) -> Html:
    mark = _draw_mark(camp_shape(builder.context.corpus.config, camp), f"{x:.1f}")
    return element("g", mark, class_=builder.link_maker.camp_class(camp))


def _draw_mark(name: str, x: str) -> Html:
    """A camp's shape, given by name, on the scale."""
    if name in SHAPE_POINTS:
        points, place = SHAPE_POINTS[name], f"translate({x} 0) scale(.7)"
        return element("polygon", points=points, transform=place, class_="kg-scale-mark")
    return element("circle", cx=x, cy=0, r=3.4, class_="kg-scale-mark")
