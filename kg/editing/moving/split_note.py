"""Move a section of a note to a note of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import yaml_word
from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit, cut_text
from kg.editing.moving.move_part import PartMove, definitions_for, rewrite_links_to_part
from kg.editing.named_things import get_note
from kg.editing.new_names import unused_id
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.model import Statement
from kg.model.ids import part_name_of
from kg.notes.body import Headings, read_headings
from kg.notes.frontmatter import split_front_matter
from kg.notes.markdown import CITATION_GROUP, NO_QUOTE, find_blocks, one_line
from kg.text.spelling import similar_names

_MAX_BARE_WORDS = 2  # of a heading that only names its section
_MAX_TITLE_CHARACTERS = 120  # a longer sentence is not used as a title
_QUESTION = re.compile(r"(?:what|how|why|when|where|who|which|whether)\b|.*\?\Z", re.IGNORECASE)
# of no other mark than a full stop: a question is no title
_FULL_STOP = re.compile(r"\.(?=\s|\Z)")
_MARKUP = re.compile(r"[\[\]<>`*_|#]|::")
_SENTENCE = re.compile(r"(.*?\w[)”\"’]?)\s*\.(?=\s|\Z)")


class _Section(NamedTuple):
    """A section: where it begins, where its text begins, where it ends, and its heading's words."""

    start: int
    text_start: int
    end: int
    heading: Reference

    @property
    def words(self) -> str:
        """The words of its heading, without marks."""
        return one_line(self.heading.name)


class _Title(NamedTuple):
    """The title of the new note, and where the text begins that follows it there."""

    words: str
    text_start: int

    @property
    def plain(self) -> str:
        """The title without its citations."""
        return one_line(CITATION_GROUP.sub("", self.words)).strip()


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
    statement = corpus.statements[old]
    text = files.text(path).text
    references = find_references(text, path)
    section = _find_section(text, path, references, heading)
    title = _title_of(text, section)
    new = unused_id(files, corpus, title.plain, new)
    names = _names_within(corpus, old, text, references, section)
    move = _move_of(statement, text, section, new, names)
    builder = ChangeBuilder(files)
    edits = rewrite_links_to_part(files, corpus, builder, move)
    builder.create(move.new_path, _text_of_new_note(statement, text, section, title, edits))
    builder.edit(path, section.start, section.end, f"[[{new}]]")
    builder.remarks.append(f"made {statement.kind.value} {new}: “{title.plain}”")
    if title.text_start != section.text_start:
        builder.remarks.append(f"the heading “{section.words}” is left out")
    if not _may_be_assertion(title.plain):
        builder.remarks.append("its title is the heading: change it to what the note asserts")
    return builder.change(f"split {old} at {section.words!r} into {new}")


def _title_of(text: str, section: _Section) -> _Title:
    if not _may_be_assertion(section.words):
        first_sentence, sentence_end = _first_assertion(text, section)
        if first_sentence:
            return _Title(first_sentence, sentence_end)
    return _Title(section.words, section.text_start)


def _move_of(
    statement: Statement, text: str, section: _Section, new: str, names: frozenset[str]
) -> PartMove:
    """The move of a section to a note beside the one that it is taken from."""
    folder, slash, _ = statement.path.rpartition("/")
    return PartMove(
        statement.id,
        statement.path,
        section.start,
        section.end,
        new,
        f"{folder}{slash}{new}.md",
        names,
        headings=_headings_within(text, section.start, section.end),
    )


def _text_of_new_note(
    statement: Statement, text: str, section: _Section, title: _Title, edits: list[TextEdit]
) -> str:
    words = title.words
    if title.text_start == section.text_start:  # the title is the heading, which may have links
        start, end = section.heading.start, section.heading.end
        words = one_line(cut_text(text, start, end, [e for e in edits if start <= e.start < end]))
    edits_below_title = [edit for edit in edits if edit.start >= title.text_start]
    moved_text = cut_text(text, title.text_start, section.end, edits_below_title).strip()
    definitions = definitions_for(moved_text, text, section.start, section.end)
    below = f"\n\n{definitions}" if definitions else ""
    return f"{_front_matter(statement)}\n\n# {words}\n\n{moved_text}{below}\n"


