"""A page for each topic and each named thing, one with all names, and one with all topics: how many
of the claims about each are decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from kg.corpus import Corpus
from kg.model import Kind, LineId, Statement, StatementId
from kg.model.glossary_term import GlossaryTerm
from kg.publish.components.evidence import evidence_list
from kg.publish.components.line.turning_points import LEAST_MOVE_SHOWN
from kg.publish.components.statement_lists import add_claims_by_camp, kind_counts
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import RESULT_WORDS, ClaimsByResult
from kg.publish.markup.address import file_name
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    element,
    fact_row,
    item_list,
    join,
    page_kind_line,
    remark,
    sortable_table,
)
from kg.publish.markup.phrases import topic_label
from kg.publish.markup.short_answers import whole_answer
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.queries.search_documents import other_names
from kg.text.plurals import count_of
from kg.text.sentences import first_sentence

FEWEST_CLAIMS = 5  # of a topic that the page may begin with
BAR_WIDTH, BAR_HEIGHT = 200, 10  # size of a bar, in units and pixels
NAMED_THING = "Named thing"
_NAMES_TITLE = "Names"
_MOST_NAMED = 5  # in a sentence
_BEARERS_NAMED = 3  # statements by which a named thing bears on a question
_NO_GROUP = "Not in the glossary"
_WORDS = "A claim that only leans towards a side counts as undecided."


_PARTS = ("for", "for", "perhaps-for", "undecided", "perhaps-against", "against", "against")
# By the class of segments in the style sheet, the results that have it.
_WORDS_OF_PART = {
    part: " or ".join(word for word, each in zip(RESULT_WORDS, _PARTS, strict=True) if each == part)
    for part in _PARTS
}


def topic_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each topic with a statement."""
    for name, statements in context.corpus.topics.items():
        url = context.addresses.topic(name)
        make = partial(_group_page, context, url, "topic", name, statements)
        yield LazyPage(url, make, ("topics", name))


def named_thing_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each study, method or work that statements name."""
    for name, ids in context.statements_by_name.items():
        url = context.addresses.about(name)
        make = partial(_about_page, context, url, name, ids)
        yield LazyPage(url, make, ("statements_by_name", name))


def _about_page(context: SiteContext, url: str, name: str, ids: Sequence[StatementId]) -> Page:
    statements = [context.corpus.statements[id] for id in ids]
    return _group_page(context, url, "about", name, statements)


def _group_page(
    context: SiteContext,
    url: str,
    kind: Literal["about", "topic"],
    name: str,
    statements: Sequence[Statement],
) -> Page:
    """The page of the statements on a topic, or about a named thing."""
    builder, is_topic = PageBuilder(context, url), kind == "topic"
    title, label = (topic_label(name), "Topic") if is_topic else (name, NAMED_THING)
    lines = lines_placing(context.corpus, statements)
    if is_topic:
        lines = [*dict.fromkeys((*context.lines_by_topic.get(name, ()), *lines))]
        line_rows = [_line_in_short(builder, id) for id in lines]
    else:
        bearers = _bearers_by_line(context, statements)
        lines = [*bearers]
        line_rows = [_line_with_bearers(builder, id, ids) for id, ids in bearers.items()]
    term = context.corpus.term(name)
    evidence = [each for each in statements if each.kind is Kind.EVIDENCE]
    builder.add(
        page_kind_line(label),
        element("h1", title),
        element("p", builder.inline_html(term.text, term.span.path), class_="kg-standfirst")
        if term
        else None,
        fact_row(
            *kind_counts(statements),
            f"in {count_of(len(lines), 'question')}" if lines else None,
        ),
    )
    parts = (
        ("lines", "Questions", item_list(line_rows)),
        ("evidence", "Findings", evidence_list(builder, evidence)),
    )
    # for a name, readers look for findings; for a topic, for questions
    first, last = parts if is_topic else parts[::-1]
    builder.section(*first)
    add_claims_by_camp(builder, statements)
    builder.section(*last)
    return builder.page(
        kind,
        title,
        f"{label} {title}: {count_of(len(statements), 'statement')}.",
        search_text=term.text if term else "",
        names=tuple(other_names(context.corpus, [name])),
        aliases=tuple(_redirect_addresses(context, term, name)) if term and not is_topic else (),
        facets={"kind": ("Topic" if is_topic else NAMED_THING,)},
    )


def _redirect_addresses(context: SiteContext, term: GlossaryTerm, name: str) -> Iterator[str]:
    """Addresses for the other names of a topic, which redirect to its page."""
    used_names = (each for each in term.names if each != name and each in context.corpus.about)
    return (f"about/{file_name(each)}.html" for each in used_names)


def lines_placing(corpus: Corpus, statements: Sequence[Statement]) -> list[str]:
    """The lines that place one of the statements."""
    placements = (each for s in statements for each in corpus.placements_of.get(s.id, ()))
    return [*dict.fromkeys(each.line for each in placements)]


def _bearers_by_line(
    context: SiteContext, statements: Sequence[Statement]
) -> dict[LineId, list[StatementId]]:
    """Those of the statements that a line places, or whose loss would visibly move its answer, by
    line; what moves it most first.
    """
    bearers: dict[LineId, list[StatementId]] = {}
    for line in context.corpus.lines.values():
        effects = context.answers.effects_on_answer(line.id)
        placed_ids = {each.statement for each in line.placements}
        ids = [
            each.id
            for each in statements
            if each.id in placed_ids or effects.get(each.id, 0.0) >= LEAST_MOVE_SHOWN
        ]
        if ids:
            bearers[line.id] = sorted(ids, key=lambda id: -effects.get(id, 0.0))
    return bearers


def _line_with_bearers(builder: PageBuilder, id: LineId, bearers: Sequence[StatementId]) -> Html:
    """A question, and by which statements a named thing bears on it."""
    shown: list[Child] = [builder.statement(each) for each in bearers[:_BEARERS_NAMED]]
    if omitted := len(bearers) - len(shown):
        shown.append(f"and {omitted} more")
    number = f"{builder.number_of_line(id)} "
    return element("li", number, builder.link_of(id), remark("By: ", join("; ", shown)))


def _line_in_short(builder: PageBuilder, id: str) -> Html:
    """A line's question and its current answer."""
    short_answer = whole_answer(builder.context.answers.verdict(id))
    return element("li", builder.link_of(id), remark(short_answer))


