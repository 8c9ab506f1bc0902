"""Words with one meaning on every page, each a link to where it is explained."""

from __future__ import annotations

from kg.publish.markup.html import Child, Html, element
from kg.publish.markup.words import count_of
from kg.publish.page_builder import PageBuilder

_COUNTED, _WORDS = "what-is-counted", "what-the-words-of-an-answer-mean"
_SOURCES = "Works that are cited here, each once."
_INDEPENDENT = "Sources that share a team, data or a system count as one."
_NUMBERS = "where-numbers-come-from"
_QUALITY = "How much a piece of evidence can carry"
_WORD = "What the words of an answer mean"


def term(builder: PageBuilder, words: Child, place: str, title: str) -> Html:
    """A word with a link to where the site explains it."""
    href = f"{builder.root}how-to-read.html#{place}"
    return element("a", words, href=href, title=title, class_="kg-term")


def sources(builder: PageBuilder, number: int) -> Html | str:
    """`3 sources`: works that are cited."""
    words = count_of(number, "source")
    return term(builder, words, _COUNTED, _SOURCES) if number else words


def independent(builder: PageBuilder, number: int | str) -> Html:
    """`3 independent sources`: those that share a team or data count as one."""
    words = number if isinstance(number, str) else count_of(number, "independent source")
    return term(builder, words, _COUNTED, _INDEPENDENT)


def answer_word(builder: PageBuilder, word: str) -> Html:
    """`Leans supported` or `Quality 0.55`, with a link to where such words are explained."""
    if word.startswith("quality"):
        return term(builder, word.capitalize(), _NUMBERS, _QUALITY)
    return term(builder, word.capitalize(), _WORDS, _WORD)
