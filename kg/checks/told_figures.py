"""A rule about figures that a finding tells in words beside those that it records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import Severity, Statement, Status

_NUMBER = r"\d{1,3}(?:[, \u00a0\u202f]\d{3})+(?!\d)|\d{1,15}"
_COUNTED = re.compile(rf"(?<![\w.,–-])({_NUMBER})(?![\d.,]*\d|\s*%)((?:[ \n][A-Za-z-]+){{1,3}})")
_P = re.compile(r"(?<![\w.])p\s?([<>=≤≥])\s?(0?\.\d{1,6}|1(?:\.0+)?)(?!\d)", re.IGNORECASE)
_EFFECT = re.compile(
    r"(?<![\w.])([a-zρβη]{1,3}²?)\s?=\s?([+−-]?\d{0,4}\.?\d{1,4})(?!\d)", re.IGNORECASE
)
_HELP = "look it up again, and correct the one that is wrong"


@rule(Severity.WARNING)
def figures_told_otherwise(corpus: Corpus) -> Iterator[Finding]:
    """A finding whose words and fields give different figures: 140 people told, 410 recorded.

    Only clear cases count: a sample with a slip of the pen or a part larger than the whole, or a p
    or an effect that the words tell once, and otherwise. A figure that is told anywhere as it is
    recorded is taken to be right.
    """
    for item in corpus.evidence:
        if item.status is Status.RETIRED:
            continue
        told = f"{item.title}\n{item.body}"
        for name, written, recorded in (
            *_sample(item, told),
            *_p(item, told),
            *_effect(item, told),
        ):
            message = f"the text tells {written}, and `{name}` records {recorded}"
            yield Finding(item.span, message, _HELP)


def _sample(item: Statement, told: str) -> Iterator[tuple[str, str, str]]:
    noun = _noun(item.sample_unit)
    if item.sample is None or not noun or item.sample < 10:
        return
    if re.search(
        rf"(?<!\d){item.sample}(?!\d)", re.sub(r"(?<=\d)[, \u00a0\u202f](?=\d{3})", "", told)
    ):
        return
    for found in _COUNTED.finditer(told):
        number = int(re.sub(r"\D", "", found[1]))
        words = [_singular(word) for word in found[2].split()]
        if noun in words and _is_slip(number, item.sample):
            counted = " ".join(found[2].split()[: words.index(noun) + 1])
            yield "sample", f"{number} {counted}", f"{item.sample} {item.sample_unit}"
            return


def _is_slip(told: int, recorded: int) -> bool:
    """Whether a number is another with its digits in another order, or one of them lost."""
    one, other = str(told), str(recorded)
    if min(len(one), len(other)) < 2 or told == recorded:
        return False
    if len(one) == len(other):
        return Counter(one) == Counter(other)
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(
        long[:n] + long[n + 1 :] == short for n in range(len(long))
    )


def _noun(unit: str) -> str:
    words = re.match(r"[A-Za-z-]+(?: [A-Za-z-]+)?", unit)
    return _singular(words[0].split()[-1]) if words else ""


def _singular(word: str) -> str:
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _p(item: Statement, told: str) -> Iterator[tuple[str, str, str]]:
    if item.p is None:
        return
    values = {(sign, float(value)): whole for sign, value, whole in _found(_P, told)}
    if len(values) != 1:
        return
    ((sign, value), whole) = next(iter(values.items()))
    recorded = f"p {item.p_sign or '='} {item.p:g}"
    low, high = _bounds(sign, value)
    own_low, own_high = _bounds(item.p_sign or "=", item.p)
    if high < own_low or own_high < low:
        yield "p", whole, recorded


def _bounds(sign: str, value: float) -> tuple[float, float]:
    """Between what a p lies that is told so; one that is given is rounded."""
    if sign in "<≤":
        return 0.0, value
    return (value, 1.0) if sign in ">≥" else (value * 0.94, value * 1.06)


def _effect(item: Statement, told: str) -> Iterator[tuple[str, str, str]]:
    if item.effect is None or item.effect_kind in ("%", "pp"):
        return
    kind = item.effect_kind.casefold()
    values = {
        float(value.replace("−", "-")): whole
        for name, value, whole in _found(_EFFECT, told)
        if name.casefold() == kind
    }
    for value, whole in values.items() if len(values) == 1 else ():
        if abs(abs(value) - abs(item.effect)) > 0.06 * max(abs(value), abs(item.effect)):
            yield "effect", whole, item.effect_text


def _found(pattern: re.Pattern[str], told: str) -> Iterator[tuple[str, str, str]]:
    for found in pattern.finditer(told):
        if found[2].strip("+−-."):
            yield found[1], found[2], " ".join(found[0].split())
