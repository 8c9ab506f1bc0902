"""Parse list items that state an edge: `- word:: target with other (field:: value) — why ^id`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kg.model import Diagnostic, EdgeStrength, Severity, Span
from kg.notes.corrections import VALUE_SYNONYMS, NearMiss, find_intended
from kg.notes.markdown.blocks import is_within
from kg.notes.markdown.inline_syntax import (
    BLOCK_ID,
    REASON,
    WIKI_OR_MARKDOWN_LINK,
    find_fields,
    find_target,
    one_line,
    replace_with_spaces,
    strip_reason,
)
from kg.notes.parsed_note import PendingEdge

_TEXT_FIELDS = ("scope", "by", "locator")
EDGE_FIELDS = ("strength", *_TEXT_FIELDS, "mutual")
_STRENGTHS = {strength.value: strength for strength in EdgeStrength}
_TRUTHS = dict.fromkeys(("yes", "true", "1", "both"), True)
_TRUTHS |= dict.fromkeys(("no", "false", "0"), False)

_FIELDS = f"fields are {', '.join(EDGE_FIELDS)}"
_ELSEWHERE = {"reason": "a reason follows a dash: ` — why`"}

LIST_MARK = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?")
TO_DO = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]\s")
RELATION = re.compile(
    r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?\[?([A-Za-z][\w-]*)::(?=\s|\[|\(|$)\s*"
)
_PREMISE_SEPARATOR = re.compile(r"[\s,;]+|\b(?:and|und|et)\b")
WITH = "with"
# but not the first word of a reason after a hyphen
_WITH = re.compile(rf"(?<![\w-])(?<!- ){WITH}(?![\w-])", re.IGNORECASE)
NO_EDGE_MESSAGE = "this callout draws no edge, so it has no other premises"
HELP_WITH_PREMISES = (
    "write `with [[id]]`, several with `and` between them; or put it after a dash, as a reason"
)


def find_relation(text_line: str, place: Span) -> Span:
    """The place of the relation in an item on a line; `place` if it names none."""
    match = RELATION.match(text_line, place.column - 1)
    return Span(place.path, place.line, match.start(1) + 1) if match else place


def gap_before_relation(text: str) -> str:
    """Return the line breaks between a relation and the text above it: relations form one list."""
    return "\n" if RELATION.match(text.rpartition("\n")[2]) else "\n\n"


class ListItem(NamedTuple):
    """A parsed item: `- supports:: [[b]] with [[c]] (strength:: weak) — as [[e]] says ^k`."""

    word: str
    """The relation as written, in small letters: `supports`."""
    targets: tuple[int, ...]
    """The indexes of the links before the dash of the reason."""
    together: tuple[int, ...]
    """The indexes of the links after `with`."""
    has_with: bool
    """Whether there is a `with`, even without a link."""
    others: tuple[int, ...]
    """The indexes of the links after the dash."""
    words: str
    """All text after the relation."""
    leftover: str
    """The text beside the targets."""
    reason: str
    """The text after the dash."""
    fields: dict[str, str]
    """The value of each field, by its key."""
    places: dict[str, tuple[int, int]]
    """The offsets of the key and the value of each field, by its key."""
    block: str
    """The block id: `k`."""


def find_item(
    raw: str, text_with_code: str, link_ranges: Sequence[tuple[int, int]]
) -> ListItem | None:
    """The edge that an item states; None if it states none.

    `raw` is the item with code blanked out, `text_with_code` the same with its code, and
    `link_ranges` says where its links are in both.
    """
    relation = RELATION.match(raw)
    if relation is None:
        return None
    fields, blank, mark = _find_fields_and_block(raw)
    text_start = relation.end()
    stop = mark.start() if mark else len(raw)
    text_with_code = replace_with_spaces(text_with_code, [field.span() for field in fields])
    if raw[relation.start(1) - 1] == "[":
        bracket = _find_closing_bracket(blank[:stop], text_start, link_ranges)
        if bracket is None:
            return None
        blank, text_with_code = (
            replace_with_spaces(text, [bracket]) for text in (blank, text_with_code)
        )
    targets_end, reason_start = _span_of_dash(blank[:stop], text_start, link_ranges)
    links = _find_links_used(blank, targets_end, link_ranges, fields)
    used_ranges = [*(link_ranges[n] for n in links.leading), *links.with_places]
    leftover = replace_with_spaces(blank[:targets_end], used_ranges)[text_start:]
    used_links = {*links.leading, *links.together}
    return ListItem(
        word=relation[1].casefold(),
        targets=tuple(sorted({*links.leading}.difference(links.together))),
        together=tuple(links.together),
        has_with=bool(links.with_places),
        others=tuple(n for n in range(len(link_ranges)) if n not in used_links),
        words=one_line(text_with_code[text_start:stop]),
        leftover=one_line(_PREMISE_SEPARATOR.sub(" ", leftover)),
        reason=strip_reason(text_with_code[reason_start:stop]),
        fields={field["key"]: one_line(field["value"]) for field in fields},
        places={field["key"]: (field.start("key"), field.start("value")) for field in fields},
        block=mark[1] if mark else "",
    )


def _find_closing_bracket(
    blank: str, text_start: int, links: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """The place of the bracket that closes `[word:: …`; None without one that encloses a link."""
    close = replace_with_spaces(blank, links).find("]", text_start)
    if not any(text_start <= start < close for start, _ in links):
        return None
    return close, close + 1


def _span_of_dash(blank: str, text_start: int, links: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Find the start and end of the dash before a reason; twice the end of the text without one."""
    dash = REASON.search(replace_with_spaces(blank, links), text_start - 1)
    return dash.span() if dash else (len(blank), len(blank))


