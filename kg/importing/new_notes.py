"""Turn items into new notes with free ids; existing notes are neither repeated nor overwritten."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import count

import msgspec

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.folder_files import FolderFiles
from kg.exchange.writers.bibliographies import bibtex_text
from kg.importing.import_records import (
    BadInput,
    Imported,
    Item,
    fill_id_slots,
    find_id_slots,
    single_line,
)
from kg.importing.importers import Importer
from kg.model import Kind, Source
from kg.model.ids import is_part
from kg.notes.discover import JUDGEMENTS_FOLDER, MAX_NOTE_BYTES
from kg.notes.frontmatter.value_parsers import ORIGIN_KEY
from kg.notes.new_note import (
    FOLDER_OF_TYPE,
    MAX_ID_CHARACTERS,
    NewEdge,
    NewNote,
    fold_title,
    id_of_title,
    render_new_note,
)
from kg.reasoning.judgements import JUDGEMENT_COLUMNS, judgements_of
from kg.report import escape_markdown, render_csv_rows
from kg.text.plurals import pluralize

MAX_NOTES = 20_000  # in one import: nobody could edit a folder with more
_ID = re.compile(r"[^\W_](?:[\w-]*\w)?")
_BAD_STEM = re.compile(r"[^\w-]+")
_MAX_KEY_CHARACTERS = 60  # of an item's key in its origin
_EDGE = re.compile(r"#\^([\w-]+)")


def import_notes(
    files: FolderFiles, corpus: Corpus, importer: Importer, imported: Imported
) -> Change:
    """A change that adds the notes that do not exist yet. Raises `BadInput`."""
    return _ImportState(files, corpus, importer.name, imported).change()


class _ImportState:
    """The state of one import."""

    def __init__(self, files: FolderFiles, corpus: Corpus, name: str, imported: Imported) -> None:
        self.files, self.corpus, self.name, self.imported = files, corpus, name, imported
        groups = (corpus.statements, corpus.lines, corpus.sources)
        self.origins = {
            record.extra[ORIGIN_KEY]: id
            for group in groups
            for id, record in group.items()
            if ORIGIN_KEY in record.extra
        }
        self.titles = {
            (id in corpus.lines, fold_title(record.title)): id
            for group in (corpus.statements, corpus.lines)
            for id, record in group.items()
        }
        self.taken = {
            path.rpartition("/")[2].removesuffix(".md").casefold() for path in files.paths()
        }
        self.taken |= {id.casefold() for group in groups for id in group}
        self.taken |= {alias.casefold() for alias in corpus.aliases}
        self.numbered: defaultdict[str, int] = defaultdict(lambda: 1)
        self.ids: dict[str, str] = {}
        self.left = 0  # relations that would change an existing note

    def change(self) -> Change:
        """The whole import as a change; raises `BadInput`."""
        items, new_note = self.imported.items, ChangeBuilder(self.files)
        if len(items) > MAX_NOTES:
            raise BadInput(items[0].file, f"more than {MAX_NOTES} notes", "import it in parts")
        new = self._new_items()
        for item, origin in new:
            path = f"{FOLDER_OF_TYPE[item.new_note.type]}/{self.ids[item.key]}.md"
            new_note.create(path, self._note_text(item, origin))
        sources = self._new_sources()
        if sources:
            new_note.create(self._bibliography(), bibtex_text(sources))
        judged = self._new_judgements()
        if judged:
            name = self._free_name(f"{JUDGEMENTS_FOLDER}/imported", ".csv")
            new_note.create(name, render_csv_rows(JUDGEMENT_COLUMNS, judged))
        new_note.remarks += [*self.imported.remarks, *self._skipped_messages(len(items) - len(new))]
        kinds = Counter(item.new_note.type for item, _ in new)
        kinds["source"] += len(sources)
        kinds["judgement"] += len(judged)
        listed = ", ".join(_count_of_kind(many, kind) for kind, many in kinds.items() if many)
        return new_note.change(f"import {self.name}: {listed or 'nothing new'}")

    def _skipped_messages(self, standing: int) -> Iterator[str]:
        if standing:
            yield f"left unchanged: {pluralize(standing, 'note')} that exist already"
        if self.left:
            yield f"not written: {pluralize(self.left, 'relation')} of notes that exist already"

    # -- names -------------------------------------------------------------------------

    def _new_items(self) -> list[tuple[Item, str]]:
        """The new items, each with its origin; also assigns an id to every item."""
        new = []
        for item in self.imported.items:
            if item.key in self.ids:
                raise BadInput(f"{item.file}:{item.line}", f"{item.key!r} is used twice")
            origin = _origin(self.name, item)
            standing = self._existing_note(item, origin)
            self.ids[item.key] = standing or self._free_id(item.new_note)
            if not standing:
                new.append((item, origin))
        kept = {item.key for item, _ in new}
        for item in self.imported.items:
            if item.key not in kept:
                self.left += sum(not self._has_edge(item, edge) for edge in item.new_note.edges)
        self.new = kept
        return new

    def _existing_note(self, item: Item, origin: str) -> str | None:
        """The id of an existing note for this item, by origin, key or title."""
        new_note = item.new_note
        if origin in self.origins:
            return self.origins[origin]
        if new_note.type == "source":
            id = self.corpus.find_id(new_note.id)
            return id if id in self.corpus.sources else None
        return self.titles.get((new_note.type == "line", fold_title(new_note.title)))

    def _free_id(self, new_note: NewNote) -> str:
        wish = new_note.id[:MAX_ID_CHARACTERS]
        if wish and not _ID.fullmatch(wish):
            wish = _BAD_STEM.sub("-", wish).strip("-_")
        stem = wish or id_of_title(new_note.title)
        for number in count(self.numbered[stem]):
            id = stem if number == 1 else f"{stem}-{number}"
            if id.casefold() not in self.taken:
                break
        self.numbered[stem] = number  # no number below it is free any more
        self.taken.add(id.casefold())
        return id

    # -- texts -------------------------------------------------------------------------

    def _note_text(self, item: Item, origin: str) -> str:
        new_note = item.new_note
        title = single_line(new_note.title) or "untitled"
        fields = {**new_note.fields, ORIGIN_KEY: origin}
        if is_part(new_note.id) and self.corpus.find_id(new_note.id) is None:
            fields["aliases"] = [single_line(new_note.id)]  # the former id of a callout
        shown = escape_markdown(title).replace("\\@", "&#64;").replace("%%", "%\\%")
        if shown != title:  # the heading is escaped Markdown; this is not
            fields["title"] = title
        edges = [edge for edge in new_note.edges if self._has_target(edge)]
        whole = msgspec.structs.replace(new_note, title=shown, fields=fields, edges=edges)
        text = render_new_note(whole)
        for key in find_id_slots(text):
            if key not in self.ids:
                place = f"{item.file}:{item.line}" if item.line else item.file
                raise BadInput(place, f"there is no {key!r}")
        text = fill_id_slots(text, self.ids)
        if len(text.encode("utf-8")) > MAX_NOTE_BYTES:
            raise BadInput(item.file, f"{item.key!r} is larger than a note may be")
        return text

    def _has_target(self, edge: NewEdge) -> bool:
        """Whether the edge to undercut exists, or will exist; True for other edges."""
        denied, keys = _EDGE.search(edge.target), find_id_slots(edge.target)
        if denied is None or not keys or keys[0] in self.new or keys[0] not in self.ids:
            return True
        there = f"{self.ids[keys[0]]}#{denied[1]}" in self.corpus.edges_by_id
        self.left += not there
        return there

    def _has_edge(self, item: Item, edge: NewEdge) -> bool:
        """Whether an existing note, or one of its callouts, already has this edge."""
        id, keys = self.ids[item.key], find_id_slots(edge.target)
        target = self.ids.get(keys[0], "") if keys else edge.target
        if denied := _EDGE.search(edge.target):
            target = f"{target}#{denied[1]}"
        known = {(each.relation.value, each.target) for each in self.corpus.edges_from.get(id, ())}
        known |= {(p.camp, p.statement) for p in self.corpus.placements if p.line == id}
        return any(
            relation == edge.relation and (end == target or end.startswith(f"{target}--"))
            for relation, end in known
        )

    # -- judgements and sources --------------------------------------------------------

    def _new_judgements(self) -> list[tuple[str, ...]]:
        """The judgements that their annotators have not made yet."""
        known = {(each.edge, each.annotator) for each in judgements_of(self.corpus).rows}
        rows = ((fill_id_slots(edge, self.ids), *said) for edge, *said in self.imported.judgements)
        return [row for row in rows if row[:2] not in known]

    def _new_sources(self) -> dict[str, Source]:
        return {
            each.key: each for each in self.imported.sources if not self.corpus.find_id(each.key)
        }

    def _bibliography(self) -> str:
        """A free file name for the new sources."""
        stem = id_of_title(self.imported.sources[0].span.path.rpartition(".")[0])
        return self._free_name(stem, ".bib")

    def _free_name(self, stem: str, suffix: str) -> str:
        names = (f"{stem}{'' if number == 1 else f'-{number}'}{suffix}" for number in count(1))
        return next(name for name in names if not self.files.holds(name))


def _count_of_kind(many: int, kind: str) -> str:
    return f"{many} {kind}" if kind == Kind.EVIDENCE else pluralize(many, kind)


def _origin(name: str, item: Item) -> str:
    """A note's origin: format, file, key in the file, and a checksum of type and title."""
    said = "\0".join((item.new_note.type, item.new_note.title)).encode("utf-8", "replace")
    key = item.key.removesuffix(f" in {item.file}")[:_MAX_KEY_CHARACTERS]
    return single_line(f"{name} {item.file} {key} {hashlib.sha256(said).hexdigest()[:8]}")
