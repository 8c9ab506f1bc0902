"""Rules that compare the figures in evidence's fields with those in texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from kg.checks.figures_in_sources import figures_by_statement, source_texts
from kg.checks.note_places import place_of, place_of_key
from kg.checks.rule import RuleViolation, is_exempt, rule
from kg.corpus import Corpus
from kg.model import Severity, Statement
from kg.text.figures_in_text import SIGN, WHOLE_NUMBER, parse_number, without_separators

_COUNTED = re.compile(
    rf"(?<![\w.,–-])({WHOLE_NUMBER})(?![\d.,]*\d|\s*%)((?:[ \n][A-Za-z-]+){{1,3}})"
)
# values of p and of effects are short: longer numbers in these places are seldom such values
_P = re.compile(r"(?<![\w.])p\s?([<>=≤≥])\s?(0?\.\d{1,6}|1(?:\.0+)?)(?!\d)", re.IGNORECASE)
_EFFECT = re.compile(
    rf"(?<![\w.])([a-zρβη]{{1,3}}²?)\s?=\s?({SIGN}?\d{{0,4}}\.?\d{{1,4}})(?!\d)", re.IGNORECASE
)
_EFFECT_IN_WORDS = re.compile(
    r"(?<![\w.])((?i:(?:odds|risk|hazard)\sratio|relative\srisk|cohen[’']s\sd)|OR|RR|HR|d|r)"
    rf"\s(?:was|is|of)\s({SIGN}?\d{{0,4}}\.\d{{1,4}})(?!\d|\s?%)"  # with a point: `OR of 4 studies`
)
_MEASURES = {"odds ratio": "or", "risk ratio": "rr", "relative risk": "rr", "hazard ratio": "hr"}
_VERB = re.compile(r" (?:was|is|of) (?=[\d.+−-])")
_HELP = "look it up again, and correct the wrong one"


@rule(Severity.WARNING)
def figures_differ_from_text(corpus: Corpus) -> Iterator[RuleViolation]:
    """Evidence whose text and fields give different figures: 140 people in one, 410 in the other.

    Only slips are reported: digits in another order, one missing, or the point misplaced. Nothing
    is reported if the text also gives the recorded sample, or several p or effects.
    """
    for evidence in corpus.evidence:
        if is_exempt(corpus, evidence):
            continue
        for figure in _differing_figures(evidence, f"{evidence.title}\n{evidence.body}"):
            text = _VERB.sub(" = ", figure.in_text)
            message = f"the text gives {text}, but `{figure.name}` records {figure.in_field}"
            yield RuleViolation(place_of_key(corpus, evidence.span, figure.in_text), message, _HELP)


@rule(Severity.WARNING)
def figures_seen_otherwise(corpus: Corpus) -> Iterator[RuleViolation]:
    """A figure that differs from the one in the source: 140 in its abstract, 410 recorded.

    It is compared with the archived text (`snapshot`), or the abstract in a bibliography. Only
    slips are reported, as in `figures-differ-from-text`, and only if the note cites a single
    source, which nowhere gives the recorded figure.
    """
    for evidence in corpus.evidence:
        texts = list(source_texts(corpus, evidence)) if len(evidence.sources) == 1 else []
        if is_exempt(corpus, evidence) or not texts:
            continue
        ((source, name, text),) = texts
        reported_names = {
            figure.name
            for figure in _differing_figures(evidence, f"{evidence.title}\n{evidence.body}")
        }
        unseen_names = {
            figure.name
            for figure in figures_by_statement(corpus).get(evidence.id, ())
            if not figure.text_with_figure
        }
        for figure in _differing_figures(evidence, text):
            if figure.name in unseen_names - reported_names:
                bare_figure = re.sub(r"(?<=\d) .*", "", _VERB.sub(" = ", figure.in_text))
                message = f"{name} of `{source.key}` gives {bare_figure}, "
                message += f"but `{figure.name}` records {figure.in_field}"
                span = place_of(corpus, evidence, figure.name, "")
                yield RuleViolation(span, message, _HELP, (source.span,))


class _DifferingFigure(NamedTuple):
    """A figure that differs between a text and the field `name` of the evidence."""

    name: str
    in_text: str
    in_field: str


def _differing_figures(evidence: Statement, text: str) -> Iterator[_DifferingFigure]:
    """Yield the figures that differ between a text and the fields of the evidence."""
    yield from _differing_samples(evidence, text)
    yield from _differing_p_values(evidence, text)
    yield from _differing_effects(evidence, text)


def _differing_samples(evidence: Statement, text: str) -> Iterator[_DifferingFigure]:
    noun = _noun_of_unit(evidence.sample_unit)
    if evidence.sample is None or not noun:
        return
    if re.search(rf"(?<!\d){evidence.sample}(?!\d)", without_separators(text)):
        return
    for match in _COUNTED.finditer(text):
        number = int(re.sub(r"\D", "", match[1]))
        words = [_singular(word) for word in match[2].split()]
        if noun in words and _is_typing_error(number, evidence.sample):
            unit_words = " ".join(match[2].split()[: words.index(noun) + 1])
            yield _DifferingFigure(
                "sample",
                in_text=f"{number} {unit_words}",
                in_field=f"{evidence.sample} {evidence.sample_unit}",
            )
            return


def _is_typing_error(number: int, recorded_number: int) -> bool:
    """Return whether two numbers differ only in the order of digits, or by one missing digit."""
    digits = str(number)
    recorded_digits = str(recorded_number)
    # a single digit cannot be swapped or lost
    if min(len(digits), len(recorded_digits)) < 2 or number == recorded_number:
        return False
    if len(digits) == len(recorded_digits):
        return Counter(digits) == Counter(recorded_digits)
    shorter, longer = sorted((digits, recorded_digits), key=len)
    return len(longer) - len(shorter) == 1 and any(
        longer[:n] + longer[n + 1 :] == shorter for n in range(len(longer))
    )


def _noun_of_unit(unit: str) -> str:
    words = re.match(r"[A-Za-z-]+(?: [A-Za-z-]+)?", unit)
    return _singular(words[0].split()[-1]) if words else ""


def _singular(word: str) -> str:
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _differing_p_values(evidence: Statement, text: str) -> Iterator[_DifferingFigure]:
    if evidence.p is None:
        return
    text_by_value = {float(value): figure_text for _, value, figure_text in _find_numbers(_P, text)}
    if len(text_by_value) == 1:
        ((value, figure_text),) = text_by_value.items()
        if _has_same_digits(value, evidence.p):
            recorded_text = f"p {evidence.p_sign or '='} {evidence.p:g}"
            yield _DifferingFigure("p", figure_text, recorded_text)


def _differing_effects(evidence: Statement, text: str) -> Iterator[_DifferingFigure]:
    if evidence.effect is None:
        return
    kind = evidence.effect_kind.casefold()
    text_by_value = {
        abs(parse_number(value)): figure_text
        for pattern in (_EFFECT, _EFFECT_IN_WORDS)
        for name, value, figure_text in _find_numbers(pattern, text)
        if _measure_meant(name) == kind
    }
    if len(text_by_value) == 1:
        ((value, figure_text),) = text_by_value.items()
        if _has_same_digits(value, abs(evidence.effect)):
            yield _DifferingFigure("effect", figure_text, evidence.effect_text)


def _measure_meant(name: str) -> str:
    words = " ".join(name.casefold().split())
    return _MEASURES.get(words, words.rpartition(" ")[2])


def _has_same_digits(figure: float, recorded_figure: float) -> bool:
    """Return whether two figures differ only in the order of digits, or in the place of the
    point.
    """
    digits, recorded_digits = (
        f"{each:.6f}".replace(".", "").strip("0") for each in (figure, recorded_figure)
    )
    return (
        figure != recorded_figure and bool(digits) and Counter(digits) == Counter(recorded_digits)
    )


def _find_numbers(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str, str]]:
    for match in pattern.finditer(text):
        if match[2].strip("+−-."):
            yield match[1], match[2], " ".join(match[0].split())
