"""What would change a line's answer: claims to settle, evidence to lose, sources to doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.model import InquiryLine
from kg.publish.markup.html import EMPTY, Child, Html, element, folded, join_children
from kg.publish.markup.phrases import count_of
from kg.publish.markup.table import BLANK, table
from kg.publish.page_builder import PageBuilder

if TYPE_CHECKING:
    from kg.reasoning.answers.crux import Crux, Cruxes
    from kg.reasoning.answers.flips import Flip, Flips
    from kg.reasoning.attribution.independence import SourceEffect

CRUXES_UNFOLDED = 2
_WIDE = 80
_LEADS = {
    "crux": "Claims by how far apart the camps see them, times how far they move the answer.",
    "claim it hangs on": "Claims by how far they move the answer, times how open they are.",
}
_SETTLED = (
    " The last column is where the answer would stand if the claim were settled: false – true."
)


def turning_points(builder: PageBuilder, line: InquiryLine) -> Html:
    """The cruxes of a line, and what would turn its answer."""
    if line.proposition is None:
        return EMPTY
    strengths = builder.context.strengths
    word = strengths.of(line.proposition).word
    cruxes, flips, sources = (
        strengths.cruxes(line.id),
        strengths.flips(line.id),
        strengths.sources(line.id),
    )
    if cruxes is None or flips is None:
        return element(
            "p",
            "Too many statements bear on this line to search them all while the site is built.",
            class_="kg-none",
        )
    return element(
        "div",
        _crux_table(builder, cruxes, word),
        _under(_flip_words(flips, word), _flip_list(builder, flips)),
        _undoing(builder, flips),
        _heaviest(builder, sources.effects[0]) if sources and sources.effects else None,
    )


def _crux_table(builder: PageBuilder, cruxes: Cruxes, word: str) -> Html | None:
    shown = [crux for crux in cruxes.cruxes if crux.score > 0]
    if not shown:
        return None
    rows: list[list[Child]] = [
        [
            element("th", builder.statement(crux.statement), scope="row"),
            *[f"{view:.2f}" if view is not None else BLANK for view in crux.views.values()],
            _swing(crux),
        ]
        for crux in shown
    ]
    camps = [f"{builder.link_maker.camp_label(camp)} sees it at" for camp in shown[0].views]
    head = ("If this were settled", *camps, "The answer would go to")
    lead = element("p", _LEADS[cruxes.kind], _SETTLED, class_="kg-lead-in")
    first, rest = rows[:CRUXES_UNFOLDED], rows[CRUXES_UNFOLDED:]
    more = folded(
        count_of(len(rest), "more claim"),
        table(head, rest, "Cruxes, continued", "kg-cruxes"),
        class_="kg-on-paper",
    )
    return element("div", lead, table(head, first, "Cruxes", "kg-cruxes"), more if rest else None)


def _under(words: str, what: Html | None) -> Html:
    """A sentence that unfolds into what it speaks of."""
    return folded(words, what) if what else element("p", words, class_="kg-flips")


def _swing(crux: Crux) -> Html:
    """The strengths of the answer if a crux were false and if true, drawn on the scale."""
    low, high = sorted((crux.if_false, crux.if_true))
    label = f"{crux.if_false:.2f} if false, {crux.if_true:.2f} if true"
    settles = crux.settles
    drawn = element(
        "svg",
        element("title", label + (f": {settles}" if settles else "")),
        element("rect", x=0, y=5, width=_WIDE, height=2, class_="kg-bar-ground"),
        element("rect", x=_WIDE / 2 - 0.5, y=0, width=1, height=12, class_="kg-bar-middle"),
        element(
            "rect",
            x=f"{low * _WIDE:.1f}",
            y=3,
            width=f"{max(1.0, (high - low) * _WIDE):.1f}",
            height=6,
            rx=2,
            class_="kg-swing",
        ),
        width=_WIDE,
        height=12,
        viewBox=f"0 0 {_WIDE} 12",
        role="img",
        class_="kg-bar",
    )
    ends = element("span", drawn, f" {crux.if_false:.2f} – {crux.if_true:.2f}", class_="kg-nowrap")
    if not settles:
        return ends
    return join_children((ends, " ", element("strong" if crux.turns else "span", settles)))


def _flip_words(flips: Flips, word: str) -> str:
    """How much it takes to turn the answer, or to decide one that has no side."""
    from kg.reasoning.verdict_words import side_of

    singles, smallest, sided = len(flips.singles), flips.size, side_of(word)
    if singles:
        pieces = count_of(singles, "piece of evidence", "pieces of evidence")
        lost = f"losing {'any one of ' if singles > 1 else ''}{pieces}"
        if not sided:
            return f"The answer is {word}, on neither side; {lost} would decide it"
        return f"{lost.capitalize()} would turn the answer to the other side"
    if not sided:
        return f"The answer is {word}; the loss of no single piece of evidence would decide it."
    if smallest:
        found = "" if flips.minimal_exact else " (as far as was searched)"
        return f"No single piece of evidence turns the answer; {smallest} together would{found}"
    return "No loss of evidence that was tried turns the answer to the other side."


def _flip_list(builder: PageBuilder, flips: Flips) -> Html | None:
    """The losses that turn or decide the answer."""
    if not flips.singles:
        return _together(builder, flips.minimal[0]) if flips.minimal else None
    return _losses(builder, flips.singles)


def _undoing(builder: PageBuilder, flips: Flips) -> Html | None:
    """The losses that only take the answer from its side: single ones, else the smallest set."""
    if not flips.undoing:
        return _undoing_set(builder, flips)
    number = len(flips.undoing)
    lost = f"any one of {number} pieces" if number > 1 else "one piece"
    words = f"It would be left undecided by losing {lost} of evidence"
    return folded(words, _losses(builder, flips.undoing))


def _undoing_set(builder: PageBuilder, flips: Flips) -> Html | None:
    """The smallest set found that only takes the answer from its side, if it is smaller."""
    smallest = next((f for f in flips.minimal_undoing if f.does == "undoes"), None)
    if smallest is None or len(smallest.removed) >= (flips.size or len(smallest.removed) + 1):
        return None
    found = "" if flips.minimal_undoing_exact else " (as far as was searched)"
    words = f"It would be left undecided by losing {len(smallest.removed)} together{found}"
    return folded(words, _together(builder, smallest))


def _losses(builder: PageBuilder, flips: Sequence[Flip]) -> Html:
    """Losses, those that move the answer furthest first."""
    items = [
        element("li", builder.statement(id), " ", element("span", _left(flip), class_="kg-small"))
        for flip in flips
        for id in flip.removed
    ]
    return element("ul", *items, class_="kg-plain")


def _together(builder: PageBuilder, smallest: Flip) -> Html:
    items = [element("li", builder.statement(id)) for id in smallest.removed]
    left = element("li", f"which takes the answer {_left(smallest)}", class_="kg-small")
    return element("ul", *items, left, class_="kg-plain")


def _left(flip: Flip) -> str:
    """The answer after a loss: `to 0.36, leans refuted`."""
    return flip.word if flip.strength is None else f"to {flip.strength:.2f}, {flip.word}"


def _heaviest(builder: PageBuilder, effect: SourceEffect) -> Html:
    name: Child = (
        builder.link_maker.sources(effect.sources, builder.root) or "evidence without a source"
    )
    after = (
        f"; without it the strength would be {effect.strength:.2f}"
        if effect.strength is not None
        else ""
    )
    return element("p", "The independent source that moves the answer most is ", name, after + ".")
