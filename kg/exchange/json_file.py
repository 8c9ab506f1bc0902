"""Writes a value as a file of JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec


def render_json(value: Any) -> str:
    """A value as JSON that people can read, too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def write_json_file(value: Any, file: Path) -> None:
    """Write a value into `file` as `render_json` puts it."""
    file.write_text(render_json(value), "utf-8")
