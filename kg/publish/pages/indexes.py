"""Lists of names and sources."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.model import Kind, Source, SourceKey
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import SourceLoss
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    element,
    join,
    remark,
    sortable_table,
)
from kg.publish.markup.phrases import (
    count_of,
    join_names,
    render_authors,
    shown_move,
)
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder

_SCALE = "Moves are on a scale from 0 to 1."
_UNDOING = "Only those without which an answer would fall"
NAMES = "What the notes speak of by name"
MOST_SPOKEN_OF = 3  # names in a sentence


def index_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Lists with links to every page that is not a statement, a line or a topic."""
    if context.corpus.about:
        yield LazyPage("about/index.html", partial(_names_page, context), WHOLE_CORPUS)
    yield LazyPage("sources/index.html", partial(_sources_page, context), WHOLE_CORPUS)


def _names_page(context: SiteContext) -> Page:
    """The named things in the notes, the most frequent first."""
    builder = PageBuilder(context, "about/index.html")
    statements = context.corpus.statements
    by_name = context.statements_by_name.items()
    groups = [(name, [statements[id] for id in ids]) for name, ids in by_name]
    groups.sort(key=lambda item: (-len(item[1]), item[0]))
    rows: list[list[Child]] = [
        [
            # with its explanation in the glossary
            element(
                "th",
                _link_to_name(builder, name),
                remark(builder.link_maker.meaning(name)),
                scope="row",
            ),
            sum(s.kind is not Kind.EVIDENCE for s in members),
            sum(s.kind is Kind.EVIDENCE for s in members),
        ]
        for name, members in groups
    ]
    builder.add(sortable_table(("Name", "Claims", "Evidence"), rows, NAMES))
    description = f"{count_of(len(rows), 'name')} of studies, methods, works and other things."
    first = [_link_to_name(builder, name) for name, _ in groups[:MOST_SPOKEN_OF]]
    lead = [description, " Most is said about ", join(", ", first), "."]
    return builder.overview(NAMES, description, lead=lead)


def _link_to_name(builder: PageBuilder, name: str) -> Html:
    return element("a", name, href=builder.root + builder.context.addresses.about(name))


def _sources_page(context: SiteContext) -> Page:
    """Sources; first those without which an answer leaves its side, then the heaviest."""
    corpus = context.corpus
    builder = PageBuilder(context, "sources/index.html")
    largest_losses = {key: _largest_loss(context, key) for key in corpus.sources}
    sources = sorted(
        corpus.sources.values(),
        key=lambda s: (
            not _undoes_answer(largest_losses[s.key]),
            -_size_of_move(largest_losses[s.key]),
            -len(corpus.statements_citing.get(s.key, ())),
            s.key,
        ),
    )
    rows: list[list[Child]] = [
        [
            element("th", *_source_named(builder, source), scope="row"),
            source.year or BLANK,
            len(corpus.statements_citing.get(source.key, ())),
            _largest_move(builder, source.key, largest_losses[source.key]),
        ]
        for source in sources
    ]
    head = ("Source", "Year", "Statements", "Moves an answer by")
    uncited_count = sum(not corpus.statements_citing.get(s.key) for s in sources)
    undoing_count = sum(map(_undoes_answer, largest_losses.values()))
    only = _UNDOING if undoing_count else None
    builder.add(sortable_table(head, rows, "Sources", "kg-all-sources", only=only))
    count_text = count_of(len(rows), "source")
    uncited = f" ({uncited_count:,} not cited yet)" if uncited_count else ""
    return builder.overview(
        "Sources",
        f"{count_text}, first those that matter most to an answer.",
        lead=f"{count_text}{uncited}. {_how_far_answers_hang(undoing_count)}",
    )


def _how_far_answers_hang(undoing_count: int) -> str:
    """Whether any source alone holds an answer on its side."""
    if not undoing_count:
        return f"No answer depends on a single one. Those that move one most come first. {_SCALE}"
    return (
        f"{undoing_count:,} of them could each bring an answer down. These come first, "
        f"then those that move an answer most. {_SCALE}"
    )


def _source_named(builder: PageBuilder, source: Source) -> list[Child]:
    """A work by its short name, title and authors."""
    return [
        builder.link_maker.source(source.key, builder.root),
        element("span", element("cite", source.title), class_="kg-line"),
        remark(render_authors(source, 4)),
    ]


def _largest_loss(context: SiteContext, key: str) -> SourceLoss | None:
    """The largest effect that the loss of a source has on an answer: one that leaves its side, if
    any does, else the one that moves farthest.
    """
    falls = context.strengths.falls(key)
    return max(falls, key=lambda fall: (fall.undoes, _size_of_move(fall)), default=None)


def _undoes_answer(fall: SourceLoss | None) -> bool:
    return fall is not None and fall.undoes


def _size_of_move(fall: SourceLoss | None) -> float:
    """How far an answer moves, as shown."""
    return float(_signed_move(fall) or 0)


def _signed_move(fall: SourceLoss | None) -> str:
    if fall is None or fall.before is None or fall.after is None:
        return ""
    return shown_move(fall.before, fall.after)[2].lstrip("+−")


def _largest_move(builder: PageBuilder, key: SourceKey, fall: SourceLoss | None) -> Child:
    """How far the most affected answer would move without a source and those that count as one
    with it, and which answer that is.
    """
    if fall is None or not (move_text := _signed_move(fall)):
        return BLANK
    undone_note = ", ", element("strong", "would fall", data_kg_marked=True)
    href = builder.root + builder.context.addresses.of(fall.line_id)
    title = builder.context.corpus.lines[fall.line_id].title
    link = element("a", title, href=href)
    others = [builder.link_maker.names.get(each, each) for each in fall.sources if each != key]
    with_others = element("span", f" with {join_names(others)}", class_="kg-small")
    return [
        move_text,
        with_others if others else None,
        undone_note if fall.undoes else None,
        remark(link),
    ]
