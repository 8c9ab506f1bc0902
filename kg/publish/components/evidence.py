"""Evidence and sources on a page, and a study at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.corpus.independent_sources import count_uses_of_keys
from kg.corpus.quality.evidence_quality import Quality
from kg.corpus.reasons_for_and_against import statements_by_source
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import Integrity, Kind, Method, SampleClass, SourceKey, Statement, StatementId
from kg.model.figures import sample_class_of
from kg.model.statement import EVIDENCE_FIELDS
from kg.publish.components.objections import bears_on_many, objections_to, why_not_counted
from kg.publish.components.statement_lists import main_page_of_same, standing_of
from kg.publish.components.strength_bar import describe_points
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    collapsed_list,
    collapsible,
    collapsible_on_screen,
    definition_list,
    element,
    escape,
    item_list,
    join,
    remark,
    row_name,
    table,
    table_collapsed_after,
)
from kg.publish.markup.link_maker import linked_title
from kg.publish.markup.phrases import (
    LEAST_NATS_COUNTED,
    NOTICES,
    SEEN,
    describe_concerns,
    describe_shared,
    method_name,
    render_sample,
    second_hand,
)
from kg.publish.markup.plain_text import as_bare
from kg.publish.page_builder import PageBuilder, first_items
from kg.reasoning.answers.independence import ContributingSources
from kg.text.plurals import count_of, join_with_and

SOURCES_SHOWN_AT_FIRST = 3  # rows of a table of sources shown at first
UNEVEN_BELOW = 0.6  # share of sources that would, of equal weight, be worth all: less is uneven
_WARNINGS = {
    Integrity.CORRECTED: "What this rests on has changed since it appeared: ",
    Integrity.CONCERN: "What this rests on is in doubt until its publisher has settled it: ",
    Integrity.RETRACTED: "What this rests on counts for nothing: ",
}
_UNSEEN = "Not recorded where it was seen."
_OF_MEASURING = {"sample", "p", "replications", "preregistered"}  # not applicable to an argument
_PHRASE_OF_FIELD = {field.name: field.phrase for field in EVIDENCE_FIELDS if field.phrase}


def describe_effect_size(evidence: Statement) -> str:
    """`d=0.42 [0.1, 0.7], p=0.003`: the effect and its p, as far as they are recorded."""
    p = evidence.p_text
    p_text = f"p{p}" if evidence.p_sign else f"p={p}"
    return ", ".join(filter(None, (evidence.effect_text, p_text if p else "")))


def sources_table(
    builder: PageBuilder, names_by_source: dict[str, list[Child]], *, is_ranked: bool = False
) -> Html:
    """Sources in the given order if that `is_ranked`, else those with most statements on this page
    first and others collapsed.

    Of ranked ones only the first name their statements here; the others' own pages do.
    """
    names_in_order = [*names_by_source.items()]
    if not is_ranked:
        names_in_order.sort(key=lambda item: -len(item[1]))
    rows = [
        [
            row_name(builder.link_maker.source_or_missing(key, builder.root)),
            _title_of_source(builder, key),
            _count_on_page_of(builder, key, names)
            if is_ranked and index >= SOURCES_SHOWN_AT_FIRST
            else collapsed_list(names, "statement"),
        ]
        for index, (key, names) in enumerate(names_in_order)
    ]
    head = ("Source", "Title", "Cited by")
    if is_ranked:
        return table(head, rows, "Sources", "kg-sources")
    label = f"{len(rows) - SOURCES_SHOWN_AT_FIRST} more sources"
    return table_collapsed_after(
        head, rows, SOURCES_SHOWN_AT_FIRST, label, "Sources", "kg-sources", least_collapsed=3
    )


def _count_on_page_of(builder: PageBuilder, key: str, names: Sequence[Child]) -> Child:
    """`3 statements`, with a link to the page of the source, which names them."""
    if key not in builder.context.corpus.sources or names == ["the essay"]:
        return collapsed_list(names, "statement")
    href = builder.root + builder.context.addresses.of(key)
    return element("a", count_of(len(names), "statement"), href=href)


def sources_beneath(builder: PageBuilder, statement: Statement) -> Html:
    """The works that a statement and its direct reasons cite, unless it is a study that already
    names them.
    """
    ids_by_source = statements_by_source(builder.context.corpus, statement.id)
    if statement.kind is Kind.EVIDENCE and ids_by_source.keys() <= {*statement.sources}:
        return EMPTY
    keeper = main_page_of_same(builder, statement.id)
    in_full = keeper == statement.id
    names_by_source = {
        key: _statements_resting_on(builder, statement, ids_by_source[key], keeper)
        for key in first_items([*ids_by_source], in_full)
    }
    sources = sources_table(builder, names_by_source)
    work_count = count_of(len(ids_by_source), "source")
    link_to_all = builder.more_of([*ids_by_source], keeper, in_full)
    if not sources:
        return EMPTY
    label = f"{work_count} cited by it or its direct reasons"
    return collapsible(label, sources, link_to_all)


def _statements_resting_on(
    builder: PageBuilder, statement: Statement, ids: Sequence[str], keeper: str
) -> list[Child]:
    """The statements that rest on one source, with a link to all of them."""
    in_full = keeper == statement.id
    names: list[Child] = [
        "this statement" if id == statement.id else builder.statement(id)
        for id in first_items(ids, in_full)
    ]
    link_to_all = builder.more_of(ids, keeper, in_full)
    return [*names, link_to_all] if link_to_all else names


def describe_groups(builder: PageBuilder, names: Iterable[str]) -> str:
    """`all else with the same data or the same team (Shaikh)`; empty if there is nothing else."""
    use_counts = count_uses_of_keys(builder.context.corpus)
    shared = [
        describe_shared(name, builder.link_maker.names) for name in names if use_counts[name] > 1
    ]
    return f"all else with {' or '.join(dict.fromkeys(shared))}" if shared else ""


def integrity_banners(builder: PageBuilder, evidence: Statement) -> list[Html]:
    """A banner for each publisher's notice on a source of a piece of evidence."""
    sources = builder.context.corpus.sources
    cited_sources = [sources[key] for key in evidence.sources if key in sources]
    return [
        element(
            "p",
            _WARNINGS[source.integrity],
            builder.link_maker.source_or_missing(source.key, builder.root),
            class_=f"kg-banner kg-banner-{source.integrity}",
            role="note",
        )
        for source in cited_sources
        if source.integrity in _WARNINGS
    ]


