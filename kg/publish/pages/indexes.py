"""Lists of names, sources and terms that notes explain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import inf

from kg.corpus import Corpus
from kg.model import Kind, Source, SourceKey
from kg.model.glossary_term import GlossaryTerm, fold_term
from kg.publish.components.strength_bar import short_answer
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
from kg.publish.markup.phrases import first_sentence, quote, render_authors, shown_move
from kg.publish.markup.prose import TextPlace
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page, Passage
from kg.publish.page_builder import PageBuilder
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness_words import is_surer
from kg.text.plurals import count_of, join_with_and

_MOVES = ((0.02, "hardly"), (0.05, "a little"), (0.15, "noticeably"), (inf, "much"))
_SOURCE_HEAD = ("Source", "Year", "Statements", "Moves an answer")
_GROUPS = ("Carry an answer", "Hold an answer back", "Move no answer")
_UNDOING = "Only those without which an answer would fall"
NAMES = "Names"
_MIDDLE = 0.5  # the strength that says nothing either way
MOST_NAMED = 5  # in a sentence
GLOSSARY = "glossary.html"
MAX_TERMS_UNDIVIDED = 30  # terms of a group; larger groups are divided by letters


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
    builder.add(sortable_table(("Name", "Claims", "Findings"), rows, NAMES))
    description = f"{count_of(len(rows), 'name')} of studies, methods and other things."
    first = [_link_to_name(builder, name) for name, _ in groups[:MOST_NAMED]]
    lead: Child = None
    if len(groups) > MOST_NAMED:
        lead = [f"Of {len(rows):,} names most is said about ", join(", ", first), "."]
    return builder.overview(NAMES, description, lead=lead)


def _link_to_name(builder: PageBuilder, name: str) -> Html:
    return element("a", name, href=builder.root + builder.context.addresses.about(name))


def _sources_page(context: SiteContext) -> Page:
    """Sources in groups, first those that carry an answer; in each first those without which an
    answer leaves its side, then those without which it has another sureness, then the heaviest.
    """
    corpus = context.corpus
    builder = PageBuilder(context, "sources/index.html")
    largest_losses = {key: _largest_loss(context, key) for key in corpus.sources}
    sources = sorted(
        corpus.sources.values(),
        key=lambda s: (
            _group_of(largest_losses[s.key]),
            *_order_of_loss(largest_losses[s.key]),
            -len(corpus.statements_citing.get(s.key, ())),
            s.key,
        ),
    )
    rows = list[list[Child]]()
    for group, group_sources in groupby(sources, lambda s: _group_of(largest_losses[s.key])):
        members = list(group_sources)
        if corpus.lines:
            rows.append([_heading_of_group(f"{_GROUPS[group]} ({len(members):,})")])
        rows += [
            [
                element("th", *_source_named(builder, source), scope="row"),
                source.year or BLANK,
                len(corpus.statements_citing.get(source.key, ())),
                _largest_move(builder, source.key, largest_losses[source.key]),
            ]
            for source in members
        ]
    uncited_count = sum(not corpus.statements_citing.get(s.key) for s in sources)
    undoing_count = sum(map(_undoes_answer, largest_losses.values()))
    only = _UNDOING if undoing_count else None
    builder.add(sortable_table(_SOURCE_HEAD, rows, "Sources", "kg-all-sources", only=only))
    count_text = count_of(len(sources), "source")
    uncited = f" ({uncited_count:,} not cited yet)" if uncited_count else ""
    return builder.overview(
        "Sources",
        f"{count_text}, first those that carry an answer most.",
        lead=_how_far_answers_hang(
            builder, f"{count_text}{uncited}", sources, largest_losses, undoing_count
        ),
    )


def _how_far_answers_hang(
    builder: PageBuilder,
    count_text: str,
    sources: Sequence[Source],
    largest_losses: Mapping[SourceKey, SourceLoss | None],
    undoing_count: int,
) -> Child:
    """Say whether the loss of any source alone would change the side or the sureness of an answer,
    and which of `sources`, the heaviest first, matter most.
    """
    if not builder.context.corpus.lines or not sources:
        return f"{count_text}."
    if not undoing_count:
        none = "No single source decides an answer"
        losses = [(source, largest_losses[source.key]) for source in sources]
        less_sure = [s for s, loss in losses if _changes_word(loss) and not _holds_back(loss)]
        if less_sure:
            which, such, names = _name_heaviest(builder, less_sure)
            return [none, f", but without {which} an answer would be less sure{such}", names, "."]
        which = "What holds one back most" if _holds_back(losses[0][1]) else "The most important"
        return [none, f". {which} is ", _name_heaviest(builder, sources[:1])[-1], "."]
    source_names = _name_heaviest(builder, sources[:undoing_count])[-1]
    if undoing_count == 1:
        return [f"Of {count_text}, ", source_names, " alone could undo an answer."]
    among = "among them " if undoing_count > MOST_NAMED else ""
    each = f"{undoing_count:,} could each undo an answer: "
    return [f"Of {count_text}, {each}{among}", source_names, "."]


def _name_heaviest(builder: PageBuilder, sources: Sequence[Source]) -> tuple[str, str, Html]:
    """`one of these`, `: ` and the names of some sources; of many only the first are named."""
    names = [builder.link_maker.source(each.key, builder.root) for each in sources[:MOST_NAMED]]
    source_names = Html(join_with_and([*map(str, names)]))
    if len(sources) > MOST_NAMED:
        return f"one of {len(sources):,}", ", such as ", source_names
    return "one of these" if len(sources) > 1 else "this one", ": ", source_names


def _source_named(builder: PageBuilder, source: Source) -> list[Child]:
    """A work by its short name, title and authors."""
    return [
        builder.link_maker.source(source.key, builder.root),
        element("span", element("cite", source.title), class_="kg-line"),
        remark(render_authors(source, 4)),
    ]


def _largest_loss(context: SiteContext, key: str) -> SourceLoss | None:
    """The largest effect that the loss of a source has on an answer: that on one which leaves its
    side, if any does, else on one which has another sureness, else on the one that moves farthest.
    """
    return min(context.strengths.falls(key), key=_order_of_loss, default=None)


def _order_of_loss(fall: SourceLoss | None) -> tuple[bool, bool, float]:
    return not _undoes_answer(fall), not _changes_word(fall), -_size_of_move(fall)


def _undoes_answer(fall: SourceLoss | None) -> bool:
    return fall is not None and fall.undoes


def _changes_word(fall: SourceLoss | None) -> bool:
    return fall is not None and bool(fall.sureness_without)


def _holds_back(fall: SourceLoss | None) -> bool:
    """Return whether an answer would be surer without a source, or farther from the middle."""
    if fall is None or fall.undoes:
        return False
    if fall.sureness_without:
        return is_surer(fall.sureness_without, fall.sureness)
    if fall.before is None or fall.after is None:
        return False
    return abs(fall.after - _MIDDLE) > abs(fall.before - _MIDDLE)


def _group_of(fall: SourceLoss | None) -> int:
    """The place among `_GROUPS` of a source whose loss has this effect."""
    if not (_undoes_answer(fall) or _changes_word(fall) or _size_of_move(fall)):
        return len(_GROUPS) - 1
    return int(_holds_back(fall))


def _heading_of_group(words: str) -> Html:
    return element("th", words, scope="rowgroup", colspan=len(_SOURCE_HEAD), data_kg_group=True)


def _size_of_move(fall: SourceLoss | None) -> float:
    """Return how far an answer moves, as shown."""
    return float(_signed_move(fall) or 0)


def _signed_move(fall: SourceLoss | None) -> str:
    if fall is None or fall.before is None or fall.after is None:
        return ""
    return shown_move(fall.before, fall.after)[2].lstrip("+−")


def _largest_move(builder: PageBuilder, key: SourceKey, fall: SourceLoss | None) -> Child:
    """Say how far the most affected answer would move without a source and those that count as one
    with it, and which answer that is.
    """
    if fall is None or not (_signed_move(fall) or fall.sureness_without):
        return BLANK
    move_text = _signed_move(fall) or "0"
    undone_note = ", ", element("strong", "would fall", data_kg_marked=True)
    href = builder.root + builder.context.addresses.of(fall.line_id)
    line = builder.context.corpus.lines[fall.line_id]
    link = element("a", line.title, href=href)
    others = [builder.link_maker.names.get(each, each) for each in fall.sources if each != key]
    with_others = element(
        "span", f" (counted as one with {join_with_and(others)})", class_="kg-small"
    )
    words = _move_in_words(float(move_text))
    if fall.sureness_without and not fall.undoes:
        surer = "surer: " if _holds_back(fall) else ""
        answer = short_answer(line, fall.sureness_without, side_of(fall.word))
        words = f"would be {surer}{quote(answer)}"
    title = f"by {move_text} on a scale from 0 to 1"
    return [
        element("span", words, title=title, data_kg_value=move_text),
        with_others if others else None,
        undone_note if fall.undoes else None,
        remark(link),
    ]


def _move_in_words(move: float) -> str:
    """Say how far an answer moves, on a scale from 0 to 1, in words."""
    return next(word for limit, word in _MOVES if move < limit)


# -- the glossary ---------------------------------------------------------------------------


def glossary_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page of all terms, if notes explain any."""
    if context.corpus.terms:
        yield LazyPage(GLOSSARY, partial(_glossary_page, context), WHOLE_CORPUS)


