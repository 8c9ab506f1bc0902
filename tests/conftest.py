"""Fixtures that show a test's input in the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from corpora import read

from kg.corpus import Corpus


@pytest.fixture
def corpus_of() -> Callable[..., Corpus]:
    """A corpus of notes given as text: `corpus_of(a="…", references="…")`."""
    return read
