"""Where the inputs of the site are: inside an installed package, or in the repository's `site/`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path


class NoInputs(FileNotFoundError):
    """Neither the package nor the repository holds the theme's inputs; the message says where."""


@cache
def find_inputs() -> Path:
    """The folder with `mkdocs.yml`, `overrides`, `assets` and `pages`; raises `NoInputs`."""
    package = Path(str(files("kg")))
    places = (package / "_site", package.parent / "site")
    for place in places:
        if (place / "mkdocs.yml").is_file():
            return place
    raise NoInputs(f"no mkdocs.yml in {' or '.join(map(str, places))}; reinstall inquiry-lines")
