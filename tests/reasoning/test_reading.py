"""A corpus read as a graph, once for the same settings."""

from __future__ import annotations

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of
from tests.support.corpus_parts import claim, corpus_of_parts


def test_a_reading_is_reused_under_the_same_settings() -> None:
    notes = corpus_of_parts(claim("p"))
    assert reading_of(notes) is reading_of(notes)
    assert reading_of(notes, Reasoning(gain=0.5)) is not reading_of(notes)
