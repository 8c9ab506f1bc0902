"""Values of front matter, parsed; what is wrong with one, and what was most likely meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from kg.model import AnswerWords, Diagnostic, SampleClass, Severity, Span
from kg.model.errors import KgError
from kg.model.figures import sample_class_of
from kg.model.settings.quality_settings import METHOD_NAME, METHOD_POINTS
from kg.notes.corrections import VALUE_SYNONYMS, find_intended
from kg.notes.frontmatter.figure_syntax import ParsedEffect, ParsedP, parse_effect, parse_p
from kg.notes.frontmatter.front_matter import fold_key

MAX_ANSWER_CHARACTERS = 200  # characters: an answer is one line beneath a question
_FIELDS_OF_KEY = {
    "sample": ("sample", "sample_unit"),
    "effect": ("effect", "effect_kind", "effect_low", "effect_high"),
    "p": ("p", "p_sign"),
}
_KEYS_KEPT_BY_THE_NOTE = ("type", "id", "title")
ORIGIN_KEY = "imported_from"  # the key that records from where `kg import` read a note
_MAX_UNIT_CHARACTERS = 40  # characters of a unit in a message
_MAX_VALUE_CHARACTERS = 60  # characters of a value in a message
_TYPES_IN_WORDS = {
    "int": "a whole number",
    "bool": "yes or no",
    "float": "a number from 0 to 1",
    "date": "a date such as 2026-11-20",
    "string": "one word or phrase",
}


def validate_doubt(value: str) -> str:
    """A sentence no longer than an answer; raises `ValueError`."""
    sentence = " ".join(value.split())
    if len(sentence) > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"at most {MAX_ANSWER_CHARACTERS} characters, not {len(sentence)}")
    return sentence


def validate_effect(value: object) -> ParsedEffect:
    """An effect: its size, its measure and its interval; raises `ValueError`."""
    return parse_effect(_single_string(value))


def validate_p_value(value: object) -> ParsedP:
    """A p value and its sign; raises `ValueError`."""
    return parse_p(_single_string(value))


def _single_string(value: object) -> str:
    """A value as one string; YAML reads an interval, which has a comma, as a list."""
    if isinstance(value, tuple) and not all(isinstance(each, str) for each in value):
        raise ValueError("one number with its measure")
    words = " ".join(", ".join(value).split()) if isinstance(value, tuple) else str(value)
    return words.strip("\"'“” ")


def validate_method(value: str) -> str:
    """A word that may name a method; raises `ValueError`."""
    if not METHOD_NAME.fullmatch(value):
        raise ValueError("a word of small letters, digits and hyphens")
    return value


def validate_answers(value: object) -> Any:
    """Answers from the pairs that `parse_fields` makes of a mapping.

    Raises `ValueError`, whose message says what is expected.
    """
    if not isinstance(value, tuple) or not all(isinstance(pair, tuple) for pair in value):
        raise ValueError('a mapping such as `{holds: "Yes: …", fails: "No: …"}`, not words')
    answers: dict[str, str] = {}
    for written_name, answer in value:
        name = fold_key(str(written_name))  # a YAML key may be a list
        if name not in AnswerWords.__struct_fields__ or name in answers:
            raise ValueError(
                f"`holds`, `fails` and perhaps `undecided`, each once, not {written_name!r}"
            )
        if answer is not None and not isinstance(answer, str):
            raise ValueError(f"text in `{name}`, not a list or a mapping")
        answers[name] = " ".join((answer or "").split())
        if (length := len(answers[name])) > MAX_ANSWER_CHARACTERS:
            raise ValueError(
                f"at most {MAX_ANSWER_CHARACTERS} characters in `{name}`, not {length}"
            )
    missing = [name for name in ("holds", "fails") if not answers.get(name)]
    if missing:
        raise ValueError(f"text in both `holds` and `fails`, not nothing in `{missing[0]}`")
    return AnswerWords(**answers)


def split_figures(values: dict[str, Any]) -> None:
    """Replace a sample by number, unit and class, and an effect and a p by their parts."""
    for key, names in _FIELDS_OF_KEY.items():
        if key in values:
            values.update(zip(names, values[key], strict=True))
    if "sample" in values and "sample_class" not in values:
        values["sample_class"] = sample_class_of(values["sample_unit"])


def is_own_method(values: dict[str, object]) -> bool:
    """Return whether the method is not built in, so that the settings must declare it."""
    return values.get("method", "experiment") not in METHOD_POINTS


def is_unknown_unit(values: dict[str, Any]) -> bool:
    """Return whether a sample has a unit of unknown class, and no `sample_class`."""
    if "sample" not in values or "sample_class" in values:
        return False
    unit = values["sample"][1]
    return bool(unit) and sample_class_of(unit) is SampleClass.UNKNOWN


def unknown_unit_problem(unit: str, span: Span) -> Diagnostic:
    """The problem of a sample with an unknown unit."""
    shown_unit = unit if len(unit) <= _MAX_UNIT_CHARACTERS else f"{unit[:_MAX_UNIT_CHARACTERS]}…"
    *other_classes, last_class = (each.value for each in SampleClass)
    return Diagnostic(
        rule="unknown-unit",
        severity=Severity.WARNING,
        message=f"the kind of sample of `{shown_unit}` is unknown",
        span=span,
        help=f"add `sample_class`: {', '.join(other_classes)} or {last_class}",
    )


def drop_keys(values: dict[str, object], keys: Iterable[str]) -> None:
    """Remove `keys` from `values`, a figure with all its parts."""
    for key in keys:
        for name in _FIELDS_OF_KEY.get(key, (key,)):
            values.pop(name, None)


def set_record_fields(values: dict[str, Any], extra: dict[str, str]) -> None:
    """Turn checked values into the fields of a statement, line or source, in place."""
    drop_keys(values, _KEYS_KEPT_BY_THE_NOTE)
    split_figures(values)
    if origin := values.pop(ORIGIN_KEY, ""):
        extra[ORIGIN_KEY] = origin  # provenance, not content
    if extra:
        values["extra"] = extra


def unwrap_one_word(value: object) -> Any:
    """The only element of a one-word list, else `value`; YAML reads `[[id]]` as a list."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def fold_word(value: object) -> Any:
    """A word in the form in which words are compared with a closed list; other values unchanged."""
    value = unwrap_one_word(value)
    if not isinstance(value, str):
        return value
    return value.strip().casefold().replace("_", "-").replace(" ", "-")


