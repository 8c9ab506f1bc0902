"""A page per statement: its text, the reasons for and against it, and where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus.reasons_for_and_against import ReasonsBySide, reasons_by_side
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import Bearing, Kind, Statement, Status
from kg.publish.components.downloads_and_citation import (
    SHARE_OR_CITE,
    cite_page,
    claim_picture,
    copyable_sentence,
)
from kg.publish.components.evidence import (
    integrity_banners,
    sources_beneath,
    sources_counted,
    study_rows,
)
from kg.publish.components.note_record import day_of_page, record_of_note
from kg.publish.components.reasons import (
    count_reasons,
    effects_on_others,
    nats_of,
    other_edges,
    reason_tree,
    sort_by_weight,
    weightless_links,
)
from kg.publish.components.statement_lists import (
    collapsed_backlinks,
    contradiction_remarks,
    lines_using,
    notices_of_statement,
    same_statements_paragraph,
    superseded_paragraph,
)
from kg.publish.components.strength_bar import standing_line
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    Html,
    collapsible,
    element,
    fact_row,
    item_list,
    join,
    page_kind_line,
    remark,
    title_in_html,
)
from kg.publish.markup.linked_data import statement_data
from kg.publish.markup.phrases import (
    KINDS,
    LEAST_NATS_COUNTED,
    as_sentence,
    capitalize_first,
    describe_balance,
    topic_label,
)
from kg.publish.page import LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.queries.search_documents import other_names
from kg.text.plurals import count_of

LITTLE_NATS = 0.1  # less counts as little


def statement_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each claim, counter-claim and piece of evidence."""
    for statement in context.corpus.statements.values():
        url = context.addresses.of(statement.id)
        about = ("statements", statement.id)
        yield LazyPage(url, partial(statement_page, context, statement), about)


def statement_page(context: SiteContext, statement: Statement) -> Page:
    """Render the page of one statement."""
    statement = context.statements_with_bodies[statement.id]
    url = context.addresses.of(statement.id)
    builder = PageBuilder(context, url)
    sides = reasons_by_side(context.corpus, statement.id)
    _add_head(builder, statement, sides)
    if statement.kind is Kind.EVIDENCE:
        builder.section("study", "The study", study_rows(builder, statement))
    _add_arguments(builder, statement, sides)
    _add_places(builder, statement)
    builder.section("about", "About this page", *_about_this_page(builder, statement))
    return builder.page(
        "statement",
        statement.title,
        _describe_in_head(context, statement),
        search_text=_search_text(context, statement),
        keywords=_keywords(context, statement),
        facets=facets(context, statement),
        linked_data=statement_data(context.corpus, statement),
        record=context.record_addresses[statement.id],
        alternates=claim_picture(context, statement),
        aliases=statement.aliases,
        updated=day_of_page(context, statement),
    )


def _keywords(context: SiteContext, statement: Statement) -> str:
    """Its topics, and what else they are called."""
    names = other_names(context.corpus, statement.topics)
    return "\n".join([*map(topic_label, statement.topics), *names])


def _about_this_page(builder: PageBuilder, statement: Statement) -> Iterator[Html]:
    """Details about the page rather than its subject, each collapsed."""
    if sources := sources_beneath(builder, statement):
        yield sources
    yield collapsed_backlinks(builder, statement.id)
    yield collapsible("Record", record_of_note(builder, statement))
    sentence, citation = _citation_of_page(builder, statement)
    yield collapsible(SHARE_OR_CITE, sentence, citation)


def _citation_of_page(builder: PageBuilder, statement: Statement) -> tuple[Html, Html]:
    """The citation of the statement, in a sentence and as BibTeX."""
    context, names = builder.context, builder.link_maker.names
    standing = context.standings.of(statement.id)
    word, source = standing.answer_phrase, ""
    if standing.quality is not None:
        word = f"quality {standing.quality:.2f}"
        source = "; ".join(names[key] for key in statement.sources if key in names)
    return (
        copyable_sentence(context, builder.url, statement.title, word, source),
        cite_page(context, builder.url, statement),
    )


def facets(context: SiteContext, statement: Statement) -> dict[str, tuple[str, ...]]:
    """The facets by which search can filter a statement, among them the lines that place it."""
    placements = context.corpus.placements_of.get(statement.id, ())
    camp, standing = context.link_maker.camp_shown(statement.id), context.standings.of(statement.id)
    return {
        "kind": (KINDS[statement.kind],),
        "camp": (context.link_maker.camp_label(camp),) if camp else (),
        "answer": (capitalize_first(standing.answer_phrase),) if standing.sureness else (),
        "topic": tuple(map(topic_label, statement.topics)),
        "line": tuple(dict.fromkeys(placement.line for placement in placements)),
    }


