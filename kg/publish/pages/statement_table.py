"""The table of all statements, each under a question that lists it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import inf, isinf

from kg.corpus.quality.evidence_quality import study_design_of
from kg.corpus.reasons_for_and_against import ids_with_neighbours
from kg.corpus.same_and_superseded import same_statements
from kg.model import InquiryLine, Kind, LineId, Statement, StatementId
from kg.model.figures import SampleClass
from kg.publish.components.statement_lists import describe_thin_claims
from kg.publish.context.dispute_order import how_disputed
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_standings import SEARCH_LIMIT
from kg.publish.context.standings import ClaimsByResult
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    as_script_json,
    collapsible_on_screen,
    element,
    item_list,
    join,
    remark,
    table,
)
from kg.publish.markup.phrases import (
    AMOUNTS,
    KINDS,
    capitalize_first,
    describe_amount,
    topic_label,
)
from kg.publish.markup.short_answers import answer_without_detail
from kg.publish.page import WHOLE_CORPUS, Alternate, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.reasoning.sureness_words import SurenessLimit
from kg.text.plurals import count_of, join_with_and

STATIC_ROWS = 500  # statements without scripts; scripts read all from a file beside the page
FULL_SIDE = 2.0  # nats that fill one side of the small bar
_ON_PEOPLE = "Findings from tests with people"
BY_QUESTION = "By question"  # in place of the camp of a claim that has one in each question
NO_LINE = "In no question's lists"
_MANY = (
    f" With more than {SEARCH_LIMIT} statements, claims are not tried one by one: each word is "
    "the surest that the strength allows."
)
FINDINGS_SHOWN_AT_FIRST = 5  # under each question, those that move its answer most
SIDES_HEAD = element(
    "span",
    element("i", "Against"),
    " · ",
    element("b", "For"),
    class_="kg-sides-key",
    title="How much the reasons against a claim and for it weigh",
)  # the words have the colours of the bars beneath, and stand on their sides
TABLE_HEAD = ("Statement", "Camp", "Topic", "How sure, or quality", SIDES_HEAD)


def statements_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The table of statements; its rows are in the alternate, so the page itself stays small."""
    yield LazyPage("statements/index.html", partial(_statements_page, context), WHOLE_CORPUS)


def _statements_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, "statements/index.html")
    rows = _rows_in_order(context)
    data = as_script_json(_data_of_table(builder, rows))
    builder.add(
        element("p", *_describe_results(builder), class_="kg-small"),
        element(
            "div",
            element("p", class_="kg-small"),  # where scripts say what an order puts first
            table(TABLE_HEAD, _static_rows(builder, rows[:STATIC_ROWS]), "Statements", "kg-rows"),
            data_kg_rows="index.rows.js",
            data_kg_root=builder.root,
            class_="kg-big-table",
        ),
    )
    return builder.overview(
        "Statements",
        f"All {len(rows):,} statements, to sort and filter.",
        "statements",
        [_what_answers_rest_on(context), *_words_on_size(len(rows))],
        alternates=(Alternate(".rows.js", "text/javascript", f"kgRows({data});\n"),),
    )


@dataclass(frozen=True)
class _Row:
    """A statement and what the table says of its strength, numbers rounded as shown.

    `lines` are those that list it, the one whose answer it moves most first. `limit` is why the
    word is no surer; evidence has no `pro` and `con`, the nats of its reasons.
    """

    statement: Statement
    lines: tuple[LineId, ...]
    word: str
    limit: str | None
    strength: float | None
    pro: float | None
    con: float | None
    dispute_weight: float | None

    @property
    def line_id(self) -> LineId | None:
        """The line under which it is listed."""
        return self.lines[0] if self.lines else None

    @property
    def is_evidence(self) -> bool:
        return self.statement.kind is Kind.EVIDENCE


def _rows_in_order(context: SiteContext) -> list[_Row]:
    """Line by line, those of no line last: claims before evidence, what moves the answer most
    first, then what most is said about.
    """
    places = {line_id: place for place, line_id in enumerate(context.corpus.lines)}
    weights_by_line = {
        line.id: _weights_in(context, line) for line in context.corpus.lines.values()
    }
    ranked = []
    for statement in context.corpus.statements.values():
        weights = {
            line_id: listed[statement.id]
            for line_id, listed in weights_by_line.items()
            if statement.id in listed
        }
        lines = sorted(weights, key=lambda line_id: (-weights[line_id], places[line_id]))
        row = _row_of(context, statement, tuple(lines))
        amount = row.strength or 0.0 if row.pro is None else row.pro + (row.con or 0.0)
        place = places[lines[0]] if lines else len(places)
        weight = weights[lines[0]] if lines else 0.0
        ranked.append(((place, row.is_evidence, -weight, -round(amount, 2), statement.id), row))
    return [row for _, row in sorted(ranked, key=lambda item: item[0])]


