"""The programs that can make the site's shell, for tests with each of them."""

from __future__ import annotations

import importlib.util
import warnings
from typing import get_args

import pytest

from kg.model.settings.config import Builder

BUILDERS: tuple[Builder, ...] = get_args(Builder)


def skip_without(builder: Builder) -> None:
    """Skip where `builder` is not installed, and say so among the warnings: `make test` has all."""
    if importlib.util.find_spec(builder) is None:
        warnings.warn(f"{builder} is not installed, so nothing was tried with it", stacklevel=2)
        pytest.skip(f"needs {builder}")
