"""A reference: a range of characters in a file that names something."""

from __future__ import annotations

import enum
from typing import NamedTuple


class ReferenceKind(enum.StrEnum):
    """The role of a reference."""

    TARGET = "target"
    PREMISE = "premise"
    MENTION = "mention"
    EMBED = "embed"
    PROPOSITION = "proposition"
    CITATION = "citation"
    RELATION = "relation"
    TOPIC = "topic"
    ABOUT = "about"
    CAMP = "camp"
    HOLDER = "holder"
    JUDGED_EDGE = "judged-edge"
    INHERITED = "inherited"
    ID = "id"
    ALIAS = "alias"
    TITLE = "title"
    HEADING = "heading"
    BLOCK = "block"
    TERM = "term"
    KEY = "key"
    CAMP_ID = "camp-id"


# Kinds of references that link to a note, or to something within one.
LINK_KINDS = frozenset(
    (
        ReferenceKind.TARGET,
        ReferenceKind.PREMISE,
        ReferenceKind.MENTION,
        ReferenceKind.EMBED,
        ReferenceKind.PROPOSITION,
    )
)

# Kinds of references that define a name.
DEFINITIONS = frozenset(
    (
        ReferenceKind.ID,
        ReferenceKind.ALIAS,
        ReferenceKind.TITLE,
        ReferenceKind.HEADING,
        ReferenceKind.BLOCK,
        ReferenceKind.TERM,
        ReferenceKind.KEY,
        ReferenceKind.CAMP_ID,
    )
)


class ReferenceForm(enum.StrEnum):
    """The form of a written name: a wikilink, the path of a link, or plain words."""

    WIKI = "wiki"
    PATH = "path"
    WORDS = "words"


class Reference(NamedTuple):
    """One place of a file at `path` in which something is named.

    `start` and `end` are the range of the name alone, in characters of the text as the parser
    reads it (`FileText.text`): without brackets, quotes, the words that a link shows and its
    `#…`, which is `fragment` and follows at `end`. `name` is the text of that range; `target` is
    what the corpus looks up for it, as in `PendingEdge.target`, and empty if nothing.
    `holder` is the id of the note, callout or entry that contains it, and `word` its relation, key
    or field.
    """

    path: str
    start: int
    end: int
    kind: ReferenceKind
    name: str
    target: str
    fragment: str = ""
    form: ReferenceForm = ReferenceForm.WORDS
    holder: str = ""
    word: str = ""
