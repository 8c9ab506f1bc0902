"""An answer without each source: the same as if its works were retracted, and what each adds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, verdict
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.losses.source_losses import (
    contributions_by_arc_and_source,
    contributions_by_source,
    count_contributing_sources,
    has_dependencies,
    heaviest_first,
    losses_by_source,
    losses_by_source_of_all_statements,
    question_without_evidence,
    question_without_source,
)
from kg.reasoning.reasons.shares import arc_shares_of
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import with_retracted_sources
from tests.support.note_texts import claim_text, evidence_text


@pytest.fixture
def corpus() -> Corpus:
    """A claim that hears two works, one of them on both sides, and a premise that falls."""
    return corpus_of_notes(
        references="@book{a, title={A}, author={A B}}\n@book{b, title={B}, author={C D}}",
        asked=claim_text("Asked", "optimist", "depends-on:: [[premise]]"),
        premise=claim_text("Premise", "optimist"),
        first=evidence_text("First", 0.6, "supports:: [[asked]]") + "\n[@a]\n",
        again=evidence_text("Again", 0.5, "contradicts:: [[asked]]") + "\n[@a]\n",
        next=evidence_text("Next", 0.7, "supports:: [[asked]]") + "\n[@b]\n",
        denial=evidence_text("Denial", 0.7, "contradicts:: [[premise]]") + "\n[@b]\n",
        bare=claim_text("Bare", "optimist"),
    )


def test_each_source_that_has_a_part_is_counted_once_and_a_premise_that_falls_is_none(
    corpus: Corpus,
) -> None:
    reading = reading_of(corpus)
    counts = count_contributing_sources(reading.graph)
    counted = {id: counts[reading.graph.number_of[id]] for id in ("asked", "premise", "bare")}
    assert counted == {"asked": 2, "premise": 1, "bare": 0}
    for id, count in counted.items():
        answer = verdict(reading, id)
        assert isinstance(answer, Verdict)
        assert answer.sources.count == count


def test_the_losses_that_move_the_answer_most_come_first_whichever_way(corpus: Corpus) -> None:
    question = reading_of(corpus).question("asked")
    support, denial = (np.array([question.graph.number_of[id]]) for id in ("first", "again"))
    assert heaviest_first(question, [denial[:0], denial, denial]) == [1, 2, 0]
    assert heaviest_first(question, [denial[:0], denial, support]) == [2, 1, 0]


def test_no_source_losses_are_counted_by_rules_that_do_not_follow_sources(corpus: Corpus) -> None:
    reading = reading_of(corpus, Reasoning(transfer="plain"))
    assert set(count_contributing_sources(reading.graph)) == {0}


@pytest.mark.parametrize("query", ["asked", "premise"])
def test_without_a_source_all_is_as_if_its_works_were_retracted(corpus: Corpus, query: str) -> None:
    """Also a premise that is asked about by itself in what is left."""
    reading = reading_of(corpus)
    question = reading.question(query)
    assert has_dependencies(question) == (query == "asked")
    losses = losses_by_source(question)
    assert losses.complete
    for column, source_group in enumerate(losses.source_groups):
        left = question_without_source(question, source_group)
        again = reading_of(
            with_retracted_sources(corpus, reading.source_groups.sources[source_group])
        )
        assert left.strength_or_nan == pytest.approx(again.question(query).strength_or_nan)
        assert left.strength_or_nan == pytest.approx(losses.outcome[0, column])
        [strengths] = losses.strengths_of(np.array([question.node]))
        assert left.strength_or_nan == pytest.approx(strengths[column])
        if query == "asked":
            premise = left.reading.question("premise").strength_or_nan
            assert premise == pytest.approx(again.question("premise").strength_or_nan)


@pytest.mark.parametrize("name", ["first", "denial"])
def test_without_a_finding_all_is_as_if_it_were_muted(corpus: Corpus, name: str) -> None:
    reading = reading_of(corpus)
    question = reading.question("asked")
    left = question_without_evidence(question, np.array([question.graph.number_of[name]]))
    again = with_muted_statements(reading, [name])
    assert left.strength_or_nan == pytest.approx(again.question("asked").strength_or_nan)
    premise = left.reading.question("premise").strength_or_nan
    assert premise == pytest.approx(again.question("premise").strength_or_nan)


def test_what_sources_add_is_what_the_reasons_add(corpus: Corpus) -> None:
    question = reading_of(corpus).question("asked")
    losses = losses_by_source(question)
    arcs = question.graph.arcs_bearing_on(question.node)
    shares = arc_shares_of(question)[arcs]
    by_arc = contributions_by_arc_and_source(question, question.node, losses)
    of_findings = ~question.graph.fallen[arcs]
    assert by_arc.sum(axis=1)[of_findings] == pytest.approx(shares[of_findings])
    pro, con = contributions_by_source(question, question.node, losses)
    assert pro - con == pytest.approx(by_arc.sum(axis=0))
    assert (pro > 0.0).any()
    assert (con > 0.0).any()


def test_where_sources_are_not_followed_reasons_lose_what_rests_on_each(corpus: Corpus) -> None:
    question = reading_of(corpus, Reasoning(transfer="plain")).question("asked")
    losses = losses_by_source(question)
    arcs = question.graph.arcs_bearing_on(question.node)
    shares = arc_shares_of(question)[arcs]
    lost = contributions_by_arc_and_source(question, question.node, losses)
    for row, node in enumerate(question.graph.arc_premise[arcs].tolist()):
        if question.graph.is_claim[node]:
            continue  # the premise
        rests_on = [node in evidence for evidence in losses.evidence]
        assert lost[row] == pytest.approx(np.where(rests_on, shares[row], 0.0))


def test_a_table_of_losses_over_the_limit_is_not_made(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = reading_of(corpus).question("asked")
    whole = losses_by_source_of_all_statements(question)
    assert whole is not None
    cells = question.graph.size * len(whole.source_groups)
    assert whole.strengths_without.size == cells
    for maximum, is_made in ((cells, True), (cells - 1, False)):
        monkeypatch.setattr("kg.reasoning.losses.source_losses.MAX_TABLE_CELLS", maximum)
        query = reading_of(replace(corpus)).question("asked")
        assert (losses_by_source_of_all_statements(query) is not None) == is_made