def _weights_in(context: SiteContext, line: InquiryLine) -> dict[StatementId, float]:
    """The statements that a line lists, and how far each moves its answer. What it weighs is before
    all others; then come what it places in camps, the direct reasons, and the evidence for and
    against these.
    """
    corpus, verdict = context.corpus, context.answers.verdict(line.id)
    effects = context.answers.effects_on_answer(line.id)
    same_ids = same_statements(corpus, line.proposition) if line.proposition else ()
    reasons = verdict.reasons if verdict else ()
    placed_ids = {each.statement for each in line.placements}
    listed_ids = {*same_ids, *placed_ids, *(each.statement for each in reasons)}
    return {
        id: inf if id in same_ids else effects.get(id, 0.0)
        for id in ids_with_neighbours(corpus, listed_ids)
        if id in listed_ids or corpus.statements[id].kind is Kind.EVIDENCE
    }


def _row_of(context: SiteContext, statement: Statement, lines: tuple[LineId, ...]) -> _Row:
    standing = context.standings.of(statement.id)
    is_claim, strength = standing.quality is None, standing.held_strength
    return _Row(
        statement=statement,
        lines=lines,
        word=context.standings.quality_words(statement.id)
        or capitalize_first(standing.answer_phrase),
        limit=standing.sureness_basis.limit or None,
        strength=None if strength is None else round(strength, 2),
        pro=round(standing.pro, 2) if is_claim else None,
        con=round(standing.con, 2) if is_claim else None,
        dispute_weight=round(how_disputed(standing), 3) if is_claim else None,
    )


def _what_answers_rest_on(context: SiteContext) -> str | None:
    corpus = context.corpus
    kinds = [(len(corpus.claims), "claim"), (len(corpus.evidence), "finding")]
    counts = [count_of(count, name) for count, name in kinds if count]
    return f"Everything the answers rest on: {join_with_and(counts)}." if counts else None


def _describe_results(builder: PageBuilder) -> list[Child]:
    """`Of 107 claims 41 are “probably”, …; 38 have almost all
    their support from one source`."""
    context = builder.context
    claims = context.corpus.claims
    if not claims:
        return []
    results = ClaimsByResult.from_claims(context.standings.of(claim.id) for claim in claims)
    return [
        f"Of {count_of(len(claims), 'claim')} {results.in_words}",
        describe_thin_claims(builder),
        ".",
    ]


def _words_on_size(total: int) -> list[Child]:
    rest = (
        f" Without scripts the first {STATIC_ROWS} are listed here; topics and inquiry "
        f"lines lead to all others."
    )
    hint = element("noscript", rest) if total > STATIC_ROWS else None
    return [_MANY if total > SEARCH_LIMIT else None, hint]


# -- without scripts -------------------------------------------------------------------------


def _static_rows(builder: PageBuilder, rows: Sequence[_Row]) -> Iterator[list[Child]]:
    """Yield, under a heading for each line, its claims and first findings, the rest collapsed."""
    for line_id, group in groupby(rows, key=lambda row: row.line_id):
        members = list(group)
        if builder.context.corpus.lines:
            yield [
                _across("th", _name_of_line(builder, line_id), scope="rowgroup", data_kg_group=True)
            ]
        shown_count = sum(not row.is_evidence for row in members) + FINDINGS_SHOWN_AT_FIRST
        yield from (_cells(builder, row) for row in members[:shown_count])
        if evidence := members[shown_count:]:
            label = count_of(len(evidence), "more finding")
            items = item_list(
                (
                    builder.statement(row.statement.id),
                    " ",
                    element("span", row.word, class_="kg-small"),
                )
                for row in evidence
            )
            yield [_across("td", collapsible_on_screen(label, items))]


def _across(name: str, *children: Child, **attributes: object) -> Html:
    """A cell as wide as the table."""
    return element(name, *children, colspan=len(TABLE_HEAD), **attributes)


def _name_of_line(builder: PageBuilder, line_id: LineId | None) -> Child:
    if line_id is None:
        return NO_LINE
    number = builder.number_of_line(line_id)
    answer = answer_without_detail(builder.context.answers.verdict(line_id))
    return [f"{number} ", builder.link_of(line_id), remark(answer)]


