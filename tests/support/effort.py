"""How many examples a property is tried on: few each time, many on request."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

TIMES = 10 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1


def examples(count: int, **more: Any) -> settings:
    """So many examples, or ten times as many where `HYPOTHESIS_PROFILE` is `thorough`."""
    return settings(max_examples=count * TIMES, **more)