class IntendedValueError(KgError, ValueError):
    """A value that clearly means another one."""

    def __init__(self, message: str, old: str, new: str) -> None:
        super().__init__(message)
        self.old = old
        self.new = new


def show_value(value: object) -> str:
    """A value of front matter as text, lists and tables with commas."""
    if isinstance(value, tuple):
        return ", ".join(map(show_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show_value(inner)}" for key, inner in value.items())
    return "" if value is None else str(value)


class ValueExplanation(NamedTuple):
    """The reason why a value is refused; if the correction is clear, `new` replaces `old`."""

    message: str
    help: str = ""
    old: str = ""
    new: str = ""


def explain_error(error: Any) -> ValueExplanation:
    """Explain an error of Pydantic in the words of the notes' format."""
    value = error["input"] if isinstance(error["input"], str) else show_value(error["input"])
    if len(value) > _MAX_VALUE_CHARACTERS:
        value = f"{value[:_MAX_VALUE_CHARACTERS]}…"
    shown_value = repr(value)
    if error["type"] == "enum":
        return _unknown_choice_message(shown_value, error["ctx"]["expected"])
    if error["type"] == "value_error":
        expectation = error["msg"].removeprefix("Value error, ")
        contrast = "" if ", not " in expectation else f", not {shown_value}"
        message = f"should be {expectation}{contrast}"
        cause = error["ctx"]["error"]
        if isinstance(cause, IntendedValueError):
            return ValueExplanation(message, old=cause.old, new=cause.new)
        return ValueExplanation(message)
    for kind, expectation in _TYPES_IN_WORDS.items():
        if error["type"].startswith(kind):
            return ValueExplanation(f"should be {expectation}, not {shown_value}")
    expectation = error["msg"].removeprefix("Input should be ")
    return ValueExplanation(f"should be {expectation}, not {shown_value}")


def _unknown_choice_message(shown_value: str, expected: str) -> ValueExplanation:
    choices = re.findall(r"'([^']+)'", expected)
    close = find_intended(fold_word(shown_value.strip("'")), choices, VALUE_SYNONYMS)
    listed_choices = re.sub(r", (?=[^,]*$)", " or ", ", ".join(choices))
    message = f"cannot be {shown_value}"
    if close:
        help = f"did you mean `{close}`?"
        return ValueExplanation(message, help, shown_value.strip("'"), close)
    return ValueExplanation(message, f"write {listed_choices}")
