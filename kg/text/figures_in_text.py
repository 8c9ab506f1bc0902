"""Numbers in running text: extract them in context, or look for one."""

from __future__ import annotations

import re

SIGN = "[+−-]"  # a pattern of a sign: a plus, or a minus as typed or as typeset
_SEPARATOR = r"[, \u00a0\u2009\u202f]"
# A pattern of a count, with separators of thousands or without.
WHOLE_NUMBER = rf"\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+(?!\d)|\d{{1,15}}"

_THOUSANDS = re.compile(rf"(?<=\d){_SEPARATOR}(?=\d{{3}}(?!\d))")
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_IN_WORDS = re.compile(
    rf"\b(?:({_TENS})(?:[- ]({_ONES}))?|({_ONES}|{_TEENS}))\b",
    re.IGNORECASE,
)
_WORDS_BEFORE, _WORDS_BEHIND = 3, 5  # enough to include what a figure counts or measures
_GAP_BETWEEN_FIGURES = "… "


def number_pattern(digits: str = r"\d+") -> str:
    """A pattern of a number without sign and separators: `7`, `0.7` or `.7`.

    `digits` is the pattern of those before and behind the point.
    """
    return rf"(?:{digits}(?:\.{digits})?|\.{digits})"


_NUMBER = number_pattern()
_VALUES = {word: value for value, word in enumerate(f"{_ONES}|{_TEENS}".split("|"), 1)}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS.split("|"), 2)}
_NUMBER_ALONE = re.compile(rf"(?<![\w.,]){_NUMBER}(?![\w]|[.,]\d)")
_PERCENTAGE = re.compile(
    rf"({_NUMBER}(?:(?:\s?(?:[–,/-]|to|and|or),?\s?|\s?%\s?(?:[–,/-]|to|and|or),?\s?)+"
    rf"{SIGN}?{_NUMBER})*)\s?(?:%|per ?cent|(?:percentage )?points|pp\b)",
    re.IGNORECASE,
)


def parse_number(text: str) -> float:
    """The value of a number, which may have a `SIGN`."""
    return float(text.replace("−", "-"))


def without_separators(text: str) -> str:
    """`text` without the separators of thousands in its numbers."""
    return _THOUSANDS.sub("", text)


def digits_for_words(text: str) -> str:
    """`text` with number words as digits, and without thousands separators."""
    return _IN_WORDS.sub(_number_of_words, without_separators(text))


def _number_of_words(match: re.Match[str]) -> str:
    return str(sum(_VALUES[word.casefold()] for word in match.groups() if word))


def figures_of_text(text: str) -> str:
    """The figures in a text, each with a few words around it, and nothing else."""
    words = digits_for_words(text).split()
    shown_positions = {
        position
        for figure_position, word in enumerate(words)
        if any(sign.isdecimal() for sign in word)
        for position in range(
            max(figure_position - _WORDS_BEFORE, 0),
            min(figure_position + _WORDS_BEHIND, len(words)),
        )
    }
    pieces = (
        ("" if position - 1 in shown_positions else _GAP_BETWEEN_FIGURES) + words[position]
        for position in sorted(shown_positions)
    )
    return " ".join(pieces).removeprefix(_GAP_BETWEEN_FIGURES)


def text_has_number(text: str, value: float, as_percent: bool) -> bool:
    """Return whether a text in digits has a number, as precisely; as a percentage if
    `as_percent`.
    """
    numbers = _NUMBER_ALONE.findall(" ".join(_PERCENTAGE.findall(text)) if as_percent else text)
    decimals = len(f"{abs(value):.10f}".rstrip("0").partition(".")[2])
    return any(round(float(number), decimals) == abs(value) for number in numbers)
