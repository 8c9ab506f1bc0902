"""A page of the theme, cut where pages of the corpus are spliced in."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from kg.model.errors import KgError
from kg.publish.content_policy import with_policy
from kg.publish.markup.html import escape, escape_json
from kg.publish.page import Heading
from kg.runtime.memoize import ResultsKeeper, memoize

ARTICLE_ID = "kg-article"
_MARK = "\x00"
_PREFIX = f"{_MARK}prefix{_MARK}"
_SCOPE = f"{_MARK}scope{_MARK}"

_ADDRESS = re.compile(r'\b(href|src|action)="([^"]*)"')
_FOREIGN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|[/#?]")
_CONFIG = re.compile(r'(<script id="__config" type="application/json">)(.*?)(</script>)', re.DOTALL)
_NEIGHBOURS = re.compile(r'\s*<link rel="(?:canonical|prev|next)"[^>]*>')
_TOC = re.compile(r'<nav class="md-nav md-nav--secondary".*?</nav>', re.DOTALL)
_SKIP = re.compile(r'href="#[^"]*"(?= class="md-skip")')
_ITEM = re.compile(r'<li><a class="md-nav__link".*?</li>', re.DOTALL)
_BLANK = re.compile(r"\s*\n\s*")
_BETWEEN_TAGS = re.compile(r"(?<=[>\x00])\n(?=[<\x00])")
# The theme's banners and messages, which are not used; the switch that `header.js` puts back.
_IDLE = re.compile(
    r'<div data-md-component="announce">\s*</div>'
    r'|<div class="md-dialog"[^>]*>\s*<div[^>]*>\s*</div>\s*</div>'
    r'|<input class="md-toggle" data-md-toggle="search"[^>]*>'
)
_DESCRIPTION = re.compile(r'<meta name="description"(?= content=)')

_CutPage: TypeAlias = tuple[bytes, list[tuple[str, bytes]]]


class StencilError(KgError, ValueError):
    """The theme's page lacks a place to splice something in; the message names it."""


class Stencil(ResultsKeeper):
    """One page of the theme, with addresses independent of its depth."""

    def __init__(self, text: str, toc_html: str = "", hosts: tuple[str, ...] = ()) -> None:
        self._text = text
        self._hosts = hosts
        self._toc_html = toc_html

    def fill(self, url: str, slots: dict[str, str], headings: Iterable[Heading] = ()) -> str:
        """The page at `url`, with HTML for each slot; missing slots are empty."""
        return self.encode(url, slots, headings).decode("utf-8")

    def encode(self, url: str, slots: dict[str, str], headings: Iterable[Heading] = ()) -> bytes:
        """The page at `url` as bytes; most of it is the theme's, and already encoded."""
        html_by_slot = {**slots, "toc": self._table(tuple(headings))}
        first, rest = self._cut_at_depth(url.count("/"))
        parts = [first]
        for name, text in rest:
            parts += html_by_slot.get(name, "").encode("utf-8"), text
        return b"".join(parts)

    @memoize
    def _cut_at_depth(self, depth: int) -> _CutPage:
        """The part before the first slot, and each slot's name with the part after it."""
        text = self._text.replace(_PREFIX, "../" * depth)
        text = text.replace(_SCOPE, "/".join([".."] * depth) or ".")
        first, *rest = with_policy(text, self._hosts).split(_MARK)
        texts_after = [text.encode("utf-8") for text in rest[1::2]]
        return first.encode("utf-8"), list(zip(rest[::2], texts_after, strict=True))

    def _table(self, headings: tuple[Heading, ...]) -> str:
        if not headings:
            return ""
        return _ITEM.sub(lambda _: self._toc_entries(headings), self._toc_html)

    def _toc_entries(self, headings: Sequence[Heading]) -> str:
        html = []
        for heading, subheadings in _group_by_top_heading(headings):
            item = self._toc_item.replace("#kg-slot-heading", f"#{escape(heading.id)}")
            item = item.replace("kg-slot-heading", escape(heading.text))
            if subheadings:
                item = f"{item.removesuffix('</li>')}<ul>{self._toc_entries(subheadings)}</ul></li>"
            html.append(item)
        return "".join(html)

    @cached_property
    def _toc_item(self) -> str:
        match = _ITEM.search(self._toc_html)
        return match[0] if match else ""