def _title_of_source(builder: PageBuilder, key: str) -> Html:
    source = builder.context.corpus.sources.get(key)
    if source is None:
        return Html("not in the bibliography")
    venue = f" {source.venue}." if source.venue else ""
    full_stop = "" if source.title.endswith((".", "?", "!")) else "."
    return Html(linked_title(source) + full_stop + escape(venue))


def sources_counted(builder: PageBuilder, number: int, verb: str, ending: str) -> Child:
    """`26 independent sources count in the answer`: `verb` in the plural, and the last words."""
    if not number:
        return f"no source {verb}s {ending}"
    ending = f" {verb}{'s' if number == 1 else ''} {ending}"
    return [builder.independent_sources(number), ending]


def sources_in_answer(builder: PageBuilder, sources: ContributingSources) -> Child:
    """`26 independent sources count in the answer, some far more than others`: the number alone
    would oversell sources most of which hardly count.
    """
    is_uneven = sources.effective < UNEVEN_BELOW * sources.count
    remark = ", some far more than others" if is_uneven else ""
    return sources_counted(builder, sources.count, "count", f"in the answer{remark}")


# -- one piece of evidence at a glance ------------------------------------------------------


def evidence_list(builder: PageBuilder, evidence: Iterable[Statement]) -> Html:
    """Pieces of evidence in short, those that can carry most first, each with its best reply."""
    standings = builder.context.standings
    return item_list(
        (
            builder.statement(each.id),
            " ",
            standing_of(builder, each),
            objection_in_short(builder, each.id),
        )
        for each in sorted(evidence, key=lambda each: -(standings.of(each.id).strength or 0.0))
    )


def objection_in_short(builder: PageBuilder, id: StatementId) -> Html | None:
    """`Objection: Too few were asked`: the best reply to a finding, or what has replaced it; a
    general one in the words of its link.
    """
    corpus = builder.context.corpus
    title = None
    successor = superseded_statements(corpus).get(id)
    if successor is not None:
        words, other_id = "Counts nowhere, as superseded by ", successor
    elif objections := objections_to(builder, id):
        first, other_id = objections[0], objections[0].origin
        why = (
            ""
            if first.weight >= LEAST_NATS_COUNTED
            else why_not_counted(builder, first.edge, other_id)
        )
        words = f"Objection{why and f' ({why})'}: "
        if first.edge.reason and bears_on_many(corpus, other_id):
            title = as_bare(first.edge.reason)
    else:
        return None
    link = builder.link_maker.statement(other_id, builder.root, builder.line_id, title)
    return remark(words, link)


def study_rows(builder: PageBuilder, evidence: Statement) -> Html:
    """What is recorded of a study, how it was made before what limits it."""
    links = builder.link_maker
    about = [links.about(name, builder.root) for name in evidence.about]
    return definition_list(
        [
            ("The paper", [_work_with_links(builder, key) for key in evidence.sources]),
            ("What was done", method_name(evidence, "Not recorded")),
            ("On", _sample_with_class(evidence)),
            (_label_of_figure(evidence), describe_effect_size(evidence).replace(" %", "%")),
            ("Replicated", _describe_replications(evidence)),
            ("Preregistered", _yes_or_no(evidence.preregistered)),
            ("Peer reviewed", _review_state(builder, evidence)),
            ("Read", _place_where_figures_were_seen(evidence)),
            ("Looked up", "; ".join(map(str, builder.context.seen_figures.get(evidence.id, ())))),
            ("What limits it", _limits_of_evidence(builder, evidence)),
            ("Quality", _quality_with_sum(builder, evidence)),
            ("About", join(" ", about) if about else ""),
        ]
    )