def _glossary_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, GLOSSARY)
    terms = context.corpus.terms
    size = count_of(len(terms), "entry")
    builder.add(Html("<div data-kg-filter>"))
    groups = groupby(terms, key=lambda term: (term.span.path, term.group))
    for number, ((_, group), group_terms) in enumerate(groups, 1):
        builder.section(
            f"group-{number}", group or "Terms", _term_lists(builder, list(group_terms), number)
        )
    builder.add(Html("</div>"))
    jumps = [element("a", each.text, href=f"#{each.id}") for each in builder.toc]
    builder.parts[:0] = (element("p", join(" · ", jumps), class_="kg-jumps"),)
    description = f"What {size} mean: topics, names and terms of art."
    passages = tuple(
        _passage_of_term(builder, term) for term in terms if not _pages_of(context.corpus, term)
    )
    return builder.overview("Glossary", description, "glossary", passages=passages)


def _passage_of_term(builder: PageBuilder, term: GlossaryTerm) -> Passage:
    context = builder.context
    prose = context.renderer.render(term.text, TextPlace(path=term.span.path, flat=True))
    corpus = context.corpus
    targets = [corpus.statements.get(id) or corpus.lines.get(id) for id in prose.linked_ids]
    return Passage(
        id=_anchor_of_term(term),
        kind="Term",
        names=term.names,
        text=term.text,
        links=tuple((context.addresses.of(each.id), each.title) for each in targets if each),
    )