# -- all names on one page ----------------------------------------------------------------------


def name_list_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The page of all named things, if notes name any."""
    if context.corpus.about:
        yield LazyPage("about/index.html", partial(_names_page, context), WHOLE_CORPUS)


def _names_page(context: SiteContext) -> Page:
    """The named things in the notes by their headings in the glossary, the most frequent first."""
    builder = PageBuilder(context, "about/index.html")
    by_group = _names_by_group(context)
    rows = list[list[Child]]()
    for group, names in by_group.items():
        if len(by_group) > 1:
            words = f"{group or _NO_GROUP} ({len(names):,})"
            rows.append([element("th", words, scope="rowgroup", colspan=3, data_kg_group=True)])
        rows += [_row_of_name(builder, name) for name in names]
    builder.add(sortable_table(("Name", "Claims", "Findings"), rows, _NAMES_TITLE))
    count = sum(map(len, by_group.values()))
    description = f"{count_of(count, 'thing')} that notes name, such as studies and methods."
    most = sorted(context.statements_by_name, key=partial(_rank_of_name, context))[:_MOST_NAMED]
    lead: list[Child] = [f"{count_of(count, 'thing')} that notes name."]
    if count > _MOST_NAMED:
        links = join(", ", [_link_to_name(builder, name) for name in most])
        lead += [" Most is said about ", links, "."]
    return builder.overview(_NAMES_TITLE, description, lead=lead, names=(f"{NAMED_THING}s",))


def _names_by_group(context: SiteContext) -> dict[str, list[str]]:
    """Names by the heading under which the glossary explains them, the largest group first."""
    by_group: dict[str, list[str]] = {}
    for name in sorted(context.statements_by_name, key=partial(_rank_of_name, context)):
        term = context.corpus.term(name)
        by_group.setdefault(term.group if term else "", []).append(name)
    return dict(sorted(by_group.items(), key=lambda item: (not item[0], -len(item[1]))))


def _rank_of_name(context: SiteContext, name: str) -> tuple[int, str]:
    return -len(context.statements_by_name[name]), name


def _row_of_name(builder: PageBuilder, name: str) -> list[Child]:
    """A name with its explanation in the glossary, and how many claims and findings are on it."""
    context = builder.context
    members = [context.corpus.statements[id] for id in context.statements_by_name[name]]
    evidence_count = sum(each.kind is Kind.EVIDENCE for each in members)
    link, meaning = _link_to_name(builder, name), remark(builder.link_maker.meaning(name))
    head = element("th", link, meaning, scope="row")
    return [head, len(members) - evidence_count, evidence_count]


def _link_to_name(builder: PageBuilder, name: str) -> Html:
    return element("a", name, href=builder.root + builder.context.addresses.about(name))


# -- all topics on one page ---------------------------------------------------------------------


class Topic(NamedTuple):
    """The data of one topic; `lines` name it or place one of its statements."""

    name: str
    standing: ClaimsByResult
    evidence: int
    independent: int

    @property
    def size(self) -> int:
        return self.standing.claims + self.evidence


def topic_matrix_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one table of topics, the largest first."""
    yield LazyPage("topics/index.html", partial(_topics_page, context), WHOLE_CORPUS)


