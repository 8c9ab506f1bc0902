"""The answer of a line on a scale from refuted to backed, and where each camp would put it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.publish.context.page_builder import PageBuilder
from kg.publish.graphics.map import draw_mark
from kg.publish.markup.html import Html, element
from kg.publish.markup.style import shape

if TYPE_CHECKING:
    from kg.reasoning.answers.verdict_text import CampView, Verdict

WIDTH, HEIGHT = 320, 32
EDGE, MIDDLE = 10, 22
_ENDS = ("0 refuted", "½ nothing either way", "1 backed")


def dial(sheet: PageBuilder, found: Verdict) -> Html | None:
    """The scale with its ends named; nothing where there is no number."""
    if found.strength is None:
        return None
    ends = element("p", *[element("span", end) for end in _ENDS], class_="kg-ends")
    return element("div", draw_dial(sheet, found, found.strength), ends, class_="kg-dial-box")


def draw_dial(sheet: PageBuilder, found: Verdict, strength: float) -> Html:
    """The scale alone: the answer is its needle, each camp's own view a mark of that camp."""
    views = [view for view in found.camps if view.strength is not None]
    marks = [_camp_mark(sheet, view) for view in views]
    said = ", ".join(
        [f"Strength {strength:.2f} on a scale from 0 (refuted) to 1 (backed)"]
        + _spread(found)
        + [f"{sheet.chips.camp_label(v.camp)} alone {v.strength:.2f}" for v in views]
    )
    return element(
        "svg",
        element("title", said),
        element(
            "rect", x=EDGE, y=MIDDLE - 2, width=WIDTH - 2 * EDGE, height=4, rx=2, class_="kg-dial"
        ),
        _band(found),
        element("rect", x=WIDTH / 2 - 0.5, y=MIDDLE - 6, width=1, height=12, class_="kg-dial-half"),
        *marks,
        _needle(_at(strength)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        class_="kg-scale",
    )


def _spread(found: Verdict) -> list[str]:
    if found.low is None or found.high is None:
        return []
    return [f"between {found.low:.2f} and {found.high:.2f} under other conventions"]


def _band(found: Verdict) -> Html | None:
    """A broad, light bar: where nine in ten answers lie when the conventions move."""
    if found.low is None or found.high is None:
        return None
    left, right = _at(found.low), _at(found.high)
    size = {"x": f"{left:.1f}", "width": f"{max(right - left, 2.0):.1f}"}
    return element("rect", **size, y=MIDDLE - 5, height=10, rx=3, class_="kg-band")


def _at(strength: float) -> float:
    return EDGE + strength * (WIDTH - 2 * EDGE)


def _needle(x: float) -> Html:
    points = f"{x - 6:.1f},2 {x + 6:.1f},2 {x:.1f},11"
    return element(
        "g",
        element("polygon", points=points),
        element("rect", x=f"{x - 1:.1f}", y=10, width=2, height=20),
        class_="kg-needle",
    )


def _camp_mark(sheet: PageBuilder, view: CampView) -> Html:
    name = shape(sheet.context.corpus.config, view.camp)
    mark = draw_mark(name, _at(view.strength or 0.0), MIDDLE, hollow=False)
    return element("g", mark, class_=sheet.chips.camp_class(view.camp))
