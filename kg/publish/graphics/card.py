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

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

# All lengths are pixels. The positions were chosen by eye at the size at which such pictures are
# usually shown: about a third of this.
WIDTH, HEIGHT = 1200, 630  # the usual size of preview pictures
STRIPE = 18  # a coloured stripe at the left edge
LEFT, RIGHT, TOP, BOTTOM = 80, 1120, 64, 566
SITE_SIZE, WORD_SIZE, NAME_SIZE = 34, 40, 28  # font sizes: the site, the answer's word, a camp
TITLE_TOP = TOP + 62  # below the site's name and a line of space
WORD_TOP = BOTTOM - 46  # a little more than its font size
SCALE_LEFT = 520  # the answer's words, to the left, are made smaller if need be
SCALE_Y = BOTTOM - 16  # the middle of the scale, at half the height of the word
HALF_SCALE, HALF_BAR, HALF_MIDDLE = 4, 9, 20  # half the height of each; the last is a tick
NAME_GAP = 38  # from the scale to the middle of a camp's name
CORNER_RADIUS = 4  # radius of the corners; the bar goes on for as much at both ends
MAX_TITLE_SIZE, MIN_TITLE_SIZE, STEP = 76, 40, 4  # font sizes tried for a title
LINE_SPACING = 1.18  # relative to the font size
MAX_TITLE_HEIGHT = 360
MARK_SCALE = 2.4  # of the marks on pages
TEXT_INK, SOFT_INK, RULE = "#1d2129", "#59616e", "#dfe3e8"
SITE_CARD = "assets/card.png"
PNG = "image/png"
FONT = "font_source_sans_pro"
_BOLD, _PLAIN = "SourceSansPro-Semibold.ttf", "SourceSansPro-Regular.ttf"
_NO_LETTER = "\uffff"


class CampMark(Value, frozen=True):
    """A camp's view on an answer's scale: its `place` from 0 to 1, and what it is called."""

    place: float
    shape: str
    colour: str
    name: str = ""


class Card(Value, frozen=True):
    """The content of a picture: the site, a title and, if there is one, an answer on its scale.

    `place` is where its bar ends on the scale, from 0 to 1.
    """

    site: str
    title: str
    word: str = ""
    place: float | None = None
    marks: tuple[CampMark, ...] = ()


@lru_cache(maxsize=64)  # both the page and the build that writes the card ask for it
def draw_card(card: Card) -> bytes | None:
    """The picture as PNG; None if the font lacks one of its letters."""
    from PIL import Image, ImageDraw

    if not _has_letters(
        card.site + card.title + card.word + "".join(each.name for each in card.marks)
    ):
        return None
    image = Image.new("RGB", (WIDTH, HEIGHT), LIGHT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, STRIPE, HEIGHT), fill=TEXT_INK)
    draw.text((LEFT, TOP), card.site, SOFT_INK, _load_font(_PLAIN, SITE_SIZE))
    _draw_title(draw, card.title)
    if card.place is not None:
        _draw_records(draw, card, card.place)
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
        draw.text((LEFT, TITLE_TOP + number * size * LINE_SPACING), row, TEXT_INK, font)


def _draw_records(draw: ImageDraw, card: Card, place: float) -> None:
    """Draw the answer's word, and the scale with its bar and the camps' marks, each with its name:
    the first above the scale, the second beneath it, and so on.
    """
    words_width = SCALE_LEFT - LEFT - CORNER_RADIUS
    fraction = min(1.0, words_width / max(_load_font(_BOLD, WORD_SIZE).getlength(card.word), 1.0))
    draw.text((LEFT, WORD_TOP), card.word, TEXT_INK, _load_font(_BOLD, int(WORD_SIZE * fraction)))
    left, right, y = SCALE_LEFT, RIGHT, SCALE_Y
    middle = (left + right) / 2
    draw.rounded_rectangle((left, y - HALF_SCALE, right, y + HALF_SCALE), CORNER_RADIUS, RULE)
    draw.rectangle((middle - 1, y - HALF_MIDDLE, middle + 1, y + HALF_MIDDLE), SOFT_INK)
    place_x = left + place * (right - left)
    start, end = min(middle, place_x) - CORNER_RADIUS, max(middle, place_x) + CORNER_RADIUS
    draw.rounded_rectangle((start, y - HALF_BAR, end, y + HALF_BAR), CORNER_RADIUS, TEXT_INK)
    font = _load_font(_PLAIN, NAME_SIZE)
    for number, mark in enumerate(card.marks):
        x = left + mark.place * (right - left)
        _draw_mark_of_camp(draw, mark, x, y)
        room, side = font.getlength(mark.name) / 2, 1 if number % 2 else -1
        name_x = min(max(x, left + room), right - room)
        draw.text((name_x, y + side * NAME_GAP), mark.name, mark.colour, font, anchor="mm")


def _draw_mark_of_camp(draw: ImageDraw, mark: CampMark, x: float, y: float) -> None:
    corners = [pair.split(",") for pair in SHAPE_POINTS.get(mark.shape, "").split()]
    if corners:
        points = [(x + float(a) * MARK_SCALE, y + float(b) * MARK_SCALE) for a, b in corners]
        draw.polygon(points, mark.colour)
    else:
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), mark.colour)


def _has_letters(text: str) -> bool:
    """Return whether the font has every letter; a missing one would be drawn as an empty box."""
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
