"""Pictures for shared links: drawn for any words, absent where they could not be shown."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from kg.corpus import Corpus
from kg.model.settings.config import Config, Site
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.card import HEIGHT, PNG, WIDTH, CampMark, Card, draw_card
from kg.publish.markup.address import Addresses
from kg.publish.page import Page
from kg.publish.page_head import head_of
from kg.publish.pages.line import line_page
from kg.publish.pages.statement import statement_page
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.every_row import every_row

NOTES = {
    "asked": "---\ntype: claim\n---\n\n# It is so\n",
    "line": '---\ntype: line\nproposition: asked\n---\n\n# Is it <so> & "so"?\n\nStandfirst.\n',
}
latin = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300)
shapes = st.sampled_from(["circle", "diamond", "triangle", "square", "hexagon", "star", "ring"])
marks = st.builds(CampMark, st.floats(0, 1), shapes, st.just("#0b6e8a"), latin)


def page_of(corpus: Corpus) -> Page:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines["line"])


@examples(3)
@given(latin, latin, st.none() | st.floats(0, 1), st.lists(marks, max_size=3))
def test_any_words_in_the_fonts_letters_make_a_picture_of_the_usual_size(
    site: str, title: str, strength: float | None, views: list[CampMark]
):
    card = Card(site=site, title=title, word="Contested", place=strength, marks=tuple(views))
    picture = draw_card(card)
    assert picture is not None
    assert Image.open(io.BytesIO(picture)).size == (WIDTH, HEIGHT)


@every_row("shape", ["circle", "square"])
def test_a_mark_and_the_end_of_the_bar_stand_where_the_scale_has_their_numbers(shape: str):
    mark = CampMark(0.75, shape, "#c02020")
    card = Card(site="S", title="Is it so?", word="Open", place=0.25, marks=(mark,))
    left, top, right, bottom = _box_of(draw_card(card), (192, 32, 32))
    assert abs((left + right) / 2 - (520 + 0.75 * 600)) <= 2
    assert abs((top + bottom) / 2 - 550) <= 2
    assert 16 <= right - left <= 30
    bar = _box_of(draw_card(card), (29, 33, 41), (500, 500, 1200, 630))
    assert bar == pytest.approx((520 + 0.25 * 600, 541, 520 + 0.5 * 600, 560), abs=6)
    middle = _box_of(draw_card(card), (89, 97, 110), (700, 500, 900, 630))
    assert (middle[1], middle[3]) == pytest.approx((530, 571), abs=1)
    word = _box_of(draw_card(card), (29, 33, 41), (60, 480, 500, 630))
    assert 80 <= word[0] <= 90
    assert 520 <= word[1] < word[3] <= 580


def test_the_name_of_a_camp_stands_at_its_mark_within_the_scale_and_beneath_it_the_second() -> None:
    colours = ("#c02020", "#20a040")
    near = [CampMark(0.97, "circle", colour, "Optimist camp") for colour in colours]
    card = draw_card(Card(site="S", title="Is it so?", word="Perhaps", place=0.6, marks=(*near,)))
    above = _box_of(card, (192, 32, 32), (520, 480, 1200, 535))
    beneath = _box_of(card, (32, 160, 64), (520, 565, 1200, HEIGHT))
    assert 900 <= above[0] < above[2] <= 1120
    assert 900 <= beneath[0] < beneath[2] <= 1120


def _box_of(
    drawing: bytes | None,
    colour: tuple[int, int, int],
    within: tuple[int, int, int, int] | None = None,
) -> tuple[int, int, int, int]:
    """Where a picture has a colour: its left, top, right and bottom."""
    assert drawing is not None
    image = Image.open(io.BytesIO(drawing)).convert("RGB")
    part = image.crop(within or (0, 0, WIDTH, HEIGHT))
    near = [
        band.point(lambda v, c=c: 255 * (abs(v - c) < 24))
        for band, c in zip(part.split(), colour, strict=True)
    ]
    box = ImageChops.darker(ImageChops.darker(near[0], near[1]), near[2]).getbbox()
    assert box is not None
    x, y = within[:2] if within else (0, 0)
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


@every_row("words", [3, 30, 300])
def test_a_title_keeps_to_its_place_and_takes_as_much_of_it_as_it_can(words: int):
    card = draw_card(Card(site="", title="naps " * words))
    left, top, right, bottom = _box_of(card, (29, 33, 41), (30, 0, WIDTH, HEIGHT))
    assert 80 <= left <= 90
    assert 126 <= top <= 170
    assert right <= 1120
    assert bottom <= 126 + 360
    if words > 3:
        assert right > 1000
        assert bottom > 126 + 240


def test_the_same_card_gives_the_same_bytes():
    card = Card(site="S", title="Übung, naïve, Ελληνικά")
    assert draw_card(card) == draw_card.__wrapped__(card)


def test_letters_that_the_font_lacks_give_no_picture_rather_than_boxes():
    assert draw_card(Card(site="S", title="日本語")) is None


def test_a_line_has_a_picture_where_the_site_knows_its_address():
    site = Site(url="https://inquiry.example/x/")
    page = page_of(corpus_of_notes(config=Config(site=site), **NOTES))
    assert [
        alternate.suffix for alternate in page.alternates if alternate.media_type == "image/png"
    ] == [".png"]
    head = head_of(page, Config(site=site))
    assert 'property="og:image" content="https://inquiry.example/x/lines/line.png"' in head
    assert "summary_large_image" in head
    other = Page(url="gaps.html", kind="index", title="Gaps", html="")
    assert "https://inquiry.example/x/assets/card.png" in head_of(other, Config(site=site))


def test_without_an_address_no_picture_is_drawn_or_named():
    page = page_of(corpus_of_notes(**NOTES))
    assert all(alternate.media_type != "image/png" for alternate in page.alternates)
    head = head_of(page, Config())
    assert "og:image" not in head
    assert "twitter:card" not in head


def test_a_claim_has_a_picture_and_evidence_the_one_of_the_site():
    notes = NOTES | {"seen": "---\ntype: evidence\n---\n\n# Seen\n\n- supports:: [[asked]]\n"}
    corpus = corpus_of_notes(config=Config(site=Site(url="https://inquiry.example/")), **notes)
    context = SiteContext(Addresses(corpus))
    kinds = {
        id: PNG in {each.media_type for each in statement_page(context, statement).alternates}
        for id, statement in corpus.statements.items()
    }
    assert kinds == {"asked": True, "seen": False}
