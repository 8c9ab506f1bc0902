"""The head of a page: its address, other formats, what previews show (`og:`, `twitter:`), data."""

from __future__ import annotations

from collections.abc import Iterator

from kg.model.settings.config import Config
from kg.publish.components.downloads_and_citation import BIBTEX, CSL
from kg.publish.graphics.card import PNG, SITE_CARD, site_card
from kg.publish.markup.html import escape, escape_json
from kg.publish.page import Page, alternate_url

FEED = "feed.xml"
DESCRIPTIONS = (BIBTEX, CSL)


def head_of(page: Page, config: Config) -> str:
    """The HTML head of a page: its address, its title, its other formats and its data."""
    return "".join(
        [*_links_in_head(page, config), *_preview_tags(page, config), *_linked_data(page)]
    )


def _links_in_head(page: Page, config: Config) -> Iterator[str]:
    address = site_address(config, page.url)
    if address:
        yield f'<link rel="canonical" href="{escape(address)}">'
        yield f'<meta property="og:url" content="{escape(address)}">'
    feed = f'type="application/atom+xml" title="Changes" href="{_path_to_root(page.url)}{FEED}"'
    yield f'<link rel="alternate" {feed}>'
    # Not `alternate`, as the theme would look for a sitemap beside each of those.
    if page.record:
        record = _path_to_root(page.url) + page.record
        yield f'<link rel="describedby" type="application/json" href="{escape(record)}">'
    for alternate in page.alternates:
        if alternate.media_type in DESCRIPTIONS:
            href = escape(alternate_url(page, alternate).rpartition("/")[2])
            yield f'<link rel="describedby" type="{escape(alternate.media_type)}" href="{href}">'


def _path_to_root(url: str) -> str:
    """The relative path from a page to the site's root."""
    return "../" * url.count("/")


def _preview_tags(page: Page, config: Config) -> Iterator[str]:
    for name, value in (
        ("og:type", "website" if page.url == "index.html" else "article"),
        ("og:site_name", config.site.name),
        ("og:title", page.title),
    ):
        yield f'<meta property="{name}" content="{escape(value)}">'
    picture = _picture_address(page, config)
    if picture:
        yield '<meta name="twitter:card" content="summary_large_image">'
        yield f'<meta property="og:image" content="{escape(picture)}">'
        description = config.site.name if picture.endswith(SITE_CARD) else page.title
        yield f'<meta property="og:image:alt" content="{escape(description)}">'


def _picture_address(page: Page, config: Config) -> str:
    """The address of the preview picture of `page`; empty if there is none."""
    if not config.site.url:
        return ""
    own_pictures = (
        alternate_url(page, alternate)
        for alternate in page.alternates
        if alternate.media_type == PNG
    )
    site_picture = SITE_CARD if site_card(config.site) else ""
    url = next(own_pictures, site_picture)
    return site_address(config, url) if url else ""


def _linked_data(page: Page) -> Iterator[str]:
    if page.linked_data:
        yield f'<script type="application/ld+json">{escape_json(page.linked_data)}</script>'


def site_address(config: Config, url: str) -> str:
    """The public address of `url`; empty if the settings have no site address."""
    return f"{config.site.url.rstrip('/')}/{url}" if config.site.url else ""