def _search_text(context: SiteContext, statement: Statement) -> str:
    """The text for search: the statement's text, the names it is about and its works, and the
    reasons that its note gives.
    """
    works = [context.link_maker.names.get(key, key) for key in statement.sources]
    names = ", ".join((*statement.about, *works))
    reasons = [edge.reason for edge in context.corpus.edges_from.get(statement.id, ())]
    return "\n\n".join(filter(None, (statement.body, statement.open, names, *reasons)))


def _describe_in_head(context: SiteContext, statement: Statement) -> str:
    title = statement.title if statement.title.endswith((".", "?", "!")) else f"{statement.title}."
    kind_and_title = f"{KINDS[statement.kind]}: {title}"
    standing = context.standings.of(statement.id)
    if standing.quality is not None or not (standing.pro or standing.con):
        return kind_and_title
    balance = describe_balance(standing.word, standing.pro, standing.con)
    return f"{kind_and_title} {capitalize_first(standing.answer_phrase)}. {balance}"


def _add_head(builder: PageBuilder, statement: Statement, sides: ReasonsBySide) -> None:
    link_maker = builder.link_maker
    camp = link_maker.camp_shown(statement.id)
    body = builder.prose(statement.body, statement.span.path, in_toc=True)
    status = statement.status.capitalize() if statement.status is not Status.STABLE else None
    builder.add(
        page_kind_line(
            KINDS[statement.kind],
            link_maker.camp(camp, builder.root) if camp else None,
            _other_camps(builder.context, statement),
            status,
        ),
        element("h1", title_in_html(statement.title)),
        standing_line(builder, statement.id),
        _notices_on_standing(builder, statement),
        _lead_facts(builder, statement, sides),
        element("div", body, class_="kg-body") if statement.body else None,
        _parent_note(builder, statement),
        _open_question(builder, statement),
    )


def _other_camps(context: SiteContext, statement: Statement) -> Html | None:
    """`Optimist for 2 questions, Sceptic for 1 question`: the camps in which lines place a
    statement, other than its own, with a link to these questions.
    """
    camp = context.link_maker.camp_shown(statement.id)
    placements = context.corpus.placements_of.get(statement.id, ())
    counts = Counter(each.camp for each in placements if each.camp != camp)
    names = [
        f"{context.link_maker.camp_label(other)} for {count_of(count, 'question')}"
        for other, count in counts.items()
    ]
    return element("a", ", ".join(names), href="#camps") if names else None


def _lead_facts(builder: PageBuilder, statement: Statement, sides: ReasonsBySide) -> Html:
    count = len(lines_using(builder.context, statement.id))
    lines = f"in {count_of(count, 'question')}" if count else None
    if statement.kind is Kind.EVIDENCE:
        return fact_row(builder.link_maker.papers(statement.sources, builder.root), lines)
    source_count = builder.standing(statement.id).source_count
    sources = sources_counted(builder, source_count, "count", "for or against it")
    counts = count_reasons(builder, sides.both)
    return fact_row(
        sources,
        element("a", f"{count_of(counts.pro, 'reason')} for it", href="#for")
        if counts.pro
        else None,
        element("a", counts.against, href="#against") if counts.against else None,
        lines,
    )


def _notices_on_standing(builder: PageBuilder, statement: Statement) -> list[Html]:
    """Render what the number alone does not show: the statement is superseded, undercut, doubted by
    its publisher, or the same as another.
    """
    is_superseded = statement.id in superseded_statements(builder.context.corpus)
    classes = "kg-banner" if is_superseded else "kg-around"
    boxes: list[Html] = []
    # of evidence "What limits it" names the objections
    if is_superseded or statement.kind is not Kind.EVIDENCE:
        notices = notices_of_statement(builder, statement.id)
        boxes += [element("div", notice, class_=classes) for notice in notices]
    remarks = contradiction_remarks(builder, statement.id)
    boxes += [element("div", remark, class_="kg-around") for remark in remarks]
    if statement.kind is Kind.EVIDENCE:
        boxes += integrity_banners(builder, statement)
    if same_note := same_statements_paragraph(builder, statement.id):
        boxes.append(element("div", same_note, class_="kg-around"))
    return boxes


