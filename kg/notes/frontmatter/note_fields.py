"""The fields of front matter and callouts, and how they are validated."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)

from kg.model import AnswerWords, EdgeStrength, Integrity, SampleClass, SeenIn, Status
from kg.model.settings.note_map import NoteType
from kg.model.source import fold_independence_keys
from kg.notes.corrections import TYPE_SYNONYMS, find_intended
from kg.notes.frontmatter.front_matter import fold_key
from kg.notes.frontmatter.value_parsers import (
    IntendedValueError,
    explain_error,
    fold_word,
    show_value,
    unwrap_one_word,
    validate_answers,
    validate_doubt,
    validate_effect,
    validate_method,
    validate_p_value,
)

LINE_TYPE: Final = "line"
GLOSSARY_TYPE: Final = "glossary"
SOURCE_TYPE: Final = "source"

_TYPES_AS_WRITTEN: Mapping[str, NoteType] = {
    "claim": "claim",
    "counter-claim": "counter-claim",
    "counterclaim": "counter-claim",
    "evidence": "evidence",
    "glossary": GLOSSARY_TYPE,
    "line": LINE_TYPE,
    "inquiryline": LINE_TYPE,
    "inquiry-line": LINE_TYPE,
    "source": SOURCE_TYPE,
    "sourcedocument": SOURCE_TYPE,
    "source-document": SOURCE_TYPE,
}
_TITLE_PREFIXES: Mapping[str, NoteType] = {
    "CLM - ": "claim",
    "EVD - ": "evidence",
    "QUE - ": LINE_TYPE,
    "SRC - ": SOURCE_TYPE,
}
NOTE_TYPES = ("claim", "counter-claim", "evidence", "line", "source", "glossary")
CONCERNS = ("risk-of-bias", "inconsistency", "indirectness", "imprecision", "publication-bias")

SAMPLE_PATTERN = re.compile(r"(\d{1,3}(?:[ ,_']\d{3})+|\d{1,15})(?:\s+(.*?))?", re.DOTALL)
DATE_PATTERN = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/. ](?P<month>\d\d?)[-/. ](?P<day>\d\d?)(?!\d)")
_YEAR_LAST = re.compile(r"(?P<day>\d\d?)\. ?(?P<month>\d\d?)\. ?(?P<year>\d{4})")
_KEYS_WITH_MAPPINGS = frozenset(("answers",))  # keys whose value is a mapping
# Keys and types of values that need no validation; a test checks this against the models.
_NEEDS_NO_CHECK: frozenset[tuple[str, type]] = frozenset(
    [
        (key, str)
        for key in (
            *("id", "camp", "open", "title", "snapshot", "verification"),
            "imported_from",
        )
    ]
    + [(key, str) for key in ("reason", "scope", "by", "locator")]
    + [(key, tuple) for key in ("aliases", "topics", "about", "asserted_by")]
)


def find_type(value: object) -> NoteType | None:
    """The type of note that `type:` names, in any case; None if it names no type."""
    return _TYPES_AS_WRITTEN.get(fold_word(str(unwrap_one_word(value))))


def find_intended_type(value: object) -> str | None:
    """The type of note that an unknown word most likely means."""
    return find_intended(fold_word(str(unwrap_one_word(value))), NOTE_TYPES, TYPE_SYNONYMS)


def split_prefix(title: str) -> tuple[NoteType | None, str]:
    """The type that a Discourse Graphs prefix stands for, and the title without it."""
    type = _TITLE_PREFIXES.get(title[:6])
    return type, title[6:] if type else title


def _as_words(value: Any) -> Any:
    if isinstance(value, dict):
        raise ValueError("a word or a list of words")
    return (value,) if isinstance(value, str) else value


def _list_of_words(value: Any) -> Any:
    if isinstance(value, str):
        if value.startswith("[") and value.endswith("]") and not value.startswith("[["):
            value = value[1:-1]  # a YAML list in an inline field
        if ";" in value:
            raise ValueError(f"words separated by commas, not {value!r}")
        return tuple(word for part in value.split(",") if (word := part.strip()))
    return _as_words(value)


def _as_date(value: Any) -> Any:
    word = str(unwrap_one_word(value))
    if not DATE_PATTERN.fullmatch(word):
        match = _YEAR_FIRST.match(word) or _YEAR_LAST.fullmatch(word)
        if match is None:
            raise ValueError("a date such as 2026-11-20")
        numbers = {name: int(number) for name, number in match.groupdict().items()}
        try:
            intended_date = dt.date(**numbers)
        except ValueError:
            raise ValueError("a date such as 2026-11-20") from None
        raise IntendedValueError(f"{intended_date}, not {word!r}", word, str(intended_date))
    try:
        dt.date.fromisoformat(word)
    except ValueError:
        raise ValueError(f"a date that exists, not {word!r}") from None
    return unwrap_one_word(value)


def _as_sample(value: Any) -> tuple[int, str]:
    match = (
        SAMPLE_PATTERN.fullmatch(unwrap_one_word(value))
        if isinstance(unwrap_one_word(value), str)
        else None
    )
    if match is None:
        raise ValueError("a whole number and what it counts, such as `555 scenarios`")
    return int(re.sub(r"\D", "", match[1])), match[2] or ""


def _as_concerns(value: tuple[str, ...]) -> tuple[str, ...]:
    folded = tuple(fold_word(each.strip("[]\"'“” ")) for each in value)
    for written_word, each in zip(value, folded, strict=True):
        if (name := each.rstrip("!").rstrip("-")) not in CONCERNS:
            close = find_intended(name, CONCERNS)
            close = f"{close}!" if close and each.endswith("!") else close
            if close:
                raise IntendedValueError(f"`{close}`, not {written_word!r}", written_word, close)
            raise ValueError(f"one of {', '.join(CONCERNS)}")
    return folded


# A word as written, even where YAML reads a number or a boolean.
OneWord = Annotated[str, BeforeValidator(unwrap_one_word)]
# An id, bare or as a wikilink: `[[id|words]]`.
LinkedId = Annotated[
    OneWord, AfterValidator(lambda word: word.strip("[]").partition("|")[0].strip())
]
# One word or several, such as names; a comma is part of a word.
Words = Annotated[tuple[str, ...], BeforeValidator(_as_words)]
Keywords = Annotated[tuple[str, ...], BeforeValidator(_list_of_words)]
# One word or several, also separated by commas.
IndependenceKeys = Annotated[Keywords, AfterValidator(fold_independence_keys)]
Date = Annotated[dt.date, BeforeValidator(_as_date)]
Choice = BeforeValidator(fold_word)  # a word of a closed list, in any case and with any dashes


class NoteFields(BaseModel):
    """The keys of front matter that every note may have."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    type: OneWord = Field("", description="What the note is. The only key that every note needs.")
    id: OneWord | None = Field(None, description="The id, if it is not the file's name.")
    title: OneWord | None = Field(None, description="The title, if it is not the first heading.")
    aliases: Words = Field((), description="Former ids and other wordings of the title.")
    topics: Keywords = Field((), description="What it is about, in a few words.")
    status: Annotated[Status, Choice] = Field(
        Status.STABLE, description="The state of the note, never of the truth."
    )
    created: Date | None = Field(None, description="When the note was written.")
    updated: Date | None = Field(None, description="When it was last changed.")
    reviewed: Date | None = Field(None, description="When it was last reviewed.")
    imported_from: OneWord = Field("", description="Where `kg import` took it from.")


