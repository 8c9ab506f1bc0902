"""Small pages, and the programs that make their shell, for tests of the builder."""

from __future__ import annotations

import datetime as dt
import importlib.util
import warnings
from collections.abc import Iterator
from html import escape
from typing import get_args

import pytest

from kg.model.settings.config import Builder
from kg.publish.context.site_context import SiteContext
from kg.publish.page import Alternate, Heading, LazyPage, Page

URL = "https://example.org/notes/"


def statement_page(context: SiteContext, id: str) -> Page:
    """A page with everything a page may have."""
    statement = context.statements_with_bodies[id]
    url = context.addresses.of(id)
    return Page(
        url=url,
        kind="statement",
        title=statement.title,
        html=f"<h1>{escape(statement.title)}</h1>\n<p>{escape(statement.body)}</p>",
        toc=(Heading(id="text", text="Text"), Heading(id="more", text="More <b>", level=3)),
        description=f"About {statement.title}",
        linked_data='{"name": "</script><script>alert(1)</script>"}',
        alternates=(
            Alternate(
                suffix="json",
                media_type="application/vnd.citationstyles.csl+json",
                content='{"id": "x"}',
            ),
        ),
        search_text=statement.body,
        facets={"kind": (statement.kind.capitalize(),), "topic": statement.topics},
        aliases=statement.aliases,
        updated=statement.updated or dt.date(2026, 1, 1),
    )


def statements(context: SiteContext) -> Iterator[LazyPage]:
    """A page per statement, made when asked for."""
    for id in context.corpus.statements:
        yield LazyPage(context.addresses.of(id), lambda id=id: statement_page(context, id))


def home(context: SiteContext) -> Iterator[Page]:
    """The front page, with a link to every statement."""
    links = "".join(
        f'<li><a href="{context.addresses.of(id)}">{escape(statement.title)}</a></li>'
        for id, statement in context.corpus.statements.items()
    )
    yield Page(url="index.html", kind="home", title="Home", html=f"<h1>Home</h1><ul>{links}</ul>")


PAGES = (home, statements)


BUILDERS: tuple[Builder, ...] = get_args(Builder)


def skip_without(builder: Builder) -> None:
    """Skip where `builder` is not installed, and say so among the warnings: `make test` has all."""
    if importlib.util.find_spec(builder) is None:
        warnings.warn(f"{builder} is not installed, so nothing was tried with it", stacklevel=2)
        pytest.skip(f"needs {builder}")
