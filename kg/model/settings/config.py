"""`kg.toml`: the settings of a corpus; every key has a default."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from kg.model.diagnostic import conflict_problem
from kg.model.errors import KgError, require_type
from kg.model.relation import Relation
from kg.model.settings.frozen_settings import FrozenSettings, WrongKeys
from kg.model.settings.note_map import NoteMap
from kg.model.settings.quality_settings import QualityLadder as QualityLadder
from kg.model.settings.reasoning_settings import Reasoning
from kg.text.merge_conflicts import keep_first_versions
from kg.text.plurals import describe_rest
from kg.text.printable import printable
from kg.text.spelling import most_similar_name

CONFIG_NAME = "kg.toml"
SETTINGS_PATHS = (CONFIG_NAME, f"../{CONFIG_NAME}")  # in the folder of notes, or beside it
MAX_CONFIG_CHARACTERS = 64 * 1024
MAX_MESSAGES = 20  # about a screen; more mistakes than that have a common cause
_TOML_ERROR_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.S)
# A key of many dotted parts is slow to parse; settings have two at most.
_DEEP_KEY = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]+[ \t]*\.[ \t]*){32}")
# An IRI by RFC 3987, since readers of linked data refuse any other.
_IRI_CHARACTER = r"[\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2}|[\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]"
_IRI = re.compile(
    rf"(?!.*\s)(?:https?://[\w.-]+(?::\d{{1,5}})?(?=[/?#]|\Z)|urn:(?!//))(?:{_IRI_CHARACTER})*(?:#(?:{_IRI_CHARACTER})*)?"
)


_WORDS_OF_LINES = frozenset(("next", "with", *Relation))
_ADDRESS = r"^(https?://[^\s\"'<>\\^`{|}&\[\]\x00-\x1f\x7f]+)?$"
Builder = Literal["mkdocs", "properdocs", "zensical"]
# Texts on every page and in files that are read in a terminal.
Printable = Annotated[str, AfterValidator(printable)]
Host = Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$", max_length=253)]
KeyPath = tuple[str | int, ...]
# Characters to parse in all, as a value of many lines is parsed again with each line.
MAX_CHARACTERS_PARSED = 1024 * 1024

_PATTERNS_IN_WORDS = {
    "colour": "a colour such as #0a6a9c",
    "id": "a lower-case letter, then lower-case letters, digits and hyphens",
    "url": "an address such as https://notes.example.org/",
    "repository": "an address such as https://git.example.org/notes",
    "license": "a name of the SPDX list such as CC-BY-4.0",
    "doi": "a DOI such as 10.5281/zenodo.1234567",
    "image_hosts": "the name of a host such as upload.wikimedia.org",
}


def _fold_camp(name: str) -> str:
    return name.strip().casefold().replace("sceptic", "skeptic")


class Camp(FrozenSettings):
    """A side that statements may argue for."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    label: str
    colour: str = Field(default="#555555", pattern=r"^#[0-9a-fA-F]{6}$")


class Site(FrozenSettings):
    """The name, authors and addresses of the generated site, and the program that builds it."""

    name: Printable = "Inquiry lines"
    description: Printable = "Claims, evidence and counter-claims, in inquiry lines."
    # The theme puts it into scripts without escaping it.
    url: str = Field(default="", pattern=_ADDRESS)
    authors: tuple[str, ...] = ()
    repository: str = Field(default="", pattern=_ADDRESS)
    builder: Builder = "mkdocs"


class DataSet(FrozenSettings):
    """Metadata of the corpus as a data set: who made it, and under which licence it may be used.

    Authors of the site in neither list remain plain names.
    """

    license: str = Field(default="", pattern=r"^[A-Za-z0-9.+-]*$")
    doi: str = Field(default="", pattern=r"^(10\.[0-9]{4,9}/\S+)?$")
    version: str = ""
    publisher: str = ""
    people: tuple[str, ...] = ()
    organisations: tuple[str, ...] = ()


