"""Thirty questions that the cookbook lacks, each put in every way, and by loops over the notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from kg import claims, edges, evidence, lines, sources, statements
from kg.model import Statement
from tests.queries.naive_reader import Reader

LINE, OTHER_LINE = "social-grounding", "monologue-or-dialogue"
AGAINST = "contradicts", "qualifies", "undercuts"


class AskedQuestion(NamedTuple):
    """`by_hand` gives the ids, or the number of each group.

    `sparql` is a query, with what it holds its variables to; `column` is the one that names what
    was found, and where it counts, the one that says how many.
    """

    title: str
    selection: Any
    find: str
    ask: str
    by_hand: Callable[[Reader], Any]
    sparql: str = ""
    column: str = ""


def of_claims(test: Callable[[Reader, Statement], bool]) -> Callable[[Reader], set[str]]:
    return lambda reader: {each.id for each in reader.claims if test(reader, each)}


def of_evidence(test: Callable[[Reader, Statement], bool]) -> Callable[[Reader], set[str]]:
    return lambda reader: {each.id for each in reader.evidence if test(reader, each)}


def of_sources(test: Callable[[Reader, str], bool]) -> Callable[[Reader], set[str]]:
    return lambda reader: {key for key in reader.corpus.sources if test(reader, key)}


def _on(reader: Reader, each: Statement, topic: str) -> bool:
    return reader.of_its_claims(each, lambda one: topic in one.topics)


def _people(each: Statement) -> bool:
    return each.sample_class == "people"


def _undercutting(reader: Reader) -> set[str]:
    result_statements = reader.corpus.statements
    return {
        edge.id
        for edge in reader.corpus.edges
        if edge.relation == "undercuts" and reader.camp(result_statements[edge.origin], "skeptic")
    }


def _strong(reader: Reader) -> set[str]:
    result_statements = reader.corpus.statements
    return {
        edge.id
        for edge in reader.corpus.edges
        if edge.relation == "supports" and edge.strength == "strong"
        if reader.in_line(result_statements[edge.target], LINE)
    }


def _camps(reader: Reader) -> dict[str, int]:
    placed = reader.corpus.placements
    return dict(Counter(str(place.camp) for place in placed if place.line == LINE))


SCEPTICS = claims().camp("skeptic", line=LINE)
QUESTIONS = (
    AskedQuestion(
        "What evidence has a line?",
        evidence().line(LINE),
        f"evidence --line {LINE}",
        f"evidence line:{LINE}",
        of_evidence(lambda reader, each: reader.in_line(each, LINE)),
    ),
    AskedQuestion(
        "What evidence is there on norms?",
        evidence().topic("norms"),
        "evidence --topic norms",
        "evidence topic:norms",
        of_evidence(lambda reader, each: _on(reader, each, "norms")),
    ),
    AskedQuestion(
        "What evidence do the sceptics have?",
        evidence().camp("skeptic"),
        "evidence --camp skeptic",
        "evidence camp:skeptic",
        of_evidence(lambda reader, each: reader.camp(each, "skeptic")),
    ),
    AskedQuestion(
        "… and the optimists within one line?",
        evidence().camp("optimist", line=OTHER_LINE),
        f"evidence --camp optimist --line {OTHER_LINE}",
        f"evidence camp:optimist line:{OTHER_LINE}",
        of_evidence(lambda reader, each: reader.camp(each, "optimist", OTHER_LINE)),
    ),
    AskedQuestion(
        "Which claims serve the optimists of a line, whatever their notes say?",
        claims().camp("optimist", line=OTHER_LINE),
        f"claims --camp optimist --line {OTHER_LINE}",
        f"claims camp:optimist line:{OTHER_LINE}",
        of_claims(lambda reader, each: reader.camp(each, "optimist", OTHER_LINE)),
    ),
    AskedQuestion(
        "On which claims does one experiment with more than a hundred bear?",
        claims().method("experiment").sample(over=100),
        'claims --method experiment --sample ">100"',
        "claims method:experiment sample:>100",
        of_claims(
            lambda reader, each: reader.of_its_evidence(
                each, lambda one: one.method == "experiment" and (one.sample or 0) > 100
            )
        ),
    ),
    AskedQuestion(
        "On which claims does work with people bear?",
        claims().sample_class("people"),
        "claims sample_class:people",
        "claims sample_class:people",
        of_claims(lambda reader, each: reader.of_its_evidence(each, _people)),
    ),
    AskedQuestion(
        "Which claims have to do with one work?",
        claims().citing("shaikh2024"),
        "claims --source shaikh2024",
        "claims source:shaikh2024",
        of_claims(
            lambda reader, each: reader.of_its_evidence(
                each, lambda one: "shaikh2024" in one.sources
            )
        ),
    ),
    AskedQuestion(
        "On which claims does work since 2025 bear?",
        claims().year("2025.."),
        "claims --year 2025..",
        "claims year:2025..",
        of_claims(
            lambda reader, each: reader.of_its_evidence(
                each, lambda one: any(year >= 2025 for year in reader.years(one))
            )
        ),
    ),
    AskedQuestion(
        "On which do peer-reviewed benchmarks bear?",
        claims().peer_reviewed().method("benchmark"),
        "claims peer_reviewed:yes --method benchmark",
        "claims peer_reviewed:yes method:benchmark",
        of_claims(
            lambda reader, each: reader.of_its_evidence(
                each, lambda one: one.method == "benchmark" and bool(one.peer_reviewed)
            )
        ),
    ),
    AskedQuestion(
        "Which claims cite a work themselves?",
        claims().citing("bender2020").directly(),
        "claims --source bender2020 directly:yes",
        "claims source:bender2020 directly:yes",
        of_claims(lambda reader, each: "bender2020" in each.sources),
    ),
    AskedQuestion(
        "Which sceptics' claims of a line have to do with GPT-4?",
        SCEPTICS.about("GPT-4"),
        f"claims --camp skeptic --line {LINE} --about GPT-4",
        f"claims camp:skeptic line:{LINE} about:GPT-4",
        of_claims(
            lambda reader, each: (
                reader.camp(each, "skeptic", LINE)
                and reader.of_its_evidence(each, lambda one: "GPT-4" in one.about)
            )
        ),
    ),
    AskedQuestion(
        "Which evidence is itself on evaluation?",
        evidence().topic("evaluation").directly(),
        "evidence --topic evaluation directly:yes",
        "evidence topic:evaluation directly:yes",
        of_evidence(lambda reader, each: "evaluation" in each.topics),
    ),
    AskedQuestion(
        "What evidence answers the sceptics of a line?",
        evidence().answering(SCEPTICS),
        f"evidence 'answers:(claims camp:skeptic line:{LINE})'",
        f"evidence answers:(claims camp:skeptic line:{LINE})",
        of_evidence(
            lambda reader, each: any(
                reader.camp(reader.corpus.statements[borne], "skeptic", LINE)
                for borne in reader.borne_on(each.id, *AGAINST)
            )
        ),
    ),
    AskedQuestion(
        "Which claims does nothing support?",
        claims().without(supported_by=statements()),
        "claims --unsupported",
        "claims -supported_by:*",
        of_claims(
            lambda reader, each: (
                not any(reader.towards(name, "supports") for name in reader.same(each.id))
            )
        ),
        "unsupported",
        "claim",
    ),
    AskedQuestion(
        "Which sceptics' statements of a line has nobody answered?",
        SCEPTICS.without(answered_by=statements()),
        f"claims --camp skeptic --line {LINE} --unanswered",
        f"claims camp:skeptic line:{LINE} -answered_by:*",
        of_claims(
            lambda reader, each: (
                reader.camp(each, "skeptic", LINE) and not reader.towards(each.id, *AGAINST)
            )
        ),
        f"unanswered --id line={LINE} --id camp=skeptic",
        "statement",
    ),
    AskedQuestion(
        "Which sources do both camps use?",
        sources().cited_by(statements().camp("optimist"))
        & sources().cited_by(statements().camp("skeptic")),
        "sources 'cited_by:(camp:optimist)' 'cited_by:(camp:skeptic)'",
        "sources cited_by:(camp:optimist) cited_by:(camp:skeptic)",
        of_sources(
            lambda reader, key: all(
                any(reader.camp(each, camp) for each in reader.citers(key))
                for camp in ("optimist", "skeptic")
            )
        ),
        "shared-sources",
        "source",
    ),
    AskedQuestion(
        "Which sources does nothing cite?",
        sources().without(cited_by=statements()),
        "sources '-(sources cited_by:*)'",
        "sources -cited_by:*",
        of_sources(lambda reader, key: not reader.citers(key)),
    ),
    AskedQuestion(
        "On what before 2022 do sceptics build?",
        sources().year("..2021").cited_by(statements().camp("skeptic")),
        "sources --year ..2021 'cited_by:(camp:skeptic)'",
        "sources year:..2021 cited_by:(camp:skeptic)",
        of_sources(
            lambda reader, key: (
                (reader.corpus.sources[key].year or 3000) <= 2021
                and any(reader.camp(each, "skeptic") for each in reader.citers(key))
            )
        ),
    ),
    AskedQuestion(
        "Which sources bring evidence on norms?",
        sources().cited_by(evidence().topic("norms")),
        "sources 'cited_by:(evidence topic:norms)'",
        "sources cited_by:(evidence topic:norms)",
        of_sources(
            lambda reader, key: any(
                _on(reader, each, "norms") for each in reader.citers(key) if each.kind == "evidence"
            )
        ),
    ),
    AskedQuestion(
        "Which claims of a line are not on evaluation?",
        claims().line(LINE) - claims().topic("evaluation"),
        f"claims --line {LINE} '-(topic:evaluation)'",
        f"claims line:{LINE} -topic:evaluation",
        of_claims(
            lambda reader, each: reader.in_line(each, LINE) and "evaluation" not in each.topics
        ),
    ),
    AskedQuestion(
        "Which experiments are not known to be peer-reviewed?",
        evidence().method("experiment") - evidence().peer_reviewed(),
        "evidence --method experiment '-(evidence peer_reviewed:yes)'",
        "evidence method:experiment -peer_reviewed:yes",
        of_evidence(
            lambda reader, each: each.method == "experiment" and each.peer_reviewed is not True
        ),
    ),
    AskedQuestion(
        "What cites a work that its publisher no longer vouches for?",
        statements().integrity("corrected", "concern", "retracted").directly(),
        "integrity:corrected,concern,retracted directly:yes",
        "integrity:corrected,concern,retracted directly:yes",
        lambda reader: {
            each.id
            for key, source in reader.corpus.sources.items()
            if source.integrity in {"corrected", "concern", "retracted"}
            for each in reader.citers(key)
        },
        "fallen-sources",
        "citing",
    ),
    AskedQuestion(
        "Which claims has work with people for it, and a benchmark against it?",
        claims()
        .supported_by(evidence().sample_class("people"))
        .answered_by(evidence().method("benchmark")),
        "claims 'evidence:(sample_class:people)' 'answered_by:(evidence method:benchmark)'",
        "claims evidence.sample_class:people answered_by:(evidence method:benchmark)",
        of_claims(
            lambda reader, each: (
                any(
                    _people(one)
                    for one in reader.evidence
                    if one.id in reader.towards(each.id, "supports")
                )
                and any(
                    one.method == "benchmark"
                    for one in reader.evidence
                    if one.id in reader.towards(each.id, *AGAINST)
                )
            )
        ),
    ),
    AskedQuestion(
        "Which essays cite a work?",
        lines().citing("shaikh2024"),
        "lines --source shaikh2024",
        "lines source:shaikh2024",
        lambda reader: {
            line.id
            for line in reader.corpus.lines.values()
            if any(each.key == "shaikh2024" for each in line.citations)
        },
    ),
    AskedQuestion(
        "Which reasons do sceptics say do not bear?",
        edges().relation("undercuts").origin(statements().camp("skeptic")),
        "edges relation:undercuts 'origin:(camp:skeptic)'",
        "edges relation:undercuts origin:(camp:skeptic)",
        _undercutting,
    ),
    AskedQuestion(
        "What reasons are called strong, within a line?",
        edges().relation("supports").strength("strong").target(statements().line(LINE)),
        f"edges relation:supports strength:strong 'target:(line:{LINE})'",
        f"edges relation:supports strength:strong target:(line:{LINE})",
        _strong,
    ),
    AskedQuestion(
        "Which claims are there?",
        claims(),
        "claims",
        "claims",
        of_claims(lambda reader, each: True),
        "SELECT ?claim { ?claim a kg:Claim }",
        "claim",
    ),
    AskedQuestion(
        "How many claims has each camp in a line?",
        claims().line(LINE).group_by("camp"),
        f"claims --line {LINE} --group-by camp",
        f"claims line:{LINE} group:camp",
        _camps,
        f"camps --id line={LINE}",
        "camp statements",
    ),
    AskedQuestion(
        "Which claims rest on two studies?",
        claims().studies(2),
        "claims --studies 2",
        "claims studies:2",
        of_claims(lambda reader, each: reader.groups(each) == 2),
    ),
)
