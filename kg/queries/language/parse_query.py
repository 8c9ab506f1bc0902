"""Text queries: `camp:skeptic contradicts:x evidence.method:experiment "next turn"`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from kg.model.errors import Misuse
from kg.queries.conditions.condition import Everything, Query
from kg.queries.conditions.field_types import RecordKind
from kg.queries.language.builders import (
    claims,
    counter_claims,
    edges,
    evidence,
    lines,
    sources,
    statements,
)
from kg.queries.language.query_words import (
    OTHER_NAMES,
    WORDS,
    ArgumentType,
    MissingValue,
    apply_word,
    meaning_of_word,
    narrow_by_words,
)
from kg.queries.language.selection import Counted, Grouped, GroupSizes, Selection
from kg.text.spelling import similar_names

FindRequest: TypeAlias = Selection | Counted | Grouped | GroupSizes
Start: TypeAlias = Callable[..., Selection]
STARTS_BY_WORD: Mapping[str, Start] = {
    "statements": statements,
    "claims": claims,
    "counter-claims": counter_claims,
    "evidence": evidence,
    "sources": sources,
    "lines": lines,
    "edges": edges,
}
RELATION_BY_PART: Mapping[str, str] = {
    "evidence": "supported_by",
    "supporter": "supported_by",
    "opponent": "answered_by",
    "answer": "answered_by",
    "source": "source",
    "line": "line",
}
FIGURE_WORDS = ("mean", "min", "max", "sum")
SHAPE_WORDS = ("sort", "limit", "count", "group", *FIGURE_WORDS)
_WORD_WITHOUT_VALUE = re.compile(r"-?[A-Za-z_][\w.-]*:")
_FIRST_WORD = re.compile(r"\s*([A-Za-z_-]+)(?=[\s)]|$)")
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<open> -?\( ) | (?P<close> \) )
    | (?P<either> (?:OR|\|)(?=[\s()"]|$) )
    | (?P<minus> - )? (?P<name> [A-Za-z_][\w.-]*? ) : (?P<nested> \( )
    | (?P<not> - )? (?P<word> [A-Za-z_][\w.-]*? ) : (?P<value> "[^"]*" | [^\s()"]+ )
    | (?P<no> - )? (?P<phrase> "[^"]*" )
    | (?P<plain> [^\s()"]+ )
    )""",
    re.X,
)


_DOTTED_WORD = re.compile(r"[A-Za-z_][\w.-]*:(\(?)")
MAX_BRACKETS = 100  # brackets are read recursively, and Python allows about 1,000 calls
MAX_CHARACTERS = 50_000  # some 10,000 terms, each looked for in all notes
_NON_SPACE = re.compile(r"\S")


class BadRequest(Misuse, ValueError):
    """A text query cannot be read; the message says why, and what would be right."""


class _Term(NamedTuple):
    """One term: a word and its value, negated if `minus`."""

    minus: bool
    word: str
    value: Any


@dataclass
class _RequestReader:
    """A text query, read from left to right."""

    text: str
    offset: int = 0

    def __post_init__(self) -> None:
        if len(self.text) > MAX_CHARACTERS:
            raise BadRequest(f"more than {MAX_CHARACTERS:,} characters; ask in several questions")
        if self.text.count("(") > MAX_BRACKETS:
            raise BadRequest(f"more than {MAX_BRACKETS} brackets; ask in several questions")
        if self.text.count("(") + self._longest_path() > MAX_BRACKETS:
            raise BadRequest(
                f"more than {MAX_BRACKETS} brackets and dots of one word; ask in several questions"
            )

    def _longest_path(self) -> int:
        """The most dots that may lead on from one another: those before brackets, and of a word."""
        dots = [(match[0].count("."), bool(match[1])) for match in _DOTTED_WORD.finditer(self.text)]
        before_brackets = sum(count for count, opens in dots if opens)
        return before_brackets + max((count for count, opens in dots if not opens), default=0)

    def next_token(self) -> re.Match[str] | None:
        """The next token, or None at the end."""
        if not _NON_SPACE.search(self.text, self.offset):
            return None
        match = _TOKEN.match(self.text, self.offset)
        if match is None or match.end() == self.offset:
            rest = self.text[self.offset :].strip()
            raise BadRequest(f"cannot read {rest!r}; close every quotation mark and bracket")
        self.offset = match.end()
        return match


