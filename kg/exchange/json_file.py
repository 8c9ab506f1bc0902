"""Writes a value as a file of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def render_json(value: Any) -> str:
    """A value as JSON that people can read, too."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def write_json_file(value: Any, file: Path) -> None:
    """Write a value into `file` as `render_json` puts it."""
    file.write_text(render_json(value), "utf-8")
