"""Options that narrow a selection, made from the words of the selection language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kg.cli.options import IdType, load_notes
from kg.cli.output import print_table
from kg.corpus import Corpus
from kg.queries.conditions.fields import FIELDS_OF_SORT, Sort
from kg.queries.language.builders import Edges, Statements, claims, statements
from kg.queries.language.parse import (
    FIGURE_WORDS,
    RELATION_BY_PART,
    SHAPE_WORDS,
    STARTS_BY_WORD,
    BadQuestion,
    FindQuestion,
    apply_shape,
    parse_question,
    parse_terms,
    read_sort,
)
from kg.queries.language.selection import Selection
from kg.queries.language.words import WORDS, QueryWord, Takes, apply_word, word_of

Command = TypeVar("Command", bound=Callable[..., Any])
TABLE_OF_SORT = {
    Sort.STATEMENT: "statements",
    Sort.SOURCE: "sources",
    Sort.LINE: "lines",
    Sort.EDGE: "edge",
}
WORDS_WITHOUT_OPTION = ("text",)
OTHER_FLAGS = {
    "kind": ("--type",),
    "topic": ("--tag",),
    "source": ("--cites",),
}
MAY_HOLD_COMMAS = ("about", "author", "unit", "venue")
HELP_OF_OTHERS = {
    "author": "By this author, or citing one; a family name is enough.",
    "venue": "Published there, or citing what is.",
    "cited_by": "Sources that this statement cites.",
    "relation": f"Edges: {WORDS[Sort.EDGE]['relation'].help}",
    "from": "Edges that start at ID.",
    "to": "Edges that end at ID.",
    "places": "Lines that place ID in a camp.",
}


class FieldValueType(click.ParamType[str]):
    """A value of a field, completed from the closed list or from the corpus."""

    name = "text"

    def __init__(self, field: str) -> None:
        self.field = field

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = known_values(self.field, ctx.params.get("notes"))
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def known_values(field: str, notes: Any) -> Iterable[str]:
    """The values that a field may take, or does take in the corpus if that can be read."""
    from kg.queries.conditions.index import index_of

    for sort in Sort:
        place = FIELDS_OF_SORT[sort].get(field)
        if place is None:
            continue
        if place.words:
            return place.words
        try:
            corpus = load_notes(notes)
        except Exception:
            return ()  # a shell that is completing has no place for an error
        if field == "camp":
            return corpus.config.camp_ids
        return sorted(map(str, index_of(corpus).ids_by_value(sort, field)))
    return ()


def narrowing_options(command: Command) -> Command:
    """Add an option for every word of the selection language."""
    helps = {name: word.help for name, word in WORDS[Sort.STATEMENT].items()} | HELP_OF_OTHERS
    for name in reversed([name for name in helps if name not in WORDS_WITHOUT_OPTION]):
        command = _option(name, _word(name), helps[name])(command)
    return command


def _word(name: str) -> QueryWord:
    return next(WORDS[sort][name] for sort in Sort if name in WORDS[sort])


def _option(name: str, word: QueryWord, help: str) -> Callable[[Command], Command]:
    plain = name.replace("_", "-")
    if word.takes is Takes.FLAG:
        return click.option(f"--{plain}/--not-{plain}", name, default=None, help=help)
    kinds: Mapping[Takes, tuple[click.ParamType[str] | type[str], str]] = {
        Takes.THING: (IdType(TABLE_OF_SORT[word.of]), "ID"),
        Takes.RANGE: (str, "RANGE"),
        Takes.NAMES: (IdType("statements") if name == "id" else FieldValueType(name), name.upper()),
    }
    kind, metavar = kinds[word.takes]
    flags = (f"--{plain}", *OTHER_FLAGS.get(name, ()))
    return click.option(*flags, name, type=kind, metavar=metavar, multiple=True, help=help)


class QuestionTermType(click.ParamType[str]):
    """A term of a question; words and their values are completed."""

    name = "question"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        incomplete = incomplete.lstrip()
        name, colon, _ = incomplete.partition(":")
        if not colon:
            names = (
                *STARTS_BY_WORD,
                *(f"{word}:" for word in (*WORDS[Sort.STATEMENT], *SHAPE_WORDS)),
            )
            parts = (f"{part}." for part in RELATION_BY_PART)
            return _items((*names, *parts), incomplete)
        bare = name.removeprefix("-").rpartition(".")[2]
        values = _values(bare, ctx.params.get("notes"))
        return _items((f"{name}:{value}" for value in values), incomplete)


def _items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _values(name: str, notes: Any) -> Iterable[str]:
    word = WORDS[Sort.STATEMENT].get(name)
    if word is None or word.takes is not Takes.THING:
        return known_values(name, notes)
    try:
        return list(getattr(load_notes(notes), TABLE_OF_SORT[word.of]))
    except Exception:
        return ()  # a shell that is completing has no place for an error


def write_words() -> None:
    """Print every word, by what it narrows."""
    for sort in Sort:
        rows = [(f"{name}:", word.help) for name, word in WORDS[sort].items()]
        others = [name for name in FIELDS_OF_SORT[sort] if name not in WORDS[sort]]
        rows += [
            (f"{name}:", "The field of this name, as `--columns` shows it.") for name in others
        ]
        print_table(("word", "finds"), rows, title=f"{sort.value.title()}s")
        click.echo()


WALKING_WORDS = ("reaching", "reachable_from")  # along the relations of `--over` alone
SHAPE_OF_OPTION = {"sort": "sort", "limit": "limit", "group_by": "group"} | {
    n: n for n in FIGURE_WORDS
}


def question_of_options(text: tuple[str, ...], said: Mapping[str, Any]) -> FindQuestion:
    """The selection that words and options mean. Raises `UnknownWord` and `Misuse`."""
    start, words = read_sort(" ".join(text), claims if said["unsupported"] else statements)
    given = [*_given_words(start.sort, said)]
    walks = WALKING_WORDS if said["over"] and isinstance(start, Statements) else ()
    selection, shape = parse_terms(words, start, [each for each in given if each[0] not in walks])
    for name, end in (each for each in given if each[0] in walks):
        selection = getattr(selection, name)(end, said["over"])
    selection = _narrow_by_shorthands(start, selection, said)
    shape |= {
        name: str(said[option])
        for option, name in SHAPE_OF_OPTION.items()
        if said[option] is not None
    }
    return apply_shape(selection, shape | ({"count": "yes"} if said["count"] else {}))


def _given_words(sort: Sort, said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What to narrow by: an option given again, again; of names, any will do."""
    known = {name for words in WORDS.values() for name in words}
    for name, value in said.items():
        if name in known and value not in (None, ()):
            yield from ((name, each) for each in _values_of(sort, name, value))


