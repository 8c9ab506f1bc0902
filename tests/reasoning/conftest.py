"""What tests of the solver share."""

from __future__ import annotations

import pytest

from kg.reasoning.other_rules import equilibrium, strengths_by_reasons


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes to rest is given up an eighth of the way: to the end is as much slower."""
    few = equilibrium.MAX_ROUNDS // 8
    for module in (equilibrium, strengths_by_reasons):
        monkeypatch.setattr(module, "MAX_ROUNDS", few)
