"""Format notes: relations, spaces at line ends, and the last line. Nothing else is changed.

What is not understood is kept byte for byte, as is anything whose meaning would change.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from kg.editing.change import Change, ChangeBuilder
from kg.editing.folder_files import FolderFiles, TextEdit, cut_text
from kg.model import Diagnostic, Span
from kg.notes.body import WITH, ListItem, Quotes, find_item
from kg.notes.frontmatter import split_front_matter
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.markdown import (
    BLOCK_ID,
    REASON,
    Block,
    find_fields,
    find_layout,
    replace_with_spaces,
    scan_blocks,
)
from kg.notes.note_files import NoteFile
from kg.notes.note_listing import NOTE_SUFFIX, README
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import PendingMention
from kg.text.plurals import pluralize

_HEAD = re.compile(r"(?P<mark>[-*+])[ \t]+(?P<bracket>\[?)(?P<word>[A-Za-z][\w-]*)::[ \t]*")
# a match must begin at the first space, or a run of spaces would be scanned from each of them
_SPACES = re.compile(r"(?:(?<![\\ \t])|(?<=\\[ \t]))[ \t]+$", re.MULTILINE)
_BEFORE_LINE_END = re.compile(r"(?<![ \t])[ \t]+\n")
MAX_FIELDS = 50  # of an item to format; a real edge has at most six
MAX_TRIED = 200  # relations of a note to try one by one, if not all can be rewritten


class NoteStyle(NamedTuple):
    """The style of written relations: in brackets, which Obsidian's plugins read as links, and with
    the list's own marks, if changing these would split the list.
    """

    bracketed: bool = False
    keep_marks: bool = False


def format_notes(
    files: FolderFiles, paths: Iterable[str] | None = None, *, bracketed: bool = False
) -> Change:
    """The change that formats all notes, or those at `paths`.

    In a mapped vault, files that are not read as notes are left unchanged.
    """
    builder = ChangeBuilder(files)
    chosen_paths = _paths_of_notes(files) if paths is None else paths
    formatted = 0
    for path in chosen_paths:
        if not path.endswith(NOTE_SUFFIX) or os.path.basename(path) == README:
            continue
        old_text = files.text(path).text
        new_text = format_text(old_text, path, bracketed=bracketed)
        formatted += old_text != new_text
        for start, end, text in _edits_by_line(old_text, new_text):
            builder.edit(path, start, end, text)
    return builder.change(f"format {pluralize(formatted, 'note')}")


def _paths_of_notes(files: FolderFiles) -> Iterator[str]:
    parse = note_parser(files.config)
    ignored = IgnoreGlobs(files.config.ignore)
    for path in files.paths():
        if files.config.map and path.endswith(NOTE_SUFFIX):
            note = NoteFile(path, files.text(path).text.encode(), b"")
            if ignored.matches(path) or parse(note).left_out:
                continue
        yield path


def format_text(text: str, path: str, *, bracketed: bool = False) -> str:
    """The formatted text of the note at `path`; unchanged where its meaning might change."""
    front = split_front_matter(text)
    if front.problem or not text.endswith(front.body):
        return text
    head = text[: len(text) - len(front.body)]
    for body in _format_relations(front.body, bracketed):
        if _has_same_meaning(text, head + body, path):
            text = head + body
            break
    body = _without_trailing_spaces(text[len(head) :])
    return head + body if _has_same_meaning(text, head + body, path) else text


def _edits_by_line(old_text: str, new_text: str) -> Iterator[tuple[int, int, str]]:
    """Edits of single lines, so that each keeps its line end; trailing lines may be removed."""
    old = old_text.split("\n")
    new = new_text.split("\n")
    offset = 0
    for old_line, new_line in zip(old, new, strict=False):
        if old_line != new_line:
            yield offset, offset + len(old_line), new_line
        offset += len(old_line) + 1
    if len(new) > len(old):
        yield len(old_text), len(old_text), "\n"
    elif len(new) < len(old):
        yield offset - 1, len(old_text), ""


# -- spaces --------------------------------------------------------------------------------


def _without_trailing_spaces(body: str) -> str:
    """A body without insignificant trailing spaces, and with one line end at its end."""
    if not body.strip():
        return body
    _, literal_spans = find_layout(body)
    ends = {body.find("\n", start) for start, end in literal_spans if "\n" not in body[start:end]}
    pieces = []
    last = 0
    code = sorted(literal_spans)
    next_code = 0
    code_end = 0  # of the code that has begun so far
    for match in _SPACES.finditer(body):
        start, end = match.span()
        while next_code < len(code) and code[next_code][0] <= start:
            code_end = max(code_end, code[next_code][1])
            next_code += 1
        if end in ends or start < code_end:
            continue
        pieces.append(body[last:start])
        last = end
    return "".join([*pieces, body[last:]]).rstrip("\n") + "\n"


# -- relations -----------------------------------------------------------------------------


def _format_relations(body: str, bracketed: bool) -> Iterator[str]:
    """Versions of a body with formatted relations, the most thorough first."""
    for style in (NoteStyle(bracketed), NoteStyle(bracketed, keep_marks=True)):
        edits = list(_edits_of_items(body, style))
        if not edits:
            return
        yield cut_text(body, 0, len(body), edits)
    layout, _ = find_layout(body)
    sure = [
        edit
        for edit in edits[:MAX_TRIED]
        if find_layout(cut_text(body, 0, len(body), [edit]))[0] == layout
    ]
    yield cut_text(body, 0, len(body), sure)


def _edits_of_items(body: str, style: NoteStyle) -> Iterator[TextEdit]:
    """The edits of a body, in offsets into it, after which its relations are formatted."""
    scan = scan_blocks(body)
    quotes = Quotes(body, scan.quotes)
    for block in scan.blocks:
        if block.kind != "item":
            continue
        raw = quotes.text_of(block)
        if raw.count("::") > MAX_FIELDS:
            continue
        rewrite = _rewrite_item(_item_text(block, raw), style)
        if rewrite is not None:
            length, new_text = rewrite
            if raw[:length] != new_text:
                yield TextEdit(block.start, block.start + length, new_text)


class _ItemText(NamedTuple):
    """A list item apart from its body: all offsets here and below count from its start."""

    raw: str
    visible: str
    """`raw` with spaces for code, HTML and formulas."""
    links: list[tuple[int, int]]

    def blank_fields(self, fields: Iterable[re.Match[str]]) -> str:
        """`visible` with spaces for `fields`, too."""
        return replace_with_spaces(self.visible, [each.span() for each in fields])

    def link_texts(self, numbers: Iterable[int]) -> list[str]:
        """Some links, by their numbers, as they are written."""
        return [self.raw[slice(*self.links[number])] for number in numbers]


def _item_text(block: Block, raw: str) -> _ItemText:
    """The item in a block, whose own offsets count from the start of the body."""
    hidden_spans = [(start - block.start, end - block.start) for start, end in block.opaque]
    links = [(link.start - block.start, link.end - block.start) for link in block.links]
    if block.edge is not None:
        start = raw.index("[[")
        links = [(start, start + len(block.edge[1]) + 4)]
    return _ItemText(raw, replace_with_spaces(raw, hidden_spans), links)


def _rewrite_item(text: _ItemText, style: NoteStyle) -> tuple[int, str] | None:
    """The length to replace at the start of an item, and its replacement; None to leave it."""
    item = find_item(text.visible, text.raw, text.links)
    head = _HEAD.match(text.visible)
    if item is None or head is None or item.leftover or not item.targets:
        return None
    fields = find_fields(text.visible)
    has_with_field = any(field["key"].casefold() == WITH for field in fields)
    together = () if has_with_field else item.together
    beginning = _beginning_of_item(text, item, together, head, style)
    dash = _match_dash(text, fields, (*item.targets, *together))
    if "\n" not in text.raw:
        end = _end_of_item(text, item, fields, dash)
        return len(text.raw), beginning + _render_fields(fields) + end
    if dash is None or "\n" in text.raw[: dash.end()]:
        return None
    fields_before = [field for field in fields if field.start() < dash.start()]
    return dash.end(), f"{beginning}{_render_fields(fields_before)} — "


def _match_dash(
    text: _ItemText, fields: list[re.Match[str]], links_before: Iterable[int]
) -> re.Match[str] | None:
    """The dash before the reason: the first after certain links, but in no link or field."""
    last_end = max(text.links[number][1] for number in links_before)
    bare = replace_with_spaces(text.blank_fields(fields), text.links)
    return REASON.search(bare, last_end)


def _render_fields(fields: Iterable[re.Match[str]]) -> str:
    return "".join(f" ({field['key']}:: {field['value'].strip()})" for field in fields)


def _beginning_of_item(
    text: _ItemText,
    item: ListItem,
    together: Iterable[int],
    head: re.Match[str],
    style: NoteStyle,
) -> str:
    """An item up to its fields or reason: `- supports:: [[a]] with [[b]]`."""
    target_links = text.link_texts(item.targets)
    wiki = all(each.startswith("[[") for each in target_links)
    relation = f"{item.word}:: {', '.join(target_links)}"
    if head["bracket"] or (style.bracketed and wiki):
        relation = f"[{relation}]"
    mark = head["mark"] if style.keep_marks else "-"
    premise_links = text.link_texts(together)
    return f"{mark} {relation}" + (f" with {' and '.join(premise_links)}" if premise_links else "")


def _end_of_item(
    text: _ItemText,
    item: ListItem,
    fields: list[re.Match[str]],
    dash: re.Match[str] | None,
) -> str:
    """The rest of an item, ` — reason ^id`, without its fields."""
    endings = []
    if dash is not None:
        block_id = BLOCK_ID.search(text.blank_fields(fields))
        stop = block_id.start() if block_id else len(text.raw)
        offset = dash.end()
        pieces = []
        for field in fields:
            if dash.end() <= field.start() < stop:
                pieces.append(text.raw[offset : field.start()].strip())
                offset = field.end()
        pieces.append(text.raw[offset : max(stop, offset)].strip())
        reason = " ".join(piece for piece in pieces if piece)
        endings += [f"— {reason}"] if reason else []
    endings += [f"^{item.block}"] if item.block else []
    return "".join(f" {part}" for part in endings)


# -- unchanged meaning ----------------------------------------------------------------------


def _has_same_meaning(old_text: str, new_text: str, path: str) -> bool:
    """Return whether two texts have the same structure and the same meaning on the same lines."""
    if old_text == new_text:
        return True
    bodies = [split_front_matter(text).body for text in (old_text, new_text)]
    if find_layout(bodies[0])[0] != find_layout(bodies[1])[0]:
        return False
    parsed_notes = [
        parse_note(NoteFile(path, text.encode("utf-8"), b"")) for text in (old_text, new_text)
    ]
    return bool(_normalize(parsed_notes[0]) == _normalize(parsed_notes[1]))


def _normalize(value: object) -> Any:
    """A value without columns, spaces at line ends and the contexts of links."""
    if isinstance(value, Span):
        return value.path, value.line
    if isinstance(value, Diagnostic):
        return value.rule, value.span.line
    if isinstance(value, PendingMention):
        return value.origin, value.target, value.span.line, value.text
    if isinstance(value, msgspec.Struct):
        return type(value), *(_normalize(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        parts = [_normalize(each) for each in value]
        return sorted(parts) if value and isinstance(value[0], Diagnostic) else parts
    if isinstance(value, str):
        return _BEFORE_LINE_END.sub("\n", value).rstrip()
    return value
