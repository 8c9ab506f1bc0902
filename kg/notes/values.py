"""Values of front matter that are more than a word or a number: effects, methods, answers."""

from __future__ import annotations

from typing import Any

from kg.model import Answers
from kg.model.ladder import METHOD_NAME
from kg.notes.figures import Effect, P, parse_effect, parse_p
from kg.notes.front import fold_key

LONGEST_ANSWER = 200  # characters: what stands in one line beneath a question


def as_effect(value: Any) -> Effect:
    """An effect: its size, its measure and its interval; raises `ValueError`."""
    return parse_effect(_phrase(value))


def as_p(value: Any) -> P:
    """A p value and its sign; raises `ValueError`."""
    return parse_p(_phrase(value))


def _phrase(value: Any) -> str:
    """The words of a value; a comma in an interval makes a list of them to YAML."""
    if isinstance(value, tuple) and not all(isinstance(each, str) for each in value):
        raise ValueError("one number with its measure")
    said = " ".join(", ".join(value).split()) if isinstance(value, tuple) else str(value)
    return said.strip("\"'“” ")


def as_method(value: str) -> str:
    """A word that may name a method; raises `ValueError`."""
    if not METHOD_NAME.fullmatch(value):
        raise ValueError("a word of small letters, digits and hyphens")
    return value


def as_answers(value: Any) -> Any:
    """Answers out of pairs of a key and words; `parse_head` makes pairs of a mapping.

    Raises `ValueError`, which says what they should be.
    """
    if not isinstance(value, tuple) or not all(isinstance(pair, tuple) for pair in value):
        raise ValueError('a mapping such as `{holds: "Yes: …", fails: "No: …"}`, not words')
    found: dict[str, str] = {}
    for written, said in value:
        name = fold_key(str(written))  # YAML has keys that are lists
        if name not in Answers.__struct_fields__ or name in found:
            raise ValueError(
                f"`holds`, `fails` and perhaps `undecided`, each once, not {written!r}"
            )
        if said is not None and not isinstance(said, str):
            raise ValueError(f"words behind `{name}`, not a list or a mapping")
        found[name] = " ".join((said or "").split())
        if (length := len(found[name])) > LONGEST_ANSWER:
            raise ValueError(
                f"of {LONGEST_ANSWER} characters at most behind `{name}`, not {length}"
            )
    missing = [name for name in ("holds", "fails") if not found.get(name)]
    if missing:
        raise ValueError(f"words behind `holds` and `fails`, not nothing behind `{missing[0]}`")
    return Answers(**found)
