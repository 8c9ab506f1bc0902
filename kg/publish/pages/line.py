"""A page per inquiry line: the question, its answer in short, the essay, and both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from kg.model import InquiryLine, SourceKey, StatementId
from kg.publish.components.answer_history import earlier_word
from kg.publish.components.downloads_and_citation import (
    SHARE_OR_CITE,
    cite_page,
    copyable_sentence,
    download_links,
    line_files,
    line_picture,
)
from kg.publish.components.evidence import sources_in_answer, sources_table
from kg.publish.components.line.best_reasons import best_reasons
from kg.publish.components.line.both_sides import SIDES_PLACE, both_sides
from kg.publish.components.line.essay import add_essay, changes_since_review, standfirst
from kg.publish.components.line.line_answer import line_answer
from kg.publish.components.line.next_lines import next_lines
from kg.publish.components.line.scales import scales_of_line
from kg.publish.components.line.turning_points import turning_points
from kg.publish.components.note_record import day_of_page, note_dates
from kg.publish.components.statement_lists import backlinks
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.argument import argument_of, graph_address, has_argument
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    collapsible,
    collapsible_on_screen,
    definition_list,
    element,
    fact_row,
    item_list,
    join,
    join_children,
    page_kind_line,
    remark,
    title_in_html,
)
from kg.publish.markup.linked_data import line_data
from kg.publish.markup.phrases import capitalize_first, render_date, topic_label
from kg.publish.markup.short_answers import whole_answer
from kg.publish.page import Alternate, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.queries.line_scope import LineScope
from kg.reasoning.answers.verdict import Verdict
from kg.text.plurals import count_of

READ_BOTH = (f"#{SIDES_PLACE}", "Both sides")
WEIGH = ("#weigh", "Weigh it yourself")
_WEIGH = "Leave out what you doubt, change what evidence is worth, and see what the answer becomes."
_SOURCES = "In the answer, sources that share a team or data count as one source."
_COUNTED, _NAMED_IN_ESSAY = "Counted in the answer", "Named in the essay"
_BEHIND_REPLIES, _CITED_BY_STATEMENTS = "Behind the replies", "Cited by statements"
_UNSETTLED = "What the authors of the notes call unsettled"
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")


def line_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each inquiry line."""
    for line in context.corpus.lines.values():
        about = ("lines", line.id)
        yield LazyPage(context.addresses.of(line.id), partial(line_page, context, line), about)


def line_page(context: SiteContext, line: InquiryLine) -> Page:
    """Render the page of one inquiry line."""
    url = context.addresses.of(line.id)
    builder = PageBuilder(context, url, line.id)
    scope = LineScope(context.corpus, line)
    verdict = context.answers.verdict(line.id)
    graph_files = _graph_files(builder, line)
    files = line_files(context, line, scope.statements_by_source)
    weighing_files = _add_body(builder, scope, verdict, files, has_graph=bool(graph_files))
    answers = filter(None, (line.answers.holds, line.answers.fails))
    return builder.page(
        "line",
        line.title,
        whole_answer(verdict) or line.standfirst or line.title,
        search_text="\n\n".join((line.standfirst, *answers, line.doubt, line.essay)),
        keywords=_keywords_of_line(builder, line),
        best_reason=_best_reason(builder, verdict),
        facets={
            "kind": ("Question",),
            "answer": (capitalize_first(verdict.sureness),) if verdict else (),
            "topic": tuple(map(topic_label, line.topics)),
            "line": (line.id,),
        },
        linked_data=line_data(context.corpus, line, scope.members),
        record=context.record_addresses[line.id],
        alternates=(*graph_files, *weighing_files, *files, *line_picture(context, line)),
        aliases=line.aliases,
        updated=day_of_page(context, line),
    )