@lru_cache(maxsize=64)
def parse_stencil(html: str, url: str, hosts: tuple[str, ...] = ()) -> Stencil:
    """Cut the theme's stencil page, rendered at `url`; raises `StencilError`."""
    text = _BLANK.sub("\n", _IDLE.sub("", _NEIGHBOURS.sub("", html)))
    toc = _TOC.search(text)
    if toc is None or not _ITEM.search(toc[0]):
        raise StencilError(f"{url}: the theme's page has no table of contents to fill")
    text = _TOC.sub(f"{_MARK}toc{_MARK}", text)
    text, skips = _SKIP.subn(f'href="#{ARTICLE_ID}"', text)
    if skips != 1:
        raise StencilError(f"{url}: the theme's page has {skips} links to its content, not one")
    text = _replace_once(text, "<article ", f'<article id="{ARTICLE_ID}" tabindex="-1" ', url)
    for name in ("article", "head"):
        text = _replace_once(text, f"<!--kg-slot-{name}-->", f"{_MARK}{name}{_MARK}", url)
    text = _replace_once(text, "kg-slot-document-title", f"{_MARK}document-title{_MARK}", url)
    text = _replace_once(text, "kg-slot-description", f"{_MARK}description{_MARK}", url)
    text = text.replace("kg-slot-title", f"{_MARK}title{_MARK}")
    text = _share_description_tag(_BETWEEN_TAGS.sub("", text))
    table = _rebase_addresses(_BETWEEN_TAGS.sub("", toc[0]), url)
    return Stencil(_rebase_addresses(_mark_site_name(text), url), table, hosts)


def parse_written(html: str, url: str) -> Stencil:
    """A page rendered whole by MkDocs, with slots for its head and the site's name."""
    text = html.replace("<!--kg-slot-head-->", f"{_MARK}head{_MARK}")
    return Stencil(
        _rebase_addresses(_share_description_tag(_mark_site_name(_NEIGHBOURS.sub("", text))), url)
    )


def _mark_site_name(text: str) -> str:
    return text.replace("kg-slot-site-name", f"{_MARK}site-name{_MARK}")


def _share_description_tag(text: str) -> str:
    """Use one description tag for both search engines and preview cards."""
    return _DESCRIPTION.sub('<meta name="description" property="og:description"', text)


def _replace_once(text: str, old: str, mark: str, url: str) -> str:
    if text.count(old) != 1:
        raise StencilError(f"{url}: the theme's page has {text.count(old)} of {old!r}, not one")
    return text.replace(old, mark)


def _rebase_addresses(text: str, url: str) -> str:
    """Addresses independent of depth: from the root, after a mark for the path to it."""
    folder = posixpath.dirname(url)

    def address(match: re.Match[str]) -> str:
        return f'{match[1]}="{_from_root(match[2], folder)}"'

    def config(match: re.Match[str]) -> str:
        settings = json.loads(match[2])
        if str(settings["base"]).startswith("."):
            settings["base"] = "kg-scope"
        settings["search"] = ""
        settings["translations"] = {}  # of the theme's search and buttons, which are not used
        settings = {name: value for name, value in settings.items() if value is not None}
        text = escape_json(json.dumps(settings, ensure_ascii=False, separators=(",", ":")))
        return match[1] + text.replace("kg-scope", _SCOPE) + match[3]

    text = _ADDRESS.sub(address, text)
    return _CONFIG.sub(config, text)


def _from_root(address: str, folder: str) -> str:
    if not address or _FOREIGN.match(address) or address.startswith(_MARK):
        return address
    path, mark, fragment = address.partition("#")
    return _PREFIX + posixpath.normpath(posixpath.join(folder, path)) + mark + fragment


def _group_by_top_heading(
    headings: Sequence[Heading],
) -> Iterable[tuple[Heading, Sequence[Heading]]]:
    """Yield each top-level heading, with the deeper ones that follow it."""
    start = 0
    while start < len(headings):
        end = start + 1
        while end < len(headings) and headings[end].level > headings[start].level:
            end += 1
        yield headings[start], headings[start + 1 : end]
        start = end
