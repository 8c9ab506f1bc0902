"""Give imported notes free ids; existing notes are neither repeated nor overwritten."""

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
    ImportedNote,
    ImportResult,
    escape_marks,
    fill_id_placeholders,
    find_id_placeholders,
    printable_line,
)
from kg.importing.importers import Importer
from kg.judgements.edge_labels import JUDGEMENT_COLUMNS, judgements_of
from kg.model import Kind
from kg.model.ids import MAX_ID_CHARACTERS, id_of_title, is_part
from kg.notes.frontmatter import ORIGIN_KEY
from kg.notes.new_note import (
    FOLDER_OF_TYPE,
    NewEdge,
    NewNote,
    render_new_note,
)
from kg.notes.note_listing import JUDGEMENTS_FOLDER, MAX_NOTE_BYTES, README
from kg.reporting.csv_cells import render_csv_rows
from kg.text.folding import fold_title
from kg.text.plurals import pluralize

MAX_NOTES = 20_000  # in one import: nobody could edit a folder with more
_ID = re.compile(r"[^\W_](?:[\w-]*\w)?")
_BAD_STEM = re.compile(r"[^\w-]+")
_MAX_KEY_CHARACTERS = 60  # of a note's key in its origin
_EDGE = re.compile(r"#\^([\w-]+)")


def import_notes(
    files: FolderFiles, corpus: Corpus, importer: Importer, imported: ImportResult
) -> Change:
    """A change that adds the notes that do not exist yet. Raises `BadInput`."""
    return _ImportState(files, corpus, importer.name, imported).change()


