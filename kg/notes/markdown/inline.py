"""What stands inside a run of text: citations, inline fields, block ids, reasons, link targets.

And list items that state an edge by them, `- word:: target with other — reason ^id`."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from kg.model import EdgeStrength, Span
from kg.notes.corrections import VALUE_SYNONYMS, NearMiss, find_meant
from kg.notes.parsed import PendingEdge

LONGEST_WHOLE_CONTEXT = 4000  # characters of a paragraph that is kept whole with each of its links
CONTEXT_PER_SIDE = 300  # characters kept on each side of a link in a longer one
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*$")
REASON = re.compile(r"(?:^|\s)(?:—|–|--)(?:\s|$)")
_DASHES = re.compile(r"\A\s*(?:(?:—|–|-{1,3})\s+)+")
CALLOUT = re.compile(r"\[!([A-Za-z][\w-]*)\][+-]?[ \t]*")
CITATION = re.compile(r"\[(?<!\[\[)([^\[\]]*@[^\[\]]*)\](?![(\[])")


def _balanced(depth: int) -> str:
    """A pattern of text in which up to `depth` parentheses stand inside each other."""
    inner = r"[^()\n]++|\n(?!\n)"
    return rf"(?:{inner}|\({_balanced(depth - 1)}\))*+" if depth else rf"(?:{inner})*+"


FIELD = re.compile(rf"\((?<!\w\()([A-Za-z][\w-]*)::[ \t]*({_balanced(4)})\)")

_KEY = re.compile(r"\w(?:[\w:.#$%&+?<>~/-]*[\w/])?")
_LOCATOR = re.compile(r",?\s*")
_SCHEME = re.compile(r"^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|/|#)")


class BracketedCitation(NamedTuple):
    """One source in a bracketed citation, at an offset in characters."""

    key: str
    prefix: str
    locator: str
    start: int


def find_citations(text: str) -> list[BracketedCitation]:
    """Every source that the Pandoc citations of `text` name: `[@a]`, `[see @a, p. 4; @b]`."""
    if "@" not in text:
        return []
    found = []
    for group in CITATION.finditer(text):
        start = group.start(1)
        for part in group[1].split(";"):
            at = part.find("@")
            key = _KEY.match(part, at + 1) if at >= 0 else None
            prefix = part[:at].removesuffix("-") if at > 0 else ""
            if key and not (prefix and (prefix[-1] == "_" or prefix[-1].isalnum())):
                locator = part[_LOCATOR.match(part, key.end()).end() :]  # type: ignore[union-attr]
                found.append(
                    BracketedCitation(key[0], one_line(prefix), one_line(locator), start + at)
                )
            start += len(part) + 1
    return found


def find_fields(text: str) -> list[re.Match[str]]:
    """Every inline field of `text`, `(key:: value)`, as key and value groups."""
    return list(FIELD.finditer(text)) if "::" in text else []


def blank_out(text: str, ranges: list[tuple[int, int]]) -> str:
    """`text` with the ranges blanked out, so that every other place stays where it was."""
    for start, end in ranges:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def one_line(text: str) -> str:
    """`text` on one line, its words one space apart."""
    if text.isprintable() and "  " not in text:  # then it holds no white space but lone spaces
        return text.strip(" ")
    return " ".join(text.split())


def reason_of(written: str) -> str:
    """A reason without a second dash before it."""
    return one_line(_DASHES.sub("", written))


def slug(title: str) -> str:
    """A short id made of a title's first words."""
    words = re.findall(r"\w+", title.casefold())
    return "-".join(words[:6]) or "unnamed"


@functools.cache
def quote_mark_pattern(depth: int) -> re.Pattern[str]:
    """The marks of `depth` quotes around each other, at the beginning of a line within them."""
    return re.compile(rf"(?<=\n)(?:[ \t]*>[ \t]?){{1,{depth}}}")


def link_text(link: str) -> str:
    """What a Markdown link shows."""
    end = link.rfind("](")
    if end < 0:
        end = link.rfind("][")
    return link[1:end]


PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "avif", "svg")
ATTACHMENTS = ("pdf", "csv", "tsv", "txt", "json", "xlsx", "ods")
"""What goes with the site, by how its name ends: what a browser shows or keeps, and never runs."""
_LEFT_BEHIND = (
    "mp[34]",
    "mov",
    "webm",
    "wav",
    "zip",
    "docx?",
    "pptx?",
    "xls",
    "bmp",
    "tiff?",
    "heic",
)
FILE_ENDING = rf"\.(?:{'|'.join((*PICTURES, *ATTACHMENTS, *_LEFT_BEHIND))})"
"""How the name of a file that is no note ends, as a pattern in any case."""
_FILE = re.compile(rf"{FILE_ENDING}\Z", re.IGNORECASE)


def names_a_file(destination: str) -> bool:
    """Whether a link leads to a file that is no note, as its name tells: `figures/fit.png`."""
    return _FILE.search(destination.partition("#")[0].rstrip()) is not None


def find_target(destination: str, wiki: bool, path: str) -> str | None:
    """What a link leads to within the notes; None for one that leads elsewhere.

    A wikilink keeps its name (folders dropped); a relative link becomes `/` and the path
    from the notes folder.
    """
    name, mark, block = destination.partition("#")
    if wiki:
        if "." in name and names_a_file(name):
            return None
        name = name.removesuffix("\\")  # of `\|`, as a table needs it
        if "/" in name or "\\" in name:
            name = name.replace("\\", "/").rpartition("/")[2]
        return name.strip().removesuffix(".md") + mark + block.strip()
    if not name.endswith(".md") or _SCHEME.match(name):
        return None
    if "%" in destination:
        name, block = unquote(name), unquote(block)
    return f"/{_joined(path.rpartition('/')[0], name)}{mark}{block}"


def _joined(folder: str, name: str) -> str:
    while folder and name.startswith("../") and not folder.endswith(".."):
        folder, name = folder.rpartition("/")[0], name[3:]
    whole = f"{folder}/{name}" if folder else name
    winding = name.startswith(".") or "/." in name or "//" in name
    return posixpath.normpath(whole) if winding else whole


