"""Report what looks like part of the format but is not read as such, so that nothing is lost.

Prose is left alone: a hint needs one of the format's own words in a place where it would count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.model import Relation
from kg.notes.body.near_callouts import BAD_ID, find_bad_id, find_early_id
from kg.notes.body.relation_items import EDGE_FIELDS, RELATION
from kg.notes.corrections import INVERSE_RELATIONS, RELATION_SYNONYMS, NearMiss
from kg.notes.frontmatter.note_fields import CalloutFields, StatementFields, parse_fields
from kg.notes.markdown import inline_syntax

# The words for relations, also as misspelt with spaces or underscores.
RELATION_WORDS = "|".join(
    [*(relation.value.replace("-", "[ _-]") for relation in Relation), "next"]
)
# Bullets and spaces of other programs that Markdown does not recognise.
_BULLETS = "•●○◦▪■·‣⁃–—―"
_SPACES = " \t\u00a0\u2007\u202f"
# Keys that prose also uses in parentheses are left out: "(about: …)" is not a slip.
_KEYS_IN_PROSE = {"about", "by", "id", "open", "p", "scope", "status", "title", "type"}
_KEYS = "|".join(sorted({*CalloutFields.model_fields, *EDGE_FIELDS} - _KEYS_IN_PROSE))

# Words with other uses in prose: "Answers: [[x]]" is not a slip.
_WORDS_IN_PROSE = {"answers", "causes", "counters", "limits", "needs", "requires"}
_OTHER_WORDS = sorted({*RELATION_SYNONYMS, *INVERSE_RELATIONS}, key=len, reverse=True)
_CLEAR_WORDS = "|".join(
    [RELATION_WORDS, *(w.replace("-", "[ _-]") for w in _OTHER_WORDS if w not in _WORDS_IN_PROSE)]
)
_ALL_WORDS = "|".join([RELATION_WORDS, *(w.replace("-", "[ _-]") for w in _OTHER_WORDS)])
_EMPHASIS = "[*_]{0,3}"
# `- supports: [[x]]`, `- **supports** → [[x]]`, `- opposes: [[x]]`, `- supports [[x]] — so`,
# `- supports [[x]]`, `- supports [[x]] (weak)`
_RELATION_ITEM = re.compile(
    rf"""\s* (?: [-*+] | \d+[.)] ) \s+
    [*_`]* ({_CLEAR_WORDS}) [*_`]* \s*
    (?:
        (?: [:：]{{1,4}} | = | -> | → ) [*_`]* \s* (?=\[)
        | (?= \[\[ [^\[\]\n]+ \]\] (?: \s+ (?:—|–|--) \s | \s*\( | \s*\Z ) )
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# `supports:: [[x]]` in a paragraph, or after a bullet that Markdown does not recognise
_RELATION_LINE = re.compile(
    rf"""^ [ \t]*+
    ( (?: -{{2,3}} | [-*+](?![ \t]) | [{_BULLETS}] )? ) [{_SPACES}]*+
    ({RELATION_WORDS}) :: [{_SPACES}]* \[""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# `(supports:: [[x]])`, `**supports**:: [[x]]` anywhere; with one colon at the start of a line
_RELATION_WITHIN = re.compile(
    rf"""[\[(]? {_EMPHASIS}
    (?<![A-Za-z-]) (?<!\\[-*+][ ])  # neither within a word nor in an item with an escaped bullet
    ({_ALL_WORDS}) {_EMPHASIS} :: {_EMPHASIS} [{_SPACES}]* (?=\[)""",
    re.IGNORECASE | re.VERBOSE,
)
_RELATION_LABEL = re.compile(
    rf"""^ [ \t]* {_EMPHASIS}
    (?!next) ({_CLEAR_WORDS}) {_EMPHASIS} : {_EMPHASIS} [{_SPACES}]* (?=\[\[)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# fields without parentheses, in full-width ones, with one colon, in brackets, and unclosed
_BARE_FIELD = re.compile(rf"^[ \t]*({_KEYS})(::?)[ \t]+(\S[^\n]*)", re.IGNORECASE | re.MULTILINE)
_FULL_WIDTH_FIELD = re.compile(
    rf"[（(]({_KEYS})(?:::|：：?)[ \t]*([^()（）\n]*)[)）]", re.IGNORECASE
)
_SECOND_RELATION = re.compile(r"([A-Za-z][\w-]*)::")
_FIELD_WITH_ONE_COLON = re.compile(rf"\(({_KEYS}):(?!:)[ \t]*([^()\n]*)\)?", re.IGNORECASE)
_FIELD_IN_BRACKETS = re.compile(rf"\[({_KEYS})::[ \t]*([^\[\]\n]*)\]", re.IGNORECASE)
_OPEN_FIELD = re.compile(rf"\(({_KEYS})::", re.IGNORECASE)
# not `[[1]`, which is more likely a number in two brackets
_OPEN_LINK = re.compile(r"\[\[(?!\d+\])([^\[\]\n]{2,80})(?:\](?![\](\[])|$)", re.MULTILINE)
_OPEN_CITATION = re.compile(r"\[-?@(\w[\w:.-]*)[^\[\]]*(?=\[|\Z)")
_LONE_ID = re.compile(r"(?:\A|\n)[ \t]*(\^[A-Za-z0-9][A-Za-z0-9-]*)\s*\Z")
# `&gt;` is `>` escaped for HTML
_BARE_CALLOUT = re.compile(
    r"\s*(?:&gt;[ \t]*)?\[!(evidence|counter-evidence|claim|counter-claim)\](?!\()", re.IGNORECASE
)
_MAX_QUOTED_CHARACTERS = 40  # characters of a note's text in a help
_WRONG_DASHES = "-—–―−: "  # of the wrong kind, or without spaces: they were meant to begin a reason


def may_hold_near_miss(raw: str, *, in_callout: bool = False) -> bool:
    """Return whether a paragraph may hold a near miss; most do not.

    Plain searches, as every paragraph is tested and the patterns cost far more.
    """
    return (
        "::" in raw
        or ": [[" in raw
        or (in_callout and (": " in raw or "^" in raw or "：" in raw))
        or raw.startswith(("[!", "^", "&gt;"))
        or ("(" in raw and ": " in raw)
        or raw.count("[") > raw.count("]")
    )


def find_near_misses(
    raw: str, *, is_item: bool, in_callout: bool, is_quoted: bool
) -> Iterator[NearMiss]:
    """Likely slips in text that is not an edge; if `is_quoted`, it is in a quote or a callout."""
    lost_edge = (_unclosed_relation(raw) or _item_without_edge(raw)) if is_item else None
    if lost_edge is not None:
        yield lost_edge
    elif callout := _bare_callout(raw):
        yield callout
        return  # other problems would follow from this one
    else:
        yield from _relations_in_prose(raw, "write" if is_item else "put it in a list:")
    yield from _near_misses_by_line(raw)
    if in_callout or raw.startswith("^"):
        yield from _lone_id(raw)
    if in_callout:
        yield from find_near_fields(raw)
        yield from _bare_fields(raw)
    elif "::" in raw:
        yield from _misplaced_fields(raw, is_quoted)


def _unclosed_relation(raw: str) -> NearMiss | None:
    """An item that is an edge but for a missing bracket."""
    if "[[" not in raw or raw.count("[") <= raw.count("]") or not RELATION.match(raw):
        return None
    message = "the bracket around this relation is never closed"
    help = "write `- [relation:: [[target]]] — reason`"
    return NearMiss("unclosed-bracket", message, help, raw.index("["))


def _item_without_edge(raw: str) -> NearMiss | None:
    """An item that begins with the word of a relation and a link, in another form than an edge."""
    match = _RELATION_ITEM.match(raw)
    if match is None:
        return None
    word = _nearest_relation(match[1])
    message = f"this item names `{word}` but makes no edge"
    offset = match.start(1)
    old = ""
    new = ""
    if word not in INVERSE_RELATIONS:
        old = raw[offset : match.end()].strip()
        new = f"{RELATION_SYNONYMS.get(word, word)}::"
    return NearMiss("almost-a-relation", message, _help_with(match[1], "write"), offset, old, new)


def _bare_callout(raw: str) -> NearMiss | None:
    """The first line of a callout without the `>` that makes it one."""
    match = _BARE_CALLOUT.match(raw)
    if match is None:
        return None
    word = match[1].lower()
    message = f"`[!{word}]` outside a quote makes no statement"
    help = f"begin its lines with `> `: `> [!{word}] …`"
    return NearMiss("unknown-callout", message, help, 0, about=word)


def _lone_id(raw: str) -> Iterator[NearMiss]:
    """A `^name` on a line of its own."""
    if "^" in raw and (match := _LONE_ID.search(raw)):
        help = f"a callout is named at the end of its first line: `> [!evidence] … {match[1]}`"
        yield NearMiss("unread-words", f"`{match[1]}` names nothing here", help, match.start(1))


def _bare_fields(raw: str) -> Iterator[NearMiss]:
    """Fields of a callout without parentheses, each on a line of its own."""
    for match in _BARE_FIELD.finditer(raw):
        key = match[1].lower()
        value = match[3].strip()
        if match[2] == ":" and parse_fields(CalloutFields, {key: value}).bad_values:
            continue  # not a valid value, so more likely prose
        yield _field_near_miss(key, value, match.start(1), match[0].strip())


def _field_near_miss(key: str, value: str, offset: int, old: str) -> NearMiss:
    """The slip of a field that is read once it is written `(key:: value)`."""
    message = f"`{key}` is not read here"
    new = f"({key}:: {value})"
    return NearMiss("almost-a-field", message, f"write `{new}`", offset, old, new)


def find_near_misses_in_title(title: str) -> Iterator[NearMiss]:
    """Slips in the first line of a callout."""
    yield from find_near_fields(title)
    yield from find_bad_id(title)
    yield from find_early_id(title)


def second_title(text: str, start: int) -> NearMiss:
    """The slip of another title, at `start`, in a note that has one."""
    message = "only a note's first title is read"
    help = "make it a heading (`## …`), or move what follows into a note of its own"
    old = "#" if text[start] == "#" else ""
    return NearMiss("second-title", message, help, start, old, "##")


def find_near_misses_in_edge(raw: str, leftover: str) -> Iterator[NearMiss]:
    """Likely slips in an item that is an edge; `leftover` is its text besides the targets."""
    yield from find_near_fields(raw)
    yield from find_bad_id(raw)
    yield from _near_misses_by_line(raw)
    # citations beside a target are read, so they are not leftover words
    words = inline_syntax.CITATION_GROUP.sub(" ", BAD_ID.sub(" ", leftover))
    if (second := _SECOND_RELATION.search(words)) and not _RELATION_LINE.search(raw):
        message = f"`{second[1]}::` is not read: only one relation per line"
        offset = max(raw.find(second[0]), 0)
        yield NearMiss("unread-words", message, "give each relation a line of its own", offset)
    if re.search(r"\w", words) and not any(find_near_fields(leftover)) and "::" not in words:
        yield _unread_reason(raw, words.strip())


def _unread_reason(raw: str, words: str) -> NearMiss:
    """Words beside the targets of an edge that no dash marks as its reason."""
    reason = words.lstrip(_WRONG_DASHES)
    if reason[:1] + reason[-1:] == "()":
        reason = reason[1:-1]
    if len(reason) > _MAX_QUOTED_CHARACTERS:
        reason = f"{reason[:_MAX_QUOTED_CHARACTERS]}…"
    message = f"`{reason}` is not read as a reason"
    help = f"a reason follows a dash between spaces: ` — {reason}`"
    offset = raw.find(words)
    # a reason ends its item, so words before another target cannot be made one
    is_last = offset >= 0 and "[[" not in raw[offset:] and "](" not in raw[offset:]
    new = f"— {words.lstrip(_WRONG_DASHES)}" if is_last else ""
    return NearMiss("unread-words", message, help, max(offset, 0), words if is_last else "", new)


def find_near_fields(raw: str) -> Iterator[NearMiss]:
    """Near misses of fields in a callout or an edge."""
    patterns = []
    if raw.count(":") > 2 * raw.count("::"):  # at least one single colon
        patterns.append(_FIELD_WITH_ONE_COLON)
    if "::" in raw and "[" in raw:
        patterns.append(_FIELD_IN_BRACKETS)
    if "（" in raw or "：" in raw:
        patterns.append(_FULL_WIDTH_FIELD)
    for pattern in patterns:
        for match in pattern.finditer(raw):
            yield _field_near_miss(match[1].lower(), match[2].strip(), match.start(), match[0])
    if raw.count("(") > raw.count(")"):
        closed_offsets = {match.start() for match in inline_syntax.find_fields(raw)}
        for match in _OPEN_FIELD.finditer(raw):
            if match.start() not in closed_offsets:
                message = f"the field `{match[1].lower()}` is never closed"
                yield NearMiss("almost-a-field", message, "close it with `)`", match.start())


def find_swallowed_key(locator: str) -> NearMiss | None:
    """A second key after a comma, where only a locator is read."""
    match = re.search(r"(?<![\w.])@(\w[\w:.-]*)", locator)
    if match is None:
        return None
    help = f"put a semicolon between two keys: `[@…; {match[0]}]`"
    message = f"`{match[0]}` is not read as a citation"
    old = f", {match[0]}"
    new = f"; {match[0]}"
    return NearMiss("almost-a-citation", message, help, 0, old, new)


def _nearest_relation(word: str) -> str:
    return re.sub(r"[ _]", "-", word.lower())


def _help_with(word: str, instruction: str) -> str:
    """Help on writing the edge that a word was meant to state."""
    word = _nearest_relation(word)
    if inverse := INVERSE_RELATIONS.get(word):
        return f"reverse it, in the target's note: `- {inverse}:: [[this note]] — reason`"
    return f"{instruction} `- {RELATION_SYNONYMS.get(word, word)}:: [[target]] — reason`"


def _relations_in_prose(raw: str, instruction: str) -> Iterator[NearMiss]:
    """Relations with links outside list items, but those that `_near_misses_by_line` reports."""
    reported_offsets = {m.start(2) for m in _RELATION_LINE.finditer(raw)} if "::" in raw else set()
    for pattern, sign in ((_RELATION_WITHIN, "::"), (_RELATION_LABEL, ":")):
        for match in pattern.finditer(raw) if sign in raw else ():
            if match.start(1) in reported_offsets:
                continue
            reported_offsets.add(match.start(1))
            message = f"`{_nearest_relation(match[1])}{sign}` makes no edge here"
            offset = match.end() - len(match[0].lstrip())
            yield NearMiss("almost-a-relation", message, _help_with(match[1], instruction), offset)


def _near_misses_by_line(raw: str) -> Iterator[NearMiss]:
    """Relations outside lists, and unclosed brackets."""
    if "::" in raw and ("[[" in raw or "](" in raw):
        yield from _relations_outside_lists(raw)
    if raw.count("[") > raw.count("]"):
        if match := _OPEN_LINK.search(raw):
            yield _unclosed_link(match)
        if match := _OPEN_CITATION.search(raw):
            yield _unclosed_citation(match)


def _relations_outside_lists(raw: str) -> Iterator[NearMiss]:
    """Lines of running text that state a relation as an item would."""
    last_relations = _start_of_last_relations(raw)
    for match in _RELATION_LINE.finditer(raw):
        word = _nearest_relation(match[2])
        message = f"`{word}::` in running text makes no edge"
        help = f"{_advice_on_bullet(match)}: `- {word}:: [[target]] — reason`"
        # fix only if no other text follows, which would become part of the item
        old = raw[match.start(1) : match.end(2)] if match.start() >= last_relations else ""
        yield NearMiss("almost-a-relation", message, help, match.start(1), old, f"- {word}")


def _advice_on_bullet(line_match: re.Match[str]) -> str:
    """Advise what to do with the bullet, or the lack of one, before a relation in running text."""
    bullet = line_match[1]
    if not bullet:
        return "put it in a list"
    if bullet in ("-", "*", "+"):
        space = "a space" if line_match.end(1) == line_match.start(2) else "a plain space"
        return f"put {space} after `{bullet}`"
    return f"begin the line with `-`, not `{bullet}`"


def _unclosed_link(match: re.Match[str]) -> NearMiss:
    # if the first word looks like an id, the link most likely ends after it
    name, space, _ = match[1].partition(" ")
    ends_after_id = space and "-" in name
    new = f"[[{name if ends_after_id else inline_syntax.one_line(match[1])}]]"
    old = f"[[{name}" if ends_after_id else match[0]
    message = "this link is never closed"
    help = f"write `{new}`"
    return NearMiss("unclosed-bracket", message, help, match.start(), old, new)


def _unclosed_citation(match: re.Match[str]) -> NearMiss:
    new = f"[@{match[1]}]"
    has_locator = match[0].partition(match[1])[2].startswith(",")  # its end is not known
    old = "" if has_locator else new[:-1]
    message = "this citation is never closed"
    help = f"write `{new}`"
    return NearMiss("unclosed-bracket", message, help, match.start(), old, new)


def _start_of_last_relations(raw: str) -> int:
    """The start of the last lines that all state a relation."""
    start = len(raw) + 1
    for text_line in reversed(raw.split("\n")):
        if not _RELATION_LINE.match(text_line):
            break
        start -= len(text_line) + 1
    return start


def _misplaced_fields(raw: str, is_quoted: bool) -> Iterator[NearMiss]:
    """Fields in a note's own text, where only front matter is read."""
    fields = [(m["key"], m["value"], m.start()) for m in inline_syntax.find_fields(raw)]
    fields += [(match[1], match[2], match.start()) for match in _FIELD_IN_BRACKETS.finditer(raw)]
    fields += [(m[1], m[3], m.start(1)) for m in _BARE_FIELD.finditer(raw) if m[2] == "::"]
    for name, value, offset in fields:
        if re.fullmatch(_KEYS, name.lower()):
            key = name.lower()
            help = f"write `{key}: {value.strip()}` in the front matter"
            if is_quoted:
                help = "its quote must begin with `[!evidence]` or the like, and hold no empty line"
            elif key not in StatementFields.model_fields:
                help = "begin the line with `> `, to put it into the callout above"
            yield NearMiss("almost-a-field", f"`{key}` is not read in running text", help, offset)
