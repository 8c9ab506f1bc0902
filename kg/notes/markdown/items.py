"""List items that state an edge, `- word:: target with other — reason ^id`, in every form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kg.model import Severity, Span, Strength
from kg.notes.markdown import inline
from kg.notes.parsed import PendingEdge
from kg.notes.synonyms import VALUES, find_meant

_WORDS = ("scope", "by", "locator")
EDGE_FIELDS = ("strength", *_WORDS, "mutual")
_STRENGTHS = {strength.value: strength for strength in Strength}
_TRUTHS = dict.fromkeys(("yes", "true", "1", "both"), True)
_TRUTHS |= dict.fromkeys(("no", "false", "0"), False)

_FIELDS = f"fields are {', '.join(EDGE_FIELDS)}"
_ELSEWHERE = {"reason": "a reason stands behind a dash: ` — why`"}

RELATION = re.compile(
    r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?([A-Za-z][\w-]*)::(?=\s|\[|\(|$)\s*"
)
_BETWEEN = re.compile(r"[\s,;]+|\b(?:and|und|et)\b")
WITH = "with"
_WITH = re.compile(rf"(?<![\w-]){WITH}(?![\w-])", re.IGNORECASE)


class ListItem(NamedTuple):
    """What an item says. `targets` and `others` count its links, before and after the reason's
    dash, `premises` those behind `with`, which `joint` says is there; `words` stand where
    targets should, `leftover` beside them; `places` are where the key and the value of each
    field begin.
    """

    word: str
    targets: tuple[int, ...]
    premises: tuple[int, ...]
    joint: bool
    others: tuple[int, ...]
    words: str
    leftover: str
    reason: str
    fields: dict[str, str]
    places: dict[str, tuple[int, int]]
    block: str


def find_item(raw: str, written: str, links: Sequence[tuple[int, int]]) -> ListItem | None:
    """The edge that an item states, or None where it states none.

    `raw` is the item with code blanked out, `written` the same text with its code, and `links`
    are the places of its links in both.
    """
    relation = RELATION.match(raw)
    if relation is None:
        return None
    stop = len(raw)
    if mark := inline.BLOCK_ID.search(raw):
        stop = mark.start()
    found = inline.find_fields(raw[:stop])
    spans = [match.span() for match in found]
    blank, written = inline.hide(raw[:stop], spans), inline.hide(written, spans)
    if mark is None and found and (mark := inline.BLOCK_ID.search(blank)):
        stop = mark.start()
    begin = relation.end()
    dash = inline.REASON.search(inline.hide(blank, list(links))[:stop], begin - 1)
    before = dash.start() if dash else stop
    in_fields = [any(a <= start < b for a, b in spans) for start, _ in links]
    named = [n for n, (start, _) in enumerate(links) if start < before and not in_fields[n]]
    leftover = inline.hide(blank[:before], [links[n] for n in named])
    word = _WITH.search(leftover, links[named[0]][1]) if named else None
    joined = [match.span() for match in found if match[1].casefold() == WITH]
    joined += [word.span()] if word else []
    leftover = inline.hide(leftover, joined)[begin:]
    premises = [n for n in named if word and links[n][0] > word.start()]
    premises += [n for n, (at, _) in enumerate(links) if any(a <= at < b for a, b in joined)]
    return ListItem(
        relation[1].casefold(),
        tuple(n for n in named if n not in premises),
        tuple(premises),
        bool(joined),
        tuple(n for n in range(len(links)) if n not in named and n not in premises),
        inline.one_line(written[begin:stop]),
        inline.one_line(_BETWEEN.sub(" ", leftover)),
        inline.one_line(written[dash.end() : stop]) if dash else "",
        {match[1]: inline.one_line(match[2]) for match in found},
        {match[1]: (match.start(1), match.start(2)) for match in found},
        mark[1] if mark else "",
    )


def read_details(
    item: ListItem,
) -> tuple[dict[str, Any], list[tuple[str, str, str, Severity, int]]]:
    """What the fields of an edge say; and rule, message, help, severity, place of what is wrong."""
    details: dict[str, Any] = {}
    troubles = []
    for key, value in item.fields.items():
        if key.casefold() == WITH:
            continue  # its links are premises
        if key in _WORDS:
            details[key] = value
        elif key == "strength" and value.casefold() in _STRENGTHS:
            details[key] = _STRENGTHS[value.casefold()]
        elif key == "mutual" and value.casefold() in _TRUTHS:
            details[key] = _TRUTHS[value.casefold()]
        elif key in EDGE_FIELDS:
            wanted = "weak, moderate or strong" if key == "strength" else "yes or no"
            message = f"`{key}` should be {wanted}, not {value!r}"
            close = find_meant(value.casefold(), _STRENGTHS, VALUES) if key == "strength" else None
            help = f"did you mean `{close}`?" if close else ""
            troubles.append(("bad-value", message, help, Severity.ERROR, item.places[key][1]))
        else:
            close = find_meant(key.casefold(), EDGE_FIELDS)
            help = f"did you mean `{close}`?" if close else _ELSEWHERE.get(key, _FIELDS)
            message = f"no field `{key}` is known on an edge"
            troubles.append(("unknown-key", message, help, Severity.WARNING, item.places[key][0]))
    return details, troubles


def pending_edges(
    item: ListItem,
    source: str,
    targets: Sequence[str],
    premises: Sequence[str],
    span: Span,
    details: dict[str, Any],
) -> Iterator[PendingEdge]:
    """An edge for each target of an item; one that leads nowhere where there is none."""
    for target in targets or ("",):
        yield PendingEdge(
            source=source,
            relation=item.word,
            target=target,
            span=span,
            block=item.block,
            reason=item.reason if target else item.words,
            together=tuple(premises),
            **details,
        )


WITHOUT_PREMISE = "`with` names no other premise"
WITHOUT_EDGE = "this callout draws no edge, so it has no other premises"
HELP = "write `with [[id]]`, several with `and` between them; or put it behind a dash, as a reason"
_LINK = re.compile(
    r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]|\[[^\[\]\n]*\]\(([^\s()<>]+)\)", re.MULTILINE
)


def find_joined(text: str) -> list[tuple[int, int]]:
    """Where fields called `with` stand, whose links are no mentions."""
    return [found.span() for found in inline.find_fields(text) if found[1].casefold() == WITH]


def find_premises(written: str, path: str, id: str) -> tuple[str, ...]:
    """The targets of the links in a field of the note `id` at `path`, as edges have them.

    None of them where any word is no link, or a link leads out of the notes.
    """
    found = [_target(match, path, id) for match in _LINK.finditer(written)]
    if _BETWEEN.sub("", _LINK.sub("", written)):
        return ()
    targets = [target for target in found if target]
    return tuple(targets) if len(targets) == len(found) else ()


def _target(link: re.Match[str], path: str, id: str) -> str | None:
    wiki = link[1] is not None
    destination = link[1] if wiki else link[2]
    if destination.startswith("#"):
        return id + destination if destination.startswith("#^") else None
    return inline.find_target(destination, wiki, path)
