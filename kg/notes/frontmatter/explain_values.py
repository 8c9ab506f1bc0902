"""What is wrong with a value, in an author's words, and what was most likely meant."""

from __future__ import annotations

import re
from typing import Any

from kg.model.errors import KgError
from kg.notes.corrections import VALUE_SYNONYMS, find_meant


def word_of(value: Any) -> Any:
    """The one word of a list; a bare `[[id]]` is a list to YAML."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def fold_word(value: Any) -> Any:
    """A word in the form in which words of a closed list are compared; what is none, as it is."""
    value = word_of(value)
    if not isinstance(value, str):
        return value
    return value.strip().casefold().replace("_", "-").replace(" ", "-")


class MeantValue(KgError, ValueError):
    """A value that stands for another one without doubt."""

    def __init__(self, message: str, old: str, new: str) -> None:
        super().__init__(message)
        self.old, self.new = old, new


def show_value(value: Any) -> str:
    """A value of front matter as text, lists and tables with commas."""
    if isinstance(value, tuple):
        return ", ".join(map(show_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {show_value(inner)}" for key, inner in value.items())
    return "" if value is None else str(value)


_MAX_VALUE_CHARACTERS = 60  # characters of a value in a message
_TYPES_IN_WORDS = {
    "int": "a whole number",
    "bool": "yes or no",
    "float": "a number from 0 to 1",
    "date": "a date such as 2026-11-20",
    "string": "one word or phrase",
}


def explain_error(error: Any) -> tuple[str, ...]:
    """What the value should have been, and a help; where clear, the wrong word and the right."""
    given = error["input"] if isinstance(error["input"], str) else show_value(error["input"])
    cut = given[:_MAX_VALUE_CHARACTERS] + "…"
    given = repr(given if len(given) <= _MAX_VALUE_CHARACTERS else cut)
    if error["type"] == "enum":
        return _choice(given, error["ctx"]["expected"])
    if error["type"] == "value_error":
        wanted = error["msg"].removeprefix("Value error, ")
        message = f"should be {wanted}" + ("" if ", not " in wanted else f", not {given}")
        meant = error["ctx"]["error"]
        return (message, "", meant.old, meant.new) if isinstance(meant, MeantValue) else (message,)
    for kind, wanted in _TYPES_IN_WORDS.items():
        if error["type"].startswith(kind):
            return f"should be {wanted}, not {given}", ""
    return f"should be {error['msg'].removeprefix('Input should be ')}, not {given}", ""


def _choice(given: str, expected: str) -> tuple[str, ...]:
    choices = re.findall(r"'([^']+)'", expected)
    close = find_meant(fold_word(given.strip("'")), choices, VALUE_SYNONYMS)
    listed = re.sub(r", (?=[^,]*$)", " or ", ", ".join(choices))
    if close:
        return f"cannot be {given}", f"did you mean `{close}`?", given.strip("'"), close
    return f"cannot be {given}", f"write {listed}"
