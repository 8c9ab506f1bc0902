"""How long a test waits for what must come: only against what hangs, on slow machines too."""

from __future__ import annotations

PATIENCE = 100.0
"""Seconds. A test that waits several times ends with `faulthandler_timeout` (`pyproject.toml`)."""