def _front_matter(statement: Statement) -> str:
    """The front matter of a note that takes over part of a statement's note."""
    rows = ["---", f"type: {statement.kind.value}"]
    if statement.camp:
        rows.append(f"camp: {statement.camp}")
    if statement.topics:
        rows.append(f"topics: [{', '.join(map(yaml_word, statement.topics))}]")
    return "\n".join([*rows, "---"])


def _may_be_assertion(heading: str) -> bool:
    """Return whether a heading may assert something: more than two words, and not a question."""
    return len(heading.split()) > _MAX_BARE_WORDS and not _QUESTION.match(heading)


def _first_assertion(text: str, section: _Section) -> tuple[str, int]:
    """A section's first sentence, with its citations, and its end; empty if it is not suitable as
    a title.
    """
    start = section.end - len(text[section.text_start : section.end].lstrip())
    first = text[start : section.end].partition("\n\n")[0]
    match = _SENTENCE.match(one_line(CITATION_GROUP.sub("", first)))
    sentence = match[1] if match else ""
    is_plain = len(sentence) <= _MAX_TITLE_CHARACTERS and not _MARKUP.search(sentence)
    if not is_plain or not _may_be_assertion(sentence):
        return "", 0
    for stop in _FULL_STOP.finditer(first):
        sentence_with_citations = one_line(first[: stop.start()]).rstrip()
        if one_line(CITATION_GROUP.sub("", sentence_with_citations)).rstrip() == sentence:
            return sentence_with_citations, start + stop.end()
    return "", 0


def _headings_within(text: str, start: int, end: int) -> tuple[str, ...]:
    """The headings of a section, its own first, without those that also occur elsewhere."""
    inside = text[start:end]
    outside = f"{text[:start]}\n{text[end:]}"
    outside_headings = Headings(read_headings(outside, find_blocks(outside).blocks))
    first_heading, *inner_headings = read_headings(inside, find_blocks(inside).blocks)
    return (first_heading, *(each for each in inner_headings if each not in outside_headings))


def _find_section(text: str, path: str, references: Sequence[Reference], heading: str) -> _Section:
    """The section with text under a heading; raises `NotEditable` unless there is exactly one."""
    front = split_front_matter(text)
    body_start = len(text) - len(front.body)
    blocks = find_blocks(front.body).blocks
    headings = [b for b in blocks if b.kind == "heading" and b.quote == NO_QUOTE and not b.listed]
    named_headings = [
        (block, each)
        for block in headings
        for each in references
        if each.kind in (ReferenceKind.HEADING, ReferenceKind.TITLE)
        and block.start <= each.start - body_start < block.end
    ]
    wanted_words = one_line(heading).lstrip("# ").casefold()
    matches = [each for each in named_headings if one_line(each[1].name).casefold() == wanted_words]
    if len(matches) != 1 or matches[0][0].level == 1:
        choices = [one_line(each.name) for block, each in named_headings if block.level > 1]
        close = similar_names(heading, choices) or choices
        hint = f"; the note has {' and '.join(close)}" if close else ""
        many = "several headings" if len(matches) > 1 else "no heading below the title"
        raise NotEditable(f"{path}: {many} {heading!r}{hint}")
    first, words = matches[0]
    next_starts = [b.start for b in headings if b.start > first.start and b.level <= first.level]
    start = body_start + first.start
    stop = body_start + (next_starts[0] if next_starts else len(front.body))
    end = start + len(text[start:stop].rstrip())
    section = _Section(start, body_start + first.end, end, words)
    if not text[section.text_start : end].strip():
        raise NotEditable(f"{path}: there is no text under {section.words!r} for a note")
    return section


def _names_within(
    corpus: Corpus, old: str, text: str, references: Sequence[Reference], section: _Section
) -> frozenset[str]:
    """The names of callouts, edges and paragraphs in a section, given or generated."""
    first_line = text.count("\n", 0, section.start) + 1
    last_line = text.count("\n", 0, section.end) + 1
    of_statements = {
        part_name_of(statement.id)
        for statement in corpus.statements.values()
        if statement.id.startswith(f"{old}#") and first_line <= statement.span.line <= last_line
    }
    given_names = {
        each.name
        for each in references
        if each.kind is ReferenceKind.BLOCK and section.start <= each.start < section.end
    }
    return frozenset(of_statements | given_names)
