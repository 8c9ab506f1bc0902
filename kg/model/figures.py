"""Figures of evidence: classes of samples, kinds of effects, and how they are written."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping

# The kinds of effects, and the value of each that means no effect; a share has no such value.
NO_EFFECT: Mapping[str, float | None] = {
    "d": 0.0,
    "g": 0.0,
    "r": 0.0,
    "ρ": 0.0,
    "β": 0.0,
    "η²": 0.0,
    "OR": 1.0,
    "RR": 1.0,
    "HR": 1.0,
    "AUC": 0.5,
    "pp": 0.0,
    "%": None,
}
# The ranges of kinds whose values are bounded.
EFFECT_RANGES: Mapping[str, tuple[float, float]] = {
    "r": (-1.0, 1.0),
    "ρ": (-1.0, 1.0),
    "η²": (0.0, 1.0),
    "AUC": (0.0, 1.0),
    "OR": (0.0, float("inf")),
    "RR": (0.0, float("inf")),
    "HR": (0.0, float("inf")),
}
RATIO_KINDS = frozenset(("OR", "RR", "HR"))
SIGNIFICANCE_LEVEL = 0.05  # the usual level of significance, corresponding to intervals of 95 %
PERCENTAGES = frozenset(("%", "pp"))
_IRREGULAR = {
    "analyses": "study",
    "children": "child",
    "corpora": "corpus",
    "data": "item",
    "men": "man",
    "people": "person",
    "women": "woman",
}
_BEHIND_THE_NOUN = re.compile(
    r"[,;:(]|\s(?:of|in|from|with|per|across|over|by|on|for|who|that|at|and|or|to|between|under)\s",
    re.IGNORECASE,
)


class SampleClass(enum.StrEnum):
    """The kind of thing that a sample consists of: 555 scenarios are not 555 participants."""

    PEOPLE = "people"
    CONVERSATIONS = "conversations"
    ITEMS = "items"
    MODELS = "models"
    UNKNOWN = "unknown"


_NOUNS_OF_CLASS: Mapping[SampleClass, str] = {
    SampleClass.PEOPLE: """
        adolescent adult annotator applicant author baby believer boy caregiver carer child
        citizen clinician coder consumer couple customer driver employee engineer evaluator
        expert family farmer female girl grader household human individual infant informant
        interviewee judge juror learner listener male man manager member nurse observer officer
        parent participant patient person physician player programmer psychologist pupil rater
        reader researcher resident respondent reviewer scholar scientist smoker soldier speaker
        student subject teacher teenager therapist toddler tutor undergraduate user viewer
        volunteer voter woman worker writer youth""",
    SampleClass.CONVERSATIONS: """
        chat consultation conversation debate dialog dialogue discussion dyad encounter exchange
        interaction interview meeting negotiation session talk thread transcript""",
    SampleClass.ITEMS: """
        abstract act answer article benchmark book caption case claim comment comparison corpus
        dataset document essay event example exercise experiment image instance instruction item
        judgement judgment label message note occasion outcome page paper passage persona phrase
        poem post problem profile prompt question reply report response review row sample
        scenario scene sentence snippet statement story study survey synset task test text
        token topic trial triple turn tweet utterance video vignette word work""",
    SampleClass.MODELS: """
        agent algorithm architecture assistant bot chatbot checkpoint classifier llm model
        network robot system""",
}
_CLASS_OF_UNIT = {word: kind for kind, words in _NOUNS_OF_CLASS.items() for word in words.split()}


def sample_class_of(unit: str) -> SampleClass:
    """The class of a sample's unit, by its head noun: `turns of talk` are items.

    `SampleClass.UNKNOWN` if no word of the unit is known, or there is none.
    """
    head = _BEHIND_THE_NOUN.split(f"{unit} ", 1)[0]
    for word in reversed(re.findall(r"[\w']+", head.casefold())):
        if sample_class := _CLASS_OF_UNIT.get(_singular_of(word)):
            return sample_class
    return SampleClass.UNKNOWN


def _singular_of(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _CLASS_OF_UNIT or not word.endswith("s"):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


def is_significant(p: float, sign: str) -> bool:
    """Whether a recorded p, with its sign `<`, `>` or none, is at the usual level or below."""
    # an interval that ends at no effect gives .05 up to rounding
    return sign != ">" and p <= SIGNIFICANCE_LEVEL + 1e-9


def render_effect(measure: str, value: float, low: float | None, high: float | None) -> str:
    """An effect as written in a note: `d=0.42 [0.1, 0.7]`, `45 % [40, 50]`."""
    interval = "" if low is None or high is None else f" [{low:g}, {high:g}]"
    effect = f"{value:g} {measure}" if measure in PERCENTAGES else f"{measure}={value:g}"
    return effect + interval


def render_p(sign: str, value: float) -> str:
    """A p as written in a note: `0.003`, `<0.001`."""
    return f"{sign}{value:g}"
