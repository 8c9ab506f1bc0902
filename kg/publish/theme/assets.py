"""Where the inputs of the site are, and the files that every page shares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from kg.corpus import Corpus
from kg.model import Value
from kg.publish.graphics.card import SITE_CARD, site_card
from kg.publish.markup.style import render_camp_styles, render_relation_styles


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


class Asset(Value, frozen=True):
    """A file of the site; `path` is relative to the site's root."""

    path: str
    content: bytes


def find_assets(corpus: Corpus) -> Iterator[Asset]:
    """The looks of camps and relations, the script that draws graphs, the picture of the site."""
    # A build that has nothing to do need not load pyvis.
    from kg.publish.graphics.explorer import SCRIPT, read_vis_script

    yield Asset(path="assets/camps.css", content=render_camp_styles(corpus.config).encode())
    yield Asset(path="assets/relations.css", content=render_relation_styles().encode())
    yield Asset(path=f"assets/{SCRIPT}", content=read_vis_script())
    if drawn := site_card(corpus.config.site):
        yield Asset(path=SITE_CARD, content=drawn)