def _add_body(
    builder: PageBuilder,
    scope: LineScope,
    verdict: Verdict | None,
    files: Sequence[Alternate],
    *,
    has_graph: bool,
) -> Sequence[Alternate]:
    """Add the answer and the sections beneath it; return the files that weighing it loads."""
    context, line = builder.context, scope.line
    sides = list(both_sides(builder, scope))
    see_graph = (f"{builder.root}{graph_address(line)}", "Graph")
    onward_links = (
        WEIGH if context.answers.weighing(line.id) else None,
        READ_BOTH if sides else None,
        see_graph if has_graph else None,
    )
    builder.add(
        page_kind_line(_kind_of_page(context, line)),
        element("h1", title_in_html(line.title)),
        None if line.essay else standfirst(builder, line),
        line_answer(builder, line, [link for link in onward_links if link]),
    )
    fill_with_links = builder.reserve()  # later it is known which sections there are
    builder.add(_sources_and_review(builder, line, verdict))
    losses = add_essay(builder, line)
    panel, weighing_files = scales_of_line(builder, line, losses)
    builder.section(SIDES_PLACE, "Both sides", *sides)
    turns = (turning_points(builder, line), _cautions_in_notes(builder, scope))
    builder.section("turns", "What would change the answer", *turns)
    builder.section("weigh", "Weigh it yourself", panel, lead=_WEIGH)
    builder.section("sources", "Sources", _sources_of_line(builder, scope), lead=_SOURCES)
    builder.section("next", "Related questions", next_lines(builder, line))
    details = _collapsible_details(builder, line, verdict, files)
    builder.section("about", "About this page", *details)
    fill_with_links(_section_links(builder))
    return weighing_files


def _kind_of_page(context: SiteContext, line: InquiryLine) -> str:
    """`Question 2 of 5`, by the order of the list of questions."""
    ids = [*context.corpus.lines]
    return f"Question {1 + ids.index(line.id)} of {len(ids)}" if len(ids) > 1 else "Question"


def _best_reason(builder: PageBuilder, verdict: Verdict | None) -> tuple[str, ...]:
    """The address and title of the best reason for the answer."""
    corpus = builder.context.corpus
    for _, reason in best_reasons(corpus, verdict)[:1] if verdict else ():
        statement = corpus.statements[reason.statement]
        return builder.context.addresses.of(statement.id), statement.title
    return ()


def _section_links(builder: PageBuilder) -> Html:
    """Links to the parts of the page, for screens too narrow to show them beside it."""
    parts = [each for each in builder.toc if each.level == 2]
    links = [element("a", each.text, href=f"#{each.id}") for each in parts]
    return collapsible("On this page", item_list(links, None), class_="kg-jumps")


def _keywords_of_line(builder: PageBuilder, line: InquiryLine) -> str:
    """The titles of its claims, the meanings of its topics, and other names of what it mentions.

    Readers seldom use the same words as authors.
    """
    corpus = builder.context.corpus
    claims = [corpus.statements[placement.statement].title for placement in line.placements]
    meanings = [term.text for term in map(corpus.term, line.topics) if term]
    page_text = "\n".join((line.title, line.standfirst, line.essay, *line.topics, *claims))
    spaced_text = f" {' '.join(_LETTERS_OR_DIGITS.findall(page_text.casefold()))} "
    names = [
        name
        for term in corpus.terms
        if any(_contains_name(spaced_text, name) for name in term.names)
        for name in term.names
    ]
    return "\n".join([*claims, *meanings, *names])


def _contains_name(spaced_text: str, name: str) -> bool:
    """Return whether a text, its words separated by single spaces, contains `name` or its
    plural.
    """
    words = " ".join(_LETTERS_OR_DIGITS.findall(name.casefold()))
    return f" {words} " in spaced_text or f" {words}s " in spaced_text


def _sources_and_review(builder: PageBuilder, line: InquiryLine, verdict: Verdict | None) -> Html:
    changes = changes_since_review(builder, line)
    sources_fact = sources_in_answer(builder, verdict.sources) if verdict else None
    review_fact = None
    if line.reviewed and not changes:
        review_fact = f"reviewed {render_date(line.reviewed)}"
    row = (sources_fact, review_fact, earlier_word(builder, line))
    facts = fact_row(*row) if any(row) else None
    return join_children((facts, changes))


