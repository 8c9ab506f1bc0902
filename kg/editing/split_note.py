"""Move a section of a note to a note of its own."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import yaml_word
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.move_part import PartMove, cut_text, definitions_for, rewrite_links_to_part
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import linkable_names_of
from kg.editing.rename import require_linkable
from kg.editing.retire_note import get_note
from kg.model import Statement
from kg.model.ids import part_name_of
from kg.notes.frontmatter.split_front_matter import split_front_matter
from kg.notes.markdown.blocks import NO_QUOTE
from kg.notes.markdown.body_parts import Headings, read_headings
from kg.notes.markdown.inline_syntax import CITATION, one_line
from kg.notes.markdown.simple_blocks import find_blocks
from kg.notes.new_note import free_id
from kg.text.spelling import similar_names

_MAX_BARE_WORDS = 2  # of a heading that only names its section
_MAX_TITLE_CHARACTERS = 120  # a longer sentence is not used as a title
_QUESTION = re.compile(r"(?:what|how|why|when|where|who|which|whether)\b|.*\?\Z", re.IGNORECASE)
_FULL_STOP = re.compile(r"\.(?=\s|\Z)")
_MARKUP = re.compile(r"[\[\]<>`*_|#]|::")
_SENTENCE = re.compile(r"(.*?\w[)”\"’]?)\s*\.(?=\s|\Z)")


class _Section(NamedTuple):
    """A section: where it begins, where its text begins, where it ends, and its heading."""

    start: int
    text_start: int
    end: int
    heading: str


def split_note(
    files: FolderFiles, corpus: Corpus, name: str, heading: str, new: str = ""
) -> Change:
    """Move the section under a heading, with all its content, to a note of its own.

    Its title is the heading, or the section's first sentence if the heading asserts nothing.

    The new note has the same kind, camp and topics; a link to it replaces the section. Raises
    `NotEditable`, and `UnknownId`.
    """
    old, path = get_note(corpus, name)
    if old not in corpus.statements:
        raise NotEditable(f"{old!r} cannot be split: it is neither a claim nor evidence")
    text = files.text(path).text
    section = _find_section(text, path, heading)
    start, end = section.start, section.end
    if not text[section.text_start : end].strip():
        raise NotEditable(f"{path}: there is no text under {section.heading!r} for a note")
    title, text_start = section.heading, section.text_start
    if not _may_be_assertion(section.heading):
        first_sentence, sentence_end = _first_sentence(text, section)
        if first_sentence:
            title, text_start = first_sentence, sentence_end
    plain = one_line(CITATION.sub("", title)).strip()
    new = new or free_id(files.folder, plain)
    require_linkable(new)
    if linkable_names_of(corpus).find(new):
        raise NotEditable(f"{new!r} is taken")
    folder, slash, _ = path.rpartition("/")
    moved_names = frozenset(
        part_name_of(statement.id)
        for statement in corpus.statements.values()
        if statement.id.startswith(f"{old}#") and _is_within(text, start, end, statement.span.line)
    )
    block_names = {each.name for each in _names_within(text, path, start, end)}
    place = f"{folder}{slash}{new}.md"
    headings = _headings_within(text, start, end)
    move = PartMove(old, path, start, end, new, place, moved_names | block_names, headings=headings)
    builder = ChangeBuilder(files)
    edits = [
        edit
        for edit in rewrite_links_to_part(files, corpus, builder, move)
        if edit.start >= text_start
    ]
    moved_text = cut_text(text, text_start, end, edits).strip()
    definitions = definitions_for(moved_text, text, start, end)
    statement = corpus.statements[old]
    head, below = _front_matter(statement), f"\n\n{definitions}" if definitions else ""
    builder.create(move.new_path, f"{head}\n\n# {title}\n\n{moved_text}{below}\n")
    builder.edit(path, start, end, f"[[{new}]]")
    builder.remarks.append(f"made {statement.kind.value} {new}: “{plain}”")
    if title != section.heading:
        builder.remarks.append(f"the heading “{section.heading}” is left out")
    if not _may_be_assertion(plain):
        builder.remarks.append("its title is the heading: change it to what the note asserts")
    return builder.change(f"split {old} at {section.heading!r} into {new}")


def _front_matter(statement: Statement) -> str:
    """The front matter of a note that takes over part of a statement's note."""
    rows = ["---", f"type: {statement.kind.value}"]
    if statement.camp:
        rows.append(f"camp: {statement.camp}")
    if statement.topics:
        rows.append(f"topics: [{', '.join(map(yaml_word, statement.topics))}]")
    return "\n".join([*rows, "---"])