def _find_fields_and_block(raw: str) -> tuple[list[re.Match[str]], str, re.Match[str] | None]:
    """The fields of an item, its text with these blanked out, and its block id, which may stand
    before its fields.
    """
    mark = BLOCK_ID.search(raw)
    text = raw[: mark.start()] if mark else raw
    fields = find_fields(text)
    blank = replace_with_spaces(text, [field.span() for field in fields])
    if mark is None and fields:
        mark = BLOCK_ID.search(blank)
    return fields, blank, mark


class _LinksUsed(NamedTuple):
    """Numbers of the links of an item that lead its text, numbers of those that are premises, and
    the places of `with` and of `with` fields.
    """

    leading: list[int]
    together: list[int]
    with_places: list[tuple[int, int]]


def _find_links_used(
    blank: str, end: int, links: Sequence[tuple[int, int]], fields: Sequence[re.Match[str]]
) -> _LinksUsed:
    """The links before `end` and outside of fields, and the premises among all links."""
    spans = [field.span() for field in fields]
    in_fields = [is_within(spans, start) for start, _ in links]
    leading_links = [n for n, (start, _) in enumerate(links) if start < end and not in_fields[n]]
    unlinked = replace_with_spaces(blank[:end], [links[n] for n in leading_links])
    word = _WITH.search(unlinked, links[leading_links[0]][1]) if leading_links else None
    with_places = [field.span() for field in fields if field["key"].casefold() == WITH]
    with_places += [word.span()] if word else []
    together = [n for n in leading_links if word and links[n][0] > word.start()]
    with_places.sort()
    together += [n for n, (start, _) in enumerate(links) if is_within(with_places, start)]
    return _LinksUsed(leading_links, together, with_places)


def read_edge_fields(
    item: ListItem,
) -> tuple[dict[str, Any], list[NearMiss]]:
    """The values of an edge's fields, and the problems with them."""
    details: dict[str, Any] = {}
    problems = []
    for key, value in item.fields.items():
        if key.casefold() == WITH:
            continue  # its links are premises
        if key in _TEXT_FIELDS:
            details[key] = value
        elif key == "strength" and value.casefold() in _STRENGTHS:
            details[key] = _STRENGTHS[value.casefold()]
        elif key == "mutual" and value.casefold() in _TRUTHS:
            details[key] = _TRUTHS[value.casefold()]
        elif key in EDGE_FIELDS:
            allowed_values = "weak, moderate or strong" if key == "strength" else "yes or no"
            message = f"`{key}` should be {allowed_values}, not {value!r}"
            close = (
                find_intended(value.casefold(), _STRENGTHS, VALUE_SYNONYMS)
                if key == "strength"
                else None
            )
            help = f"did you mean `{close}`?" if close else ""
            offset = item.places[key][1]
            old = value if close else ""
            problems.append(NearMiss("bad-value", message, help, offset, old, close or ""))
        else:
            close = find_intended(key.casefold(), EDGE_FIELDS)
            help = f"did you mean `{close}`?" if close else _ELSEWHERE.get(key, _FIELDS)
            message = f"an edge has no field `{key}`"
            offset = item.places[key][0]
            old = key if close else ""
            problems.append(NearMiss("unknown-key", message, help, offset, old, close or ""))
    return details, problems


def pending_edges(
    item: ListItem,
    origin: str,
    targets: Sequence[str],
    together: Sequence[str],
    span: Span,
    details: dict[str, Any],
) -> Iterator[PendingEdge]:
    """An edge for each target of an item, or one with an empty target if it has none."""
    for target in targets or ("",):
        yield PendingEdge(
            origin=origin,
            relation=item.word,
            target=target,
            span=span,
            block=item.block,
            reason=item.reason if target else item.words,
            together=tuple(together),
            **details,
        )


def premise_without_link_problem(span: Span) -> Diagnostic:
    """The problem of a `with` that is not followed by a link to a statement."""
    return Diagnostic(
        rule="missing-target",
        severity=Severity.ERROR,
        message="`with` names no other premise",
        span=span,
        help=HELP_WITH_PREMISES,
    )


def find_with_fields(text: str) -> list[tuple[int, int]]:
    """The ranges of `with` fields, whose links are not mentions."""
    return [field.span() for field in find_fields(text) if field["key"].casefold() == WITH]


def parse_with_field(text: str, path: str, id: str) -> tuple[str, ...]:
    """The targets of the links in a field of the note `id` at `path`, in the form edges use.

    Empty if the field holds anything but links, or a link leads out of the notes.
    """
    link_targets = [
        _target_of_link(match, path, id) for match in WIKI_OR_MARKDOWN_LINK.finditer(text)
    ]
    if _PREMISE_SEPARATOR.sub("", WIKI_OR_MARKDOWN_LINK.sub("", text)):
        return ()
    targets = [target for target in link_targets if target]
    return tuple(targets) if len(targets) == len(link_targets) else ()


def _target_of_link(link: re.Match[str], path: str, id: str) -> str | None:
    wiki = link["name"] is not None
    destination = link["name"] if wiki else link["address"]
    if destination.startswith("#"):
        return id + destination if destination.startswith("#^") else None
    return find_target(destination, wiki, path)
