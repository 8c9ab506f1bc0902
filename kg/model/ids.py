"""The structure of the ids of statements and edges: the note, and the name in that note.

A note's statement has the note's id; a part of a note has the id `note#name`. The id of an edge
without a name consists of what it links: `source--relation--target`. Links to parts of notes
are split in the same way.
"""

from __future__ import annotations

_PART, _ENDS = "#", "--"


def note_id_of(id: str) -> str:
    """The id of the note that an id belongs to: `a` for `a#b`."""
    return id.partition(_PART)[0]


def part_name_of(id: str) -> str:
    """The name within its note; empty for a whole note."""
    return id.partition(_PART)[2]


def is_part(id: str) -> bool:
    """Whether an id is that of a part of a note, not of a note."""
    return _PART in id


def split_id(id: str) -> tuple[str, str, str]:
    """The note, the separator (if a part follows), and the part's name: together the id."""
    return id.partition(_PART)


def part_id(note: str, name: str) -> str:
    """The id of the part called `name` in a note."""
    return f"{note}{_PART}{name}"


def link_target(id: str) -> str:
    """The target of a link to an id, as written in its brackets: `note#^name` for `note#name`."""
    return id.replace(_PART, f"{_PART}^", 1)


def edge_id(source: str, relation: str, target: str) -> str:
    """The id of an edge without a name."""
    return f"{source}{_ENDS}{relation}{_ENDS}{target}"


def is_given_name(id: str) -> bool:
    """Whether the id of an edge is a name given by its author, rather than made of its ends."""
    return _ENDS not in id
