"""The syntax of figures: effects (`d=0.42 [0.1, 0.7]`) and p-values (`<.001`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.model.figures import EFFECT_RANGES, NO_EFFECT
from kg.text.figures_in_text import SIGN, number_pattern, parse_number

# unlike in running text, a number may have an exponent, and one of more digits is refused
_NUMBER = SIGN + "?" + number_pattern(r"\d{1,12}") + r"(?:[eE][+-]?\d{1,3})?"
_INTERVAL = (
    rf"(?:[\s,;]*(?:95\s?%\s*)?(?:CI\s*[:=]?\s*)?"
    rf"[\[(]\s*(?P<low>{_NUMBER})\s*%?\s*(?:,|;|–|\.\.|to)\s*(?P<high>{_NUMBER})\s*%?\s*[\])])?"
)
_KIND_FIRST = re.compile(
    rf"(?P<kind>[^\W\d][\w²]*|%)\s*[=≈]\s*(?P<value>{_NUMBER}){_INTERVAL}", re.IGNORECASE
)
_UNIT_BEHIND = re.compile(rf"(?P<value>{_NUMBER})\s*(?P<kind>%|pp){_INTERVAL}", re.IGNORECASE)
_P = re.compile(rf"(?:p\s*)?(?P<sign>[<>=]?)\s*(?P<value>{_NUMBER})", re.IGNORECASE)
_MEASURE_SPELLINGS = {kind.casefold(): kind for kind in NO_EFFECT} | {
    "b": "β",
    "beta": "β",
    "eta2": "η²",
    "eta²": "η²",
    "η2": "η²",
    "rho": "ρ",
    "percent": "%",
}
EXAMPLE_EFFECT = "d=0.42 [0.1, 0.7]"
# what an editor suggests: with the minus that is typed
_PLAIN_NUMBER = r"[+-]?(\d+(\.\d+)?|\.\d+)"
_PLAIN_INTERVAL = rf"( \[{_PLAIN_NUMBER}, {_PLAIN_NUMBER}\])?"
_MEASURES = "|".join(kind for kind in NO_EFFECT if kind not in ("%", "pp"))
USUAL_EFFECT = (
    rf"^(({_MEASURES})={_PLAIN_NUMBER}{_PLAIN_INTERVAL}|{_PLAIN_NUMBER} ?(%|pp){_PLAIN_INTERVAL})$"
)
# The usual spelling of effects and p, for editors; the parsers accept more.
USUAL_P = r"^[<>]?(0?\.\d*[1-9]\d*|1(\.0*)?)$"


class ParsedEffect(NamedTuple):
    """An effect size, its measure, and its interval if given."""

    value: float
    measure: str
    low: float | None
    high: float | None


class ParsedP(NamedTuple):
    """A p-value, with `<` or `>` if it is only a bound."""

    value: float
    sign: str


def parse_effect(effect_text: str) -> ParsedEffect:
    """An effect as written in a note. Raises `ValueError`, whose message says what is expected."""
    match = _KIND_FIRST.fullmatch(effect_text) or _UNIT_BEHIND.fullmatch(effect_text)
    if match is None:
        raise ValueError(f"a measure, a number and its interval, such as `{EXAMPLE_EFFECT}`")
    measure = _MEASURE_SPELLINGS.get(match["kind"].casefold())
    if measure is None:
        measures = ", ".join(NO_EFFECT)
        raise ValueError(f"of a known kind, not {match['kind'][:20]!r}: {measures}")
    value, low, high = (_parse_number(match[name]) for name in ("value", "low", "high"))
    assert value is not None
    minimum, maximum = EFFECT_RANGES.get(measure, (-float("inf"), float("inf")))
    for each in (value, low, high):
        if each is not None and not minimum <= each <= maximum:
            bound = f"at most {maximum:g}" if each > maximum else f"at least {minimum:g}"
            raise ValueError(f"{bound} for {measure}, not {each:g}")
    if low is not None and high is not None and not low <= value <= high:
        raise ValueError(f"within its interval, not {value:g} beside [{low:g}, {high:g}]")
    return ParsedEffect(value, measure, low, high)


def parse_p(p_text: str) -> ParsedP:
    """A p-value as written in a note. Raises `ValueError`, whose message says what is expected."""
    match = _P.fullmatch(p_text)
    value = _parse_number(match["value"]) if match else None
    if match is None or value is None or not 0.0 < value <= 1.0:
        raise ValueError("a number above 0 and up to 1, such as `0.003` or `<.001`")
    return ParsedP(value, match["sign"].replace("=", ""))


def _parse_number(number_text: str | None) -> float | None:
    return None if number_text is None else parse_number(number_text)
