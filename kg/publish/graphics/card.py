"""Pictures that stand for a page where somebody shares its address.

They need a site that knows its public address, since those who show them ask for an absolute one.
"""

from __future__ import annotations

import io
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kg.model import Value
from kg.model.config import Site
from kg.publish.graphics.boxes import wrap_words
from kg.publish.markup.colours import LIGHT, POINTS

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

# All lengths are pixels. Where things stand was chosen by eye, at the size at which others show
# such pictures: about a third of this.
WIDTH, HEIGHT = 1200, 630  # as those ask for who show such pictures
STRIPE = 18  # of ink, at the left edge
LEFT, RIGHT, TOP, BOTTOM = 80, 1120, 64, 566
SITE_SIZE, WORD_SIZE = 34, 40  # of the letters of the site's name and of the answer's word
TITLE_TOP = TOP + 62  # below the site's name and a line of room
SCALE_LEFT = 520  # right of the longest word of an answer
SCALE_Y = BOTTOM - 16  # the middle of the scale, at half the height of the word's letters
MAX_TITLE_SIZE, MIN_TITLE_SIZE, STEP = 76, 40, 4  # sizes that a title is tried in
LEADING, ROOM = 1.18, 360  # rows apart, by their size; the height that a title may take
ENLARGED = 2.4  # of the marks on pages
INK, SOFT, RULE = "#1d2129", "#59616e", "#dfe3e8"
SITE_CARD = "assets/card.png"
PNG = "image/png"
FONT = "font_source_sans_pro"
_BOLD, _PLAIN = "SourceSansPro-Semibold.ttf", "SourceSansPro-Regular.ttf"
_NO_LETTER = "\uffff"


class CampMark(Value, frozen=True):
    """A camp's view on the scale of an answer."""

    strength: float
    shape: str
    colour: str


class Card(Value, frozen=True):
    """What a picture says: the site, a title, and where there is one an answer on its scale."""

    site: str
    title: str
    word: str = ""
    strength: float | None = None
    marks: tuple[CampMark, ...] = ()


@lru_cache(maxsize=64)  # a card is asked for by its page and by the build that writes it
def draw_card(card: Card) -> bytes | None:
    """The picture as PNG; None where the font lacks a letter of it."""
    from PIL import Image, ImageDraw

    if not _has_letters(card.site + card.title + card.word):
        return None
    image = Image.new("RGB", (WIDTH, HEIGHT), LIGHT)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, STRIPE, HEIGHT), fill=INK)
    draw.text((LEFT, TOP), card.site, SOFT, _font(_PLAIN, SITE_SIZE))
    _draw_title(draw, card.title)
    if card.strength is not None:
        _draw_answer(draw, card, card.strength)
    out = io.BytesIO()
    image.convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(out, "PNG")
    return out.getvalue()


def site_card(site: Site) -> bytes | None:
    """The picture of every page that has none of its own; None where there is to be none."""
    if not site.url:
        return None
    return draw_card(Card(site=site.name, title=site.description))


def _draw_title(draw: ImageDraw, title: str) -> None:
    """The title as large as it fits."""
    for size in range(MAX_TITLE_SIZE, MIN_TITLE_SIZE - 1, -STEP):
        font = _font(_BOLD, size)
        rows = wrap_words(title.split(), font.getlength, RIGHT - LEFT)
        if len(rows) * size * LEADING <= ROOM:
            break
    for number, row in enumerate(rows[: int(ROOM / size / LEADING)]):
        draw.text((LEFT, TITLE_TOP + number * size * LEADING), row, INK, font)


def _draw_answer(draw: ImageDraw, card: Card, strength: float) -> None:
    """The word of the answer, and the scale with its needle and the camps' marks."""
    draw.text((LEFT, BOTTOM - 46), card.word, INK, _font(_BOLD, WORD_SIZE))
    left, right, y = SCALE_LEFT, RIGHT, SCALE_Y
    middle = (left + right) / 2
    draw.rounded_rectangle((left, y - 4, right, y + 4), 4, RULE)
    draw.rectangle((middle - 1, y - 14, middle + 1, y + 14), SOFT)
    for mark in card.marks:
        _draw_mark(draw, mark, left + mark.strength * (right - left), y)
    x = left + strength * (right - left)
    # the needle last, so that no mark of a camp hides it: a head above the scale, a line across
    draw.polygon([(x - 15, y - 42), (x + 15, y - 42), (x, y - 20)], INK)
    draw.rectangle((x - 2, y - 24, x + 2, y + 22), INK)


def _draw_mark(draw: ImageDraw, mark: CampMark, x: float, y: float) -> None:
    corners = [pair.split(",") for pair in POINTS.get(mark.shape, "").split()]
    if corners:
        around = [(x + float(a) * ENLARGED, y + float(b) * ENLARGED) for a, b in corners]
        draw.polygon(around, mark.colour)
    else:
        draw.ellipse((x - 12, y - 12, x + 12, y + 12), mark.colour)


def _has_letters(text: str) -> bool:
    """Whether the font has every letter; what it lacks would be drawn as an empty box."""
    font = _font(_PLAIN, 20)
    box = bytes(font.getmask(_NO_LETTER))
    return all(bytes(font.getmask(c)) != box for c in set(text) if not c.isspace())


@cache
def _font(name: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(files(FONT) / "files" / name), size)