def _sample_with_class(evidence: Statement) -> str:
    """`555 scenarios (items)`: the sample, and its class."""
    if evidence.sample is None:
        return ""
    sort = evidence.sample_class or sample_class_of(evidence.sample_unit)
    needs_no_class = sort is SampleClass.UNKNOWN or sort.value in evidence.sample_unit
    return render_sample(evidence) + ("" if needs_no_class else f" ({sort.value})")


def _yes_or_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _label_of_figure(evidence: Statement) -> str:
    """The label of a study's figure: a rate in one group is not an effect."""
    return "Main figure" if evidence.effect_kind in ("", "%") else "Size of the effect"


def _review_state(builder: PageBuilder, evidence: Statement) -> str:
    """Say whether it was peer reviewed, by its note, or else by its sources (as quality counts)."""
    review_text = _yes_or_no(evidence.peer_reviewed)
    quality = builder.context.standings.quality_of(evidence.id)
    is_counted = any(term.field == "peer_reviewed" for term in quality.terms)
    return review_text or ("yes, as its source says" if is_counted else "")


def _describe_replications(evidence: Statement) -> str:
    success_count, failure_count = evidence.replications, evidence.failed_replications
    parts = [count_of(success_count, "time")] if success_count is not None else []
    return "; ".join([*parts, *([f"{failure_count} failed"] if failure_count else [])])


def _limits_of_evidence(builder: PageBuilder, evidence: Statement) -> Child:
    """Recorded concerns, publishers' notices, and objections."""
    parts: list[Child] = [*describe_concerns(evidence)]
    sources = builder.context.corpus.sources
    for key in evidence.sources:
        notice = NOTICES.get(sources[key].integrity) if key in sources else None
        if notice:
            parts.append([notice, " on ", builder.link_maker.source_or_missing(key, builder.root)])
    objections = objections_to(builder, evidence.id)
    counted = dict.fromkeys(each.origin for each in objections if each.weight >= LEAST_NATS_COUNTED)
    uncounted = dict.fromkeys(each.origin for each in objections if each.origin not in counted)
    for words, ids in (("objections: ", counted), ("objections not counted: ", uncounted)):
        names = [builder.statement(id) for id in ids]
        if names:
            parts.append([words, join(", ", names)])
    return join("; ", parts)


def _quality_with_sum(builder: PageBuilder, evidence: Statement) -> Child:
    """The quality in a sentence, and its sum collapsed."""
    quality = builder.context.standings.quality_of(evidence.id)
    sum_words = f"{describe_points(builder, quality)}; {builder.standing(evidence.id).word}"
    if quality.given or not quality.terms:
        return f"{quality.base:.2f} of 1, {sum_words}."
    sum_text = element("span", sum_words, class_="kg-small")
    return [
        element("span", f"{quality.base:.2f} of 1: {_in_words(evidence, quality)}"),
        collapsible_on_screen("The sum", sum_text),
    ]


def _in_words(evidence: Statement, quality: Quality) -> str:
    """`observation, raised for peer review. Not recorded: replications; this …`"""
    parts = [method_name(evidence, "method not recorded").lower()]
    for word, sign in (("raised", 1), ("lowered", -1)):
        part_names = [
            _PHRASE_OF_FIELD.get(t.field, t.field) for t in quality.terms[1:] if t.points * sign > 0
        ]
        if part_names:
            parts.append(f"{word} for {join_with_and([*dict.fromkeys(part_names)])}")
    names = dict.fromkeys(name.removeprefix("failed_") for name in quality.unknown)
    if evidence.method == Method.ARGUMENT:
        names = dict.fromkeys(name for name in names if name not in _OF_MEASURING)
    unknown = ", ".join(_PHRASE_OF_FIELD.get(name, name) for name in names)
    sentences = [f"{', '.join(parts)}."]
    sentences += [f"Not recorded, and so not counted: {unknown}."] if unknown else []
    sentences += ["Its source is retracted, so it counts for nothing."] if quality.retracted else []
    return " ".join(sentences)


def _place_where_figures_were_seen(evidence: Statement) -> str:
    """Say where the note's author saw the main figure. The record does not say this of other
    figures, such as the size of the sample.
    """
    if not evidence.seen_in:
        return _UNSEEN
    has_figures = describe_effect_size(evidence) or evidence.sample is not None
    subject = "Its main figure was" if has_figures else "It was"
    sentence = f"{subject} seen in {SEEN[evidence.seen_in]}."
    return f"Second-hand. {sentence}" if second_hand(evidence) else sentence


def _work_with_links(builder: PageBuilder, key: SourceKey) -> Html:
    """A work's title, linked to the work, and its name, linked to its page here."""
    name = builder.link_maker.source_or_missing(key, builder.root)
    source = builder.context.corpus.sources.get(key)
    return element("div", [linked_title(source), " · "] if source else None, name)
