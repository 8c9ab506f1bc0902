"""The whole site as one MkDocs project: the slow way, for when the theme cannot be cut.

MkDocs, or a program that reads its projects, builds the folder unaided.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

import yaml

from kg.model.config import Config
from kg.publish.page import Page
from kg.publish.theme.shell import copy_project, load_settings, run_builder
from kg.publish.theme.splice import head_of
from kg.publish.theme.stencil import parse_written


class PlainProject:
    """Pages of one corpus as sources that MkDocs renders one by one."""

    def __init__(self, folder: Path, inputs: Path, config: Config) -> None:
        """Start in `folder`, which is empty."""
        self.folder = folder
        self.config = config
        settings = load_settings(inputs, config.site)
        settings["site_name"] = escape(config.site.name)
        settings["site_description"] = escape(config.site.description)
        files = [file for entry in settings["nav"] for file in entry.values()]
        copy_project(inputs, settings, folder)
        missing = [file for file in files if not (folder / "pages" / file).exists()]
        self.sections = tuple(file.removesuffix(".md") + ".html" for file in missing)
        self._heads: dict[str, str] = {}

    def add(self, page: Page) -> None:
        """Write the source of `page`; its HTML comes at the end."""
        place = self.folder / "pages" / f"{page.url.removesuffix('.html')}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(render_source(page), "utf-8")
        self._heads[page.url] = head_of(page, self.config)

    def finish(self) -> Iterator[tuple[str, str]]:
        """Run MkDocs; address and HTML of every page. Raises `ShellError`."""
        run_builder(self.folder, self.config.site.builder)
        html = self.folder / "html"
        for place in sorted(html.rglob("*.html")):
            url = place.relative_to(html).as_posix()
            slots = {"head": self._heads.get(url, "")}
            yield url, parse_written(place.read_text("utf-8"), url).fill(url, slots)


def render_source(page: Page) -> str:
    """A page as Markdown that holds its HTML; the theme prints titles as they are."""
    meta = {
        "title": escape(page.title),
        "description": escape(page.description),
        "hide": ["navigation", "toc"],
        "search": {"exclude": True},
    }
    head = yaml.safe_dump(meta, allow_unicode=True, sort_keys=False)
    return f'---\n{head}---\n\n<div markdown="0">\n{page.html}\n</div>\n'
