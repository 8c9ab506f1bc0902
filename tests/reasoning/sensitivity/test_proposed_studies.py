"""What each proposed study would do to the side of an answer."""

from __future__ import annotations

from kg.model import Relation
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.reading import reading_of
from kg.reasoning.sensitivity.proposed_studies import studies_for
from tests.support.corpus_parts import claim, corpus_of_parts, evidence
from tests.support.every_row import every_row

NARROW = Reasoning(even_within=0.0, contested_below=0.51)  # so that one study leads across


@every_row(
    ("quality_for", "quality_against", "settings", "effects"),
    [
        # with a side, which a study against it takes away
        (0.6, 0.0, Reasoning(), {Relation.CONTRADICTS: (True, False)}),
        (0.0, 0.6, Reasoning(), {Relation.SUPPORTS: (True, False)}),
        # without a side, which either study gives
        (
            0.7,
            0.7,
            Reasoning(),
            {Relation.CONTRADICTS: (True, False), Relation.SUPPORTS: (True, False)},
        ),
        # without a side, which neither study gives
        (
            0.7,
            0.7,
            Reasoning(contested_below=0.7),
            {Relation.CONTRADICTS: (False, False), Relation.SUPPORTS: (False, False)},
        ),
        # with a side, which a study against it turns
        (0.5, 0.0, NARROW, {Relation.CONTRADICTS: (True, True)}),
        (0.0, 0.5, NARROW, {Relation.SUPPORTS: (True, True)}),
        # with a side that no one study changes
        (0.95, 0.0, NARROW, {Relation.CONTRADICTS: (False, False)}),
    ],
)
def test_a_study_decides_by_a_side_gained_or_lost_and_turns_by_one_changed(
    quality_for: float,
    quality_against: float,
    settings: Reasoning,
    effects: dict[Relation, tuple[bool, bool]],
) -> None:
    notes = corpus_of_parts(
        claim("q"),
        evidence("for", ["s"], quality=quality_for),
        evidence("against", ["t"], quality=quality_against),
        "for supports q",
        "against contradicts q",
    )
    studies, is_complete = studies_for(reading_of(notes, settings).question("q"), 9)
    assert is_complete
    assert {each.relation: (each.decides, each.turns) for each in studies} == effects