def parse_request(text: str) -> FindRequest:
    """The selection given by a text query; raises `BadRequest` and `UnknownWord`.

    All terms must hold; `OR` separates alternatives, `-` negates, and brackets group. A first
    word such as `evidence` or `sources` says what is sought, `word:value` narrows it,
    `evidence.method:x` narrows its evidence, and other words are searched for in the text.
    `sort:-year`, `limit:5`, `group:camp`, `mean:sample` and `count:yes` shape the answer.
    """
    start, rest = parse_record_kind(text)
    return apply_shape(*parse_terms(rest, start))


def parse_record_kind(text: str, default_start: Start = statements) -> tuple[Selection, str]:
    """The selection to start from, by the first word if it names a kind of record; and the rest."""
    first_word = _FIRST_WORD.match(text)
    kind_name = first_word[1].casefold().replace("_", "-") if first_word else ""
    for name, start in STARTS_BY_WORD.items():
        if first_word and kind_name in (name, name.removesuffix("s")):
            return start(), text[first_word.end() :]
    return default_start(), text


def parse_terms(
    text: str, start: Selection, extra_terms: Iterable[tuple[str, object]] = ()
) -> tuple[Selection, dict[str, str]]:
    """`start` narrowed by the terms of a text and by `extra_terms`, and the answer's shape."""
    added_terms = [_Term(False, word, value) for word, value in extra_terms]
    return _read_alternatives(_RequestReader(text), start, added_terms)


def _read_alternatives(
    reader: _RequestReader,
    start: Selection,
    extra_terms: Sequence[_Term] = (),
    in_bracket: bool = False,
) -> tuple[Selection, dict[str, str]]:
    """Read alternatives up to the end or the closing bracket, each with the `extra_terms`."""
    alternatives: list[Selection] = []
    terms: list[_Term | Selection] = []
    shape: dict[str, str] = {}
    while True:
        token = reader.next_token()
        if token is None or token["close"]:
            if (token is None) is in_bracket:
                raise BadRequest(
                    "a bracket is not closed"
                    if in_bracket
                    else "a closing bracket has no opening one"
                )
            break
        if token["either"]:
            alternatives.append(_any_of_terms(start, terms, extra_terms))
            terms = []
        elif token["word"] in SHAPE_WORDS:
            _add_shape(shape, token, in_bracket)
        else:
            terms.append(_parse_term(reader, start, token))
    if alternatives:
        alternatives.append(_any_of_terms(start, terms, extra_terms))
    else:
        alternatives.append(_apply_terms(start, [*terms, *extra_terms]))
    return alternatives[0].any_of(*alternatives[1:]), shape


def _any_of_terms(
    start: Selection, terms: list[_Term | Selection], extra_terms: Sequence[_Term]
) -> Selection:
    if not terms:  # an empty side would match everything
        hint = "topic:a OR topic:b; to look for the word, put it in quotation marks"
        raise BadRequest(f"OR stands between two terms: {hint}")
    return _apply_terms(start, [*terms, *extra_terms])


def _add_shape(shape: dict[str, str], token: re.Match[str], in_bracket: bool) -> None:
    word = token["word"]
    value = token["value"].strip('"')
    if not value.strip():
        raise MissingValue(f"{word}:")
    if token["not"]:
        hint = f"; to sort in descending order, write sort:-{value}" if word == "sort" else ""
        raise BadRequest(f"{word}: takes no minus before it{hint}")
    if in_bracket and word not in ("sort", "limit"):
        raise BadRequest(f"{word}: shapes the whole answer: put it outside of brackets")
    if word in shape:
        hint = "" if word in ("limit", "count") else f": write {word}:{shape[word]},{value}"
        raise BadRequest(f"{word}: is given twice{hint}")
    if word == "count" and value.casefold() != "yes":
        raise BadRequest(f"count: takes yes, not {value!r}; for the records, leave it out")
    shape[word] = value


