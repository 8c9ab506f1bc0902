"""What tests of the solver share."""

from __future__ import annotations

import pytest

from kg.reasoning.other_rules import equilibrium


@pytest.fixture
def few_time_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes to rest is given up a tenth of the way: to the end is ten times as slow."""
    monkeypatch.setattr(equilibrium, "MAX_TIME_STEPS", equilibrium.MAX_TIME_STEPS // 10)