def _may_be_assertion(heading: str) -> bool:
    """Whether a heading may assert something: more than two words, and not a question."""
    return len(heading.split()) > _MAX_BARE_WORDS and not _QUESTION.match(heading)


def _first_sentence(text: str, section: _Section) -> tuple[str, int]:
    """A section's first sentence, with its citations, and its end; empty if it is not suitable as
    a title.
    """
    start = section.end - len(text[section.text_start : section.end].lstrip())
    first = text[start : section.end].partition("\n\n")[0]
    match = _SENTENCE.match(one_line(CITATION.sub("", first)))
    sentence = match[1] if match else ""
    is_plain = len(sentence) <= _MAX_TITLE_CHARACTERS and not _MARKUP.search(sentence)
    if not is_plain or not _may_be_assertion(sentence):
        return "", 0
    for stop in _FULL_STOP.finditer(first):
        sentence_with_citations = one_line(first[: stop.start()]).rstrip()
        if one_line(CITATION.sub("", sentence_with_citations)).rstrip() == sentence:
            return sentence_with_citations, start + stop.end()
    return "", 0


def _headings_within(text: str, start: int, end: int) -> tuple[str, ...]:
    """The headings of a section, its own first, without those that also occur elsewhere."""
    inside = text[start:end]
    outside = f"{text[:start]}\n{text[end:]}"
    outside_headings = Headings(read_headings(outside, find_blocks(outside).blocks))
    first_heading, *inner_headings = read_headings(inside, find_blocks(inside).blocks)
    return (first_heading, *(each for each in inner_headings if each not in outside_headings))


def _find_section(text: str, path: str, heading: str) -> _Section:
    """The section under a heading; raises `NotEditable` unless there is exactly one."""
    front = split_front_matter(text)
    body_start = len(text) - len(front.body)
    blocks = find_blocks(front.body).blocks
    headings = [b for b in blocks if b.kind == "heading" and b.quote == NO_QUOTE and not b.listed]
    words_at = {b.start: _heading_from(text, path, body_start + b.start) for b in headings}
    wanted_words = one_line(heading).lstrip("# ").casefold()
    matches = [block for block in headings if words_at[block.start].casefold() == wanted_words]
    if len(matches) != 1 or matches[0].level == 1:
        choices = [words_at[block.start] for block in headings if block.level > 1]
        close = similar_names(heading, choices) or choices
        hint = f"; the note has {' and '.join(close)}" if close else ""
        many = "several headings" if len(matches) > 1 else "no heading below the title"
        raise NotEditable(f"{path}: {many} {heading!r}{hint}")
    first = matches[0]
    next_starts = [b.start for b in headings if b.start > first.start and b.level <= first.level]
    start = body_start + first.start
    stop = body_start + (next_starts[0] if next_starts else len(front.body))
    end = start + len(text[start:stop].rstrip())
    return _Section(start, body_start + first.end, end, words_at[first.start])


def _heading_from(text: str, path: str, offset: int) -> str:
    for each in find_references(text, path):
        if each.kind in (ReferenceKind.HEADING, ReferenceKind.TITLE) and each.start >= offset:
            return one_line(each.name)
    return ""


def _names_within(text: str, path: str, start: int, end: int) -> list[Reference]:
    return [
        each
        for each in find_references(text, path)
        if each.kind is ReferenceKind.BLOCK and start <= each.start < end
    ]


def _is_within(text: str, start: int, end: int, line_number: int) -> bool:
    return text.count("\n", 0, start) + 1 <= line_number <= text.count("\n", 0, end) + 1
