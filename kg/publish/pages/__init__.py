"""All kinds of pages in one table: each function yields the pages of its kind."""

from __future__ import annotations

from kg.publish.context.site_context import PageMaker
from kg.publish.pages.camp import camp_pages
from kg.publish.pages.disputes import dispute_pages
from kg.publish.pages.figures import figure_pages
from kg.publish.pages.gaps import gap_pages
from kg.publish.pages.glossary import glossary_pages
from kg.publish.pages.graph import graph_pages
from kg.publish.pages.line import line_pages
from kg.publish.pages.overview import overview_pages, readme_pages
from kg.publish.pages.recent import recent_pages
from kg.publish.pages.sources.source import source_pages
from kg.publish.pages.sources.source_table import source_table_pages
from kg.publish.pages.statement import statement_pages
from kg.publish.pages.statement_table import statements_pages
from kg.publish.pages.topics import (
    name_list_pages,
    named_thing_pages,
    topic_matrix_pages,
    topic_pages,
)

PAGES: tuple[PageMaker, ...] = (
    overview_pages,
    readme_pages,
    statements_pages,
    dispute_pages,
    gap_pages,
    graph_pages,
    figure_pages,
    glossary_pages,
    name_list_pages,
    source_table_pages,
    topic_matrix_pages,
    recent_pages,
    line_pages,
    statement_pages,
    source_pages,
    topic_pages,
    named_thing_pages,
    camp_pages,
)

__all__ = ["PAGES"]
