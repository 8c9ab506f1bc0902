"""What front matter and inline fields may say, checked as it comes in."""

from __future__ import annotations

import datetime as dt
import enum
import re
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from kg.model import Integrity, Kind, Method, SeenIn, Status

LINE = "line"
SOURCE = "source"

_TYPES = {
    "claim": Kind.CLAIM,
    "counter-claim": Kind.COUNTER_CLAIM,
    "counterclaim": Kind.COUNTER_CLAIM,
    "evidence": Kind.EVIDENCE,
    "line": LINE,
    "inquiryline": LINE,
    "inquiry-line": LINE,
    "source": SOURCE,
    "sourcedocument": SOURCE,
}
_PREFIXES = {"CLM - ": Kind.CLAIM, "EVD - ": Kind.EVIDENCE, "QUE - ": LINE, "SRC - ": SOURCE}
TYPES = ("claim", "counter-claim", "evidence", "line", "source")
CONCERNS = ("risk-of-bias", "inconsistency", "indirectness", "imprecision", "publication-bias")

_SAMPLE = re.compile(r"^\s*(\d[\d ,_']*)\s*(.*?)\s*$")


def find_type(written: object) -> str | None:
    """The kind of note that `type:` names, whatever its case; None where it names none."""
    return _TYPES.get(str(written).strip().casefold().replace("_", "-").replace(" ", "-"))


def split_prefix(title: str) -> tuple[str | None, str]:
    """A Discourse Graphs prefix's kind, and the title without it."""
    for prefix, kind in _PREFIXES.items():
        if title.startswith(prefix):
            return kind, title[len(prefix) :]
    return None, title


def _words(value: Any) -> Any:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(word for item in value if item is not None for word in _words(item))
    if isinstance(value, dict):
        raise ValueError("must be a word or a list of words")
    return (_word(value),)


def _word(value: Any) -> Any:
    """YAML's own values, back in an author's letters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, int | float) else value


def _list_of_words(value: Any) -> Any:
    if isinstance(value, str):
        return tuple(word for part in value.split(",") if (word := part.strip()))
    return _words(value)


def _folded(value: Any) -> Any:
    return (
        value.strip().casefold().replace("_", "-").replace(" ", "-")
        if isinstance(value, str)
        else value
    )


_FIRST = Field(
    union_mode="left_to_right"
)  # the first arm is pydantic's own code: no call into Python

Word = Annotated[str | Annotated[str, BeforeValidator(_word)], _FIRST]
"""A word, as written, even where YAML reads a number or a truth value."""
Words = Annotated[tuple[str, ...] | Annotated[tuple[str, ...], BeforeValidator(_words)], _FIRST]
"""One word or several; a comma is part of a word (names)."""
Keywords = Annotated[
    tuple[str, ...] | Annotated[tuple[str, ...], BeforeValidator(_list_of_words)], _FIRST
]
"""One word or several, also separated by commas."""


def _any_case(choices: type[enum.StrEnum]) -> Any:
    return Annotated[choices | Annotated[choices, BeforeValidator(_folded)], _FIRST]


if TYPE_CHECKING:
    AnyStatus = Status
    AnyMethod = Method
    AnySeenIn = SeenIn
    AnyIntegrity = Integrity
else:
    AnyStatus, AnyMethod = _any_case(Status), _any_case(Method)
    AnySeenIn, AnyIntegrity = _any_case(SeenIn), _any_case(Integrity)


class Head(BaseModel):
    """Keys of every note. Unknown keys are kept, to be warned about."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: Word = ""
    id: Word | None = None
    title: Word | None = None
    aliases: Words = ()
    topics: Keywords = ()
    status: AnyStatus = Status.STABLE
    created: dt.date | None = None
    updated: dt.date | None = None
    reviewed: dt.date | None = None


class StatementHead(Head):
    """Keys of claims, counter-claims and evidence, in front matter or in a callout."""

    camp: Word | None = None
    about: Keywords = ()
    asserted_by: Words = ()
    reported: bool = False
    open: Word = ""
    method: AnyMethod | None = None
    sample: Word | None = None
    replications: Annotated[int, Field(ge=0)] | None = None
    failed_replications: Annotated[int, Field(ge=0)] | None = None
    preregistered: bool | None = None
    peer_reviewed: bool | None = None
    concerns: Keywords = ()
    independence: Keywords = ()
    seen_in: AnySeenIn | None = None
    quality: Annotated[float, Field(ge=0, le=1)] | None = None


class CalloutHead(StatementHead):
    """Inline fields of a callout: also what its edge to the statement around it says."""

    reason: Word = ""
    strength: Word = ""
    mutual: bool = False
    scope: Word = ""
    by: Word = ""
    locator: Word = ""


class SourceHead(Head):
    """Keys of source notes."""

    integrity: AnyIntegrity | None = None
    independence: Keywords = ()
    snapshot: Word = ""
    verification: Word = ""
    peer_reviewed: bool | None = None


class LineHead(Head):
    """Keys of inquiry lines."""

    proposition: Word | None = None


H = TypeVar("H", bound=Head)


class Trouble(BaseModel):
    """One key whose value cannot be used."""

    key: str
    message: str


def parse_head(model: type[H], mapping: dict[str, Any]) -> tuple[H, list[Trouble]]:
    """What `mapping` says, and the keys that had to be left out because their value is wrong."""
    try:
        return model.model_validate(mapping), []
    except ValidationError as error:
        troubles = {str(e["loc"][0]): _message(e) for e in error.errors()}
    kept = {key: value for key, value in mapping.items() if key not in troubles}
    return model.model_validate(kept), [Trouble(key=k, message=m) for k, m in troubles.items()]


_WANTED = {"int": "a whole number", "bool": "yes or no", "float": "a number"}


def _message(error: Any) -> str:
    """What the value should have been, in an author's words."""
    if error["type"] == "enum":
        return _choice(str(error["input"]), error["ctx"]["expected"])
    if error["type"].startswith("date"):
        return f"should be a date such as 2026-11-20, not {error['input']!r}"
    for kind, wanted in _WANTED.items():
        if error["type"].startswith(kind):
            return f"should be {wanted}, not {error['input']!r}"
    given = f", not {error['input']!r}" if isinstance(error["input"], str | int | float) else ""
    text = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return f"should be {text}{given}" if text != error["msg"] or given else text


def _choice(given: str, expected: str) -> str:
    from difflib import get_close_matches

    choices = re.findall(r"'([^']+)'", expected)
    close = get_close_matches(given.casefold(), choices, 1)
    if close:
        return f"cannot be {given!r}; did you mean {close[0]!r}?"
    return f"cannot be {given!r}; it is one of {', '.join(choices)}"


def parse_sample(written: str) -> tuple[int, str] | None:
    """`555 scenarios` as number and unit; None where it starts with no number."""
    found = _SAMPLE.match(written)
    return (int(re.sub(r"\D", "", found[1])), found[2]) if found else None