class Config(FrozenSettings):
    """Everything `kg.toml` may hold."""

    name: str = "Inquiry lines"
    base_iri: str = "https://example.org/inquiry-lines/"
    bibliographies: tuple[str, ...] = ()
    ignore: tuple[Annotated[str, Field(max_length=256)], ...] = Field(default=(), max_length=256)
    image_hosts: tuple[Host, ...] = Field(default=(), max_length=32)
    camps: tuple[Camp, ...] = (
        Camp(id="optimist", label="Optimist", colour="#0a6a9c"),
        Camp(id="skeptic", label="Sceptic", colour="#985700"),
    )
    site: Site = Site()
    dataset: DataSet = DataSet()
    quality: QualityLadder = QualityLadder()
    reasoning: Reasoning = Reasoning()
    map: NoteMap = NoteMap()

    @field_validator("base_iri")
    @classmethod
    def _end_with_separator(cls, value: str) -> str:
        if not _IRI.fullmatch(value):
            raise ValueError("must be an http(s) address or a urn without spaces")
        return value if value.endswith(("/", "#", ":")) else value + "/"

    @model_validator(mode="after")
    def _check_camp_ids(self) -> Config:
        wrong: dict[tuple[str | int, ...], str] = {}
        used: set[str] = set()
        for number, id in enumerate(self.camp_ids):
            if id in used:
                wrong["camps", number, "id"] = f"{id!r} is also the id of another camp"
            elif id in _WORDS_OF_LINES:
                wrong["camps", number, "id"] = f"{id!r} has a meaning of its own in notes"
            used.add(id)
        if wrong:
            raise WrongKeys(wrong)
        return self

    @property
    def camp_ids(self) -> tuple[str, ...]:
        """Ids of the declared camps, in the order of declaration."""
        return tuple(camp.id for camp in self.camps)

    def find_camp(self, name: str) -> str | None:
        """The id of the camp with this id or label, ignoring case and the spelling of sceptic."""
        require_type(name, str, "a camp is named by its id or label")
        folded_name = _fold_camp(name)
        return next(
            (
                camp.id
                for camp in self.camps
                if folded_name in (_fold_camp(camp.id), _fold_camp(camp.label))
            ),
            None,
        )


class ConfigError(KgError, ValueError):
    """`kg.toml` cannot be read; the message says where and why."""


def parse_config(text: str, name: str) -> Config:
    """The settings in the text of a `kg.toml`; raises `ConfigError`, with the file's `name`."""
    if len(text) > MAX_CONFIG_CHARACTERS or _DEEP_KEY.search(text):
        raise ConfigError(f"{name}: too large for settings: over 64 KiB, or nested too deeply")
    if conflicts := keep_first_versions(text).conflicts:
        problem = conflict_problem(name, conflicts)
        message = f"{problem.message}; keep one version of its lines"  # settings are never guessed
        raise ConfigError(f"{name}:{problem.span.line}: {message}")
    try:
        return Config.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise ConfigError("\n".join(_messages_with_lines(error, text, name))) from None
    except RecursionError:
        raise ConfigError(f"{name}: not valid TOML: values nested too deeply") from None
    except ValueError as error:  # not TOML, or a number of any length
        raise ConfigError(_toml_error_message(str(error), text, name)) from None


def _toml_error_message(complaint: str, text: str, name: str) -> str:
    message, end, _ = complaint.rpartition(" (at end of document)")
    if end:
        last = text.rstrip().count("\n") + 1
        return f"{name}:{last}: not valid TOML: {message}, at the end of the file"
    match = _TOML_ERROR_PLACE.fullmatch(complaint)
    if "set_int_max_str_digits" in complaint:  # Python's own message is for programmers
        return f"{name}: a number has more digits than any setting needs"
    if match is None:
        return f"{name}: not valid TOML: {complaint}"
    return f"{name}:{match[2]}:{match[3]}: not valid TOML: {match[1]}"


def _messages_with_lines(error: ValidationError, text: str, name: str) -> list[str]:
    """A message for each problem, with its line, in the order of the file."""
    lines = lines_of_keys(text)
    lines_and_messages = []
    for key_path, problem in _keys_and_problems(error):
        key = key_path
        while key and key not in lines:
            key = key[:-1]
        line_number = lines.get(key, 0)
        parts = (f"no. {part + 1}" if isinstance(part, int) else part for part in key_path)
        where = ", ".join(part if part.isprintable() else repr(part) for part in parts)
        lines_and_messages.append(
            (line_number, f"{name}{f':{line_number}' if line_number else ''}: {where}: {problem}")
        )
    messages = [problem for _, problem in sorted(lines_and_messages, key=itemgetter(0))]
    rest = describe_rest(messages, MAX_MESSAGES, "and")
    return [*messages[:MAX_MESSAGES], *filter(None, [rest])]


