"""Turn a callout into a note of its own, and leave a link in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import yaml_word
from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit, cut_text
from kg.editing.moving.move_part import PartMove, definitions_for, rewrite_links_to_part
from kg.editing.named_things import get_block_id
from kg.editing.new_names import BLOCK_NAME, unused_id
from kg.editing.references import find_references
from kg.editing.references.note_references import BodyReferences
from kg.editing.references.reference import ReferenceKind
from kg.model import Edge, Kind, Statement, StatementId
from kg.model.ids import is_part, link_target, note_id_of, part_id, part_name_of, split_id
from kg.notes.body import BLANK_LINE_GAPS, WITH, BodyPart, gap_before_relation
from kg.notes.frontmatter import fold_key, split_front_matter
from kg.notes.markdown import (
    BLOCK_ID,
    CALLOUT,
    find_citations,
    one_line,
    quote_mark_pattern,
    replace_with_spaces,
)
from kg.notes.note_problems import EDGE_CALLOUT_FIELDS

_LONE_SPACE = re.compile(r"(?<! ) $")
_NUMBER = re.compile(r"-\d+\Z")
_LEADS_ELSEWHERE = re.compile(r"\]\((?!https?:|#)|\]\[")
# The name for the edge of a promoted callout whose own name cannot name an edge.
DEFAULT_EDGE_NAME = "bears"


@dataclass(frozen=True)
class _Callout:
    """A callout in its note.

    Offsets are in the whole text, except those of `part` and `reader`, which are in the body,
    which starts at `body_start`.
    """

    statement: Statement
    text: str
    reader: BodyReferences
    body_start: int
    part: BodyPart

    @property
    def path(self) -> str:
        return self.statement.path

    @cached_property
    def marks(self) -> re.Pattern[str]:
        """What stands before each of its lines as a quote."""
        return quote_mark_pattern(self.part.depth)

    @property
    def start(self) -> int:
        return self.reader.scan.quotes[self.part.quote].start + self.body_start

    @property
    def end(self) -> int:
        return self.reader.scan.quotes[self.part.quote].end + self.body_start

    @property
    def title_start(self) -> int:
        return self.part.start + self.body_start

    @property
    def title_end(self) -> int:
        line_end = self.text.find("\n", self.title_start, self.end)
        return self.end if line_end < 0 else line_end

    def nested_callouts(self) -> Iterable[BodyPart]:
        """The parts of the note that are callouts inside this one."""
        for part in self.reader.parts.values():
            inside = self.start < part.start + self.body_start < self.end
            if inside and part is not self.part:
                yield part

    def fields_after(self, edits: list[TextEdit]) -> dict[str, str]:
        """The values of its fields with edits applied, by canonical key."""
        values = {}
        spans = self.reader.field_spans(self.part)
        for key in self.part.fields:
            key_start, start_in_body = self.part.places[key]
            field_end = next(end for start, end in spans if start <= key_start < end)
            start_in_file = start_in_body + self.body_start
            end_in_file = field_end + self.body_start - len(")")  # of `(key:: value)`
            edits_inside = [e for e in edits if start_in_file <= e.start < end_in_file]
            value = cut_text(self.text, start_in_file, end_in_file, edits_inside)
            values[fold_key(key)] = one_line(self.marks.sub("", value))
        return values


def _find_callout(files: FolderFiles, corpus: Corpus, id: StatementId) -> _Callout:
    statement = corpus.statements[id]
    text = files.text(statement.path).text
    front = split_front_matter(text)
    reader = BodyReferences(front.body, statement.path, front.first_line, note_id_of(id))
    part = next(part for part in reader.parts.values() if part.id == id)
    return _Callout(statement, text, reader, len(text) - len(front.body), part)


def promote_callout(files: FolderFiles, corpus: Corpus, callout_name: str, new: str) -> Change:
    """Turn a callout into a note of its own; its old id stays valid as an alias.

    Raises `NotEditable`, and `UnknownId`.
    """
    id = get_block_id(corpus, callout_name)
    if id not in corpus.statements:
        raise NotEditable(f"{id!r} is an edge: only a callout can become a note")
    callout = _find_callout(files, corpus, id)
    statement = callout.statement
    new = unused_id(files, corpus, statement.title, new)
    edge = next((e for e in corpus.edges if e.nested and e.origin == id), None)
    old, _, name = split_id(id)
    edge_name = name if BLOCK_NAME.fullmatch(name) else DEFAULT_EDGE_NAME
    ids = {id: new} | ({edge.id: part_id(new, edge_name)} if edge else {})
    builder = ChangeBuilder(files)
    cuts = _field_cuts(callout)
    moved_names = _write_out_generated_names(builder, callout)
    to = f"{_folder_of(corpus, callout)}{new}.md"
    move = PartMove(old, callout.path, callout.start, callout.end, new, to, moved_names, ids)
    edits = rewrite_links_to_part(files, corpus, builder, move)
    fields = callout.fields_after(edits)
    inner_edits = [
        edit for edit in edits if not any(cut.start <= edit.start < cut.end for cut in cuts)
    ]
    inner_edits += builder.remove_edits(callout.path, callout.start, callout.end)
    title = _title_of_callout(callout, [*inner_edits, *cuts])
    body = _body_of_callout(callout, [*inner_edits, *cuts])
    if edge is not None:
        relation = _relation_from_edge(edge, dict(fields), edge_name)
        body = f"{body}{gap_before_relation(body)}{relation}"
    if definitions := definitions_for(f"{title}\n{body}", callout.text, callout.start, callout.end):
        body = f"{body}\n\n{definitions}"
    head = _front_matter_lines(corpus, statement, fields)
    if find_citations(title):  # not citations in a callout's title, so not here
        heading = ""
        head = f"{head}title: {yaml_word(title)}\n"
    else:
        heading = f"# {title}\n\n"
    builder.create(to, f"---\n{head}---\n\n{heading}{body.strip()}\n")
    _replace_with_link(builder, callout, new)
    builder.new_ids[id] = new
    return builder.change(f"promote {id} to {new}")


def _field_cuts(callout: _Callout) -> list[TextEdit]:
    """Cuts of the callout's fields and name, which are written elsewhere in the new note."""
    body = callout.body_start
    spans = callout.reader.field_spans(callout.part)
    cuts = [TextEdit(body + start, body + end, "") for start, end in spans]
    title_start = callout.title_start
    title = callout.text[title_start : callout.title_end]
    # blanked out, not removed, so that the name's offset does not change
    in_title = [
        (cut.start - title_start, cut.end - title_start)
        for cut in cuts
        if cut.end <= callout.title_end
    ]
    if name := BLOCK_ID.search(replace_with_spaces(title, in_title)):
        cuts.append(TextEdit(title_start + name.start(), title_start + name.end(), ""))
    return cuts