def _pages_of(corpus: Corpus, term: GlossaryTerm) -> list[str]:
    return _names_of_term(corpus.topics, term) + _names_of_term(corpus.about, term)


def _term_lists(builder: PageBuilder, terms: Sequence[GlossaryTerm], number: int) -> list[Html]:
    """The terms of group `number`; a long one is divided by first letters, after links to
    the letters.
    """
    if len(terms) <= MAX_TERMS_UNDIVIDED:
        return [_list_of_terms(builder, terms)]
    links, lists = list[Child](), list[Html]()
    in_order = sorted(terms, key=lambda term: fold_term(term.name))
    for letter, letter_terms in groupby(in_order, lambda term: fold_term(term.name)[:1].upper()):
        id = f"letter-{number}-{len(lists)}"
        links.append(element("a", letter, href=f"#{id}"))
        lists.append(_list_of_terms(builder, letter_terms, element("h3", letter, id=id)))
    return [element("p", join(" ", links), class_="kg-letters"), *lists]


def _list_of_terms(
    builder: PageBuilder, terms: Iterable[GlossaryTerm], heading: Html | None = None
) -> Html:
    entries = element("dl", *[_entry_of_term(builder, term) for term in terms])
    return element("div", heading, entries, class_="kg-letter")


def _entry_of_term(builder: PageBuilder, term: GlossaryTerm) -> Html:
    others = [each for each in term.names[1:] if _tells_more(term.name, each)]
    searched = " ".join(each for each in term.names[1:] if each not in others)
    address = _address_of(builder, term)
    name = element("a", term.name, href=builder.root + address) if address else term.name
    # the rest is on its own page
    shown_text = first_sentence(term.text) if address else term.text
    text = builder.inline_html(shown_text, term.span.path)
    return element(
        "div",
        element(
            "dt",
            element("strong", name),
            element("span", f" ({', '.join(others)})", class_="kg-small") if others else None,
            element("span", searched, hidden=True) if searched else None,
            id=_anchor_of_term(term),
        ),
        element("dd", text),
        class_="kg-entry",
    )


def _tells_more(name: str, other: str) -> bool:
    """Return whether another name helps a reader of the term: a fuller one, or what either is short
    for. Other names only serve to find it.
    """
    initials = {"".join(word[0] for word in re.findall(r"\w+", each)) for each in (name, other)}
    is_short = not {each.casefold() for each in initials}.isdisjoint(
        {name.casefold(), other.casefold()}
    )
    return is_short or other.casefold().endswith(f" {name.casefold()}")


def _address_of(builder: PageBuilder, term: GlossaryTerm) -> str:
    """The address of the topic, else of the thing, that a term names; empty if it has no page."""
    context = builder.context
    topics = _names_of_term(context.corpus.topics, term)
    things = _names_of_term(context.statements_by_name, term)
    if topics:
        return context.addresses.topic(topics[0])
    return context.addresses.about(things[0]) if things else ""


def _names_of_term(names: Iterable[str], term: GlossaryTerm) -> list[str]:
    folded_names = {fold_term(name) for name in term.names}
    return [name for name in names if fold_term(name) in folded_names]


def _anchor_of_term(term: GlossaryTerm) -> str:
    """The anchor of a term on the glossary page."""
    return "term-" + fold_term(term.name).replace(" ", "-")
