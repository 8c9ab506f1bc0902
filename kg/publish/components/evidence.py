"""Evidence, sources and quotations on a page, and the sentences that lead to it."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from kg.model import Bearing, Kind, Statement, StatementId
from kg.publish.components.strength_bar import quality_words
from kg.publish.markup.html import EMPTY, Child, Html, element, escape, folded, join_children
from kg.publish.markup.paper import titled
from kg.publish.markup.phrases import SEEN, count_of, method_name, shared
from kg.publish.markup.table import BLANK, folded_list, row_name, table
from kg.publish.page_builder import PageBuilder
from kg.queries.timeline import year_of

CONTEXT = 240  # letters of a paragraph that are shown whole around a link
SOURCES = 3  # rows of a table of sources before the rest is folded


def evidence_table(builder: PageBuilder, reasons: Iterable[Bearing]) -> Html:
    """Pieces of evidence on a statement: what each says, how it was obtained, how large, where
    seen.
    """
    statements = builder.context.corpus.statements
    found = ((reason, statements[reason.source]) for reason in reasons)
    rows = [_row(builder, reason, other) for reason, other in found if other.kind is Kind.EVIDENCE]
    return table(
        ("Evidence", "Side", "Method", "Sample", "Year", "Source", "Quality", "Seen"),
        rows,
        "Evidence",
        "kg-evidence",
    )


def _row(builder: PageBuilder, reason: Bearing, evidence: Statement) -> list[Child]:
    side = reason.edge.relation.side
    return [
        row_name(builder.statement(evidence.id)),
        Html(f'<span class="kg-side kg-side-{side}">{side}</span>'),
        method_name(evidence, BLANK),
        sample(evidence),
        year_of(builder.context.corpus, evidence.id) or BLANK,
        builder.link_maker.papers(evidence.sources, builder.root) or BLANK,
        quality_words(builder, evidence.id),
        SEEN[evidence.seen_in] if evidence.seen_in else BLANK,
    ]


def sample(evidence: Statement) -> str:
    """`555 scenarios`, or a dash where no size is recorded."""
    if evidence.sample is None:
        return BLANK
    return f"{evidence.sample:,} {evidence.sample_unit}".strip()


def figures_of(evidence: Statement) -> str:
    """`d=0.42 [0.1, 0.7], p=0.003`: the effect and its p, as far as they are recorded."""
    p = evidence.p_text
    shown = f"p{p}" if evidence.p_sign else f"p={p}"
    return ", ".join(filter(None, (evidence.effect_text, shown if p else "")))


def backlinks(builder: PageBuilder, id: str) -> Html:
    """Where running text links to `id`, with the sentence around each link."""
    seen: set[tuple[str, str]] = set()
    rows: list[str] = []
    for mention in builder.context.corpus.backlinks.get(id, ()):
        sentence = sentence_around(mention.context, mention.text)
        if (mention.origin, sentence) in seen or not _exists(builder, mention.origin):
            continue
        seen.add((mention.origin, sentence))
        words = builder.words(sentence, mention.span.path)
        quoted = "<blockquote>" + words + "</blockquote>" if sentence else ""
        rows.append("<li>" + builder.any(mention.origin) + quoted + "</li>")
    return Html('<ul class="kg-backlinks">' + "".join(rows) + "</ul>") if rows else EMPTY


def _exists(builder: PageBuilder, id: str) -> bool:
    return builder.context.corpus.find_id(id) == id


def sentence_around(context: str, words: str) -> str:
    """The sentence of a paragraph that holds `words`; a shortened paragraph where none does."""
    if len(context) <= CONTEXT:
        return context
    at = context.find(words) if words else -1
    if at < 0:
        return context[:CONTEXT].rpartition(" ")[0] + " …"
    ends = (". ", "? ", "! ")
    start = max(
        (context.rfind(end, 0, at) + 2 for end in ends if context.rfind(end, 0, at) >= 0), default=0
    )
    stops = [stop for end in ends if (stop := context.find(end, at + len(words))) >= 0]
    return context[start : min(stops, default=len(context)) + 1].strip()


def sources_table(builder: PageBuilder, carried: dict[str, list[Child]]) -> Html:
    """Sources, those that carry most on this page first; the lighter ones are folded away."""
    heaviest = sorted(carried.items(), key=lambda item: -len(item[1]))
    rows = [
        [
            row_name(builder.link_maker.cited(key, builder.root)),
            builder.context.once(("title", key), _title, builder, key),
            folded_list(what, "statement"),
        ]
        for key, what in heaviest
    ]
    head = ("Source", "Title", "Carries here")
    if len(rows) <= SOURCES + 2:
        return table(head, rows, "Sources", "kg-sources")
    more = folded(
        f"{len(rows) - SOURCES} more sources",
        table(head, rows[SOURCES:], "Sources, continued", "kg-sources"),
        class_="kg-on-paper",
    )
    return join_children([table(head, rows[:SOURCES], "Sources", "kg-sources"), more])


def in_groups(builder: PageBuilder, names: Iterable[str], here: str = "") -> str:
    """What something shares with other works, in words; works that share it count as one."""
    return "; ".join([shared(name, builder.context.corpus.sources, here) for name in names])


def _title(builder: PageBuilder, key: str) -> Html:
    source = builder.context.corpus.sources.get(key)
    if source is None:
        return Html("not in the bibliography")
    venue = f" {source.venue}." if source.venue else ""
    stop = "" if source.title.endswith((".", "?", "!")) else "."
    return Html(titled(source) + stop + escape(venue))


def quotations(builder: PageBuilder, statement: Statement) -> list[Html]:
    """Passages quoted word for word, each with its source."""
    return [
        element(
            "figure",
            element("blockquote", element("p", quoted.text)),
            element(
                "figcaption",
                "— ",
                builder.link_maker.cited(quoted.key, builder.root),
                f", {quoted.locator}" if quoted.locator else None,
            ),
            class_="kg-quotation",
        )
        for quoted in statement.quotations
    ]


def size_words(
    builder: PageBuilder, near: Iterable[StatementId], carried: Sized
) -> list[Html | str]:
    """`56 pieces of evidence`, `35 sources`: evidence among some statements, and what they cite."""
    statements = builder.context.corpus.statements
    found = sum(statements[id].kind is Kind.EVIDENCE for id in dict.fromkeys(near))
    pieces = count_of(found, "piece of evidence", "pieces of evidence") if found else "no evidence"
    return [pieces, builder.sources_counted(len(carried))]
