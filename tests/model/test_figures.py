"""What samples count, and how effects are written."""

from __future__ import annotations

from kg.model import SampleClass
from kg.model.figures import is_significant, render_effect, render_p, sample_class_of
from tests.support.every_row import every_row


@every_row(
    ("unit", "expected"),
    [
        ("participants", "people"),
        ("dairy farmers", "people"),
        ("human judges", "people"),
        ("children in two schools", "people"),
        ("Students", "people"),
        ("scenarios", "items"),
        ("synthetic persona-task prompts", "items"),
        ("student essays", "items"),
        ("turns of talk", "items"),
        ("studies", "items"),
        ("dialogues with people", "conversations"),
        ("debates", "conversations"),
        ("language models", "models"),
        ("models, each asked twice", "models"),
        ("bananas", "unknown"),
        ("", "unknown"),
        ("...", "unknown"),
    ],
)
def test_the_last_noun_says_what_a_sample_is_of(unit: str, expected: str) -> None:
    assert sample_class_of(unit) is SampleClass(expected)


def test_a_p_is_significant_up_to_its_level_unless_it_is_only_known_to_be_over_it() -> None:
    values = [(0.05, ""), (0.051, ""), (0.05, "<"), (0.01, ">")]
    assert [is_significant(*each) for each in values] == [True, False, True, False]


def test_figures_read_as_notes_write_them() -> None:
    assert render_effect("d", 0.42, 0.1, 0.7) == "d=0.42 [0.1, 0.7]"
    assert render_effect("d", 0.42, 0.1, None) == render_effect("d", 0.42, None, 0.7) == "d=0.42"
    assert render_effect("%", 45, None, None) == "45 %"
    assert render_effect("pp", 4, 2.5, 6) == "4 pp [2.5, 6]"
    assert render_p("<", 0.001) == "<0.001"
    assert render_p("", 0.04) == "0.04"