class StatementFields(NoteFields):
    """Keys of claims, counter-claims and evidence, in front matter or in a callout."""

    camp: OneWord | None = Field(None, description="The camp, for lines that do not place it.")
    about: Keywords = Field((), description="Named models, systems, methods, data sets.")
    asserted_by: Words = Field((), description="Who holds it: names, or keys of sources.")
    reported: bool = Field(False, description="Whether the note reports a view without holding it.")
    open: OneWord = Field("", description="Why the claim has no support.")
    method: Annotated[str, BeforeValidator(fold_word), AfterValidator(validate_method)] | None = (
        Field(None, description="How the evidence was obtained.")
    )
    sample: Annotated[tuple[int, str], BeforeValidator(_as_sample)] | None = Field(
        None, description="How many there were, and of what: `201 judges`."
    )
    sample_class: Annotated[SampleClass, Choice] | None = Field(
        None, description="What the sample is made of, if its unit does not tell."
    )
    effect: (
        Annotated[tuple[float, str, float | None, float | None], BeforeValidator(validate_effect)]
        | None
    ) = Field(None, description="The size of what was found: `d=0.42 [0.1, 0.7]`.")
    p: Annotated[tuple[float, str], BeforeValidator(validate_p_value)] | None = Field(
        None, description="The two-sided p of what was found: `0.003`, `<.001`."
    )
    replications: Annotated[int, Field(ge=0)] | None = Field(
        None, description="How many replications found the same."
    )
    failed_replications: Annotated[int, Field(ge=0)] | None = Field(
        None, description="How many replications did not."
    )
    preregistered: bool | None = Field(None, description="Whether the plan was registered before.")
    peer_reviewed: bool | None = Field(None, description="Whether peers reviewed it.")
    concerns: Annotated[Keywords, AfterValidator(_as_concerns)] = Field(
        (), description="What weakens the evidence; with `!` where it is very serious."
    )
    independence: IndependenceKeys = Field(
        (),
        description="Keys such as `data:x` or `lab:y`: items that share one are not independent.",
    )
    seen_in: Annotated[SeenIn, Choice] | None = Field(
        None, description="Where its figures were seen."
    )
    quality: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="A strength between 0 and 1, in place of the computed one."
    )


