"""The history of a line's answer, in a picture and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from kg.history.change_summary import HistoryStep
from kg.model import InquiryLine
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.answer_moves import (
    has_changed_word,
    is_asked_now,
    render_standing,
)
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Html, element, join
from kg.publish.markup.phrases import render_date
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import LineAnswer, has_strength_moved
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import Sureness, answer_phrase

SPARK_BREADTH, SPARK_HEIGHT, SPARK_EDGE = 160, 36, 4  # units: as wide as some words
NOW = "now"
_DECIDED = {True: "decided", False: "undecided"}
SLIGHT_MOVE = 0.05  # of strength, below which an answer was only "a little" higher or lower
_OTHER_WORDS = ". Before that, its question was worded otherwise"
LEAST_DRAWN = 3  # fewest points for a drawing to be worth it


def answer_history(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """The answer at earlier commits and now; None if it never moved, or without history."""
    points = [(render_date(day), answer) for day, answer in builder.context.past.of(line.id)]
    verdict = builder.context.answers.verdict(line.id)
    if verdict is not None and points:
        current_answer = LineAnswer(
            proposition=line.proposition or "",
            strength=verdict.strength,
            word=verdict.word,
            side=verdict.side,
        )
        if current_answer.has_moved_from(points[-1][1]):
            points.append((NOW, current_answer))
    if not any(
        earlier.has_moved_from(later) for (_, earlier), (_, later) in combinations(points, 2)
    ):
        return None
    (first_day, first), (_, last) = points[0], points[-1]
    settings = builder.settings
    numbers = (
        f"Strength {render_standing(first.word, first.strength, settings)} on {first_day}, "
        f"{render_standing(last.word, last.strength, settings)} now"
    )
    sparkline = _draw_strengths(points, settings) if len(points) >= LEAST_DRAWN else None
    link = element("a", "what changed", href=builder.root + "recent.html")
    course = _describe_course(points, settings) or _describe_change_since(points, settings)
    words = f"{course}{_OTHER_WORDS if _was_reworded(builder.context, line) else ''}. See "
    sentence = element("span", words, link, ".", title=numbers)
    return element("p", sparkline, sentence, class_="kg-small kg-moved")


def earlier_word(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """`changed on 1 December 2026 from “undecided”`, linked to what changed on that day: the word
    that the answer to the present question had before its own; None if it had no other.
    """
    corpus = builder.context.corpus
    for step in builder.context.past.steps:
        for move in step.summary.compared_answers:
            if corpus.find_id(move.line) != line.id or not is_asked_now(corpus, move):
                continue
            if move.sureness_before and move.sureness_after and has_changed_word(move):
                word = answer_phrase(move.word_before, Sureness(move.sureness_before))
                address = f"{builder.root}recent.html#{anchor_of_step(step)}"
                is_of_review = line.reviewed == step.since
                day = "that day" if is_of_review else f"on {render_date(step.since)}"
                return join("", (element("a", "changed ", day, href=address), f" from “{word}”"))
    return None


def anchor_of_step(step: HistoryStep) -> str:
    """The anchor of a step on the page of changes."""
    return f"day-{step.day.isoformat()}"


def _was_reworded(context: SiteContext, line: InquiryLine) -> bool:
    """Return whether the line once put its question in other words, whose answers are not among
    these.
    """
    rewordings = (step.summary.rewordings.get(line.id, ()) for step in context.past.steps)
    return any(field == "question" for changes in rewordings for field, *_ in changes)


def _describe_course(points: Sequence[tuple[str, LineAnswer]], settings: Reasoning) -> str:
    """`It stood at 0.61 on 26 November, 0.92 on 27 November, and stands at 0.89 now`: the course of
    an answer that turned back on its way. Empty for one that did not, or that changed sides.
    """
    strengths = [answer.strength for _, answer in points if answer.strength is not None]
    sides = {side_of(answer.word) for _, answer in points}
    if len(strengths) < len(points) or len(sides) > 1:
        return ""
    low, high = sorted((strengths[0], strengths[-1]))
    farthest = max(strengths, key=lambda each: max(low - each, each - high))
    if low <= farthest <= high or not all(has_strength_moved(farthest, end) for end in (low, high)):
        return ""
    turn = strengths.index(farthest)
    old, turned, new = (
        render_strength(each, settings) for each in (strengths[0], farthest, strengths[-1])
    )
    course = f"{old} on {points[0][0]}, {turned} on {points[turn][0]}"
    return f"It stood at {course}, and stands at {new} now"


def _describe_change_since(points: Sequence[tuple[str, LineAnswer]], settings: Reasoning) -> str:
    """Say in a sentence how an answer has changed since the first day, and where it stood before
    its last move, as the page of changes says.
    """
    (day_text, first), (_, last) = points[0], points[-1]
    old_side, new_side = side_of(first.word), side_of(last.word)
    if old_side != new_side:
        side_text = "the other way round" if old_side and new_side else _DECIDED[bool(old_side)]
        return f"It was {side_text} on {day_text}"
    old_strength, new_strength = first.strength, last.strength
    if old_strength is None or new_strength is None:
        article = "no" if old_strength is None else "a"
        too = "" if (old_strength is None) is not (new_strength is None) else ", too,"
        return f"It had {article} stable strength{too} on {day_text}"
    if not has_strength_moved(old_strength, new_strength):
        return f"It has changed little since {day_text}"
    little = "a little " if abs(new_strength - old_strength) < SLIGHT_MOVE else ""
    comparative = "lower" if old_strength < new_strength else "higher"
    day_before, before = [each for each in points if last.has_moved_from(each[1])][-1]
    old, new = (render_strength(each, settings) for each in (old_strength, new_strength))
    then = f"{old} on {day_text}"
    if before.strength is not None and (other := render_strength(before.strength, settings)) != old:
        then += f" and {other} on {day_before}"
    return f"It stood {little}{comparative}, at {then}, and stands at {new} now"


def _draw_strengths(points: Sequence[tuple[str, LineAnswer]], settings: Reasoning) -> Html:
    """A sparkline of strengths over time, with a line at the middle of the scale."""
    spacing = (SPARK_BREADTH - 2 * SPARK_EDGE) / (len(points) - 1)
    places = [
        (
            SPARK_EDGE + n * spacing,
            SPARK_HEIGHT - SPARK_EDGE - answer.strength * (SPARK_HEIGHT - 2 * SPARK_EDGE),
        )
        for n, (_, answer) in enumerate(points)
        if answer.strength is not None
    ]
    label = "; ".join(
        f"{when}: {render_standing(a.word, a.strength, settings)}" for when, a in points
    )
    polyline = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return element(
        "svg",
        element("title", f"The answer over time. {label}"),
        element(
            "line",
            x1=0,
            x2=SPARK_BREADTH,
            y1=SPARK_HEIGHT / 2,
            y2=SPARK_HEIGHT / 2,
            class_="kg-moved-half",
        ),
        element("polyline", points=polyline, class_="kg-moved-way"),
        [element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.5) for x, y in places],
        viewBox=f"0 0 {SPARK_BREADTH} {SPARK_HEIGHT}",
        role="img",
        class_="kg-moved-drawn",
    )
