"""The numbers in the sentences of a piece of evidence, and those that its note records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from kg.model import Statement
from kg.publish.markup.phrases import render_sample

_LINK_OR_CODE = re.compile(r"\[\[[^\]]*\]\]|\[[^\]]*@[^\]]*\]|\]\([^)]*\)|`[^`]*`|\[\^[^\]]*\]")
_NUMBER = re.compile(
    r"(?<![\w.,@#/-])[-−]?(?:[$€£]\s?)?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?(?:\s?%|x|×)?(?![\w@])"
    r"|(?<![\w.,@#/-])[-−]?(?:[$€£]\s?)?(?:\d+(?:\.\d+)?|\.\d+)(?:\s?%|x|×| percentage points| "
    r"points)?(?![\w@])"
)
# `3.5` in `the model Claude 3.5`, and in `Claude 3.5 Sonnet` where that begins a sentence
_VERSION = re.compile(
    r"(?<=\w\s)[A-Z][\w-]*\s(\d{1,2}(?:\.\d)?)(?![\w%×]|[.,]\d|\s%)|[A-Z][\w-]*\s(\d{1,2}(?:\.\d)?)(?=\s[A-Z])"
)
_DIGITS = re.compile(r"[^\d.]")  # is no part of a number that is compared
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\d“\"(])")


class Figure(NamedTuple):
    """The numbers in one sentence of a statement."""

    statement: Statement
    sentence: str
    numbers: tuple[str, ...]


def find_figures(statement: Statement) -> list[Figure]:
    """The numbers of a statement, by sentence; years and names are left out."""
    text = statement.title + ".\n\n" + statement.body if statement.title else statement.body
    figures: list[Figure] = []
    numbers_seen: set[tuple[str, ...]] = set()
    text_in_one_line = " ".join(text.split())
    line_without_links = _LINK_OR_CODE.sub(lambda m: "x" * len(m[0]), text_in_one_line)
    ends = [
        0,
        *(gap.end() for gap in _SENTENCE.finditer(line_without_links)),
        len(text_in_one_line),
    ]
    for start, end in pairwise(ends):
        # as in most; to look for numbers takes long
        if not _DIGIT.search(line_without_links, start, end):
            continue
        sentence = text_in_one_line[start:end].strip()
        version_offsets = {
            m.start(m.lastindex or 0) for m in _VERSION.finditer(line_without_links, start, end)
        }
        number_texts = (
            m[0].strip()
            for m in _NUMBER.finditer(line_without_links, start, end)
            if m.start() not in version_offsets
        )
        numbers = tuple(number for number in number_texts if not _YEAR.match(number))
        if numbers and numbers not in numbers_seen:
            numbers_seen.add(numbers)
            figures.append(Figure(statement, sentence, numbers))
    return figures + _recorded_figures(statement, figures)


def _recorded_figures(statement: Statement, figures: Iterable[Figure]) -> list[Figure]:
    """The sample and the effect as recorded, if no sentence says the same number."""
    numbers_said = {_comparable_digits(number) for figure in figures for number in figure.numbers}
    records = ("Sample", render_sample(statement)), ("Effect", statement.effect_text)
    texts = [
        (f"{name}: {words}", words)
        for name, words in records
        if words and _comparable_digits(words) not in numbers_said
    ]
    words = "; ".join(each for each, _ in texts)
    return [Figure(statement, words, tuple(number for _, number in texts))] if texts else []


def _comparable_digits(number: str) -> str:
    """A number as compared with others: `-.79` is `0.79`, and `5,734 people` is `5734`."""
    return _DIGITS.sub("", number).lstrip("0")
