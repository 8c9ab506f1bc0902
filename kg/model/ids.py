"""The structure of the ids of statements and edges: the note, and the name in that note.

A note's statement has the note's id; a part of a note has the id `note#name`. The id of an edge
without a name consists of what it links: `premise--relation--target`. Links to parts of notes
are split in the same way. A new note takes its id from its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import combining, normalize

from kg.text.folding import folded_words

_PART = "#"
_ENDS = "--"
# A final `σ`, to restore as `ς`, which case folding replaced.
_END_OF_GREEK_WORD = re.compile(r"(?<=[^\W\d_])σ\Z")
MAX_ID_CHARACTERS = 60  # a file's name is limited to 255 bytes, and a character may take four
WORDS_OF_ID = 7  # enough to recognize a title in a link
# Words that are dropped from the end of a shortened id.
_LITTLE_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from had has have if in into is it its may no "
        "not of on or so than that the their these they this those to was were which who will with",
    )
)


def note_id_of(id: str) -> str:
    """The id of the note that an id belongs to: `a` for `a#b`."""
    return id.partition(_PART)[0]


def part_name_of(id: str) -> str:
    """The name within its note; empty for a whole note."""
    return id.partition(_PART)[2]


def is_part(id: str) -> bool:
    """Return whether an id is that of a part of a note, not of a note."""
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


def edge_id(premise: str, relation: str, target: str) -> str:
    """The id of an edge without a name."""
    return f"{premise}{_ENDS}{relation}{_ENDS}{target}"


def is_given_name(id: str) -> bool:
    """Return whether the id of an edge is a name given by its author, rather than made of its
    ends.
    """
    return _ENDS not in id


def id_of_title(title: str) -> str:
    """A title's first words joined by dashes, in any script; Latin letters lose their accents."""
    words = [_without_accents(_END_OF_GREEK_WORD.sub("ς", word)) for word in folded_words(title)]
    id_words = words[:WORDS_OF_ID]
    while len("-".join(id_words)) > MAX_ID_CHARACTERS and len(id_words) > 1:
        id_words.pop()
    while len(id_words) < len(words) and len(id_words) > 1 and id_words[-1] in _LITTLE_WORDS:
        id_words.pop()
    return "-".join(id_words)[:MAX_ID_CHARACTERS] or "note"


def _without_accents(word: str) -> str:
    bare = "".join(c for c in normalize("NFKD", word) if not combining(c))
    return bare if bare.isascii() else word


def wordings_of_title(aliases: Iterable[str]) -> list[str]:
    """Those aliases that are other wordings of a title: of several words, as ids seldom are."""
    return [" ".join(alias.split()) for alias in aliases if " " in alias]


def slug(title: str) -> str:
    """A short id from a title's first words."""
    words = re.findall(r"\w+", title.casefold())
    return "-".join(words[:6]) or "unnamed"
