"""Names that a change gives: whether a link can lead to them, and whether they are in use."""

from __future__ import annotations

import re

from kg.corpus import Corpus
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.references.resolve_reference import linkable_names_of
from kg.model import RecordId
from kg.notes.new_note import free_id
from kg.notes.note_listing import NOTE_SUFFIX, README

MAX_FILE_NAME_BYTES = 255  # the limit of nearly all disks
BLOCK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_LINKABLE = re.compile(r"[^#^|\[\]/\\\n]+")


def unused_id(files: FolderFiles, corpus: Corpus, title: str, wanted_id: RecordId) -> str:
    """The id of a new note: `wanted_id`, or one from its title if that is empty.

    Raises `NotEditable` if no link can lead to it, or links with it lead elsewhere.
    """
    id = wanted_id or free_id(files.folder, title)
    require_linkable(id)
    if linkable_names_of(corpus).find_ids(id):
        raise NotEditable(f"{id!r} is taken")
    return id


def require_linkable(id: RecordId) -> None:
    """Raise `NotEditable` for an id to which no link could lead."""
    plain = _LINKABLE.fullmatch(id) and id.isprintable() and id == id.strip()
    if not plain or id.startswith("."):
        raise NotEditable(f"{id!r} cannot be linked to: no `#`, `^`, `|`, brackets or slashes")
    if len(f"{id}{NOTE_SUFFIX}".encode()) > MAX_FILE_NAME_BYTES:
        raise NotEditable(f"{id[:80]!r}… is too long for the name of a file")
    if f"{id}{NOTE_SUFFIX}" == README:
        raise NotEditable(f"{README} is no note")