def _keys_and_problems(error: ValidationError) -> Iterator[tuple[KeyPath, str]]:
    """The key and the description of each problem."""
    for details in error.errors():
        cause = details.get("ctx", {}).get("error")
        if isinstance(cause, WrongKeys):
            for key_path, problem in cause.wrong.items():
                yield (*details["loc"], *key_path), problem
        else:
            yield details["loc"], _settings_error_message(details)


def _settings_error_message(details: ErrorDetails) -> str:
    key_path = details["loc"]
    if details["type"] == "missing":
        return "is missing"
    if details["type"] == "extra_forbidden":
        fields = _TABLES_OF_SETTINGS.get(key_path[0], Config).model_fields
        keys = tuple(field.alias or name for name, field in fields.items())
        close = most_similar_name(str(key_path[-1]), keys)
        hint = f"did you mean `{close}`?" if close else f"there are {', '.join(keys)}"
        return f"there is no such key; {hint}"
    if details["type"] == "tuple_type":
        tables = (
            f" of tables, each begun by `[[{key_path[-1]}]]`"
            if isinstance(details["input"], dict)
            else ""
        )
        return f"should be a list{tables}"
    if details["type"] == "value_error":
        return details["msg"].removeprefix("Value error, ")
    if details["type"] == "string_pattern_mismatch":
        key = next(part for part in reversed(key_path) if isinstance(part, str))
        return f"{details['input']!r} should be {_PATTERNS_IN_WORDS[key]}"
    return details["msg"].removeprefix("Input ")


_TABLES_OF_SETTINGS: dict[int | str, type[FrozenSettings]] = {
    "camps": Camp,
    "site": Site,
    "dataset": DataSet,
    "quality": QualityLadder,
    "reasoning": Reasoning,
    "map": NoteMap,
}


def lines_of_keys(text: str) -> dict[KeyPath, int]:
    """The line, from 1, on which each key of a valid TOML text begins, tables and entries included.

    Each statement is parsed by itself, complete as soon as its lines are valid, so that nothing
    in strings and comments is taken for a key. If parsing would take too long, the last lines
    are left out.
    """
    lines: dict[KeyPath, int] = {}
    last_entry: dict[KeyPath, int] = {}  # its number, from 0, by the path of a list of tables
    table: KeyPath = ()
    for number, statement, values in _toml_statements(text):
        if statement.lstrip().startswith("["):
            table = _table_path(values, last_entry)
            if statement.lstrip().startswith("[["):
                last_entry[table[:-1]] = cast(int, table[-1])
            key_paths = iter([table[:end] for end in range(1, len(table) + 1)])
        else:
            key_paths = _key_paths(values, table)
        for key_path in key_paths:
            lines.setdefault(key_path, number)
    return lines


def _toml_statements(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield each statement of the text: its first line's number, its text, and the values it
    sets.
    """
    first = 1
    pending = ""
    spent = 0
    for number, text_line in enumerate(text.split("\n"), 1):
        pending = f"{pending}\n{text_line}" if pending else text_line
        spent += len(pending)
        if spent > MAX_CHARACTERS_PARSED:
            return
        try:
            values = tomllib.loads(pending + "\n")
        except ValueError:
            continue
        yield first, pending, values
        first = number + 1
        pending = ""


def _table_path(values: dict[str, Any], last_entry: Mapping[KeyPath, int]) -> KeyPath:
    """The path of the table that a header opens, in the last entry so far of each list of tables
    around it, or in the next if it begins one.
    """
    key_path: KeyPath = ()
    inner: Any = values
    while inner:
        (key, inner), *_ = inner.items()
        key_path = (*key_path, key)
        begins_entry = isinstance(inner, list)
        if begins_entry:
            inner = inner[0]
        if begins_entry or key_path in last_entry:
            key_path = (*key_path, last_entry.get(key_path, -1) + begins_entry)
    return key_path


def _key_paths(values: dict[str, Any], table: KeyPath) -> Iterator[KeyPath]:
    """The paths of all keys that a statement sets in the table `table`, inline tables included."""
    waiting: list[tuple[KeyPath, Any]] = [(table, values)]
    while waiting:
        key_path, value = waiting.pop()
        if key_path != table:
            yield key_path
        if isinstance(value, dict):
            waiting += [((*key_path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [((*key_path, number), inner) for number, inner in enumerate(value)]
