"""Files that every page shares and that are made from the corpus or taken from a library."""

from __future__ import annotations

from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import Value
from kg.publish.card import SITE_CARD, site_card
from kg.publish.style import render_camp_styles


class Asset(Value, frozen=True):
    """A file of the site; `path` is relative to the site's root."""

    path: str
    content: bytes


def find_assets(corpus: Corpus) -> Iterator[Asset]:
    """The colours of the camps, the script that draws graphs, the picture of the site."""
    # A build that has nothing to do need not load pyvis.
    from kg.publish.picture import SCRIPT, read_vis_script

    yield Asset(path="assets/camps.css", content=render_camp_styles(corpus.config).encode())
    yield Asset(path=f"assets/{SCRIPT}", content=read_vis_script())
    if drawn := site_card(corpus.config.site):
        yield Asset(path=SITE_CARD, content=drawn)
