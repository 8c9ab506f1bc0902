"""All topics on one page: how sure their claims are, and which inquiry lines use them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kg.model import Kind, LineId, Statement
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, element, join
from kg.publish.markup.phrases import count_of, first_sentence, shorten_question, topic_in_words
from kg.publish.markup.table import BLANK, table
from kg.publish.page import WHOLE_CORPUS, Page, PageDraft
from kg.publish.page_builder import PageBuilder

COLUMNS = 8  # inquiry lines with a column of their own
NAMED = 4  # topics in a sentence
WIDE, HIGH = 96, 8
_LEAD = "How sure the claims of each topic are, and which inquiry lines share them."
_WORDS = (
    "Each claim is counted by the word that stands beside it everywhere; one that leans towards a "
    "side is undecided. Evidence is independent that shares no team, data or system."
)
_CELLS = (
    "The last columns are inquiry lines: how many of their claims on the topic each camp has, and "
    "how many of these are undecided."
)


class Standing(NamedTuple):
    """How many claims come out which way; each is counted once."""

    probably: int
    perhaps: int
    undecided: int
    probably_not: int

    @property
    def claims(self) -> int:
        return sum(self)

    @property
    def is_undecided(self) -> bool:
        return 2 * self.undecided >= self.claims > 0


PERHAPS, UNDECIDED = 1, 2
_SHOWN = {
    "probably": "for",
    "perhaps (or perhaps not)": "perhaps",
    "undecided": "undecided",
    "probably not": "against",
}


class Topic(NamedTuple):
    """What the page says of one topic; `in_lines` has the camps of its claims, line by line."""

    name: str
    standing: Standing
    evidence: int
    independent: int
    in_lines: Mapping[LineId, Counter[str]]
    undecided_in: Mapping[LineId, int]

    @property
    def size(self) -> int:
        return self.standing.claims + self.evidence


def topic_matrix_pages(context: SiteContext) -> Iterator[PageDraft]:
    """The page of all topics."""
    yield PageDraft("topics/index.html", partial(_matrix, context), WHOLE_CORPUS)


def _matrix(context: SiteContext) -> Page:
    builder = PageBuilder(context, "topics/index.html")
    topics = [_topic(context, name, found) for name, found in context.corpus.topics.items()]
    topics.sort(key=lambda topic: (-topic.size, topic.name))
    used = Counter(line for topic in topics for line in topic.in_lines)
    lines = [line for line, _ in used.most_common()]
    builder.add(
        _most_undecided(builder, [t for t in topics if t.standing.is_undecided]),
        _key(builder),
        _table(builder, topics, lines),
        _column_key(builder, lines),
    )
    size = count_of(len(topics), "topic")
    before = ("atlas.html",)  # where links of others to a former page lead
    return builder.overview("Topics", f"{size}. {_LEAD}", "topics", _LEAD, aliases=before)


def _topic(context: SiteContext, name: str, statements: Sequence[Statement]) -> Topic:
    corpus, strengths = context.corpus, context.strengths
    claims = [s for s in statements if s.kind is not Kind.EVIDENCE]
    evidence = [s.id for s in statements if s.kind is Kind.EVIDENCE]
    sorts = {claim.id: sort_of(strengths.of(claim.id).said) for claim in claims}
    in_lines: dict[LineId, Counter[str]] = {}
    undecided: Counter[LineId] = Counter()
    for claim in claims:
        for place in corpus.placements_of.get(claim.id, ()):
            in_lines.setdefault(place.line, Counter())[place.camp] += 1
            undecided[place.line] += sorts[claim.id] == UNDECIDED
    counted = Counter(sorts.values())
    return Topic(
        name=name,
        standing=Standing(*(counted[sort] for sort in range(4))),
        evidence=len(evidence),
        independent=strengths.count_independent(evidence),
        in_lines=in_lines,
        undecided_in=undecided,
    )


def sort_of(said: str) -> int:
    """The place in a `Standing` of a claim of which this is said."""
    if said.startswith("perhaps"):
        return PERHAPS
    if not said.startswith(("probably", "very probably")):
        return UNDECIDED
    return 3 if said.endswith(" not") else 0


def _most_undecided(builder: PageBuilder, topics: list[Topic]) -> Html | None:
    """`Most disputed: Meaning (8 of 16 claims undecided), …`."""
    topics = sorted(topics, key=lambda topic: -topic.standing.undecided)
    if not topics:
        return None
    named: list[Child] = [
        [
            _link(builder, topic.name),
            f" ({topic.standing.undecided} of {count_of(topic.standing.claims, 'claim')})",
        ]
        for topic in topics[:NAMED]
    ]
    if len(topics) > NAMED:
        named.append(f"and {len(topics) - NAMED} more")
    return element(
        "p", element("strong", "Most undecided"), ": ", join(", ", named), ".", class_="kg-most"
    )


def _table(builder: PageBuilder, topics: Sequence[Topic], lines: Sequence[LineId]) -> Html:
    if not topics:
        return element("p", "None yet.", class_="kg-none")
    shown, rest = lines[:COLUMNS], lines[COLUMNS:]
    head = ["Topic", "Claims", "Undecided", "Evidence", *(_label(builder, line) for line in shown)]
    if rest:
        head.append(f"And {len(rest)} more")
    rows = [_row(builder, topic, head, shown, rest) for topic in topics]
    return element(
        "div", table(head, rows, "Topics", "kg-topics"), data_kg_sort=True, class_="kg-sortable"
    )


def _label(builder: PageBuilder, line: LineId) -> str:
    return shorten_question(builder.context.corpus.lines[line].title)


def _row(
    builder: PageBuilder,
    topic: Topic,
    head: Sequence[str],
    shown: Sequence[LineId],
    rest: Sequence[LineId],
) -> list[Child]:
    standing = topic.standing
    more = sum(line in topic.in_lines for line in rest)
    return [
        element("th", _name(builder, topic.name), scope="row"),
        [element("span", standing.claims), " ", _bar(standing)] if standing.claims else BLANK,
        standing.undecided or BLANK,
        _evidence(topic),
        *(_cell(builder, topic, line, label) for line, label in zip(shown, head[4:], strict=False)),
        *([more or BLANK] if rest else []),
    ]


def _name(builder: PageBuilder, name: str) -> list[Child]:
    """A topic, and what it is in a sentence."""
    term = builder.context.corpus.term(name)
    said = first_sentence(term.text) if term else ""
    text = (
        element("span", builder.words(said, term.span.path), class_="kg-reason") if term else None
    )
    return [_link(builder, name), text]


def _link(builder: PageBuilder, name: str) -> Html:
    href = builder.root + builder.context.addresses.topic(name)
    return element("a", topic_in_words(name), href=href)


def _evidence(topic: Topic) -> Child:
    """`11, 8 independent`."""
    if not topic.evidence:
        return BLANK
    independent = element("span", f"{topic.independent} independent", class_="kg-small")
    return [f"{topic.evidence}, ", independent]


def _cell(builder: PageBuilder, topic: Topic, line: LineId, label: str) -> Child:
    """How many claims each camp places in a line, and how many are undecided."""
    found = topic.in_lines.get(line)
    if not found:
        return BLANK
    links = builder.link_maker
    camps = [camp for camp in builder.context.corpus.config.camp_ids if found[camp]]
    camps += sorted(set(found) - set(camps))
    counts = [
        element(
            "span",
            links.mark(camp),
            element("span", links.camp_label(camp) + " ", class_="kg-sr"),
            found[camp],
            class_="kg-nowrap",
        )
        for camp in camps
    ]
    undecided = topic.undecided_in[line]
    note = element("span", f"{undecided} undecided", class_="kg-small") if undecided else None
    total = element("span", f"{sum(found.values())}: ", class_="kg-sr")
    shade = "kg-cell kg-cell-both" if len(camps) > 1 else "kg-cell"
    return element("td", total, " ", join(" ", counts), " ", note, data_label=label, class_=shade)


def _bar(standing: Standing) -> Html:
    """Claims as parts of a bar."""
    parts, start = [], 0.0
    for number, name in zip(standing, _SHOWN.values(), strict=True):
        wide = WIDE * number / standing.claims
        if number:
            x, width = f"{start:.1f}", f"{max(wide - 1, 1):.1f}"
            parts.append(
                element("rect", x=x, y=0, width=width, height=HIGH, class_=f"kg-part-{name}")
            )
        start += wide
    words = ", ".join(f"{n} {word}" for n, word in zip(standing, _SHOWN, strict=True) if n)
    return element(
        "svg",
        element("title", words),
        parts,
        width=WIDE,
        height=HIGH,
        viewBox=f"0 0 {WIDE} {HIGH}",
        role="img",
        class_="kg-parts",
    )


def _key(builder: PageBuilder) -> Html:
    """What the parts of the bars and the marks stand for."""
    swatches = [
        element("li", element("span", class_=f"kg-swatch kg-part-{name}", aria_hidden="true"), word)
        for word, name in _SHOWN.items()
    ]
    camps = [
        element("li", builder.link_maker.camp(camp.id, builder.root))
        for camp in builder.context.corpus.config.camps
    ]
    return element("ul", *swatches, *camps, class_="kg-facts kg-key")


def _column_key(builder: PageBuilder, lines: Sequence[LineId]) -> Html:
    """What the columns count, under the table that most come for."""
    asked = [element("li", builder.any(line)) for line in lines]
    return element(
        "div",
        element("p", _WORDS, class_="kg-lead-in"),
        [element("p", _CELLS, class_="kg-lead-in"), element("ul", *asked, class_="kg-plain")]
        if asked
        else None,
        class_="kg-topics-key",
    )
