"""Texts of notes, for corpora of a few claims in two camps, and parts of pages made of them."""

from __future__ import annotations

import re

from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page_builder import PageBuilder
from tests.support.corpora import corpus_of_notes


def claim_text(title: str, camp: str, *edges: str, head: str = "") -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: claim\ncamp: {camp}\n{head}---\n\n# {title}\n\n{below}\n"


def evidence_text(title: str, quality: float, *edges: str) -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# {title}\n\n{below}\n"


def line_text(title: str, *rows: str, essay: str = "", head: str = "") -> str:
    camps = "\n".join(f"- {row}" for row in rows)
    return f"---\ntype: line\n{head}---\n\n# {title}\n\nAsked.\n\n{essay}\n\n## Camps\n\n{camps}\n"


def builder_of(corpus: Corpus) -> PageBuilder:
    """A page at the top of the site, with nothing on it yet."""
    return PageBuilder(SiteContext(Addresses(corpus)), "index.html")


def visible_text(html: str) -> str:
    """What a reader sees of some HTML, with single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", re.sub(r"<title>.*?</title>", "", html)))


def corpus_with_question(config: Config | None = None, **notes: str) -> Corpus:
    """A line `here` on the claim `asked`, with more notes."""
    here = line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n")
    return corpus_of_notes(config=config, asked=claim_text("Asked", "optimist"), here=here, **notes)
