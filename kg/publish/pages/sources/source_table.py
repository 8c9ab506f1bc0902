"""The page of all sources: which answers would move without each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from kg.model import Source, SourceKey
from kg.publish.components.line.turning_points import LITTLE
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import SourceLoss
from kg.publish.markup.html import BLANK, Child, Html, element, join, remark, sortable_table
from kg.publish.markup.phrases import quote, render_authors, shown_move
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness_words import is_surer
from kg.text.plurals import count_of, join_with_and

_SOURCE_HEAD = ("Source", "Year", "Statements", "Without it")
_GROUPS = (
    "Change the word of an answer",
    "Count in an answer",
    "Hold an answer back",
    "Move no answer",
)
_UNDOING = "Only those without which an answer would fall"
_MIDDLE = 0.5  # the strength that says nothing either way
_MUCH = 0.1  # of strength, from which an answer is much weaker
_MOST_NAMED = 5  # in a sentence


def source_table_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The page of all sources."""
    yield LazyPage("sources/index.html", partial(_sources_page, context), WHOLE_CORPUS)


def _sources_page(context: SiteContext) -> Page:
    """Sources in groups, first those without which an answer has another word.

    Of these stand first those without which it leaves its side; in each group the heaviest.
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
    undoing_count = sum(map(_takes_from_side, largest_losses.values()))
    only = _UNDOING if undoing_count else None
    builder.add(sortable_table(_SOURCE_HEAD, rows, "Sources", "kg-all-sources", only=only))
    count_text = count_of(len(sources), "source")
    uncited = f" ({uncited_count:,} not cited yet)" if uncited_count else ""
    return builder.overview(
        "Sources",
        f"{count_text}, first those that count most in an answer.",
        lead=_describe_largest_losses(
            builder, f"{count_text}{uncited}", sources, largest_losses, undoing_count
        ),
    )


def _describe_largest_losses(
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
        none_undoes = "No single source would undo an answer. "
        if changes := _changes_of_words(builder, sources):
            return [none_undoes, changes, "."]
        holds_back = _holds_back(largest_losses[sources[0].key])
        rank = "What holds one back most" if holds_back else "The most important"
        return [none_undoes, f"{rank} is ", _name_heaviest(builder, sources[:1]), "."]
    source_names = _name_heaviest(builder, sources[:undoing_count])
    if undoing_count == 1:
        return [f"Of {count_text}, ", source_names, " alone could undo an answer."]
    among = "among them " if undoing_count > _MOST_NAMED else ""
    each = f"{undoing_count:,} could each undo an answer: "
    return [f"Of {count_text}, {each}{among}", source_names, "."]


def _changes_of_words(builder: PageBuilder, sources: Sequence[Source]) -> Child:
    """`An answer would be more or less sure without A and B (Does it help?)`, those that count as
    one source together; None if there are none.
    """
    context = builder.context
    lines_by_sources: dict[tuple[str, ...], dict[str, Html]] = {}
    for source in sources:
        for loss in filter(_changes_word, context.answers.losses_of(source.key)):
            links = lines_by_sources.setdefault(loss.sources, {})
            links[loss.line_id] = builder.link_of(loss.line_id)
    if not lines_by_sources:
        return None
    named = [
        join("", [_join_links(builder, keys), " (", join(", ", links.values()), ")"])
        for keys, links in list(lines_by_sources.items())[:_MOST_NAMED]
    ]
    such = "for example " if len(lines_by_sources) > _MOST_NAMED else ""
    return [f"An answer would be more or less sure {such}without ", join("; ", named)]


def _name_heaviest(builder: PageBuilder, sources: Sequence[Source]) -> Html:
    """The names of some sources; of many only the first."""
    return _join_links(builder, [each.key for each in sources[:_MOST_NAMED]])


def _join_links(builder: PageBuilder, keys: Sequence[SourceKey]) -> Html:
    links = [builder.link_maker.source(key, builder.root) for key in keys]
    return Html(join_with_and([*map(str, links)]))


def _source_named(builder: PageBuilder, source: Source) -> list[Child]:
    """A work by its short name, title and authors."""
    return [
        builder.link_maker.source(source.key, builder.root),
        element("span", element("cite", source.title), class_="kg-line"),
        remark(render_authors(source, 4)),
    ]


def _largest_loss(context: SiteContext, key: str) -> SourceLoss | None:
    """The largest effect that the loss of a source has on an answer. That on an answer which leaves
    its side comes first, then on one which has another sureness, then on the one that moves
    farthest.
    """
    return min(context.answers.losses_of(key), key=_order_of_loss, default=None)


def _order_of_loss(loss: SourceLoss | None) -> tuple[bool, bool, float]:
    return not _takes_from_side(loss), not _changes_word(loss), -_size_of_move(loss)


def _takes_from_side(loss: SourceLoss | None) -> bool:
    return loss is not None and loss.takes_from_side


def _changes_word(loss: SourceLoss | None) -> bool:
    return loss is not None and bool(loss.sureness_without)


def _holds_back(loss: SourceLoss | None) -> bool:
    """Return whether an answer would be surer without a source, or farther from the middle."""
    if loss is None or loss.takes_from_side:
        return False
    if loss.sureness_without:
        return is_surer(loss.sureness_without, loss.sureness)
    if loss.strength_before is None or loss.strength_after is None:
        return False
    return abs(loss.strength_after - _MIDDLE) > abs(loss.strength_before - _MIDDLE)


def _group_of(loss: SourceLoss | None) -> int:
    """The place among `_GROUPS` of a source whose loss has this effect."""
    if _takes_from_side(loss) or _changes_word(loss):
        return 0
    if not _size_of_move(loss):
        return len(_GROUPS) - 1
    return 1 + _holds_back(loss)


def _heading_of_group(words: str) -> Html:
    return element("th", words, scope="rowgroup", colspan=len(_SOURCE_HEAD), data_kg_group=True)


def _size_of_move(loss: SourceLoss | None) -> float:
    return float(_digits_of_move(loss) or 0)


def _digits_of_move(loss: SourceLoss | None) -> str:
    """How far an answer moves, as shown: `0.12`; empty if it has no strength with or without."""
    if loss is None or loss.strength_before is None or loss.strength_after is None:
        return ""
    return shown_move(loss.strength_before, loss.strength_after).lstrip("+−")


def _largest_move(builder: PageBuilder, key: SourceKey, loss: SourceLoss | None) -> Child:
    """Say how far the most affected answer would move without a source and those that count as one
    with it, and which answer that is.
    """
    if loss is None or not (_digits_of_move(loss) or loss.sureness_without):
        return BLANK
    move_text = _digits_of_move(loss) or "0"
    href = builder.root + builder.context.addresses.of(loss.line_id)
    line = builder.context.corpus.lines[loss.line_id]
    link = element("a", line.title, href=href)
    others = [builder.link_maker.names.get(each, each) for each in loss.sources if each != key]
    with_others = element(
        "span", f" (counted as one with {join_with_and(others)})", class_="kg-small"
    )
    size = float(move_text)
    words: Child = _describe_size(size, firmer=_holds_back(loss))
    rank = size
    if loss.takes_from_side:
        words, rank = (
            element("strong", "another word: it would fall", data_kg_marked=True),
            2 + size,
        )
    elif loss.sureness_without:
        answer = answer_at_end(line, loss.sureness_without, side_of(loss.word))
        words, rank = f"another word: {quote(answer)}", 1 + size
    title = f"by {move_text} on a scale from 0 to 1"
    return [
        element("span", words, title=title, data_kg_value=f"{rank:.3f}"),
        with_others if others else None,
        remark(link),
    ]


def _describe_size(size: float, *, firmer: bool) -> str:
    """`a little weaker`: what an answer is that keeps its word, by how far it moves."""
    comparative = "firmer" if firmer else "weaker"
    if size < LITTLE:
        return f"a little {comparative}"
    return f"much {comparative}" if size >= _MUCH else comparative
