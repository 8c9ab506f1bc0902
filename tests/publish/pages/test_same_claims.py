"""A page and a command name the same claim as the one that would change an answer most."""

from __future__ import annotations

from kg.publish.components.turning_points import cruxes_that_settle
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page_builder import PageBuilder
from kg.reasoning import crux
from kg.reasoning.answers.crux import Cruxes
from tests.support.own import own_corpus


def test_what_a_lines_page_names_is_what_the_command_names() -> None:
    corpus = own_corpus()
    builder = PageBuilder(SiteContext(Addresses(corpus)), "index.html")
    for line in corpus.lines.values():
        asked = crux(corpus, line.id)
        assert isinstance(asked, Cruxes)
        on_page = next(iter(cruxes_that_settle(builder, line)), None)
        assert (asked.undoing and asked.undoing.statement) == (on_page and on_page.statement)
        first = asked.cruxes[0] if asked.cruxes else None
        if asked.undoing and first and asked.undoing.statement != first.statement:
            assert f"{asked.undoing.effect_name} is “{asked.undoing.title}”" in asked.sentence
