"""Statements in lists, what changes how one counts, and where it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import (
    ReasonsBySide,
    contradicting_claims,
    reasons_by_side,
    statements_by_source,
    undercuts_of,
)
from kg.corpus.same_and_superseded import first_of_same, same_statements, superseded_statements
from kg.model import CampId, Kind, LineId, SourceKey, Statement, StatementId
from kg.model.source import DATA_KIND, TEAM_KIND, parse_independence_key
from kg.publish.components.strength_bar import describe_quality_and_works, standing_words
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import EMPTY, Child, Html, collapsible, element, item_list, join
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of
from kg.text.sentences import sentence_starts

_COUNTS_AGAINST = "is among the reasons against this claim"
_ONE_WAY = (
    "does not count here: the notes give this claim as a reason against that one, but not the "
    "reverse"
)
_SHARED = {TEAM_KIND: "by the same team", DATA_KIND: "on the same data"}
_BY_OTHERS = "one source with it by way of other sources"
MAX_CONTEXT_LETTERS = 240  # a shorter paragraph around a link is shown whole


def kind_counts(statements: Sequence[Statement]) -> list[str]:
    """`4 claims, 1 of them a counter-claim` (`1 counter-claim` where all are), `4 findings`."""
    counts = Counter(s.kind for s in statements)
    counter_claims, evidence = counts[Kind.COUNTER_CLAIM], counts[Kind.EVIDENCE]
    claims = counts[Kind.CLAIM] + counter_claims
    claim_text = count_of(claims, "claim")
    if counter_claims == claims:
        claim_text = count_of(counter_claims, "counter-claim")
    elif counter_claims:
        noun = "a counter-claim" if counter_claims == 1 else "counter-claims"
        claim_text += f", {counter_claims} of them {noun}"
    return [
        *([claim_text] if claims else []),
        *([count_of(evidence, "finding")] if evidence else []),
    ]


def describe_shared_origin(corpus: Corpus, id: StatementId, other_id: StatementId) -> str:
    """Explain why what two statements rest on counts as one source: `from the same source`."""
    works, other_works = _works_beneath(corpus, id), _works_beneath(corpus, other_id)
    if works & other_works:
        return "from the same source"
    keys, other_keys = _keys_of(corpus, id, works), _keys_of(corpus, other_id, other_works)
    shared_kinds = {parse_independence_key(key).kind for key in keys & other_keys}
    return next((words for kind, words in _SHARED.items() if kind in shared_kinds), _BY_OTHERS)


def _works_beneath(corpus: Corpus, id: StatementId) -> set[SourceKey]:
    return {*corpus.statements[id].sources, *statements_by_source(corpus, id)}


def _keys_of(corpus: Corpus, id: StatementId, works: set[SourceKey]) -> set[str]:
    """The `independence` keys of a statement and of the works beneath it."""
    sources = [corpus.sources[key] for key in works if key in corpus.sources]
    return {*corpus.statements[id].independence}.union(*(each.independence for each in sources))


def add_claims_by_camp(builder: PageBuilder, statements: Sequence[Statement]) -> None:
    """Add claims in a column per camp, then those of no camp."""
    corpus = builder.context.corpus
    claims = [s for s in statements if s.kind is not Kind.EVIDENCE]
    columns = [
        _camp_column(builder, camp.id, [s for s in claims if corpus.camp_of(s.id) == camp.id])
        for camp in corpus.config.camps
    ]
    claims_of_no_camp = [s for s in claims if corpus.camp_of(s.id) is None]
    if claims:
        builder.section("claims", "Claims by camp", element("div", *columns, class_="kg-camps"))
    by_question = [s for s in claims_of_no_camp if builder.link_maker.has_camp_by_question(s.id)]
    title = "Claims whose camp depends on the question"
    builder.section("by-question", title, statement_list(builder, by_question))
    others = [s for s in claims_of_no_camp if s not in by_question]
    builder.section("no-camp", "Claims of no camp", statement_list(builder, others))


def _camp_column(builder: PageBuilder, camp: CampId, claims: Sequence[Statement]) -> Html:
    heading = element(
        "h3",
        builder.link_maker.camp(camp, builder.root),
        element("span", len(claims), class_="kg-count"),
    )
    claim_list = statement_list(builder, claims) or element("p", "Nothing yet.", class_="kg-none")
    classes = f"kg-camp {builder.link_maker.camp_class(camp)}"
    return element("section", heading, claim_list, class_=classes)


def statement_list(builder: PageBuilder, statements: Sequence[Statement]) -> Html:
    """A list of statements, each with its standing."""
    return item_list((builder.statement(s.id), " ", standing_of(builder, s)) for s in statements)


def standing_of(builder: PageBuilder, statement: Statement) -> Html:
    """The standing of a claim, or a piece of evidence in short."""
    if statement.kind is Kind.EVIDENCE:
        summary = describe_quality_and_works(builder, statement)
    else:
        summary = [standing_words(builder, statement.id)]
    return element("span", *summary, class_="kg-small")


def thin_claims(context: SiteContext) -> list[Statement]:
    """Claims that rest on hardly more than one independent source, those on least first."""
    gaps, statements = context.standings.gaps, context.corpus.statements
    thin_gaps = [gap for gap in gaps.gaps if gap.kind == "thin"] if gaps else []
    thin_gaps.sort(key=lambda gap: (round(gap.effective_sources, 6), gap.title))
    return [statements[gap.statement] for gap in thin_gaps]


def have_thin_support(count: int) -> str:
    """What so many claims have that are called thin, which says nothing of their losing their side
    without it: `have almost all their support from one source`.
    """
    whose = "has almost all its" if count == 1 else "have almost all their"
    return f"{whose} support from one source"


def describe_thin_claims(builder: PageBuilder) -> Child:
    """`; 38 have almost all their support from one source`, with a link to them."""
    count = len(thin_claims(builder.context))
    if not count:
        return None
    words = f"{count:,} {have_thin_support(count)}"
    return ["; ", element("a", words, href=f"{builder.root}gaps.html#thin")]


# -- notices of what changes how a statement counts ----------------------------------------


def notices_of_statement(builder: PageBuilder, id: str) -> list[Html]:
    """Sentences about a statement: that it is superseded, and the objections to its uses."""
    corpus = builder.context.corpus
    successor = superseded_statements(corpus).get(id)
    if successor is not None:
        return [
            element("p", "Superseded by ", builder.statement(successor), ": it no longer counts.")
        ]
    uses = corpus.bearings_from(id)
    undercuts_by_use = [
        undercuts for each in uses if (undercuts := undercuts_of(corpus, each.edge.id))
    ]
    if not undercuts_by_use:
        return []
    objectors = dict.fromkeys(each.origin for undercuts in undercuts_by_use for each in undercuts)
    names = join("; ", [builder.statement(each) for each in objectors])
    some_links = (
        f"{len(undercuts_by_use)} of its {len(uses)} links"
        if len(undercuts_by_use) < len(uses)
        else "all its links"
    )
    link_words = some_links if len(uses) > 1 else "its link"
    kind = "Objection" if len(objectors) == 1 else "Objections"
    return [element("p", f"{kind} to {link_words}: ", names, ".")]


def contradiction_remarks(builder: PageBuilder, id: str) -> list[Html]:
    """The standing of each claim that cannot hold with this one, and whether it counts here."""
    opposing_ids = {reason.origin for reason in reasons_by_side(builder.context.corpus, id).con}
    remarks = []
    for other_id in contradicting_claims(builder.context.corpus, id):
        sureness = builder.standing(other_id).answer_phrase
        counts = _COUNTS_AGAINST if other_id in opposing_ids else _ONE_WAY
        words = f", which is “{sureness}” and {counts}."
        remarks.append(
            element("p", "Cannot be true together with ", builder.statement(other_id), words)
        )
    return remarks


def same_statements_paragraph(builder: PageBuilder, id: str) -> Html | None:
    """The statements that say the same, whose reasons count here too."""
    others = same_statements(builder.context.corpus, id)[1:]
    if not others:
        return None
    keeper = main_page_of_same(builder, id)
    names = builder.names_of(others, keeper, keeper == id)
    return element(
        "p", "One statement with ", names, ": what counts for or against one counts for both."
    )


def main_page_of_same(builder: PageBuilder, id: str) -> str:
    """Return the one of several statements that say the same whose page has the full lists."""
    return first_of_same(builder.context.corpus).get(id, id)


def superseded_paragraph(builder: PageBuilder, sides: ReasonsBySide, id: str) -> Html | None:
    """Superseded statements that would otherwise be reasons for or against."""
    all_superseded = superseded_statements(builder.context.corpus)
    superseded = dict.fromkeys(
        s for reason in sides.superseded_reasons for s in reason.premises if s in all_superseded
    )
    if not superseded:
        return None
    keeper = main_page_of_same(builder, id)
    names = builder.names_of([*superseded], keeper, keeper == id)
    return element("p", "Left out, as superseded: ", names, ".", class_="kg-small")


# -- where a statement is used --------------------------------------------------------------


def lines_using(context: SiteContext, id: StatementId) -> list[LineId]:
    """The lines that weigh a statement, place it in a camp or link to it in their essay."""
    corpus = context.corpus
    placing_lines = (placement.line for placement in corpus.placements_of.get(id, ()))
    linking_lines = (
        link.origin for link in corpus.backlinks.get(id, ()) if link.origin in corpus.lines
    )
    return [
        *dict.fromkeys((*context.lines_by_proposition.get(id, ()), *placing_lines, *linking_lines))
    ]


def backlinks(builder: PageBuilder, id: str) -> Html:
    """Links to `id` in running text, with the sentence around each."""
    sentences_shown: set[tuple[str, str]] = set()
    rows: list[str] = []
    for mention in builder.context.corpus.backlinks.get(id, ()):
        sentence = sentence_around(mention.context, mention.text)
        if (mention.origin, sentence) in sentences_shown:
            continue
        sentences_shown.add((mention.origin, sentence))
        words = builder.inline_html(sentence, mention.span.path)
        quotation = "<blockquote>" + words + "</blockquote>" if sentence else ""
        rows.append("<li>" + builder.link_of(mention.origin) + quotation + "</li>")
    return Html('<ul class="kg-backlinks">' + "".join(rows) + "</ul>") if rows else EMPTY


def collapsed_backlinks(builder: PageBuilder, id: str) -> Html:
    """`backlinks`, collapsed under how many there are."""
    links = backlinks(builder, id)
    if not links:
        return EMPTY
    places = count_of(links.count("<li>"), "place")
    return collapsible(f"Linked from {places} in running text", links)


def sentence_around(context: str, words: str) -> str:
    """The sentence with `words` in a paragraph; the shortened paragraph if there is none."""
    if len(context) <= MAX_CONTEXT_LETTERS:
        return context
    offset = context.find(words) if words else -1
    if offset < 0:
        return context[:MAX_CONTEXT_LETTERS].rpartition(" ")[0] + " …"
    ends = [0, *sentence_starts(context), len(context)]
    start = max(end for end in ends if end <= offset)
    return context[start : min(end for end in ends if end >= offset + len(words))].strip()
