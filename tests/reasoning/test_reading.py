"""A corpus read as a graph, once for the same settings."""

from __future__ import annotations

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of
from tests.support.reasoning_corpus import claim, corpus


def test_reading_is_kept_per_settings() -> None:
    notes = corpus(claim("p"))
    assert reading_of(notes) is reading_of(notes)
    assert reading_of(notes, Reasoning(gain=0.5)) is not reading_of(notes)