def _write_out_generated_names(builder: ChangeBuilder, callout: _Callout) -> frozenset[str]:
    """The names that move along. If callouts have numbered names from equal titles, write these
    names out, as one of the callouts moves away and their numbers would change.
    """
    block_references = [
        e for e in find_references(callout.text, callout.path) if e.kind is ReferenceKind.BLOCK
    ]
    written_names = {each.name for each in block_references}
    moved_names = {
        each.name for each in block_references if callout.title_end < each.start < callout.end
    }
    inner = {part_name_of(part.id) for part in callout.nested_callouts()}
    own_name = part_name_of(callout.statement.id)
    alike = {_NUMBER.sub("", name) for name in (own_name, *inner) if name not in written_names}
    for part in callout.reader.parts.values():
        name = part_name_of(part.id)
        numbered = part is not callout.part and _NUMBER.sub("", name) in alike
        if part.callout and numbered and name not in written_names and BLOCK_NAME.fullmatch(name):
            text_line, _, _ = callout.text[part.start + callout.body_start :].partition("\n")
            title_end = part.start + callout.body_start + len(text_line.rstrip())
            builder.edit(callout.path, title_end, title_end, f" ^{name}")
    return frozenset(moved_names | inner)


def _body_of_callout(callout: _Callout, edits: list[TextEdit]) -> str:
    """The callout's text without quote marks."""
    inner = [e for e in edits if e.start > callout.title_end]
    quoted_text = cut_text(callout.text, callout.title_end, callout.end, inner)
    text = callout.marks.sub("", quoted_text)
    lines = [
        _LONE_SPACE.sub("", text_line) if text_line.strip() else ""
        for text_line in text.split("\n")
    ]
    return BLANK_LINE_GAPS.sub("\n\n", "\n".join(lines)).strip("\n").rstrip()


def _title_of_callout(callout: _Callout, edits: list[TextEdit]) -> str:
    mark = CALLOUT.match(callout.text, callout.title_start)
    start = mark.end() if mark else callout.title_start
    inner = [e for e in edits if start <= e.start <= callout.title_end]
    title = one_line(cut_text(callout.text, start, callout.title_end, inner))
    return title or callout.statement.title


def _front_matter_lines(corpus: Corpus, statement: Statement, fields: dict[str, str]) -> str:
    """The front matter of a note that was a callout."""
    values = {
        key: value for key, value in fields.items() if key not in (*EDGE_CALLOUT_FIELDS, WITH)
    }
    camp = corpus.default_camps.get(statement.id)
    if camp and statement.kind is not Kind.EVIDENCE:
        values.setdefault("camp", camp)  # inherited from the statement around it
    aliases = [statement.id]
    if "aliases" in values:
        aliases.append(values.pop("aliases"))
    rows = [f"type: {statement.kind.value}"]
    rows += [f"{key}: {yaml_word(value)}" for key, value in values.items()]
    rows.append(f"aliases: [{', '.join(map(yaml_word, aliases))}]")
    return "".join(f"{row}\n" for row in rows)


def _relation_from_edge(edge: Edge, fields: dict[str, str], name: str) -> str:
    """The edge of a callout as a list item with the edge's `fields` and the block id `name`."""
    premises = " and ".join(f"[[{link_target(id)}]]" for id in edge.together)
    parts = [f"- {edge.relation.value}:: [[{link_target(edge.target)}]]"]
    parts += [f"with {premises}"] if premises else []
    parts += [
        f"({key}:: {fields[key]})"
        for key in EDGE_CALLOUT_FIELDS
        if fields.get(key) and key != "reason"
    ]
    parts += [f"— {fields['reason']}"] if fields.get("reason") else []
    return " ".join([*parts, f"^{name}"])


def _folder_of(corpus: Corpus, callout: _Callout) -> str:
    """The folder where most notes of this kind are; its own if its text has relative links."""
    folder = callout.path.rpartition("/")[0]
    if not _LEADS_ELSEWHERE.search(callout.text, callout.start, callout.end):
        kind = callout.statement.kind
        alike = [
            each.path.rpartition("/")[0]
            for each in corpus.statements.values()
            if each.kind is kind and not is_part(each.id)
        ]
        folder = max(alike, key=alike.count, default=folder)
    return f"{folder}/" if folder else ""


def _replace_with_link(builder: ChangeBuilder, callout: _Callout, new: str) -> None:
    """Replace the callout by a link to the new note, within any quotes around it."""
    text = callout.text
    first = text.rfind("\n", 0, callout.start) + 1
    last = text.find("\n", callout.end)
    last = len(text) if last < 0 else last + 1
    builder.edit(callout.path, first, last, f"{text[first : callout.start]}[[{new}]]\n")