def _values_of(sort: Sort, name: str, value: Any) -> Sequence[Any]:
    match word_of(sort, name):
        case QueryWord(takes=Takes.THING, of=of):
            return [id_or_query(each, of) for each in value]
        case QueryWord(takes=Takes.RANGE):
            return list(value)
        case QueryWord(takes=Takes.NAMES) if name not in MAY_HOLD_COMMAS:
            return [_split_at_commas(value)]
    return [value]


def _split_at_commas(names: Iterable[str]) -> tuple[str, ...]:
    """Names, of which one option may hold several; one of nothing but commas stays as it is."""
    found: list[str] = []
    for name in names:
        found += list(filter(None, map(str.strip, name.split(",")))) or [name]
    return tuple(found)


def id_or_query(value: str, sort: Sort = Sort.STATEMENT) -> Any:
    """An id, or the selection of a sort that a short query means."""
    if not any(mark in value for mark in ': "('):
        return value
    return parse_question(_with_sort(sort, value))


def _narrow_by_shorthands(
    start: Selection, selection: Selection, said: Mapping[str, Any]
) -> Selection:
    """Narrow a selection by the options that are short for words of the language."""
    if said["min_sample"] is not None or said["max_sample"] is not None:
        ends = (said["min_sample"], said["max_sample"])
        selection = apply_word(selection, "sample", ends)
    if said["single_study"]:
        selection = apply_word(selection, "studies", 1)
    for query in said["evidence"]:
        selection = apply_word(selection, "supported_by", parse_question(f"evidence {query}"))
    if said["between"]:
        selection = _between(selection, said["between"], said["over"])
    if said["unsupported"]:
        selection = selection - apply_word(start, "supported_by", "*")
    if said["unanswered"]:
        selection = selection - apply_word(start, "answered_by", "*")
    if said["unanswered_by"]:
        selection = selection - apply_word(start, "answered_by", id_or_query(said["unanswered_by"]))
    for query in said["without"]:
        selection = selection - find_of_sort(start, query)
    return selection


def _between(selection: Selection, ends: str, over: tuple[str, ...]) -> Selection:
    one, comma, other = ends.partition(",")
    if not comma or not isinstance(selection, Statements | Edges):
        raise BadQuestion("--between takes two ids, joined by a comma, of statements")
    if isinstance(selection, Edges):
        return selection.between(id_or_query(one), id_or_query(other))
    return selection.between(id_or_query(one), id_or_query(other), over)


def find_of_sort(start: Selection, query: str) -> Any:
    """What a short query finds, of the same sort as `start`."""
    return parse_question(_with_sort(start.sort, query))


def _with_sort(sort: Sort, query: str) -> str:
    """A short query that says which sort it seeks, where it does not say so itself."""
    return query if query.split(" ", 1)[0] in STARTS_BY_WORD else f"{sort}s {query}"


def select_part(corpus: Corpus, line: str | None, query: str | None) -> Corpus:
    """What a line asks about, or a short query finds, with the edges among it; else all."""
    from kg.queries.answers.answer import Answer, corpus_excerpt, edges_among
    from kg.queries.engines.engine import MemoryEngine
    from kg.queries.find import find

    if line is None and query is None:
        return corpus
    engine = MemoryEngine(corpus)
    wanted = parse_question(query) if query else statements()
    if not isinstance(wanted, Selection):
        raise BadQuestion("what is exported is found, not counted or grouped")
    found: Answer[Any] = find(engine, apply_word(wanted, "line", line) if line else wanted)
    if not found:
        raise BadQuestion(found.why_empty)
    if line is None:
        return found.excerpt
    view = corpus.lines[corpus.look_up(line) or ""]
    ids = dict.fromkeys((*found.ids, *([view.proposition] if view.proposition else [])))
    return corpus_excerpt(corpus, (view.id, *ids), edges_among(corpus, ids))
