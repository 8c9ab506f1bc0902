"""The sitemaps, `robots.txt`, and the feed of changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_URL, uuid5

from kg.git.note_history import SHORT_HASH_DIGITS
from kg.history.change_summary import HistoryStep
from kg.history.moved_answers import MovedAnswer
from kg.model import Value
from kg.model.settings.config import Config
from kg.publish.components.answer_moves import (
    describe_answer_move,
    has_changed_side,
    is_asked_now,
    standings_of,
)
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.linked_data import is_example
from kg.publish.page import Page, PageKind
from kg.publish.page_head import FEED, site_address

FEED_LENGTH = 50  # entries
INDEX_PAGE = "index.html"
LEAST_MOVE_IN_FEED = 0.05  # least change of an answer's strength that is news
SITEMAP = "sitemap.xml"
WHOLE_SITEMAP = "sitemap-all.xml"
MAX_PAGES_IN_NAVIGATION = 1000  # pages for instant navigation
DEFAULT_ORIGIN = "http://localhost"
_XML = '<?xml version="1.0" encoding="utf-8"?>\n'
_NOT_IN_XML = (*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
_UNWRITABLE = dict.fromkeys(_NOT_IN_XML, "�")


class SitemapEntry(Value, frozen=True):
    """A page's entry in lists of pages, which is needed after its file is written."""

    url: str
    kind: PageKind
    title: str
    description: str = ""
    updated: dt.date | None = None

    @classmethod
    def from_page(cls, page: Page) -> SitemapEntry:
        """The address, kind, title, description and day of `page`."""
        return cls(
            url=page.url,
            kind=page.kind,
            title=page.title,
            description=page.description,
            updated=page.updated,
        )


def pages_for_instant_navigation(entries: Iterable[SitemapEntry]) -> list[SitemapEntry]:
    """The pages for the theme's instant navigation, limited in number.

    On every first visit it fetches their sitemap twice, and takes 25 µs for each page in it.
    """
    kinds = {"statement": 2, "source": 1}
    return sorted(entries, key=lambda entry: (kinds.get(entry.kind, 0), entry.url))[
        :MAX_PAGES_IN_NAVIGATION
    ]


def render_sitemap(entries: Iterable[SitemapEntry], origin: str) -> str:
    """The address of each page, for search engines and for the theme's instant navigation.

    Without an `origin`, addresses begin with localhost's, which the theme corrects.
    """
    rows = []
    for entry in sorted(entries, key=lambda entry: entry.url):
        address = f"{origin.rstrip('/') or DEFAULT_ORIGIN}/{entry.url}"
        last_modified = f"<lastmod>{entry.updated.isoformat()}</lastmod>" if entry.updated else ""
        rows.append(f"<url><loc>{_xml_text(address)}</loc>{last_modified}</url>\n")
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'{_XML}<urlset xmlns="{namespace}">\n{"".join(rows)}</urlset>\n'


def render_robots(config: Config) -> str:
    """`robots.txt`: everything may be read; it names the sitemap if the site has an address."""
    sitemap = site_address(config, WHOLE_SITEMAP)
    return "User-agent: *\nAllow: /\n" + (f"\nSitemap: {sitemap}\n" if sitemap else "")


class FeedEntry(Value, frozen=True):
    """A feed entry: its permanent id, its page, and its text."""

    id: str
    url: str
    title: str
    summary: str
    day: dt.date


def news_of_pages(entries: Iterable[SitemapEntry], config: Config) -> list[FeedEntry]:
    """The most recently changed pages, the latest first."""
    days_and_entries = [(entry.updated, entry) for entry in entries if entry.updated]
    days_and_entries.sort(key=lambda pair: (-pair[0].toordinal(), pair[1].url))
    return [
        FeedEntry(
            id=site_address(config, entry.url) or _permanent_id(config, entry.url),
            url=entry.url,
            title=entry.title,
            summary=entry.description,
            day=day,
        )
        for day, entry in days_and_entries[:FEED_LENGTH]
    ]


