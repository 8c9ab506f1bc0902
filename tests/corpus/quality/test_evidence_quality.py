"""The ladder of evidence, every term shown."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus.quality.evidence_quality import (
    StudyDesign,
    grade_design,
    grade_evidence,
    study_design_of,
)
from kg.model import Integrity, Method, SampleClass, SeenIn
from kg.model.settings.config import Config
from kg.model.settings.quality_settings import QualityLadder
from kg.reasoning import quality
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, source

LADDER = QualityLadder()
some = st.none() | st.integers(0, 5)
designs = st.builds(
    StudyDesign,
    method=st.none() | st.sampled_from(list(LADDER.methods)),
    sample=st.none() | st.integers(0, 10**9),
    sample_class=st.sampled_from([each.value for each in SampleClass]),
    p=st.none() | st.floats(1e-30, 1),
    replications=some,
    failed_replications=some,
    peer_reviewed=st.none() | st.booleans(),
    preregistered=st.none() | st.booleans(),
    serious=st.integers(0, 3),
    very_serious=st.integers(0, 3),
)


def test_terms_add_up_to_the_level_and_are_shown() -> None:
    item = evidence(
        "e", method=Method.BENCHMARK, sample=555, sample_unit="scenarios", peer_reviewed=True
    )
    grade = grade_evidence(item, (), LADDER)
    assert sum(term.points for term in grade.terms) / LADDER.top == pytest.approx(grade.base)
    assert str(grade) == "benchmark +2.50; n=555 items +0.11; peer reviewed +0.25 ⇒ 0.57"


def test_what_is_not_recorded_is_listed_and_adds_nothing() -> None:
    grade = grade_evidence(evidence("e"), (), LADDER)
    assert grade.unknown == (
        "method",
        "sample",
        "p",
        "replications",
        "failed_replications",
        "peer_reviewed",
        "preregistered",
        "seen_in",
    )
    assert grade.base == pytest.approx(LADDER.unrecorded / LADDER.top)


def test_a_field_recorded_as_false_is_known_but_adds_no_points() -> None:
    grade = grade_evidence(evidence("e", peer_reviewed=False, preregistered=False), (), LADDER)
    assert "peer_reviewed" not in grade.unknown
    assert [term.field for term in grade.terms] == ["method"]


def test_sources_say_whether_they_were_reviewed_where_the_note_does_not() -> None:
    grade = grade_evidence(evidence("e", ["a"]), [source("a", peer_reviewed=True)], LADDER)
    assert [term.field for term in grade.terms] == ["method", "peer_reviewed"]


def test_evidence_is_reviewed_if_one_of_its_sources_was() -> None:
    sources = [source("a", peer_reviewed=False), source("b", peer_reviewed=True)]
    assert study_design_of(evidence("e", ["a", "b"]), sources).peer_reviewed is True
    assert study_design_of(evidence("e", ["a"]), sources[:1]).peer_reviewed is False


def test_very_serious_concerns_weigh_double() -> None:
    item = evidence("e", method=Method.EXPERIMENT, concerns=("risk-of-bias!", "imprecision"))
    assert [term.points for term in grade_evidence(item, (), LADDER).terms] == [3.0, -0.5, -1.0]


def test_a_given_quality_overrides_and_is_marked() -> None:
    grade = grade_evidence(evidence("e", method=Method.ANECDOTE, quality=1.0), (), LADDER)
    assert (grade.base, grade.given) == (0.99, True)


def test_retracted_sources_count_for_nothing() -> None:
    lost_source = source("a", integrity=Integrity.RETRACTED)
    grade_alone = grade_evidence(evidence("e", ["a"], quality=0.8), [lost_source], LADDER)
    shared = grade_evidence(
        evidence("e", ["a", "b"], quality=0.8), [lost_source, source("b")], LADDER
    )
    assert (grade_alone.base, grade_alone.base_unretracted, grade_alone.retracted) == (
        0.0,
        0.8,
        ("a",),
    )
    assert shared.base == pytest.approx(0.4)


def test_claims_start_from_one_half_whatever_number_is_given() -> None:
    notes = corpus_of_parts(claim("p"), claim("q", quality=0.7))
    assert quality(notes, "p").base == 0.5
    assert (quality(notes, "q").base, quality(notes, "q").given) == (0.5, False)


def test_a_very_serious_concern_costs_a_whole_rung_through_notes() -> None:
    note = "---\ntype: evidence\nmethod: experiment\n{}---\n# It was seen\n\nSo. [@x]\n"
    notes = corpus_of_notes(
        plain=note.format(""),
        serious=note.format("concerns: risk-of-bias\n"),
        grave=note.format("concerns: [Risk of Bias!]\n"),
        both="---\ntype: claim\n---\n# It is so\n\n> [!evidence] Seen ^seen\n> So. [@x]\n"
        "> (method:: experiment) (concerns:: risk-of-bias!, imprecision)\n",
    )
    bases = {s.id: quality(notes, s.id).base * LADDER.top for s in notes.evidence}
    assert bases == pytest.approx({"plain": 3.0, "serious": 2.5, "grave": 2.0, "both#seen": 1.5})


@pytest.mark.parametrize("seen_in", [SeenIn.SECONDARY, SeenIn.NOTE_PAGE, SeenIn.NOT_SEEN])
@given(design=designs)
def test_what_nobody_read_counts_less_than_the_same_read(
    seen_in: SeenIn, design: StudyDesign
) -> None:
    read = grade_design(msgspec.structs.replace(design, seen_in="primary"), LADDER)
    unread = grade_design(msgspec.structs.replace(design, seen_in=seen_in.value), LADDER)
    assert unread.base < read.base or read.base == LADDER.lowest / LADDER.top
    assert unread.base <= max(LADDER.seen_at_most[seen_in], LADDER.lowest / LADDER.top) + 1e-12


def test_a_finding_of_a_title_weighs_less_than_any_study_read() -> None:
    best = StudyDesign(method="meta-analysis", p=1e-9, preregistered=True, replications=9)
    title = grade_design(msgspec.structs.replace(best, seen_in="not-seen"), LADDER)
    note = grade_design(msgspec.structs.replace(best, seen_in="note-page"), LADDER)
    read_fields = {term.field for term in grade_design(best, LADDER).terms}
    assert "seen_in" not in read_fields, "what is read costs nothing, even beyond the top"
    for method in LADDER.methods:
        read = grade_design(StudyDesign(method=method, seen_in="primary"), LADDER)
        assert title.base <= read.base + 1e-12
        if method not in ("argument", "demonstration", "anecdote"):
            assert note.base < read.base
    assert str(note).endswith("seen only in a note: at most 0.20 -5.50 ⇒ 0.20")


@given(design=designs)
def test_terms_always_add_up(design: StudyDesign) -> None:
    grade = grade_design(design, LADDER)
    level = sum(term.points for term in grade.terms)
    assert grade.base == pytest.approx(min(max(level, LADDER.lowest), LADDER.highest) / LADDER.top)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_more_people_never_count_less_and_models_never_count(one: int, other: int) -> None:
    def base(n: int, kind: str) -> float:
        return grade_design(StudyDesign(method="survey", sample=n, sample_class=kind), LADDER).base

    small, large = sorted((one, other))
    assert base(small, "people") <= base(large, "people")
    assert base(small, "models") == base(large, "models") == 0.4
    assert abs(base(large, "items") - 0.4) <= abs(base(large, "people") - 0.4)


def test_p_stands_in_for_the_sample_where_it_is_significant() -> None:
    fields = {"method": "experiment", "sample": 50, "sample_class": "people"}
    assert [t.field for t in grade_design(StudyDesign(p=0.001, **fields), LADDER).terms] == [
        "method",
        "p",
    ]
    terms = grade_design(StudyDesign(p=0.3, **fields), LADDER).terms
    assert [(t.field, t.points) for t in terms[1:]] == [
        ("p", 0.0),
        ("sample", pytest.approx(0.25 * math.log10(0.5))),
    ]
    bounded = grade_design(StudyDesign(p=0.05, p_sign=">", **fields), LADDER).terms
    assert bounded[1].text == "p>0.05, n=50, not significant"


def test_one_piece_of_unrecorded_method_leaves_no_question_open() -> None:
    assert grade_design(StudyDesign(), LADDER).base == pytest.approx(0.3)


def test_a_rung_set_in_kg_toml_leaves_every_other_verdict_alone() -> None:
    note = "---\ntype: evidence\nmethod: {}\n---\n# It was seen\n\nSo. [@x]\n"
    config = Config(quality=QualityLadder.model_validate({"kinds": {"proof": 4.0}}))
    notes = corpus_of_notes(config=config, a=note.format("experiment"), b=note.format("proof"))
    assert [quality(notes, id).base for id in ("a", "b")] == pytest.approx([0.6, 0.8])
