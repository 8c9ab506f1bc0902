"""Create new notes, as small as `kg check` accepts."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from itertools import chain, count, repeat
from pathlib import Path
from unicodedata import normalize

import msgspec

from kg.files.folder_tree import FolderTree
from kg.files.read_files import NotesFolder
from kg.model.errors import Misuse
from kg.model.ids import id_of_title
from kg.notes.note_listing import README, list_notes

_KEY = re.compile(r"[A-Za-z][\w-]*")
_PLAIN_VALUE = re.compile(r"[A-Za-z][\w-]*|\d{4}-\d\d-\d\d")
FOLDER_OF_TYPE = {
    "claim": "claims",
    "counter-claim": "claims",
    "evidence": "evidence",
    "line": "lines",
    "source": "sources",
}
# Placeholder keys and ids in a new note, and what to put in their place.
PLACEHOLDERS = {
    "key": "the key of a source in a bibliography, or the name of a source note",
    "the-claim-it-bears-on": "the name of the claim's note",
    "the-claim-it-answers": "the name of the claim's note",
    "a-statement": "the name of a note that argues for this camp",
    "another-statement": "the name of a note that argues for this camp",
}

# The placeholder title of the evidence in a new claim: a draft while nothing is filled in.
PLACEHOLDER_TITLE = "What was found, in one sentence"

_BODIES = {
    "claim": f"""> [!evidence] {PLACEHOLDER_TITLE} ^found
> Where, with how many, and how far it goes. [@key]
> (method:: experiment) (reason:: why this bears on the claim)
""",
    "counter-claim": "- contradicts:: [[the-claim-it-answers]] — why both cannot hold\n",
    "evidence": "Where, with how many, and how far it goes. [@key]\n\n"
    "- supports:: [[the-claim-it-bears-on]] — why it bears on it\n",
    "line": """What is at stake, in one sentence.

The essay: what each camp says, and what it rests on.

## Camps

{camps}

## Next

- next:: What would have to be asked next?
""",
    "source": "What the source is, what it shows, and what it does not.\n",
}


def free_id(
    folder: NotesFolder, title: str, find_id: Callable[[str], object] = lambda name: None
) -> str:
    """An id from a title that no file under `folder` has, and that `find_id` does not find."""
    stem = id_of_title(title)
    taken_ids = {normalize("NFC", Path(note.path).stem) for note in list_notes(folder).notes}
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(name for name in names if name not in taken_ids and not find_id(name))


def _render_note(front: list[str], title: str, body: str) -> str:
    return "---\n" + "\n".join(front) + f"\n---\n\n# {' '.join(title.split())}\n\n{body}"


# -- drafts as JSON ------------------------------------------------------------------------


class BadNewNote(Misuse, ValueError):
    """JSON that is not a note; the message says where."""


class NewEdge(msgspec.Struct, forbid_unknown_fields=True, rename={"together": "with"}):
    """A relation of a note in JSON."""

    relation: str
    target: str
    reason: str = ""
    together: list[str] = []
    fields: dict[str, str] = {}
    id: str = ""


class NewNote(msgspec.Struct, forbid_unknown_fields=True):
    """A note in JSON; `fields` is its front matter without type, id and title."""

    type: str
    title: str
    id: str = ""
    fields: dict[str, str | int | float | bool | list[str | int] | dict[str, str]] = {}
    body: str = ""
    edges: list[NewEdge] = []


def parse_new_note(data: bytes) -> NewNote:
    """A note from JSON. Raises `BadNewNote`."""
    try:
        new_note = msgspec.json.decode(data, type=NewNote)
    except msgspec.MsgspecError as error:
        raise BadNewNote(f"this JSON is no note: {error}") from None
    if new_note.type not in FOLDER_OF_TYPE:
        raise BadNewNote(f"type is {new_note.type!r}, and not one of {', '.join(FOLDER_OF_TYPE)}")
    for key in new_note.fields:
        if not _KEY.fullmatch(key) or key in ("type", "id", "title"):
            raise BadNewNote(f"{key!r} is no key for `fields`")
    return new_note


def render_template(
    new_note: NewNote,
    camps: tuple[str, ...] = ("optimist", "skeptic"),
) -> str:
    """The text of a new note with placeholders; a line has one for each of `camps`."""
    statements = chain(("a-statement",), repeat("another-statement"))
    camp_lines = [
        f"- {camp}:: [[{statement}]] — what it says for this camp"
        for camp, statement in zip(camps, statements, strict=False)
    ]
    body = _BODIES[new_note.type].replace("{camps}", "\n".join(camp_lines))
    return _render_note(_front_of(new_note), new_note.title, body)


def render_new_note(new_note: NewNote) -> str:
    """The text of a new note."""
    parts = [new_note.body.strip(), "\n".join(map(render_edge, new_note.edges))]
    front = _front_of(new_note)
    return _render_note(front, new_note.title, "\n\n".join(part for part in parts if part) + "\n")


def _front_of(new_note: NewNote) -> list[str]:
    head = {"type": new_note.type, **new_note.fields}
    head.setdefault("created", str(dt.date.today()))
    return [f"{key}: {_as_yaml(value)}" for key, value in head.items()]


def _as_yaml(value: object) -> str:
    if isinstance(value, str) and _PLAIN_VALUE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def render_edge(edge: NewEdge) -> str:
    """A relation as a list item."""
    premise_links = " and ".join(f"[[{each}]]" for each in edge.together)
    parts = [
        f"- {edge.relation}:: [[{edge.target}]]",
        f"with {premise_links}" if premise_links else "",
        *(f"({key}:: {value})" for key, value in edge.fields.items()),
        f"— {edge.reason}" if edge.reason else "",
        f"^{edge.id}" if edge.id else "",
    ]
    return " ".join(" ".join(part for part in parts if part).split())


def write_note(folder: NotesFolder, id: str, type: str, text: str) -> Path:
    """Write a new note where notes of its type are kept, and return its path.

    Raises `FileExistsError` rather than write over anything, `PathBlocked` rather than write
    through a link, or outside of `folder`, and `Misuse` for what is no text.
    """
    name = f"{FOLDER_OF_TYPE[type]}/{id}.md"
    if name.endswith(f"/{README}"):
        raise Misuse(f"{README} is no note: choose another id")
    # bytes that the system cannot read as a character
    if bad_character := re.search("[\ud800-\udfff]", name + text):
        message = "the title or id is no UTF-8, or not as this system is set (LC_ALL, LANG)"
        raise Misuse(f"{message}: {bad_character[0]!r}")
    with FolderTree(folder.real) as tree:
        tree.create_whole({name: text.encode("utf-8")})
    return folder.display_path / name
