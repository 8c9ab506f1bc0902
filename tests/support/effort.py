"""How many examples a property is tried on: some each time, many or few on request."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

TIMES = {"thorough": 20, "few": 0.2}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 1)


def examples(count: int, **more: Any) -> settings:
    """So many examples; twenty times as many, or a fifth, as `HYPOTHESIS_PROFILE` asks."""
    return settings(max_examples=max(1, int(count * TIMES)), **more)
