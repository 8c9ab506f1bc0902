"""What a piece of evidence is, in a few words."""

from __future__ import annotations

from kg.model import Kind, Method, Span, Statement
from kg.model.grade import grade_evidence
from kg.model.settings.quality_settings import Quality
from kg.publish.markup.evidence_words import quality_in_words, render_sample
from tests.support.every_row import every_row


def study(**more: object) -> Statement:
    return Statement(id="s", kind=Kind.EVIDENCE, title="S", span=Span("s.md"), **more)


@every_row(
    ("more", "said"),
    [
        ({}, "–"),
        ({"sample": 1200, "sample_unit": "people"}, "1,200 people"),
        ({"sample": 5}, "5"),
    ],
)
def test_a_sample_is_told_with_its_unit(more: dict[str, object], said: str) -> None:
    assert render_sample(study(**more)) == said


@every_row(
    ("more", "said"),
    [
        ({}, "Method not recorded, sample not recorded"),
        (
            {"method": Method.BENCHMARK, "peer_reviewed": True},
            "Benchmark, peer reviewed, sample not recorded",
        ),
        ({"method": Method.SURVEY, "sample": 5}, "Survey, 5"),
        ({"method": Method.ARGUMENT}, "Argument"),
        ({"method": Method.SURVEY, "quality": 0.3}, "Survey, graded by its note"),
    ],
)
def test_what_a_grade_follows_from_stands_before_it(more: dict[str, object], said: str) -> None:
    evidence = study(**more)
    grade = grade_evidence(evidence, (), Quality())
    assert quality_in_words(evidence, grade, "quality 0.55") == f"{said}: quality 0.55"
