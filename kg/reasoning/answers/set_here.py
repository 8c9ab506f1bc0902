"""What `kg.toml` sets that is not the default, and what an answer would be without that."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from kg.model.config import Reasoning
from kg.model.quality_settings import METHOD_RUNGS, Quality
from kg.reasoning.arrays import rounded_or_none
from kg.reasoning.reading import Question, reading_of
from kg.reasoning.weighed_answer import word_of


class AtDefaults(TypedDict):
    """Of a verdict: what is set here, and the strength and the word without that."""

    set_here: dict[str, float | str]
    default_strength: float | None
    default_word: str


def at_defaults(question: Question) -> AtDefaults:
    """What `kg.toml` sets that a verdict hangs on, and the verdict without that."""
    reading, changed = question.reading, set_here(question)
    if not changed:
        return {"set_here": {}, "default_strength": None, "default_word": ""}
    config = reading.corpus.config.model_copy(update={"quality": _usual_ladder(question)})
    corpus = replace(reading.corpus, config=config)
    plain = reading_of(corpus, Reasoning(), reading.judgements).question(
        question.line or question.statement
    )
    word = word_of(plain)
    return {
        "set_here": changed,
        "default_strength": rounded_or_none(plain.strength),
        "default_word": word,
    }


def set_here(question: Question) -> dict[str, float | str]:
    """The settings of `kg.toml` that numbers hang on and that are not the defaults."""
    config, usual = question.reading.corpus.config, Reasoning()
    # under settings that somebody tries, what the corpus set for itself is not what counts
    if question.settings != config.reasoning:
        return {}
    changed = {
        key: value
        for key, value in question.settings
        if value != getattr(usual, key) and key != "budget"  # which bounds searches alone
    }
    rungs = _rungs(config.quality)
    before = _rungs(_usual_ladder(question))
    return changed | {key: rung for key, rung in rungs.items() if rung != before[key]}


def _usual_ladder(question: Question) -> Quality:
    """The default ladder, with the methods that only this corpus knows."""
    here = question.reading.corpus.config.quality
    return Quality().model_copy(update={"kinds": {**here.kinds, **METHOD_RUNGS}})


def _rungs(table: Quality) -> dict[str, float]:
    """A ladder as keys of `kg.toml` and their numbers."""
    rungs: dict[str, float] = {}
    for key, value in table:
        by_word = value if isinstance(value, dict) else {"": value}
        rungs |= {f"quality.{key}.{word}".rstrip("."): rung for word, rung in by_word.items()}
    return rungs