def _parent_note(builder: PageBuilder, statement: Statement) -> Html | None:
    """Name the note in which a statement inside another's note stands, unless what it speaks for
    says so.
    """
    corpus, parent = builder.context.corpus, statement.parent
    bears_on_parent = any(each.target == parent for each in corpus.bearings_from(statement.id))
    if parent is None or parent not in corpus.statements or bears_on_parent:
        return None
    return element("p", "Stands in the note of ", builder.statement(parent), class_="kg-around")


def _open_question(builder: PageBuilder, statement: Statement) -> Html | None:
    if not statement.open:
        return None
    words = builder.inline_html(statement.open, statement.span.path)
    return element("p", element("strong", "Not settled here: "), words, class_="kg-caution")


def _add_arguments(builder: PageBuilder, statement: Statement, sides: ReasonsBySide) -> None:
    """Add the reasons for and against side by side, then the statement's own edges to others."""
    columns = [
        _reasons_of_side(builder, title, sort_by_weight(builder, reasons), statement)
        for title, reasons in (("For", sides.pro), ("Against", sides.con))
        if reasons or statement.kind is not Kind.EVIDENCE
    ]
    if columns or sides.superseded_reasons:
        builder.section(
            "for-and-against",
            "For and against",
            element("div", *columns, class_="kg-sides"),
            superseded_paragraph(builder, sides, statement.id),
            lead=_describe_weights_of_sides(builder, statement, sides),
        )
    builder.section(
        "bears-on",
        "What it speaks for and against",
        effects_on_others(builder, statement.id),
        item_list(other_edges(builder, statement.id), "kg-tree"),
        weightless_links(builder, statement.id),
    )


def _describe_weights_of_sides(
    builder: PageBuilder, statement: Statement, sides: ReasonsBySide
) -> str:
    """The weight of each side if the lighter side has more reasons, and how many of those add
    little; empty for evidence.
    """
    standing = builder.standing(statement.id)
    if standing.quality is not None or not (standing.pro or standing.con):
        return ""
    pro, con = round(standing.pro, 2), round(standing.con, 2)
    pros, cons = (
        [each for each in reasons if abs(nats_of(builder, each)) >= LEAST_NATS_COUNTED]
        for reasons in (sides.pro, sides.con)
    )
    if pro < con and len(pros) > len(cons):
        reasons, side, other_side = pros, "for", "against"
    elif con < pro and len(cons) > len(pros):
        reasons, side, other_side = cons, "against", "for"
    else:
        return ""
    slight_count = sum(abs(nats_of(builder, reason)) < LITTLE_NATS for reason in reasons)
    mostly = "mostly slight" if 2 * slight_count > len(reasons) else "all weaker"
    number = capitalize_first(count_of(len(reasons), "reason"))
    return f"{number} {side}, {mostly}: together they weigh less than those {other_side}."


def _reasons_of_side(
    builder: PageBuilder, title: str, reasons: Sequence[Bearing], statement: Statement
) -> Html:
    side = title.lower()
    body = reason_tree(builder, reasons, statement.id) or element(
        "p", f"Nothing recorded {side} it yet.", class_="kg-none"
    )
    standing = builder.standing(statement.id)
    weight = standing.pro if side == "for" else standing.con
    counts = count_reasons(builder, reasons)
    count_words = counts.against if counts.limits else str(counts.pro or counts.con or "")
    words = count_words or counts.idle_words
    size = f'<span class="kg-count" title="{weight:.2f}"> {words}</span>'
    head = f'<h3 id="{side}">{title}{size if reasons else ""}</h3>'
    return Html(f'<div class="kg-side-column kg-column-{side}">{head}' + body + "</div>")


def _add_places(builder: PageBuilder, statement: Statement) -> None:
    """Lines that weigh it, place it in a camp or name it in their essay, and its topics."""
    context, links = builder.context, builder.link_maker
    weighing_lines = context.lines_by_proposition.get(statement.id, ())
    placements = context.corpus.placements_of.get(statement.id, ())
    placing_lines = {placement.line for placement in placements}
    rows = [
        element(
            "li",
            "The claim that decides in " if id in weighing_lines else "Named in the essay of ",
            links.line(id, builder.root),
        )
        for id in lines_using(context, statement.id)
        if id not in placing_lines
    ]
    rows += [
        element(
            "li",
            links.camp(placement.camp, builder.root),
            ", and the claim that decides, in " if placement.line in weighing_lines else " in ",
            links.line(placement.line, builder.root),
            remark(builder.inline_html(as_sentence(placement.reason), placement.span.path)),
        )
        for placement in placements
    ]
    if topics := links.topics(statement.topics, builder.root):
        rows.append(element("li", "On ", join(" ", topics)))
    builder.section("camps", "Where it is used", item_list(rows))