def _parse_term(
    reader: _RequestReader, start: Selection, token: re.Match[str]
) -> _Term | Selection:
    """The term that a token begins: a bracket, a word with a bracket or a value, or text."""
    if token["open"]:
        nested_selection = _parse_bracket(reader, lambda: start)
        return start - nested_selection if token["open"].startswith("-") else nested_selection
    if token["nested"]:
        return _parse_nested(reader, start, token)
    return _word_term(start, token) if token["word"] else _text_term(reader, token)


def _word_term(start: Selection, token: re.Match[str]) -> _Term:
    """`word:value`"""
    minus = bool(token["not"])
    word = token["word"]
    value = token["value"]
    if word == "evidence" and "supported_by" in WORDS[start.record_kind]:
        if value != "*":
            raise BadRequest(f"evidence: takes a bracket, or a word: evidence.method:{value}")
        return _Term(minus, "supported_by", evidence())
    return _Term(minus, word, _parse_value(start, word, value))


def _text_term(reader: _RequestReader, token: re.Match[str]) -> _Term:
    """Words or a quoted phrase that are searched for; `-` before them negates."""
    text = token["phrase"] or token["plain"]
    lacks_value = _WORD_WITHOUT_VALUE.fullmatch(text) and not reader.text[
        reader.offset :
    ].startswith('"')
    if lacks_value or not text.strip('" '):
        raise MissingValue(text if lacks_value else "text")
    if token["plain"] and len(text) > 1 and text.startswith("-"):
        return _Term(True, "text", text[1:])
    return _Term(bool(token["no"]), "text", text)


def _parse_nested(reader: _RequestReader, start: Selection, token: re.Match[str]) -> _Term:
    """`supported_by:(evidence method:experiment)`"""
    name = _word_for_bracket(start.record_kind, token["name"])
    word = meaning_of_word(start.record_kind, name)
    if word.argument_type is not ArgumentType.THING:
        raise BadRequest(f"{name}: takes no bracket")
    nested_selection = _parse_bracket(
        reader, lambda: _selection_for_part(start.record_kind, token["name"], name)
    )
    return _Term(bool(token["minus"]), name, nested_selection)


def _parse_bracket(reader: _RequestReader, default_start: Start) -> Selection:
    """The selection in a bracket, whose first word may say what is sought."""
    start, text = parse_record_kind(reader.text[reader.offset :], default_start)
    inner_reader = _RequestReader(text)
    selection, shape = _read_alternatives(inner_reader, start, in_bracket=True)
    reader.offset = len(reader.text) - (len(text) - inner_reader.offset)
    return _shaped_selection(selection, shape)


def _word_for_bracket(record_kind: RecordKind, name: str) -> str:
    """The word for a bracket: `evidence:(…)` means `supported_by:(…)`."""
    relation = RELATION_BY_PART.get(name, "")
    return relation if relation in WORDS[record_kind] else name


def _parse_value(start: Selection, name: str, text: str) -> Any:
    """A value in the form that the word takes: names split at commas, others unchanged."""
    is_quoted = text.startswith('"')
    unquoted_text = text.strip('"')
    if is_quoted or "." in name.removeprefix("."):
        return unquoted_text  # read later, when it is known of which part it is a word
    takes_names = meaning_of_word(start.record_kind, name).argument_type is ArgumentType.NAMES
    return (
        tuple(unquoted_text.split(",")) if takes_names and "," in unquoted_text else unquoted_text
    )


def _apply_terms(start: Selection, terms: list[_Term | Selection]) -> Selection:
    all_records = type(start)(Query(start.record_kind, Everything()))
    parts = [term for term in terms if isinstance(term, Selection)]
    word_terms = [term for term in terms if isinstance(term, _Term)]
    # `camp:x line:y` is one condition: placed by y in x
    camp, line = (_first_term(word_terms, word) for word in ("camp", "line"))
    if camp and line:
        parts.append(narrow_by_words(all_records, {"camp": camp.value, "line": line.value}))
        word_terms = [term for term in word_terms if term not in (camp, line)]
    for term in word_terms:
        if "." in term.word:
            continue
        if term.minus:
            parts.append(all_records - apply_word(start, term.word, term.value))
        else:
            parts.append(apply_word(all_records, term.word, term.value))
    # all at once: to join each with all before takes ever longer
    selection = start.all_of(*parts)
    return _apply_part_terms(start, selection, [term for term in word_terms if "." in term.word])


