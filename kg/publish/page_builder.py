"""One page while it is put together: its parts in reading order, and its table of contents."""

from __future__ import annotations

from kg.publish.markup.html import Child, Html, escape, join_children
from kg.publish.markup.links import TextPlace
from kg.publish.page import Heading
from kg.publish.site_context import SiteContext


class PageBuilder:
    """Gathers a page's parts in reading order."""

    def __init__(self, context: SiteContext, url: str, line: str | None = None) -> None:
        self.context = context
        self.link_maker = context.link_maker
        self.url = url
        self.root = "../" * url.count("/")
        self.line = line
        self.toc: list[Heading] = []
        self.parts: list[Child] = []

    def add(self, *children: Child) -> None:
        """Put something on the page as it is."""
        self.parts += children

    def section(
        self, id: str, title: str, *children: Child, level: int = 2, lead: str = ""
    ) -> None:
        """A heading and what stands under it; nothing at all where nothing would."""
        body = join_children(children)
        if not body:
            return
        self.toc.append(Heading(id=id, text=title, level=level))
        explained = f'<p class="kg-lead-in">{escape(lead)}</p>' if lead else ""
        head = f'<h{level} id="{escape(id)}">{escape(title)}</h{level}>{explained}'
        self.parts += (Html(f'<section class="kg-section">{head}'), body, Html("</section>"))

    def prose(
        self, text: str, path: str, mark: str = "", deeper: int = 0, listed: bool = False
    ) -> Html:
        """Markdown of a note; its headings join the table of contents where `listed`."""
        place = TextPlace(path=path, root=self.root, line=self.line, mark=mark, deeper=deeper)
        found = self.context.prose(text, place)
        if listed:
            self.toc += found.headings
        return Html(found.html)

    def words(self, text: str, path: str) -> Html:
        """A line of Markdown of a note."""
        return self.context.words(text, path, self.root, self.line)

    def statement(self, id: str) -> Html:
        return self.link_maker.statement(id, self.root, self.line)

    def any(self, id: str) -> Html:
        return self.link_maker.any(id, self.root, self.line)

    def html(self, kind: str) -> Html:
        """The whole page, as what stands inside the site's article."""
        return join_children((Html(f'<div class="kg kg-page-{kind}">'), self.parts, Html("</div>")))
