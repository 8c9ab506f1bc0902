"""When a strength counts as moved."""

from __future__ import annotations

from kg.queries.history.line_answers import has_strength_moved
from tests.support.every_row import every_row


@every_row(
    ("before", "after", "is_moved"),
    [
        (0.9189, 0.9368, True),  # shown as 0.92 and 0.94
        (0.9449, 0.9251, False),  # shown as 0.94 and 0.93
        (0.72, 0.70, True),
        (0.72, 0.71, False),
        (None, 0.5, True),
        (None, None, False),
    ],
)
def test_a_strength_has_moved_if_readers_see_it(
    before: float | None, after: float | None, is_moved: bool
) -> None:
    assert has_strength_moved(before, after) is is_moved
    assert has_strength_moved(after, before) is is_moved