def blank_out_sorted(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """`text` with spaces in the place of `ranges`, which follow one another."""
    parts, at = [], 0
    for start, end in ranges:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def link_context(text: str, first: int, start: int, end: int, last: int) -> str:
    """The words of `text` on both sides of a link from `start` to `end`, from `first` to `last`."""
    return one_line(text[max(first, start - CONTEXT_PER_SIDE) : min(last, end + CONTEXT_PER_SIDE)])


_WORD_FIELDS = ("scope", "by", "locator")
EDGE_FIELDS = ("strength", *_WORD_FIELDS, "mutual")
_STRENGTHS = {strength.value: strength for strength in EdgeStrength}
_TRUTHS = dict.fromkeys(("yes", "true", "1", "both"), True)
_TRUTHS |= dict.fromkeys(("no", "false", "0"), False)

_FIELDS = f"fields are {', '.join(EDGE_FIELDS)}"
_ELSEWHERE = {"reason": "a reason stands behind a dash: ` — why`"}

RELATION = re.compile(
    r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?\[?([A-Za-z][\w-]*)::(?=\s|\[|\(|$)\s*"
)


def find_relation(line: str, item: Span) -> Span:
    """Where the relation of an item on a line stands; where the item begins, if it names none."""
    found = RELATION.match(line, item.column - 1)
    return Span(item.path, item.line, found.start(1) + 1) if found else item


_PREMISE_SEPARATOR = re.compile(r"[\s,;]+|\b(?:and|und|et)\b")
WITH = "with"
# not the first word of a reason that a hyphen was to begin
_WITH = re.compile(rf"(?<![\w-])(?<!- ){WITH}(?![\w-])", re.IGNORECASE)


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
    if mark := BLOCK_ID.search(raw):
        stop = mark.start()
    found = find_fields(raw[:stop])
    spans = [match.span() for match in found]
    blank, written = blank_out(raw[:stop], spans), blank_out(written, spans)
    if mark is None and found and (mark := BLOCK_ID.search(blank)):
        stop = mark.start()
    begin = relation.end()
    if raw[relation.start(1) - 1] == "[":
        close = blank_out(blank, list(links)).find("]", begin, stop)
        if close < 0 or not any(begin <= start < close for start, _ in links):
            return None
        blank, written = (blank_out(text, [(close, close + 1)]) for text in (blank, written))
    dash = REASON.search(blank_out(blank, list(links))[:stop], begin - 1)
    before = dash.start() if dash else stop
    in_fields = [any(a <= start < b for a, b in spans) for start, _ in links]
    named = [n for n, (start, _) in enumerate(links) if start < before and not in_fields[n]]
    leftover = blank_out(blank[:before], [links[n] for n in named])
    word = _WITH.search(leftover, links[named[0]][1]) if named else None
    joined = [match.span() for match in found if match[1].casefold() == WITH]
    joined += [word.span()] if word else []
    leftover = blank_out(leftover, joined)[begin:]
    premises = [n for n in named if word and links[n][0] > word.start()]
    premises += [n for n, (at, _) in enumerate(links) if any(a <= at < b for a, b in joined)]
    return ListItem(
        relation[1].casefold(),
        tuple(n for n in named if n not in premises),
        tuple(premises),
        bool(joined),
        tuple(n for n in range(len(links)) if n not in named and n not in premises),
        one_line(written[begin:stop]),
        one_line(_PREMISE_SEPARATOR.sub(" ", leftover)),
        reason_of(written[dash.end() : stop]) if dash else "",
        {match[1]: one_line(match[2]) for match in found},
        {match[1]: (match.start(1), match.start(2)) for match in found},
        mark[1] if mark else "",
    )


def read_edge_fields(
    item: ListItem,
) -> tuple[dict[str, Any], list[NearMiss]]:
    """What the fields of an edge say; and what is wrong."""
    details: dict[str, Any] = {}
    troubles = []
    for key, value in item.fields.items():
        if key.casefold() == WITH:
            continue  # its links are premises
        if key in _WORD_FIELDS:
            details[key] = value
        elif key == "strength" and value.casefold() in _STRENGTHS:
            details[key] = _STRENGTHS[value.casefold()]
        elif key == "mutual" and value.casefold() in _TRUTHS:
            details[key] = _TRUTHS[value.casefold()]
        elif key in EDGE_FIELDS:
            wanted = "weak, moderate or strong" if key == "strength" else "yes or no"
            message = f"`{key}` should be {wanted}, not {value!r}"
            close = (
                find_meant(value.casefold(), _STRENGTHS, VALUE_SYNONYMS)
                if key == "strength"
                else None
            )
            help = f"did you mean `{close}`?" if close else ""
            at, old = item.places[key][1], value if close else ""
            troubles.append(NearMiss("bad-value", message, help, at, old, close or ""))
        else:
            close = find_meant(key.casefold(), EDGE_FIELDS)
            help = f"did you mean `{close}`?" if close else _ELSEWHERE.get(key, _FIELDS)
            message = f"no field `{key}` is known on an edge"
            at, old = item.places[key][0], key if close else ""
            troubles.append(NearMiss("unknown-key", message, help, at, old, close or ""))
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


NAMES_NO_PREMISE = "`with` names no other premise"
DRAWS_NO_EDGE = "this callout draws no edge, so it has no other premises"
HELP_WITH_PREMISES = (
    "write `with [[id]]`, several with `and` between them; or put it behind a dash, as a reason"
)
_LINK = re.compile(
    r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]|\[[^\[\]\n]*\]\(([^\s()<>]+)\)", re.MULTILINE
)


def find_premise_fields(text: str) -> list[tuple[int, int]]:
    """Where fields called `with` stand, whose links are no mentions."""
    return [found.span() for found in find_fields(text) if found[1].casefold() == WITH]


def find_premises(written: str, path: str, id: str) -> tuple[str, ...]:
    """The targets of the links in a field of the note `id` at `path`, as edges have them.

    None of them where any word is no link, or a link leads out of the notes.
    """
    found = [_target(match, path, id) for match in _LINK.finditer(written)]
    if _PREMISE_SEPARATOR.sub("", _LINK.sub("", written)):
        return ()
    targets = [target for target in found if target]
    return tuple(targets) if len(targets) == len(found) else ()


def _target(link: re.Match[str], path: str, id: str) -> str | None:
    wiki = link[1] is not None
    destination = link[1] if wiki else link[2]
    if destination.startswith("#"):
        return id + destination if destination.startswith("#^") else None
    return find_target(destination, wiki, path)