class _ImportState:
    def __init__(
        self, files: FolderFiles, corpus: Corpus, name: str, imported: ImportResult
    ) -> None:
        self.files = files
        self.corpus = corpus
        self.name = name
        self.imported = imported
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
        self.taken_names = {
            path.rpartition("/")[2].removesuffix(".md").casefold() for path in files.paths()
        }
        self.taken_names |= {id.casefold() for group in groups for id in group}
        self.taken_names |= {alias.casefold() for alias in corpus.aliases}
        self.taken_names.add(README.removesuffix(".md").casefold())  # it would be no note
        self.next_numbers: defaultdict[str, int] = defaultdict(lambda: 1)
        self.ids: dict[str, str] = {}
        self.unwritten_edges = 0  # relations that would change an existing note

    def change(self) -> Change:
        """The whole import as a change; raises `BadInput`."""
        imported_notes = self.imported.notes
        builder = ChangeBuilder(self.files)
        if len(imported_notes) > MAX_NOTES:
            raise BadInput(
                imported_notes[0].file, f"more than {MAX_NOTES} notes", "import it in parts"
            )
        new_notes = self._assign_ids()
        self._count_edges_of_existing_notes()
        for note, origin in new_notes:
            path = f"{FOLDER_OF_TYPE[note.new_note.type]}/{self.ids[note.key]}.md"
            builder.create(path, self._note_text(note, origin))
        sources = {
            each.key: each for each in self.imported.sources if not self.corpus.find_id(each.key)
        }
        if sources:
            builder.create(self._free_bibliography_name(), bibtex_text(sources))
        judgements = self._new_judgements()
        if judgements:
            name = self._free_name(f"{JUDGEMENTS_FOLDER}/imported", ".csv")
            builder.create(name, render_csv_rows(JUDGEMENT_COLUMNS, judgements))
        builder.remarks += [
            *self.imported.remarks,
            *self._skipped_messages(len(imported_notes) - len(new_notes)),
        ]
        kinds = Counter(note.new_note.type for note, _ in new_notes)
        kinds["source"] += len(sources)
        kinds["judgement"] += len(judgements)
        listed = ", ".join(_count_of(amount, noun) for noun, amount in kinds.items() if amount)
        return builder.change(f"import {self.name}: {listed or 'nothing new'}")

    def _skipped_messages(self, existing_count: int) -> Iterator[str]:
        if existing_count:
            exist = "exists" if existing_count == 1 else "exist"
            yield f"left unchanged: {pluralize(existing_count, 'note')} that {exist} already"
        if self.unwritten_edges:
            relations = pluralize(self.unwritten_edges, "relation")
            yield f"not written: {relations} of notes that exist already"

    # -- names -------------------------------------------------------------------------

    def _assign_ids(self) -> list[tuple[ImportedNote, str]]:
        """Give every note the id under which it exists, or a free one; return those that do not
        exist, each with its origin.
        """
        new_notes = []
        for note in self.imported.notes:
            if note.key in self.ids:
                raise BadInput(f"{note.file}:{note.line}", f"{note.key!r} is used twice")
            origin = _origin_of_note(self.name, note)
            existing_id = self._existing_id(note, origin)
            self.ids[note.key] = existing_id or self._free_id(note.new_note)
            if not existing_id:
                new_notes.append((note, origin))
        self.new_keys = {note.key for note, _ in new_notes}
        return new_notes

    def _count_edges_of_existing_notes(self) -> None:
        """Count what existing notes lack of their edges: an import changes no note."""
        # when all ids are assigned, as an edge may lead to a later note
        for note in self.imported.notes:
            if note.key not in self.new_keys:
                self.unwritten_edges += sum(
                    not self._has_edge(note, edge) for edge in note.new_note.edges
                )

    def _existing_id(self, note: ImportedNote, origin: str) -> str | None:
        """The id of the note that exists for an imported one, by origin, key or title."""
        new_note = note.new_note
        if origin in self.origins:
            return self.origins[origin]
        if new_note.type == "source":
            id = self.corpus.find_id(new_note.id)
            return id if id in self.corpus.sources else None
        return self.titles.get((new_note.type == "line", fold_title(new_note.title)))

    def _free_id(self, new_note: NewNote) -> str:
        wanted_id = new_note.id[:MAX_ID_CHARACTERS]
        if wanted_id and not _ID.fullmatch(wanted_id):
            wanted_id = _BAD_STEM.sub("-", wanted_id).strip("-_")
        stem = wanted_id or id_of_title(new_note.title)
        for number in count(self.next_numbers[stem]):
            id = stem if number == 1 else f"{stem}-{number}"
            if id.casefold() not in self.taken_names:
                break
        self.next_numbers[stem] = number  # no number below it is free any more
        self.taken_names.add(id.casefold())
        return id

    # -- texts -------------------------------------------------------------------------

    def _note_text(self, note: ImportedNote, origin: str) -> str:
        new_note = note.new_note
        title = printable_line(new_note.title) or "untitled"
        fields = {**new_note.fields, ORIGIN_KEY: origin}
        if is_part(new_note.id) and self.corpus.find_id(new_note.id) is None:
            fields["aliases"] = [printable_line(new_note.id)]  # the former id of a callout
        escaped_title = escape_marks(title)
        if escaped_title != title:  # the heading is escaped Markdown; this is not
            fields["title"] = title
        edges = [edge for edge in new_note.edges if self._has_target(edge)]
        self.unwritten_edges += len(new_note.edges) - len(edges)
        final_note = msgspec.structs.replace(
            new_note, title=escaped_title, fields=fields, edges=edges
        )
        text = render_new_note(final_note)
        for key in find_id_placeholders(text):
            if key not in self.ids:
                place = f"{note.file}:{note.line}" if note.line else note.file
                raise BadInput(place, f"there is no {key!r}")
        text = fill_id_placeholders(text, self.ids)
        if len(text.encode("utf-8")) > MAX_NOTE_BYTES:
            raise BadInput(note.file, f"{note.key!r} is larger than a note may be")
        return text

    def _has_target(self, edge: NewEdge) -> bool:
        """Return whether the edge to undercut exists, or will exist; True for other edges."""
        edge_match = _EDGE.search(edge.target)
        keys = find_id_placeholders(edge.target)
        if edge_match is None or not keys or keys[0] in self.new_keys or keys[0] not in self.ids:
            return True
        return f"{self.ids[keys[0]]}#{edge_match[1]}" in self.corpus.edges_by_id

    def _has_edge(self, note: ImportedNote, edge: NewEdge) -> bool:
        """Return whether an existing note, or one of its callouts, already has this edge."""
        id = self.ids[note.key]
        keys = find_id_placeholders(edge.target)
        target = self.ids.get(keys[0], "") if keys else edge.target
        if edge_match := _EDGE.search(edge.target):
            target = f"{target}#{edge_match[1]}"
        existing_edges = {
            (each.relation.value, each.target) for each in self.corpus.edges_from.get(id, ())
        }
        existing_edges |= {(p.camp, p.statement) for p in self.corpus.placements if p.line == id}
        return any(
            relation == edge.relation and (end == target or end.startswith(f"{target}--"))
            for relation, end in existing_edges
        )

    # -- judgements and sources --------------------------------------------------------

    def _new_judgements(self) -> list[tuple[str, ...]]:
        """The judgements that their annotators have not made yet."""
        existing_judgements = {
            (each.edge, each.annotator) for each in judgements_of(self.corpus).rows
        }
        rows = (
            (fill_id_placeholders(edge, self.ids), *cells)
            for edge, *cells in self.imported.judgements
        )
        return [row for row in rows if row[:2] not in existing_judgements]

    def _free_bibliography_name(self) -> str:
        """A free file name for the new sources."""
        stem = id_of_title(self.imported.sources[0].span.path.rpartition(".")[0])
        return self._free_name(stem, ".bib")

    def _free_name(self, stem: str, suffix: str) -> str:
        names = (f"{stem}{'' if number == 1 else f'-{number}'}{suffix}" for number in count(1))
        return next(name for name in names if not self.files.holds(name))


def _count_of(amount: int, noun: str) -> str:
    return f"{amount} {noun}" if noun == Kind.EVIDENCE else pluralize(amount, noun)


def _origin_of_note(name: str, note: ImportedNote) -> str:
    """A note's origin: format, file, key in the file, and a checksum of type and title."""
    content = "\0".join((note.new_note.type, note.new_note.title)).encode("utf-8", "replace")
    key = note.key.removesuffix(f" in {note.file}")[:_MAX_KEY_CHARACTERS]
    return printable_line(f"{name} {note.file} {key} {hashlib.sha256(content).hexdigest()[:8]}")