class CalloutFields(StatementFields):
    """Inline fields of a callout, including those of its edge to the statement around it."""

    reason: OneWord = Field("", description="Why it bears on the statement around it.")
    strength: Annotated[EdgeStrength, Choice] | None = Field(None, description="How much it bears.")
    mutual: bool = Field(False, description="Whether a contradiction goes both ways.")
    scope: OneWord = Field("", description="The limits within which it bears.")
    by: OneWord = Field("", description="Who says so.")
    locator: OneWord = Field("", description="Where in the source.")


class SourceFields(NoteFields):
    """The keys of front matter that a note of a source may have."""

    integrity: Annotated[Integrity, Choice] | None = Field(
        None, description="What became of the publication."
    )
    independence: IndependenceKeys = Field(
        (),
        description="Keys such as `data:x` or `lab:y`: items that share one are not independent.",
    )
    snapshot: OneWord = Field(
        "", description="Path of an archived text, to check quotations against."
    )
    verification: OneWord = Field("", description="How well the record was checked.")
    peer_reviewed: bool | None = Field(None, description="Whether peers reviewed it.")


class LineFields(NoteFields):
    """The keys of front matter that a note of an inquiry line may have."""

    proposition: LinkedId | None = Field(
        None, description="The id of the yes/no claim that the line weighs."
    )
    open: OneWord = Field("", description="Why the line weighs no proposition.")
    answers: Annotated[
        AnswerWords | None, BeforeValidator(validate_answers), WithJsonSchema({"type": "object"})
    ] = Field(
        None,
        description="What it means for the question if the proposition holds, and if it fails.",
    )
    doubt: Annotated[OneWord, AfterValidator(validate_doubt)] = Field(
        "", description="What its author doubts most of the answer, in a sentence."
    )


@functools.cache
def fields_of_every_type() -> type[NoteFields]:
    """The keys of all types of note together, for a note of unknown type."""
    return type("AnyHead", (StatementFields, SourceFields, LineFields), {})


class BadValue(NamedTuple):
    """One key whose value cannot be used, and what may have been meant: `new` for `old`."""

    key: str
    message: str
    help: str = ""
    old: str = ""
    new: str = ""


class RecordedFields(NamedTuple):
    """The result of reading fields: checked values, unknown keys as written, and bad values."""

    values: dict[str, Any]
    extra: dict[str, str]
    bad_values: list[BadValue]


def parse_fields(model: type[NoteFields], mapping: Mapping[str, object]) -> RecordedFields:
    """Validate `mapping` by `model`; wrong values are returned separately.

    Each key is checked alone, so that results can be cached by value.
    """
    values: dict[str, Any] = {}
    extra: dict[str, str] = {}
    bad_values: list[BadValue] = []
    keys = model.__pydantic_fields__
    for written_key, value in mapping.items():
        key = written_key if written_key in keys else fold_key(written_key)
        if key not in keys or (key != written_key and key in mapping):
            extra[written_key] = show_value(value)
        elif (key, value.__class__) in _NEEDS_NO_CHECK:
            values[key] = value
        elif value is not None:
            try:
                values[key] = _parse_value(
                    model, key, _as_pairs(value) if key in _KEYS_WITH_MAPPINGS else value
                )
            except TypeError:  # a mapping is not hashable, so it cannot be cached
                bad_values.append(BadValue(written_key, "should be a word or a list of words"))
            except ValueError as error:
                bad_values.append(BadValue(written_key, *error.args))
    return RecordedFields(values, extra, bad_values)


def _as_pairs(value: Any) -> Any:
    """A mapping as pairs, which are hashable."""
    if isinstance(value, dict):
        return tuple((key, _as_pairs(inner)) for key, inner in value.items())
    return value


@functools.lru_cache(maxsize=4096)
def _parse_value(model: type[NoteFields], key: str, value: str | tuple[str, ...]) -> Any:
    try:
        return getattr(model.model_validate({key: value}), key)
    except ValidationError as error:
        raise ValueError(*explain_error(error.errors()[0])) from None