def news_of_answers(context: SiteContext) -> list[FeedEntry]:
    """Answers that changed sides or moved far, and questions that were replaced, the latest
    first.
    """
    entries = []
    for step in context.past.steps:
        for change in step.summary.compared_answers:
            # a question that has been replaced since is not news
            if is_asked_now(context.corpus, change):
                entries += _news_of_answer(context, step, change)
    return entries[:FEED_LENGTH]


def _news_of_answer(
    context: SiteContext, step: HistoryStep, change: MovedAnswer
) -> list[FeedEntry]:
    corpus, is_asked_anew = context.corpus, change in step.summary.recast_answers
    if not (is_asked_anew or has_changed_side(change) or _is_news(change)):
        return []
    id = corpus.find_id(change.line) or ""
    words = ""
    if has_changed_side(change) and not is_asked_anew:
        answers = next(p.answers for p in context.past.points if p.commit == step.commit)
        words = f" {answers[id].answer_text}" if id in answers and answers[id].answer_text else ""
    settings = corpus.config.reasoning
    _, standing = standings_of(change, settings)
    news = f"{'asked anew, ' if is_asked_anew else ''}now {standing}"
    entry = FeedEntry(
        id=_entry_id(corpus.config, change.line, step),
        url=context.addresses.of(id),
        title=f"{corpus.lines[id].title} – {news}",
        summary=f"{describe_answer_move(change, settings)}{words}",
        day=step.day,
    )
    return [entry]


def _is_news(change: MovedAnswer) -> bool:
    """Return whether an answer moved by so much that it is news, or lost or found a stable
    strength.
    """
    if change.strength_after is None or change.strength_before is None:
        return change.strength_after is not change.strength_before
    return abs(change.strength_after - change.strength_before) >= LEAST_MOVE_IN_FEED


def _entry_id(config: Config, line_id: str, step: HistoryStep) -> str:
    """An id that does not depend on the site's address."""
    base, name = urlsplit(config.base_iri), f"{quote(line_id)}:{step.commit[:SHORT_HASH_DIGITS]}"
    if not base.hostname or is_example(config):
        return _permanent_id(config, name)
    return f"tag:{base.hostname},{step.day.isoformat()}:{quote(base.path)}{name}"


def _permanent_id(config: Config, name: str) -> str:
    """An id below the corpus's base IRI, or a URN if that is only an example."""
    if is_example(config):
        return f"urn:uuid:{uuid5(NAMESPACE_URL, f'{config.base_iri} {config.site.name} {name}')}"
    return config.base_iri + name


def render_feed(news: Sequence[FeedEntry], config: Config) -> str:
    """News, the latest first, as an Atom feed."""
    # Atom wants a date, and without news there is none: a fixed one, so that no build changes it
    stamp = _midnight_of(news[0].day if news else dt.date(2000, 1, 1))
    home = site_address(config, "") or _permanent_id(config, "")
    rows = "".join(_feed_entry(entry, config) for entry in news)
    return (
        f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
        f"<title>{_xml_text(config.site.name)}</title>\n"
        f"<subtitle>{_xml_text(config.site.description)}</subtitle>\n"
        f"<id>{_xml_text(home)}</id>\n<updated>{stamp}</updated>\n"
        f"<author><name>{_xml_text(config.site.name)}</name></author>\n"
        f'<link rel="self" href="{_escaped_address(FEED, config)}"/>\n'
        f'<link href="{_escaped_address(INDEX_PAGE, config)}"/>\n'
        f"{rows}</feed>\n"
    )


def _feed_entry(entry: FeedEntry, config: Config) -> str:
    summary = f"<summary>{_xml_text(entry.summary)}</summary>\n" if entry.summary else ""
    return (
        f"<entry>\n<title>{_xml_text(entry.title)}</title>\n<id>{_xml_text(entry.id)}</id>\n"
        f'<link href="{_escaped_address(entry.url, config)}"/>\n'
        f"<updated>{_midnight_of(entry.day)}</updated>\n{summary}</entry>\n"
    )


def _escaped_address(url: str, config: Config) -> str:
    return escape(site_address(config, url) or url)


def _midnight_of(day: dt.date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _xml_text(value: str) -> str:
    return escape(value.translate(_UNWRITABLE), quote=False)
