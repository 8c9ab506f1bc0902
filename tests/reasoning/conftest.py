"""What tests of the solver share."""

from __future__ import annotations

import pytest

from kg.reasoning.other_rules import strengths_by_reasons


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes to rest is given up a thirty-second of the way: to the end is as much slower."""
    few = strengths_by_reasons.MAX_ROUNDS // 32
    monkeypatch.setattr(strengths_by_reasons, "MAX_ROUNDS", few)
