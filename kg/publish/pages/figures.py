"""The numbers that pieces of evidence report, in their sentences, with their sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import groupby

from kg.model import LineId, SeenIn, Statement, StatementId
from kg.publish.components.evidence import objection_in_short
from kg.publish.components.statement_lists import lines_using
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import BLANK, Child, Html, element, table
from kg.publish.markup.phrases import SEEN, count_of
from kg.publish.markup.reported_figures import Figure, find_figures
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder

_HTML_TAG = re.compile(r"(<[^>]*>)")
_SEEN_IN_SOURCE = (None, SeenIn.PRIMARY)  # the figures were not seen elsewhere, as far as is known
_HEAD = ("Evidence", "Source", "Seen in")
FIGURES_SHOWN = 2000  # more would make a page of several megabytes
_LEFT_OUT = "Years and numbers in names are left out."


def figure_pages(context: SiteContext) -> Iterator[LazyPage]:
    """One table of figures."""
    yield LazyPage("figures.html", partial(_figures_page, context), WHOLE_CORPUS)


def _figures_page(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "figures.html")
    figures = [
        figure
        for each in corpus.evidence
        for figure in find_figures(context.statements_with_bodies[each.id])
    ]
    omitted = figures[FIGURES_SHOWN:]
    unseen_figures = [
        figure for figure in figures if figure.statement.seen_in not in _SEEN_IN_SOURCE
    ]
    pieces = [
        list(group)
        for _, group in groupby(figures[:FIGURES_SHOWN], key=lambda figure: figure.statement.id)
    ]
    builder.add(
        element("p", f"{_numbers_in(omitted):,} of the numbers are not listed.", class_="kg-more")
        if omitted
        else None,
        element(
            "div",
            table(_HEAD, _by_question(builder, pieces), "Figures", "kg-figures"),
            data_kg_sort=True,
            data_kg_only="Only those not seen in their source" if unseen_figures else None,
            class_="kg-sortable",
        ),
    )
    description = "The numbers in the evidence, with their sources."
    lead = _describe_unseen(figures, unseen_figures)
    return builder.overview("Figures", description, "figures", lead)


def _describe_unseen(figures: Sequence[Figure], unseen_figures: Sequence[Figure]) -> str:
    """How many of the numbers were not seen in the source that they come from; at least so many, as
    a note says of its chief number where it was seen.
    """
    pieces = count_of(_pieces_in(figures), "piece of evidence", "pieces of evidence")
    numbers = f"{count_of(_numbers_in(figures), 'number')} in {pieces}"
    if not figures:
        return "No evidence reports a number yet."
    if not unseen_figures:
        return f"Of {numbers}, none is recorded as seen elsewhere than in its source. {_LEFT_OUT}"
    verb = "was" if _numbers_in(unseen_figures) == 1 else "were"
    return (
        f"Of {numbers}, at least {_numbers_in(unseen_figures):,} {verb} not seen in the source. "
        f"{_LEFT_OUT}"
    )


def _by_question(builder: PageBuilder, pieces: Sequence[list[Figure]]) -> Iterator[Sequence[Child]]:
    """A row for each piece of evidence, after one for each question that some bear on."""
    corpus = builder.context.corpus
    line_id_by_id = {
        id: _first_line(builder, id) for id in {piece[0].statement.id for piece in pieces}
    }
    for line_id in (*corpus.lines, None):
        rows = [
            _row_of_figures(builder, piece)
            for piece in pieces
            if line_id_by_id[piece[0].statement.id] == line_id
        ]
        if rows and len({*line_id_by_id.values()}) > 1:
            name = builder.link_of(line_id) if line_id else "In no inquiry line"
            yield [element("th", name, scope="rowgroup", colspan=len(_HEAD), data_kg_group=True)]
        yield from rows


def _first_line(builder: PageBuilder, id: StatementId) -> LineId | None:
    """The first line that uses a piece of evidence, else what it speaks for or against."""
    corpus = builder.context.corpus
    ends = [each.target for each in corpus.bearings_from(id) if each.target in corpus.statements]
    for ids in ([id], ends):
        used_in = {line_id for each in ids for line_id in lines_using(builder.context, each)}
        if first := next((line_id for line_id in corpus.lines if line_id in used_in), None):
            return first
    return None


def _numbers_in(figures: Iterable[Figure]) -> int:
    return sum(len(figure.numbers) for figure in figures)


def _pieces_in(figures: Iterable[Figure]) -> int:
    return len({figure.statement.id for figure in figures})


def _row_of_figures(builder: PageBuilder, figures: list[Figure]) -> list[Child]:
    """One piece of evidence: its title, its other sentences with numbers, its sources."""
    statement = figures[0].statement
    title = statement.title.rstrip(".")
    numbers = [n for f in figures if f.sentence.rstrip(".") == title for n in f.numbers]
    rest = [f for f in figures if f.sentence.rstrip(".") != title]
    places = "; ".join(dict.fromkeys(c.locator for c in statement.citations if c.locator))
    return [
        element(
            "th",
            embolden(builder.statement(statement.id), numbers),
            *[_bold_sentence(builder, figure) for figure in rest],
            objection_in_short(builder, statement.id),
            scope="row",
        ),
        [
            builder.link_maker.papers(statement.sources, builder.root) or BLANK,
            f", {places}" if places else None,
        ],
        _where_author_saw_it(statement),
    ]


def _bold_sentence(builder: PageBuilder, figure: Figure) -> Html:
    words = builder.inline_html(figure.sentence, figure.statement.span.path)
    return element("span", embolden(words, figure.numbers), class_="kg-reason")


def embolden(text: Html, numbers: Iterable[str]) -> Html:
    """HTML with these numbers in bold; the insides of tags are left unchanged."""
    longest = sorted({escape(number) for number in numbers}, key=len, reverse=True)
    if not longest:
        return text
    pattern = re.compile(rf"(?<![\w.,])(?:{'|'.join(map(re.escape, longest))})(?!\w|[.,]\d)")
    parts = _HTML_TAG.split(text)
    parts[::2] = [pattern.sub(_embolden_number, part) for part in parts[::2]]
    return Html("".join(parts))


def _embolden_number(match: re.Match[str]) -> str:
    return element("strong", Html(match[0]), class_="kg-number")


def _where_author_saw_it(statement: Statement) -> Html | str:
    words = SEEN[statement.seen_in] if statement.seen_in else "not recorded"
    if statement.seen_in in _SEEN_IN_SOURCE:
        return words
    return element("span", words, data_kg_marked=True)