def _graph_files(builder: PageBuilder, line: InquiryLine) -> tuple[Alternate, ...]:
    """The file from which the page of graphs draws what the answer rests on."""
    if line.proposition is None or not has_argument(builder.context, line):
        return ()
    # imports pyvis, which no other page needs
    from kg.publish.graphics.explorer import graph_file

    argument = argument_of(builder.context, line, line.proposition)
    return (graph_file(builder.context, line, argument),)


def _sources_of_line(builder: PageBuilder, scope: LineScope) -> Html:
    """Sources of the line, each with the statements that cite it: those that count in the answer,
    the heaviest first, those that only the essay names, and, not on paper, all others.
    """
    independence = builder.context.answers.sources(scope.line.id)
    effects = (
        [each for each in independence.effects if each.pro or each.con] if independence else []
    )
    effects.sort(key=lambda each: -round(abs(each.effect or 0.0), 6))
    ids_by_source: dict[SourceKey, Sequence[StatementId]] = {
        key: each.evidence for each in effects for key in each.carried_by
    }
    counted = list(ids_by_source)
    ids_by_source |= scope.statements_by_source
    named = dict.fromkeys(each.key for each in scope.line.citations if each.key not in counted)
    rest = [key for key in ids_by_source if key not in counted and key not in named]

    def fold(label: str, keys: Iterable[SourceKey], make_fold: Callable[..., Html]) -> Html:
        names: dict[str, list[Child]] = {
            key: [builder.statement(id) for id in ids_by_source[key]] or ["the essay"]
            for key in keys
        }
        is_ranked = label == _COUNTED
        size = f"{len(names)}"
        if is_ranked and len(effects) < len(names):
            size += f", as {count_of(len(effects), 'independent source')}"
        table = sources_table(builder, names, is_ranked=is_ranked)
        return make_fold(f"{label} ({size})", table) if names else EMPTY

    others = _BEHIND_REPLIES if effects else _CITED_BY_STATEMENTS
    return join_children(
        (
            fold(_COUNTED, counted, collapsible_on_screen),
            fold(_NAMED_IN_ESSAY, named, collapsible_on_screen),
            fold(others, rest, collapsible if effects else collapsible_on_screen),
        )
    )


def _cautions_in_notes(builder: PageBuilder, scope: LineScope) -> Html:
    """List what the authors of the notes call unsettled."""
    statements = scope.corpus.statements
    cautions = [statements[id] for id in scope.members_and_reasons if statements[id].open]
    if not cautions:
        return EMPTY
    rows = [
        (builder.statement(each.id), remark(builder.inline_html(each.open, each.span.path)))
        for each in cautions
    ]
    return collapsible(_UNSETTLED, item_list(rows))


def _collapsible_details(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict | None, files: Sequence[Alternate]
) -> Iterator[Child]:
    """Details about the page rather than its subject, each collapsed."""
    answer = whole_answer(verdict).rstrip(".")
    if links := backlinks(builder, line.id):
        yield collapsible("Linked from", links)
    yield collapsible("Record", _record_of_line(builder, line))
    yield collapsible(
        SHARE_OR_CITE,
        copyable_sentence(builder.context, builder.url, line.title, answer),
        cite_page(builder.context, builder.url, line),
        download_links(builder.url, files),
    )


def _record_of_line(builder: PageBuilder, line: InquiryLine) -> Html:
    topics = builder.link_maker.topics(line.topics, builder.root)
    return definition_list(
        [
            ("Topics", join(" ", topics)),
            ("Written", note_dates(builder, line.span.path, line.created, line.updated)),
            ("Reviewed", render_date(line.reviewed) if line.reviewed else ""),
            ("Note", element("code", line.span.path)),
            ("Id", element("code", line.id)),
        ]
    )
