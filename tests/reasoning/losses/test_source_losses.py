"""The sources that each statement hears are those that its verdict counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, verdict
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.losses.source_losses import count_sources_heard
from tests.support.note_texts import claim, evidence


@pytest.fixture
def corpus(corpus_of: Callable[..., Corpus]) -> Corpus:
    """A claim that hears two works, one of them on both sides, and a premise that falls."""
    return corpus_of(
        references="@book{a, title={A}, author={A B}}\n@book{b, title={B}, author={C D}}",
        asked=claim("Asked", "optimist", "depends-on:: [[premise]]"),
        premise=claim("Premise", "optimist"),
        first=evidence("First", 0.6, "supports:: [[asked]]") + "\n[@a]\n",
        again=evidence("Again", 0.5, "contradicts:: [[asked]]") + "\n[@a]\n",
        next=evidence("Next", 0.7, "supports:: [[asked]]") + "\n[@b]\n",
        denial=evidence("Denial", 0.7, "contradicts:: [[premise]]") + "\n[@b]\n",
        bare=claim("Bare", "optimist"),
    )


def test_each_source_that_has_a_part_is_counted_once_and_a_premise_that_falls_is_none(
    corpus: Corpus,
) -> None:
    reading = reading_of(corpus)
    counts = count_sources_heard(reading.graph)
    heard = {id: counts[reading.graph.number_of[id]] for id in ("asked", "premise", "bare")}
    assert heard == {"asked": 2, "premise": 1, "bare": 0}
    for id, count in heard.items():
        answer = verdict(reading, id)
        assert isinstance(answer, Verdict)
        assert answer.sources == count


def test_none_is_counted_where_sources_are_not_followed(corpus: Corpus) -> None:
    reading = reading_of(corpus, Reasoning(transfer="plain"))
    assert set(count_sources_heard(reading.graph)) == {0}
