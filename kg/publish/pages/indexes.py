"""Lists of statements, names and sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import isinf

from kg.model import Kind, Source, SourceKey, Statement
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_strengths import SEARCH_LIMIT
from kg.publish.context.standings import ClaimsByResult, SourceLoss
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    as_script_json,
    element,
    join,
    remark,
    sortable_table,
    table,
)
from kg.publish.markup.phrases import (
    AMOUNTS,
    KINDS,
    amount_in_words,
    capitalize_first,
    count_of,
    join_names,
    render_authors,
    shorten_question,
    shown_move,
    topic_in_words,
)
from kg.publish.page import WHOLE_CORPUS, Alternate, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.queries.timeline import year_of
from kg.reasoning.verdict_words import WordLimit

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
        return "No answer depends on a single one. Those that move an answer most come first."
    return (
        f"{undoing_count:,} of them could each bring an answer down. These come first, "
        "then those that move an answer most."
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
    link = element("a", shorten_question(title), href=href, title=title)
    others = [builder.link_maker.names.get(each, each) for each in fall.sources if each != key]
    with_others = element("span", f" with {join_names(others)}", class_="kg-small")
    return [
        move_text,
        with_others if others else None,
        undone_note if fall.undoes else None,
        remark(link),
    ]


STATIC_ROWS = 200  # without scripts; scripts read all rows from a file beside the page
_MANY = (
    f" With more than {SEARCH_LIMIT} statements, claims are not tried one by one: each word is "
    "the surest that the strength allows."
)
HEAD = (
    *("Statement", "Kind", "Camp", "Topic"),
    *("Verdict or quality", "Speaks for it", "Speaks against it"),
)


def statements_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The table of statements; its rows are in the alternate, so the page itself stays small."""
    yield LazyPage("statements/index.html", partial(_statements_page, context), WHOLE_CORPUS)


def _statements_page(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "statements/index.html")
    statements = sorted(
        corpus.statements.values(), key=lambda s: (*_rank_of_statement(context, s), s.id)
    )
    data = as_script_json(_data_of_table(context, statements))
    static_rows = [_row_of_statement(builder, s) for s in statements[:STATIC_ROWS]]
    builder.add(
        element(
            "div",
            table(HEAD, static_rows, "Statements", "kg-rows"),
            data_kg_rows="index.rows.js",
            data_kg_root=builder.root,
            class_="kg-big-table",
        )
    )
    return builder.overview(
        "Statements",
        f"All {len(statements):,} statements, to sort and filter.",
        "statements",
        [_describe_results(context), _words_on_order(len(statements))],
        alternates=(Alternate(".rows.js", "text/javascript", f"kgRows({data});\n"),),
    )


def _rank_of_statement(context: SiteContext, statement: Statement) -> tuple[bool, float]:
    """Claims before evidence, the heaviest of each first, by the numbers in the table."""
    shown_strength = _shown_strength(context, statement)
    if shown_strength.pro is None or shown_strength.con is None:
        return True, -(shown_strength.strength or 0.0)
    return False, -round(shown_strength.pro + shown_strength.con, 2)


def _describe_results(context: SiteContext) -> str | None:
    """On how many claims the notes come out for or against, and how many they leave undecided."""
    claims = context.corpus.claims
    if not claims:
        return None
    results = ClaimsByResult.of(context.strengths.of(claim.id) for claim in claims)
    return (
        f"Of {count_of(len(claims), 'claim')} the notes come out for "
        f"{results.probably + results.perhaps} and against "
        f"{results.probably_not + results.perhaps_not}, and leave {results.undecided} undecided. "
    )


def _words_on_order(total: int) -> list[Child]:
    words = "The most disputed claims come first, evidence last."
    rest = (
        f" Without scripts the first {STATIC_ROWS} are listed here; topics and inquiry "
        f"lines lead to all others."
    )
    hint = element("noscript", rest) if total > STATIC_ROWS else None
    return [words, _MANY if total > SEARCH_LIMIT else None, hint]


def _row_of_statement(builder: PageBuilder, statement: Statement) -> list[Child]:
    camp = builder.context.corpus.camp_of(statement.id)
    shown_strength = _shown_strength(builder.context, statement)
    year = _evidence_year(builder.context, statement)
    why = f", {shown_strength.limit}" if builder.context.strengths.of(statement.id).why else None
    return [
        element("th", builder.statement(statement.id), scope="row"),
        f"{KINDS[statement.kind]}{f', {year}' if year else ''}",
        builder.link_maker.camp_label(camp) if camp else BLANK,
        ", ".join(map(topic_in_words, statement.topics)) or BLANK,
        element(
            "span",
            shown_strength.word,
            why,
            title=shown_strength.limit and f"No surer: {shown_strength.limit}",
        ),
        _amount_cell(shown_strength.pro),
        _amount_cell(shown_strength.con),
    ]


def _amount_cell(nats: float | None) -> Child:
    return BLANK if nats is None else element("span", amount_in_words(nats), title=f"{nats:.2f}")


def _values_of_statement(context: SiteContext, statement: Statement) -> tuple[object, ...]:
    strength = _shown_strength(context, statement)
    return (
        statement.title,
        context.addresses.of(statement.id),
        KINDS[statement.kind],
        context.corpus.camp_of(statement.id),
        *(strength.word, strength.limit, strength.strength, strength.pro, strength.con),
        _evidence_year(context, statement),
        tuple(map(topic_in_words, statement.topics)),
    )


def _evidence_year(context: SiteContext, statement: Statement) -> int | None:
    """The year of a piece of evidence; None for a claim."""
    return year_of(context.corpus, statement.id) if statement.kind is Kind.EVIDENCE else None


@dataclass(frozen=True)
class _ShownStrength:
    """What the table says of a statement's strength, numbers rounded as shown.

    `limit` is why the word is no surer; evidence has no `pro` and `con`, the nats of its reasons.
    """

    word: str
    limit: str | None
    strength: float | None
    pro: float | None
    con: float | None


def _shown_strength(context: SiteContext, statement: Statement) -> _ShownStrength:
    standing = context.strengths.of(statement.id)
    is_claim = standing.quality is None
    return _ShownStrength(
        word=context.strengths.quality_words(statement.id)
        or capitalize_first(standing.reader_word),
        limit=standing.limit or None,
        strength=None if standing.place is None else round(standing.place, 2),
        pro=round(standing.pro, 2) if is_claim else None,
        con=round(standing.con, 2) if is_claim else None,
    )


def _data_of_table(context: SiteContext, statements: Sequence[Statement]) -> dict[str, object]:
    """What scripts make the table of, a row for each statement."""
    make = context.link_maker
    camps = [
        {"id": camp.id, "label": camp.label, "class": make.camp_class(camp.id)}
        for camp in context.corpus.config.camps
    ]
    rows = [_values_of_statement(context, each) for each in statements]
    amounts = [[None if isinf(limit) else limit, word] for limit, word in AMOUNTS]
    return {"camps": camps, "amounts": amounts, "usual": WordLimit.TOO_LOW, "rows": rows}
