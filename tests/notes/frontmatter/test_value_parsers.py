"""Values of front matter: what each is read as, and what is said of one that cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from kg.model import AnswerWords, SampleClass, Severity, Span
from kg.notes.frontmatter.note_fields import BadValue, StatementFields, parse_fields
from kg.notes.frontmatter.value_parsers import (
    MAX_ANSWER_CHARACTERS,
    drop_keys,
    fold_word,
    is_own_method,
    is_unknown_unit,
    set_record_fields,
    show_value,
    split_figures,
    unknown_unit_problem,
    unwrap_one_word,
    validate_answers,
    validate_doubt,
    validate_effect,
    validate_method,
    validate_p_value,
)
from tests.support.any_text import any_text
from tests.support.every_row import every_row

BOTH = (("holds", "Yes."), ("fails", "No."))
LONGEST = "x" * MAX_ANSWER_CHARACTERS


def bad_value_of(key: str, value: Any) -> BadValue:
    (bad,) = parse_fields(StatementFields, {key: value}).bad_values
    return bad


# -- sentences, figures and words ----------------------------------------------------------


def test_a_doubt_is_one_line_of_bounded_length() -> None:
    assert validate_doubt("  Who  asked,\n and whom? ") == "Who asked, and whom?"
    assert validate_doubt(f" {LONGEST} ") == LONGEST
    with pytest.raises(ValueError, match=f"at most {MAX_ANSWER_CHARACTERS} characters, not 201"):
        validate_doubt(f"{LONGEST}x")


@every_row(
    "value",
    ["d=0.4 [0.1, 0.7]", ("d=0.4 [0.1", "0.7]"), '"d=0.4 [0.1, 0.7]"', " “d=0.4 [0.1, 0.7]” "],
)
def test_an_effect_is_read_also_where_yaml_makes_a_list_of_its_interval(value: Any) -> None:
    assert validate_effect(value) == (0.4, "d", 0.1, 0.7)


def test_a_p_value_is_read_in_quotes_and_as_a_number() -> None:
    assert validate_p_value("'<.001'") == validate_p_value("<.001") == (0.001, "<")
    assert validate_p_value(0.03) == (0.03, "")


def test_figures_within_figures_are_refused() -> None:
    for validate in (validate_effect, validate_p_value):
        with pytest.raises(ValueError, match="one number with its measure"):
            validate(("d=0.4", ("0.1", "0.7")))


@every_row("word", ["survey", "case-study", "rct2"])
def test_a_method_is_a_word_in_small_letters(word: str) -> None:
    assert validate_method(word) == word


@every_row("word", ["", "Survey", "two words", "-survey", "a_b", "é"])
def test_what_is_no_name_of_a_method_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="small letters, digits and hyphens"):
        validate_method(word)


@every_row(
    ("value", "word"),
    [
        ("Peer_Reviewed ", "peer-reviewed"),
        (("Very Weak",), "very-weak"),
        (("a", "b"), ("a", "b")),
        (None, None),
        (True, True),
    ],
)
def test_a_word_is_compared_in_any_case_and_with_any_dashes(value: Any, word: Any) -> None:
    assert fold_word(value) == word


def test_a_list_of_one_word_is_that_word() -> None:
    assert unwrap_one_word(("id",)) == "id"
    assert unwrap_one_word(("a", "b")) == ("a", "b")
    assert unwrap_one_word("id") == "id"
    assert unwrap_one_word(()) == ()


@given(any_text())
def test_folding_a_word_again_changes_nothing(word: str) -> None:
    assert fold_word(fold_word(word)) == fold_word(word)


@every_row(
    ("value", "text"),
    [
        (None, ""),
        (7, "7"),
        (("a", ("b", None)), "a, b, "),
        ({"holds": "Yes", "fails": ("No", "never")}, "holds: Yes, fails: No, never"),
    ],
)
def test_a_value_is_shown_with_commas(value: Any, text: str) -> None:
    assert show_value(value) == text


# -- answers -------------------------------------------------------------------------------


def test_answers_are_sentences_by_what_becomes_of_the_proposition() -> None:
    assert validate_answers(BOTH) == AnswerWords(holds="Yes.", fails="No.")
    spelled = (("Holds", " Yes,\n so. "), ("FAILS", LONGEST), ("undecided", None))
    assert validate_answers(spelled) == AnswerWords(holds="Yes, so.", fails=LONGEST, undecided="")


@every_row(
    ("value", "reason"),
    [
        ("Yes", "a mapping such as"),
        (("yes", "no"), "a mapping such as"),
        ((*BOTH, ("maybe", "Perhaps.")), "each once, not 'maybe'"),
        ((*BOTH, ("Holds", "Again.")), "each once, not 'Holds'"),
        ((("holds", ("a", "b")), ("fails", "No.")), "text in `holds`, not a list"),
        ((("holds", f"{LONGEST}x"), ("fails", "No.")), "in `holds`, not 201"),
        ((("holds", "Yes."),), "not nothing in `fails`"),
        ((("holds", " "), ("fails", "No.")), "not nothing in `holds`"),
    ],
)
def test_what_is_no_pair_of_answers_has_a_problem_that_says_why(value: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        validate_answers(value)


# -- fields of a record --------------------------------------------------------------------


def test_figures_become_fields_of_their_own() -> None:
    values: dict[str, Any] = {
        "sample": (40, "students"),
        "effect": (0.4, "d", 0.1, 0.7),
        "p": (0.001, "<"),
    }
    split_figures(values)
    assert values == {
        "sample": 40,
        "sample_unit": "students",
        "sample_class": SampleClass.PEOPLE,
        "effect": 0.4,
        "effect_kind": "d",
        "effect_low": 0.1,
        "effect_high": 0.7,
        "p": 0.001,
        "p_sign": "<",
    }


def test_a_class_that_is_given_is_kept() -> None:
    values: dict[str, Any] = {"sample": (40, "students"), "sample_class": SampleClass.UNKNOWN}
    split_figures(values)
    assert values["sample_class"] is SampleClass.UNKNOWN
    without: dict[str, Any] = {}
    split_figures(without)
    assert without == {}


def test_only_a_unit_of_unknown_class_needs_one() -> None:
    assert is_unknown_unit({"sample": (3, "snarks")})
    assert not is_unknown_unit({"sample": (3, "snarks"), "sample_class": SampleClass.PEOPLE})
    assert not is_unknown_unit({"sample": (3, "students")})
    assert not is_unknown_unit({"sample": (3, "")})
    assert not is_unknown_unit({})


def test_a_unit_of_unknown_class_is_named_and_the_classes_listed() -> None:
    span = Span("a.md", 3)
    problem = unknown_unit_problem("snarks", span)
    assert (problem.rule, problem.severity, problem.span) == (
        "unknown-unit",
        Severity.WARNING,
        span,
    )
    assert "`snarks`" in problem.message
    assert all(each.value in problem.help for each in SampleClass)
    assert f"`{'s' * 40}…`" in unknown_unit_problem("s" * 41, span).message


def test_a_method_of_ones_own_is_one_that_is_not_built_in() -> None:
    assert is_own_method({"method": "tea-leaves"})
    assert not is_own_method({"method": "survey"})
    assert not is_own_method({})


def test_what_belongs_to_the_note_is_no_field_of_its_record() -> None:
    values: dict[str, Any] = {"type": "claim", "id": "a", "title": "A", "camp": "skeptic"}
    values["imported_from"] = "csv a.csv"
    extra = {"mood": "bright"}
    set_record_fields(values, extra)
    assert values == {
        "camp": "skeptic",
        "extra": {"mood": "bright", "imported_from": "csv a.csv"},
    }
    bare: dict[str, Any] = {"id": "a", "camp": "skeptic"}
    set_record_fields(bare, {})
    assert bare == {"camp": "skeptic"}


def test_keys_are_dropped_where_they_are() -> None:
    values = {"a": 1, "b": 2}
    drop_keys(values, ("a", "c"))
    assert values == {"b": 2}


# -- messages ------------------------------------------------------------------------------


@every_row(
    ("key", "value", "message", "help"),
    [
        ("replications", "some", "should be a whole number, not 'some'", ""),
        ("peer_reviewed", "perhaps", "should be yes or no, not 'perhaps'", ""),
        ("quality", "good", "should be a number from 0 to 1, not 'good'", ""),
        ("method", "Two words, no", "should be a word of small letters", ""),
        ("p", "n.s.", "should be a number above 0 and up to 1", ""),
        ("status", "finished!", "cannot be 'finished!'", "write "),
        ("replications", "x" * 61, f"should be a whole number, not '{'x' * 60}…'", ""),
    ],
)
def test_a_value_that_cannot_be_used_is_quoted_with_what_it_should_be(
    key: str, value: str, message: str, help: str
) -> None:
    problem = bad_value_of(key, value)
    assert problem.message.startswith(message)
    assert problem.help.startswith(help)
    assert (problem.old, problem.new) == ("", "")


def test_a_misspelt_word_of_a_list_has_a_correction() -> None:
    problem = bad_value_of("status", "drafft")
    assert problem == ("status", "cannot be 'drafft'", "did you mean `draft`?", "drafft", "draft")


def test_a_value_that_clearly_means_another_has_a_correction() -> None:
    problem = bad_value_of("created", "5.3.2024")
    assert problem.message == "should be 2024-03-05, not '5.3.2024'"
    assert (problem.old, problem.new) == ("5.3.2024", "2024-03-05")
