"""The script that draws graphs in the browser, taken from pyvis without importing it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

SCRIPT = "vis-network.min.js"


def read_vis_script() -> bytes:
    """The copy of vis-network that comes with pyvis, to be served from the site itself."""
    spec = find_spec("pyvis")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("lib").joinpath("vis-9.1.2", SCRIPT).read_bytes()
