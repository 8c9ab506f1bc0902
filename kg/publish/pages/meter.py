"""How firmly a statement stands, small enough to go with every mention of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kg.model import Kind
from kg.publish.html import EMPTY, Html, element, escape
from kg.publish.pages.sheet import Sheet
from kg.publish.weigh import Standing
from kg.publish.words import signed

if TYPE_CHECKING:
    from kg.reasoning.quality import Grade

WIDE, GAUGE, TIP, LEVELS = 60, 26, 1, 3
_ONE_LINE = f"M{TIP} 4.5H{GAUGE - TIP}"
_TWO_WAYS = f"M4 1.5L1 4.5L4 7.5M1 4.5H{GAUGE - 1}M{GAUGE - 4} 1.5L{GAUGE - 1} 4.5L{GAUGE - 4} 7.5"
MEANING = "how-to-read.html#what-the-words-of-an-answer-mean"


def meter(sheet: Sheet, id: str) -> Html:
    """A small bar from the middle: to the right as far as backed, to the left as far as refuted."""
    return bar(sheet.press.scales.of(id))


def bar(standing: Standing) -> Html:
    """The bar of a standing; its words are for those who do not see it."""
    if standing.strength is None:
        return EMPTY
    return _bar(standing.word, round(standing.strength, 2))


def signs_of(sheet: Sheet, id: str) -> Html:
    """What a link in running text shows of a statement: how firmly it stands, and a dispute."""
    if id not in sheet.press.corpus.statements:
        return EMPTY
    standing = sheet.press.scales.of(id)
    if standing.strength is None:
        return EMPTY
    strength = round(standing.strength, 2)
    level = sheet.press.scales.level(strength)
    return _gauge(standing.word, strength, level, id in sheet.chips.disputed)


@lru_cache(maxsize=2048)
def _gauge(word: str, strength: float, level: int, disputed: bool) -> Html:
    """A small gauge for running text: from its middle a step for each step of the words.

    Of a disputed statement it points both ways.
    """
    half = GAUGE / 2
    wide = abs(level) * (half - TIP) / LEVELS
    start = half if level > 0 else half - wide
    filled = {"x": f"{start:.1f}", "y": 1.5, "width": f"{wide:.1f}", "height": 6}
    side = "for" if level > 0 else "against"
    return element(
        "svg",
        element("title", f"{word}, strength {strength:.2f}{', disputed' if disputed else ''}"),
        element("path", d=_TWO_WAYS if disputed else _ONE_LINE, class_="kg-gauge"),
        element("rect", **filled, class_=f"kg-bar-{side}") if level else None,
        element("rect", x=half - 0.5, y=0, width=1, height=9, class_="kg-bar-middle"),
        width=GAUGE,
        height=9,
        viewBox=f"0 0 {GAUGE} 9",
        role="img",
        class_="kg-bar",
    )


@lru_cache(maxsize=2048)
def _bar(word: str, strength: float) -> Html:
    step = round((strength - 0.5) * 20)
    side = "for" if step > 0 else "against" if step < 0 else "even"
    wide = abs(step) * WIDE / 20
    start = WIDE / 2 if step > 0 else WIDE / 2 - wide
    label = f"{word}, strength {strength:.2f}"
    return element(
        "svg",
        element("title", label),
        element("rect", x=0, y=3, width=WIDE, height=4, rx=2, class_="kg-bar-ground"),
        element(
            "rect",
            x=f"{start:.1f}",
            y=2,
            width=f"{wide:.1f}",
            height=6,
            rx=1,
            class_=f"kg-bar-{side}",
        )
        if step
        else None,
        element("rect", x=WIDE / 2 - 0.5, y=0, width=1, height=10, class_="kg-bar-middle"),
        width=WIDE,
        height=10,
        viewBox=f"0 0 {WIDE} 10",
        role="img",
        class_="kg-bar",
    )


def standing_words(sheet: Sheet, id: str) -> Html:
    """`Leans supported` and its bar; for a piece of evidence its quality."""
    standing = sheet.press.scales.of(id)
    if sheet.press.corpus.statements[id].kind is Kind.EVIDENCE:
        word = f"Quality {sheet.press.scales.grade(id).base:.2f}"
    else:
        word = standing.word.capitalize()
    return element("span", word, " ", bar(standing), class_="kg-standing")


def standing_line(sheet: Sheet, id: str) -> Html:
    """A statement's verdict in a row: word, bar, number."""
    scales = sheet.press.scales
    standing = scales.of(id)
    if standing.strength is None:
        return element("p", "No stable strength was found.", class_="kg-verdict-words")
    if sheet.press.corpus.statements[id].kind is Kind.EVIDENCE:
        return _quality_line(sheet, id, standing)
    weighs = f" · reasons weigh {standing.pro:.2f} for, {standing.con:.2f} against"
    said = f" {standing.strength:.2f}{weighs if standing.pro or standing.con else ''}"
    link = f'<a href="{escape(sheet.root + MEANING)}">strength</a>'
    return Html(
        f'<p class="kg-verdict-words"><strong>{escape(standing.word.capitalize())}</strong> '
        f'{bar(standing)!s}<span class="kg-small"> {link}{said}</span></p>'
    )


def _quality_line(sheet: Sheet, id: str, standing: Standing) -> Html:
    """A piece of evidence's quality, how it adds up, and what is left of it after objections."""
    grade = sheet.press.scales.grade(id)
    left = (
        f" · {standing.strength:.2f} after objections"
        if standing.strength is not None and standing.con
        else ""
    )
    return Html(
        f'<p class="kg-verdict-words"><strong>Quality {grade.base:.2f}</strong>'
        f'<span class="kg-small">: {escape(_sum(sheet, grade) + left)}</span></p>'
    )


def _sum(sheet: Sheet, grade: Grade) -> str:
    """`experiment 3.00, peer reviewed +0.25; 3.25 points of 5`."""
    lost = f"; retracted: {', '.join(grade.retracted)}" if grade.retracted else ""
    if grade.given or not grade.terms:
        return "given by the author" + lost
    first, *rest = grade.terms
    terms = [f"{first.text} {first.points:.2f}", *(f"{t.text} {signed(t.points)}" for t in rest)]
    points = sum(term.points for term in grade.terms)
    top = sheet.press.corpus.config.quality.top
    return f"{', '.join(terms)}; {points:.2f} points of {top:g}{lost}"


def quality_words(sheet: Sheet, id: str) -> Html:
    """How a piece of evidence's base strength adds up, and what nobody recorded."""
    grade = sheet.press.scales.grade(id)
    unknown = ", ".join(name.replace("_", " ") for name in grade.unknown)
    missing = f'<p class="kg-small">Not recorded: {escape(unknown)}.</p>' if unknown else ""
    said = f'<p class="kg-small">{escape(_sum(sheet, grade))}</p>{missing}'
    return Html(f"<details><summary>{grade.base:.2f}</summary>{said}</details>")
