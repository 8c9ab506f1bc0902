"""Which pages the theme is told of, and what is news."""

from __future__ import annotations

import datetime as dt
import xml.etree.ElementTree as ET
from types import SimpleNamespace
from typing import Any

import pytest

from kg.history.change_summary import ChangeSummary, HistoryStep
from kg.history.moved_answers import MovedAnswer
from kg.model.settings.config import Config, Site
from kg.publish.build.for_programs.sitemap_and_feed import (
    MAX_PAGES_IN_NAVIGATION,
    SitemapEntry,
    news_of_answers,
    news_of_pages,
    pages_for_instant_navigation,
    render_feed,
)
from kg.publish.markup.address import Addresses
from kg.reasoning.line_answers import question_and_proposition_titles
from tests.support.corpora import corpus_of_notes
from tests.support.publish_pages import URL

HOSTILE = "</title><script>alert(1)</script>\"'&"

ADDRESS = Config(site=Site(name=f"N {HOSTILE}", description="D", url=URL))


def test_the_theme_gets_the_pages_most_walked_to_and_engines_get_all() -> None:
    urls = [f"statements/{number}.html" for number in range(MAX_PAGES_IN_NAVIGATION)]
    statements = [SitemapEntry(url=url, kind="statement", title="") for url in urls]
    rest = [SitemapEntry(url=url, kind="index", title="") for url in ("topics/z.html", "a.html")]
    walked = pages_for_instant_navigation([*statements, *rest])
    assert len(walked) == MAX_PAGES_IN_NAVIGATION
    assert [entry.url for entry in walked[:2]] == ["a.html", "topics/z.html"]


def test_a_feed_holds_the_fifty_latest() -> None:
    first = dt.date(2026, 1, 1)
    days = [first + dt.timedelta(days=number) for number in range(52)]
    entries = [
        SitemapEntry(url=f"{day}.html", kind="statement", title=str(day), updated=day)
        for day in days
    ]
    feed = ET.fromstring(render_feed(news_of_pages(entries, ADDRESS), ADDRESS))
    names = [entry.text for entry in feed.findall("{*}entry/{*}title")]
    assert names == [str(day) for day in reversed(days[2:])]
    assert feed.findtext("{*}updated") == f"{days[-1]}T00:00:00Z"


@pytest.mark.parametrize(
    ("before", "after", "messages"),
    [
        (0.0, 0.02, ()),
        (0.0, 0.05, ("Line? – now “probably” (0.05)",)),
        (0.0, None, ("Line? – now “probably” (no number)",)),
        (0.4, 0.6, ("Line? – now “probably” (0.60)",)),
    ],
)
def test_an_answer_is_news_that_moves_or_loses_its_stable_strength(
    before: float, after: float | None, messages: tuple[str, ...]
) -> None:
    corpus = corpus_of_notes(
        config=ADDRESS,
        a="---\ntype: claim\n---\n# A\n",
        line="---\ntype: line\nproposition: a\n---\n# Line?\n",
    )
    moved = MovedAnswer(
        line="line",
        proposition="a",
        strength_before=before,
        strength_after=after,
        word_before="opposed" if before == 0.4 else "supported",
        word_after="supported",
        reasons=(),
        asked=question_and_proposition_titles(corpus, "line"),
        sureness_before="perhaps",
        sureness_after="probably",
    )
    day = dt.date(2026, 1, 1)
    summary = ChangeSummary(moved_answers=(moved,))
    step = HistoryStep(since=day, day=day, commit="c", summary=summary)
    context: Any = SimpleNamespace(
        corpus=corpus,
        past=SimpleNamespace(steps=(step,), points=(SimpleNamespace(commit="c", answers={}),)),
        addresses=Addresses(corpus),
    )
    assert tuple(entry.title for entry in news_of_answers(context)) == messages