def _topics_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, "topics/index.html")
    topics = [
        _topic_row(context, name, statements) for name, statements in context.corpus.topics.items()
    ]
    topics.sort(key=lambda topic: (-topic.size, topic.name))
    head = ("Topic", "Claims", "Undecided", "Findings")
    rows = [_row_of_topic(builder, topic) for topic in topics]
    builder.add(
        _legend_of_bars(),
        sortable_table(head, rows, "Topics", "kg-topics"),
        element("p", _WORDS, class_="kg-lead-in"),
    )
    size = count_of(len(topics), "topic")
    former_urls = ("atlas.html",)  # so that external links to a former page still work
    lead = _least_settled(builder, topics)
    return builder.overview("Topics", f"{size}.", "topics", lead, aliases=former_urls)


def _topic_row(context: SiteContext, name: str, statements: Sequence[Statement]) -> Topic:
    standings = context.standings
    claims = [s for s in statements if s.kind is not Kind.EVIDENCE]
    evidence = [s.id for s in statements if s.kind is Kind.EVIDENCE]
    return Topic(
        name=name,
        standing=ClaimsByResult.from_claims(standings.of(claim.id) for claim in claims),
        evidence=len(evidence),
        independent=standings.count_independent(evidence),
    )


def _least_settled(builder: PageBuilder, topics: Sequence[Topic]) -> Child:
    """`We know least about Meaning: 8 of 16 claims are undecided. The evidence is thinnest on …`,
    of topics with so many claims that it tells something; nothing if there are none.
    """
    large = [topic for topic in topics if topic.standing.claims >= FEWEST_CLAIMS]
    if not large:
        return None
    large.sort(key=lambda topic: -topic.standing.undecided / topic.standing.claims)
    unsettled_topic = large[0]
    undecided = unsettled_topic.standing.undecided
    verb = "is" if undecided == 1 else "are"
    words = f": {undecided} of {unsettled_topic.standing.claims} claims {verb} undecided. "
    known_least = ["We know least about ", _link_to_topic(builder, unsettled_topic.name), words]
    thinnest = min(large, key=lambda topic: topic.independent / topic.standing.claims)
    return [
        known_least if undecided else None,
        "The evidence is thinnest on ",
        _link_to_topic(builder, thinnest.name),
        f": {count_of(thinnest.independent, 'independent source')} "
        f"for {thinnest.standing.claims} claims.",
    ]


def _row_of_topic(builder: PageBuilder, topic: Topic) -> list[Child]:
    standing = topic.standing
    claims: Child = BLANK
    if standing.claims:
        claims = [element("span", standing.claims), " ", _result_bar(standing)]
    return [
        element("th", _name_with_explanation(builder, topic.name), scope="row"),
        claims,
        standing.undecided or BLANK,
        _evidence_cell(topic),
    ]


def _name_with_explanation(builder: PageBuilder, name: str) -> list[Child]:
    """A topic, with its explanation in a sentence."""
    term = builder.context.corpus.term(name)
    if term is None:
        return [_link_to_topic(builder, name)]
    meaning = builder.inline_html(first_sentence(term.text), term.span.path)
    return [_link_to_topic(builder, name), remark(meaning)]


def _link_to_topic(builder: PageBuilder, name: str) -> Html:
    href = builder.root + builder.context.addresses.topic(name)
    return element("a", topic_label(name), href=href)


def _evidence_cell(topic: Topic) -> Child:
    """`11 from 8 independent sources`."""
    if not topic.evidence:
        return BLANK
    sources = count_of(topic.independent, "independent source")
    return [topic.evidence, " ", element("span", f"from {sources}", class_="kg-small")]


def _result_bar(standing: ClaimsByResult) -> Html:
    """Claims as segments of a bar."""
    parts, start = [], 0.0
    for number, name in zip(standing, _PARTS, strict=True):
        segment_width = BAR_WIDTH * number / standing.claims
        if number:
            x, width = f"{start:.1f}", f"{max(segment_width - 1, 1):.1f}"
            parts.append(
                element("rect", x=x, y=0, width=width, height=BAR_HEIGHT, class_=f"kg-part-{name}")
            )
        start += segment_width
    words = ", ".join(f"{n} {word}" for n, word in zip(standing, RESULT_WORDS, strict=True) if n)
    return element(
        "svg",
        element("title", words),
        parts,
        width=BAR_WIDTH,
        height=BAR_HEIGHT,
        viewBox=f"0 0 {BAR_WIDTH} {BAR_HEIGHT}",
        role="img",
        class_="kg-parts",
    )


def _legend_of_bars() -> Html:
    """The legend for the segments of the bars."""
    swatches = [
        element("li", element("span", class_=f"kg-swatch kg-part-{name}", aria_hidden="true"), word)
        for name, word in _WORDS_OF_PART.items()
    ]
    return element("ul", *swatches, class_="kg-facts kg-key")
