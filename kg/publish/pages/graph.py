"""The page of graphs: what each answer rests on, one question at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.model import LINKABLE, InquiryLine, Kind, Relation
from kg.publish.components.line.both_sides import SIDES_PLACE
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.argument import GRAPH_PAGE, has_argument
from kg.publish.markup.html import Html, element
from kg.publish.markup.phrases import FORWARD
from kg.publish.markup.short_answers import whole_answer
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder

TITLE = "What each answer rests on"
_LEAD = (
    "Pick a reason to see what it rests on, down to the study. The thicker a line, the more its "
    "reason adds."
)
_LEGEND_OF_LINKS = FORWARD | {Relation.UNDERCUTS: f"{FORWARD[Relation.UNDERCUTS]} a link"}
_WITHOUT_SCRIPTS = "The graph needs scripts; each question lists the same reasons in words."


def graph_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page, of all lines with an argument."""
    yield LazyPage(GRAPH_PAGE, partial(_graph_page, context), WHOLE_CORPUS)


def _graph_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, GRAPH_PAGE)
    lines = [each for each in context.corpus.lines.values() if has_argument(context, each)]
    if lines:
        questions = element("ul", *[_question(builder, each) for each in lines], class_="kg-plain")
        note = element("p", _WITHOUT_SCRIPTS, class_="kg-graph-note")
        builder.add(
            element("div", note, questions, data_kg_graphs=True, class_="kg-graph"),
            _legend(builder),
        )
    else:
        none = "No reason adds anything to the answer of a question yet."
        builder.add(element("p", none, class_="kg-none"))
    return builder.overview("Graph", f"{TITLE}, as a graph.", "graph", _LEAD, names=(TITLE,))


def _question(builder: PageBuilder, line: InquiryLine) -> Html:
    """A question with its answer, and where its graph and its reasons in words are."""
    address = builder.context.addresses.of(line.id)
    link = element(
        "a",
        line.title,
        href=f"{address}#{SIDES_PLACE}",
        data_kg_line=line.id,
        data_kg_graph=f"{address.removesuffix('.html')}.graph.js",
    )
    answer = whole_answer(builder.context.answers.verdict(line.id))
    return element("li", link, element("span", answer, class_="kg-reason") if answer else None)


def _legend(builder: PageBuilder) -> Html:
    """Explain the marks, colours and lines."""
    link_maker, camps = builder.link_maker, builder.context.corpus.config.camps
    marks = [
        element("li", link_maker.mark(each.id), each.label, class_=link_maker.camp_class(each.id))
        for each in camps
    ]
    no_camp = element("li", link_maker.mark(None), "no camp") if camps else None
    hollow = element("li", link_maker.mark(None, Kind.EVIDENCE), "hollow: finding")
    lines = [
        element("li", _sample_of_link(each), _LEGEND_OF_LINKS[each], class_="kg-of-links")
        for each in Relation
        if each in LINKABLE
    ]
    return element("ul", *marks, no_camp, hollow, *lines, class_="kg-legend", aria_label="Legend")


def _sample_of_link(relation: Relation) -> Html:
    line = element("path", d="M0 5L30 5", class_=f"kg-link kg-link-{relation}")
    return element("svg", line, width=30, height=10, viewBox="0 0 30 10", aria_hidden="true")