def _first_term(terms: list[_Term], word: str) -> _Term | None:
    """The first term of a word, by any of its names, that is not negated."""
    return next(
        (
            term
            for term in terms
            if OTHER_NAMES.get(term.word, term.word) == word and not term.minus
        ),
        None,
    )


def _apply_part_terms(start: Selection, selection: Selection, terms: list[_Term]) -> Selection:
    """Apply terms such as `evidence.method:x evidence.sample:>100`, which must hold for a single
    piece of evidence; negated ones apply one by one.
    """
    terms_by_part: defaultdict[tuple[str, int], list[_Term]] = defaultdict(list)
    for number, term in enumerate(terms, 1):
        part, _, word = term.word.partition(".")
        number_if_negated = number if term.minus else 0  # what is not negated stands together
        terms_by_part[part, number_if_negated].append(_Term(False, word, term.value))
    for (part, number_if_negated), part_terms in terms_by_part.items():
        relation = _word_for_part(start.record_kind, part)
        part_start = _selection_for_part(start.record_kind, part, relation)
        part_selection = _apply_terms(
            part_start,
            [t._replace(value=_parse_value(part_start, t.word, t.value)) for t in part_terms],
        )
        if number_if_negated:
            selection = selection - apply_word(start, relation, part_selection)
        else:
            selection = apply_word(selection, relation, part_selection)
    return selection


def _word_for_part(record_kind: RecordKind, part: str) -> str:
    word = _word_for_bracket(record_kind, part)
    if word in WORDS[record_kind] and WORDS[record_kind][word].argument_type is ArgumentType.THING:
        return word
    nearest = similar_names(part, [*RELATION_BY_PART, *WORDS[record_kind]])
    hint = f"; did you mean {' or '.join(f'{name}.…' for name in nearest)}?" if nearest else ""
    raise BadRequest(f"{record_kind}s have no part called {part!r}{hint}")


def _selection_for_part(record_kind: RecordKind, part: str, relation: str) -> Selection:
    if part == "evidence":
        return evidence()
    starts = {RecordKind.SOURCE: sources, RecordKind.LINE: lines, RecordKind.EDGE: edges}
    return starts.get(meaning_of_word(record_kind, relation).argument_kind, statements)()


def _shaped_selection(selection: Selection, shape: Mapping[str, str]) -> Selection:
    selection = _apply_sort(selection, shape)
    return selection.limit(_parse_limit(shape["limit"])) if "limit" in shape else selection


def _apply_sort(selection: Selection, shape: Mapping[str, str]) -> Selection:
    return selection.order_by(*shape["sort"].split(",")) if "sort" in shape else selection


def _parse_limit(limit: str) -> int:
    if not limit.isdecimal():
        raise BadRequest(f"limit: takes a number, not {limit!r}")
    return int(limit)


def apply_shape(selection: Selection, shape: Mapping[str, str]) -> FindRequest:
    """The selection sorted, limited, counted or grouped as asked."""
    figures = {name: shape[name].split(",") for name in FIGURE_WORDS if name in shape}
    if "count" in shape and (other_shapes := shape.keys() & {"group", *FIGURE_WORDS}):
        raise BadRequest(f"{min(other_shapes)}: counts already; leave count out")
    if "group" in shape:
        groups = _apply_sort(selection, shape).group_by(*shape["group"].split(","))
        if "limit" in shape:  # limits the groups, the largest first
            groups = groups.limit(_parse_limit(shape["limit"]))
        return groups.aggregate(**figures) if figures else groups
    selection = _shaped_selection(selection, shape)
    if figures:
        return selection.aggregate(**figures)
    return selection.count() if "count" in shape else selection
