"""Preview pictures of a page, shown where its address is shared.

They need a site with a known public address, since services that show them require an absolute
URL.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kg.model import Value
from kg.model.settings.config import Site
from kg.publish.markup.camp_and_relation_styles import LIGHT, SHAPE_POINTS
from kg.reasoning.verdict_words import is_held_back

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

# All lengths are pixels. The positions were chosen by eye at the size at which such pictures are
# usually shown: about a third of this.
WIDTH, HEIGHT = 1200, 630  # the usual size of preview pictures
STRIPE = 18  # a coloured stripe at the left edge
LEFT, RIGHT, TOP, BOTTOM = 80, 1120, 64, 566
SITE_SIZE, WORD_SIZE = 34, 40  # font sizes of the site's name and of the answer's word
TITLE_TOP = TOP + 62  # below the site's name and a line of space
WORD_TOP = BOTTOM - 46  # a little more than its font size
SCALE_LEFT = 520  # to the right of the longest answer word
SCALE_Y = BOTTOM - 16  # the middle of the scale, at half the height of the word
HALF_SCALE, HALF_BAR, HALF_LINE = 4, 9, 2  # half their thickness
HALF_MIDDLE, HALF_END = 20, 16  # half the heights of the ticks at the middle and the line's end
ROUNDING = 4  # radius of the corners; the bar goes on for as much at both ends
MAX_TITLE_SIZE, MIN_TITLE_SIZE, STEP = 76, 40, 4  # font sizes tried for a title
LINE_SPACING = 1.18  # relative to the font size
MAX_TITLE_HEIGHT = 360
MARK_SCALE = 2.4  # of the marks on pages
INK, SOFT_INK, RULE = "#1d2129", "#59616e", "#dfe3e8"
SITE_CARD = "assets/card.png"
PNG = "image/png"
FONT = "font_source_sans_pro"
_BOLD, _PLAIN = "SourceSansPro-Semibold.ttf", "SourceSansPro-Regular.ttf"
_NO_LETTER = "\uffff"


class CampMark(Value, frozen=True):
    """A camp's view on an answer's scale."""

    strength: float
    shape: str
    colour: str


class Card(Value, frozen=True):
    """The content of a picture: the site, a title and, if there is one, an answer on its scale.

    `place` is how far on the scale its word reaches, `strength` where the weights alone put it.
    """

    site: str
    title: str
    word: str = ""
    strength: float | None = None
    place: float | None = None
    marks: tuple[CampMark, ...] = ()


@lru_cache(maxsize=64)  # both the page and the build that writes the card ask for it
def draw_card(card: Card) -> bytes | None:
    """The picture as PNG; None if the font lacks one of its letters."""
    from PIL import Image, ImageDraw

    if not _has_letters(card.site + card.title + card.word):
        return None
    image = Image.new("RGB", (WIDTH, HEIGHT), LIGHT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, STRIPE, HEIGHT), fill=INK)
    draw.text((LEFT, TOP), card.site, SOFT_INK, _load_font(_PLAIN, SITE_SIZE))
    _draw_title(draw, card.title)
    if card.strength is not None:
        _draw_answer(draw, card, card.strength, card.place or card.strength)
    buffer = io.BytesIO()
    image.convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(buffer, "PNG")
    return buffer.getvalue()


def site_card(site: Site) -> bytes | None:
    """The picture of every page without its own; None if the site has no pictures."""
    if not site.url:
        return None
    return draw_card(Card(site=site.name, title=site.description))


def _draw_title(draw: ImageDraw, title: str) -> None:
    """Draw the title as large as it fits."""
    for size in range(MAX_TITLE_SIZE, MIN_TITLE_SIZE - 1, -STEP):
        font = _load_font(_BOLD, size)
        rows = _wrap_words(title.split(), font.getlength, RIGHT - LEFT)
        if len(rows) * size * LINE_SPACING <= MAX_TITLE_HEIGHT:
            break
    for number, row in enumerate(rows[: int(MAX_TITLE_HEIGHT / size / LINE_SPACING)]):
        draw.text((LEFT, TITLE_TOP + number * size * LINE_SPACING), row, INK, font)


def _draw_answer(draw: ImageDraw, card: Card, strength: float, place: float) -> None:
    """Draw the answer's word, and the scale with its bar and the camps' marks: as on pages, a thin
    line goes on to where the weights alone would put the answer.
    """
    draw.text((LEFT, WORD_TOP), card.word, INK, _load_font(_BOLD, WORD_SIZE))
    left, right, y = SCALE_LEFT, RIGHT, SCALE_Y
    middle = (left + right) / 2
    draw.rounded_rectangle((left, y - HALF_SCALE, right, y + HALF_SCALE), ROUNDING, RULE)
    draw.rectangle((middle - 1, y - HALF_MIDDLE, middle + 1, y + HALF_MIDDLE), SOFT_INK)
    place_x, strength_x = (left + each * (right - left) for each in (place, strength))
    if is_held_back(strength, place):
        start, end = sorted((place_x, strength_x))
        draw.rectangle((start, y - HALF_LINE, end, y + HALF_LINE), SOFT_INK)
        start, end = strength_x - HALF_LINE, strength_x + HALF_LINE
        draw.rectangle((start, y - HALF_END, end, y + HALF_END), SOFT_INK)
    start, end = min(middle, place_x) - ROUNDING, max(middle, place_x) + ROUNDING
    draw.rounded_rectangle((start, y - HALF_BAR, end, y + HALF_BAR), ROUNDING, INK)
    for mark in card.marks:
        _draw_mark_of_camp(draw, mark, left + mark.strength * (right - left), y)


def _draw_mark_of_camp(draw: ImageDraw, mark: CampMark, x: float, y: float) -> None:
    corners = [pair.split(",") for pair in SHAPE_POINTS.get(mark.shape, "").split()]
    if corners:
        points = [(x + float(a) * MARK_SCALE, y + float(b) * MARK_SCALE) for a, b in corners]
        draw.polygon(points, mark.colour)
    else:
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), mark.colour)


def _has_letters(text: str) -> bool:
    """Whether the font has every letter; a missing one would be drawn as an empty box."""
    font = _load_font(_PLAIN, 20)
    box = bytes(font.getmask(_NO_LETTER))
    return all(bytes(font.getmask(c)) != box for c in set(text) if not c.isspace())


@lru_cache(maxsize=16)
def _load_font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(files(FONT) / "files" / name), size)


def _wrap_words(words: Iterable[str], width_of: Callable[[str], float], room: float) -> list[str]:
    """Wrap words into rows no wider than `room`; a wider word has a row to itself."""
    rows: list[str] = []
    for word in words:
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows
