"""What tests of the solver share."""

from __future__ import annotations

import pytest

from kg.reasoning.other_rules import strengths_by_reasons


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes to rest is given up early: to the end takes 128 times as long."""
    few = strengths_by_reasons.MAX_ROUNDS // 128
    monkeypatch.setattr(strengths_by_reasons, "MAX_ROUNDS", few)
