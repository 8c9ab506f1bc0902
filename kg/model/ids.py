"""What the id of a statement or an edge says: the note it stands in, and its name in that note.

A note's statement has the note's id; what is a part of a note is called `note#name`. An edge
without a name is called by what it links: `source--relation--target`. Links to parts of notes
are cut the same way.
"""

from __future__ import annotations

_PART, _ENDS = "#", "--"


def note_id_of(id: str) -> str:
    """The id of the note that an id names or lies within: `a` of `a#b`."""
    return id.partition(_PART)[0]


def part_name_of(id: str) -> str:
    """The name within its note; empty for what has a note of its own."""
    return id.partition(_PART)[2]


def is_part(id: str) -> bool:
    """Whether an id names a part of a note, and no note."""
    return _PART in id


def split_id(id: str) -> tuple[str, str, str]:
    """The note, the mark where a part follows, and the part's name: together the id."""
    return id.partition(_PART)


def part_id(note: str, name: str) -> str:
    """The id of what is called `name` in a note."""
    return f"{note}{_PART}{name}"


def link_target(id: str) -> str:
    """What a link to it says between its brackets: `note#^name` of `note#name`."""
    return id.replace(_PART, f"{_PART}^", 1)


def edge_id(source: str, relation: str, target: str) -> str:
    """The id of an edge without a name."""
    return f"{source}{_ENDS}{relation}{_ENDS}{target}"


def is_given_name(id: str) -> bool:
    """Whether the id of an edge is a name that an author gave it, and not made of its ends."""
    return _ENDS not in id