def _other_lines(builder: PageBuilder, row: _Row) -> Html | None:
    """Links to the questions that list a statement besides the first: also for Q2, Q5."""
    context = builder.context
    links = [
        element(
            "a",
            builder.number_of_line(line_id),
            href=builder.root + context.addresses.of(line_id),
            title=context.corpus.lines[line_id].title,
        )
        for line_id in context.corpus.lines
        if line_id in row.lines[1:]
    ]
    return remark("Also for ", join(", ", links)) if links else None


def _cells(builder: PageBuilder, row: _Row) -> list[Child]:
    why = f", {row.limit}" if row.limit not in (None, SurenessLimit.TOO_LOW) else None
    return [
        element(
            "th",
            builder.statement(row.statement.id),
            _other_lines(builder, row),
            scope="row",
        ),
        _camp_label(builder, row.statement.id) or BLANK,
        ", ".join(map(topic_label, row.statement.topics)) or BLANK,
        element("span", row.word, why, title=row.limit and f"No surer: {row.limit}"),
        BLANK if row.pro is None or row.con is None else _two_sides(row.pro, row.con),
    ]


def _camp_label(builder: PageBuilder, id: StatementId) -> str:
    """The camp of a statement, or that it goes by question; empty if it has none."""
    maker = builder.link_maker
    camp = maker.camp_shown(id)
    return maker.camp_label(camp) if camp else BY_QUESTION * maker.has_camp_by_question(id)


def _two_sides(pro: float, con: float) -> Html:
    """A bar from the middle to either side, as long as the reasons there weigh."""
    words = [
        f"{describe_amount(nats)} {side} it ({nats:.2f})"
        for nats, side in ((con, "against"), (pro, "for"))
    ]
    bars = [
        element(name, class_=f"kg-wide-{min(50, round(50 * nats / FULL_SIDE))}")
        for name, nats in (("i", con), ("b", pro))
    ]
    title = ", ".join(words)
    return element("span", *bars, class_="kg-bar kg-pro-and-con", role="img", title=title)


# -- for scripts -----------------------------------------------------------------------------


def _data_of_table(builder: PageBuilder, rows: Sequence[_Row]) -> dict[str, object]:
    """Return the data from which scripts make the table, a row for each statement."""
    context, make = builder.context, builder.link_maker
    camps = [
        {"id": camp.id, "label": camp.label, "class": make.camp_class(camp.id)}
        for camp in context.corpus.config.camps
    ]
    if any(make.has_camp_by_question(row.statement.id) for row in rows):
        camps.append({"id": BY_QUESTION, "label": BY_QUESTION, "class": make.camp_class(None)})
    lines = [
        (
            line.title,
            context.addresses.of(line.id),
            answer_without_detail(builder.context.answers.verdict(line.id)),
        )
        for line in context.corpus.lines.values()
    ]
    places = {line: place for place, line in enumerate(context.corpus.lines)}
    amounts = [[None if isinf(limit) else limit, word] for limit, word in AMOUNTS]
    values = [(*_values_of_row(context, row), [places[line] for line in row.lines]) for row in rows]
    return {
        "camps": camps,
        "lines": lines,
        "other": NO_LINE,
        "amounts": amounts,
        "full": FULL_SIDE,
        "unfolded": FINDINGS_SHOWN_AT_FIRST,
        "usual": SurenessLimit.TOO_LOW,
        "rows": values,
    }


def _values_of_row(context: SiteContext, row: _Row) -> tuple[object, ...]:
    statement, maker = row.statement, context.link_maker
    return (
        statement.title,
        context.addresses.of(statement.id),
        _choosable_kinds(statement),
        maker.camp_shown(statement.id)
        or (BY_QUESTION if maker.has_camp_by_question(statement.id) else None),
        *(row.word, row.limit, row.strength, row.pro, row.con),
        tuple(map(topic_label, statement.topics)),
        row.dispute_weight,
        statement.about,
    )


def _choosable_kinds(statement: Statement) -> tuple[str, ...]:
    """The kinds of which a reader may choose a statement."""
    is_evidence = statement.kind is Kind.EVIDENCE
    is_on_people = is_evidence and study_design_of(statement, ()).sample_class == SampleClass.PEOPLE
    return KINDS[statement.kind], *([_ON_PEOPLE] if is_on_people else [])
