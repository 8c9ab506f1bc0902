"""Counts in words."""

from __future__ import annotations

import pytest

from kg.model.spelling import many


@pytest.mark.parametrize(
    ("count", "thing", "shown"),
    [
        (0, "claim", "0 claims"),
        (1, "query", "1 query"),
        (2, "query", "2 queries"),
        (3, "essay", "3 essays"),
        (2, "independent source", "2 independent sources"),
    ],
)
def test_a_count_agrees_with_what_is_counted(count: int, thing: str, shown: str) -> None:
    assert many(count, thing) == shown
