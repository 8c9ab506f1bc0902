"""Options of `kg find` that narrow the selection, and the query that text and options mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import click
from click.shell_completion import CompletionItem

from kg.cli.shared.options import Command, IdType, completion_items, load_for_completion
from kg.cli.shared.output import print_table
from kg.corpus import Corpus
from kg.queries.conditions.corpus_index import index_of
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find_records
from kg.queries.language.builders import Edges, Statements, claims, statements
from kg.queries.language.parse_query import (
    RELATION_BY_PART,
    SHAPE_WORDS,
    STARTS_BY_WORD,
    BadRequest,
    FindRequest,
    apply_shape,
    parse_record_kind,
    parse_request,
    parse_terms,
)
from kg.queries.language.query_words import (
    OTHER_NAMES,
    WORDS,
    ArgumentType,
    QueryWord,
    apply_word,
    meaning_of_word,
)
from kg.queries.language.selection import Selection
from kg.queries.results.edges_behind import corpus_excerpt, edges_among

TABLE_BY_KIND = {
    RecordKind.STATEMENT: "statements",
    RecordKind.SOURCE: "sources",
    RecordKind.LINE: "lines",
    RecordKind.EDGE: "edge",
}
# Query words that are also options, by the section of the help.
WORD_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "What it is": ("camp", "line", "topic", "about", "method", "sample"),
    "What it cites": ("source", "author", "year"),
    "What it rests on": ("studies", "supported_by", "contradicted_by"),
    "What it bears on": ("supports", "contradicts", "reaching", "reachable_from"),
}
OPTIONS_BESIDE_WORDS: Mapping[str, tuple[str, ...]] = {
    "What it rests on": ("unsupported", "unanswered"),
    "What it bears on": ("over", "between"),
}
# Options that do not exist, and the term to write instead.
TERMS_FOR_OPTIONS: Mapping[str, str] = {
    "evidence": "evidence:(…)",
    "max_sample": "sample:..N",
    "min_sample": "sample:N..",
    "single_study": "studies:1",
    "unanswered_by": "-answered_by:(…)",
    "without": "-(…)",
}
MAY_HOLD_COMMAS = ("about", "author")
HELP_OF_OTHER_WORDS = {"author": "By this author, or citing one; a family name is enough."}
WALKING_WORDS = ("reaching", "reachable_from")  # which follow the relations of `--over`
RESULT_WORD_OF_OPTION = {"sort": "sort", "limit": "limit", "group_by": "group"}


class FieldValueType(click.ParamType[str]):
    """A value of a field, with completion from its closed list or from the corpus."""

    name = "text"

    def __init__(self, field: str) -> None:
        self.field = field

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return completion_items(known_values(self.field, ctx), incomplete)


def known_values(field: str, ctx: click.Context) -> Iterable[str]:
    """The values that a field may have, or has in the corpus of a command line."""
    for record_kind in RecordKind:
        field_definition = FIELDS_BY_KIND[record_kind].get(field)
        if field_definition is None:
            continue
        if field_definition.words:
            return field_definition.words
        corpus = load_for_completion(ctx)
        if field == "camp":
            return corpus.config.camp_ids
        return sorted(map(str, index_of(corpus).ids_by_value(record_kind, field)))
    return ()


def narrowing_options(command: Command) -> Command:
    """Add the options that narrow a selection as query words do."""
    # from the last on, as click shows the option that is added last first
    for name in reversed([*chain.from_iterable(WORD_OPTIONS.values())]):
        command = _option_for_word(name, WORDS[RecordKind.STATEMENT][name])(command)
    return command


def _option_for_word(name: str, word: QueryWord) -> Callable[[Command], Command]:
    kinds: Mapping[ArgumentType, tuple[click.ParamType[str] | type[str], str]] = {
        ArgumentType.THING: (IdType(TABLE_BY_KIND[word.argument_kind]), "ID"),
        ArgumentType.RANGE: (str, "RANGE"),
        ArgumentType.NAMES: (FieldValueType(name), name.upper()),
    }
    kind, metavar = kinds[word.argument_type]
    flag = f"--{name.replace('_', '-')}"
    help = HELP_OF_OTHER_WORDS.get(name, word.help)
    return click.option(flag, name, type=kind, metavar=metavar, multiple=True, help=help)


def suggest_for_option(option: str) -> str:
    """Suggest what to write in place of an unknown option; empty if nothing is similar."""
    name = option.removeprefix("--").replace("-", "_")
    if name in TERMS_FOR_OPTIONS:
        return TERMS_FOR_OPTIONS[name]
    positive_name = name.removeprefix("not_")
    for words in WORDS.values():
        if positive_name in words and words[positive_name].argument_type is ArgumentType.FLAG:
            return f"{positive_name}:{'yes' if positive_name == name else 'no'}"
    known_words = {*SHAPE_WORDS}.union(*WORDS.values(), *FIELDS_BY_KIND.values())
    word = name if name in known_words else OTHER_NAMES.get(name, "")
    if any(word in names for names in WORD_OPTIONS.values()):
        return f"--{word.replace('_', '-')}"
    return f"{word}:…" if word else ""


class QuestionTermType(click.ParamType[str]):
    """A term of a query, with completion of words and their values."""

    name = "question"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        incomplete = incomplete.lstrip()
        name, colon, _ = incomplete.partition(":")
        if not colon:
            names = (
                *STARTS_BY_WORD,
                *(f"{word}:" for word in (*WORDS[RecordKind.STATEMENT], *SHAPE_WORDS)),
            )
            parts = (f"{part}." for part in RELATION_BY_PART)
            return completion_items((*names, *parts), incomplete)
        bare = name.removeprefix("-").rpartition(".")[2]
        values = _values_to_complete(bare, ctx)
        return completion_items((f"{name}:{value}" for value in values), incomplete)


def _values_to_complete(name: str, ctx: click.Context) -> Iterable[str]:
    word = WORDS[RecordKind.STATEMENT].get(name)
    if word is None or word.argument_type is not ArgumentType.THING:
        return known_values(name, ctx)
    values: Iterable[str] = getattr(load_for_completion(ctx), TABLE_BY_KIND[word.argument_kind])
    return values


def print_query_words() -> None:
    """Print every query word, by kind of record."""
    for record_kind in RecordKind:
        rows = [(f"{name}:", word.help) for name, word in WORDS[record_kind].items()]
        others = [name for name in FIELDS_BY_KIND[record_kind] if name not in WORDS[record_kind]]
        rows += [
            (f"{name}:", "The field with this name, as `--columns` shows it.") for name in others
        ]
        print_table(("word", "finds"), rows, title=f"{record_kind.value.title()}s")
        click.echo()


def request_of_options(text: tuple[str, ...], options: Mapping[str, object]) -> FindRequest:
    """The query that words and options mean. Raises `UnknownWord` and `Misuse`."""
    start, words = parse_record_kind(
        " ".join(text), claims if options["unsupported"] else statements
    )
    conditions = [*_words_of_options(start.record_kind, options)]
    walks: list[tuple[str, Any]] = []
    if options["over"] and isinstance(start, Statements):
        walks = [each for each in conditions if each[0] in WALKING_WORDS]
    others = [each for each in conditions if each not in walks]
    selection, shape = parse_terms(words, start, others)
    for word, end in walks:  # no term of a text can say which relations to follow
        selection = getattr(selection, word)(end, options["over"])
    selection = _narrow_by_shorthands(start, selection, options)
    for option, word in RESULT_WORD_OF_OPTION.items():
        if options[option] is not None:
            shape[word] = str(options[option])
    if options["count"]:
        shape["count"] = "yes"
    return apply_shape(selection, shape)


def _words_of_options(
    record_kind: RecordKind, options: Mapping[str, object]
) -> Iterator[tuple[str, Any]]:
    """Conditions from options: each value of a repeated option must hold, but any of its names."""
    for name in chain.from_iterable(WORD_OPTIONS.values()):
        if options[name]:
            yield from ((name, each) for each in _query_arguments(record_kind, name, options[name]))


def _query_arguments(record_kind: RecordKind, name: str, value: Any) -> Sequence[Any]:
    match meaning_of_word(record_kind, name):
        case QueryWord(argument_type=ArgumentType.THING, argument_kind=argument_kind):
            return [id_or_query(each, argument_kind) for each in value]
        case QueryWord(argument_type=ArgumentType.RANGE):
            return list(value)
        case QueryWord(argument_type=ArgumentType.NAMES) if name not in MAY_HOLD_COMMAS:
            return [_split_at_commas(value)]
    return [value]


def _split_at_commas(names: Iterable[str]) -> tuple[str, ...]:
    """Names split at commas; a value of nothing but commas is left unchanged."""
    split_names: list[str] = []
    for name in names:
        split_names += list(filter(None, map(str.strip, name.split(",")))) or [name]
    return tuple(split_names)


def id_or_query(value: str, record_kind: RecordKind = RecordKind.STATEMENT) -> Any:
    """An id, or the selection that a short query for a kind of record means."""
    if not any(mark in value for mark in ': "('):
        return value
    return parse_request(_with_record_kind(record_kind, value))


def _narrow_by_shorthands(
    start: Selection, selection: Selection, options: Mapping[str, Any]
) -> Selection:
    """Narrow a selection by the options that are not single query words."""
    if options["between"]:
        selection = _paths_between(selection, options["between"], options["over"])
    if options["unsupported"]:
        selection = selection - apply_word(start, "supported_by", "*")
    if options["unanswered"]:
        selection = selection - apply_word(start, "answered_by", "*")
    return selection


def _paths_between(selection: Selection, ends: str, over: tuple[str, ...]) -> Selection:
    start, comma, end = ends.partition(",")
    if not comma or not isinstance(selection, Statements | Edges):
        raise BadRequest("--between takes the ids of two statements, separated by a comma")
    if isinstance(selection, Edges):
        return selection.between(id_or_query(start), id_or_query(end))
    return selection.between(id_or_query(start), id_or_query(end), over)


def _with_record_kind(record_kind: RecordKind, query: str) -> str:
    """A short query with its kind of record in front, unless it already begins with one."""
    return query if query.split(" ", 1)[0] in STARTS_BY_WORD else f"{record_kind}s {query}"


def select_part(corpus: Corpus, line_id: str | None, query: str | None) -> Corpus:
    """The part of a corpus in a line, found by a short query, or both, with its edges; else all."""
    if line_id is None and query is None:
        return corpus
    engine = MemoryEngine(corpus)
    selection = parse_request(query) if query else statements()
    if not isinstance(selection, Selection):
        raise BadRequest("a query for an export must not count or group")
    answer = find_records(engine, apply_word(selection, "line", line_id) if line_id else selection)
    if not answer:
        raise BadRequest(answer.why_empty)
    if line_id is None:
        return answer.excerpt
    found_line = corpus.lines[corpus.look_up(line_id) or ""]
    ids = dict.fromkeys(filter(None, (*answer.ids, found_line.proposition)))
    return corpus_excerpt(corpus, (found_line.id, *ids), edges_among(corpus, ids))
