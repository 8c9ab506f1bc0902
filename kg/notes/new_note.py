"""New notes: the smallest file that `kg check` accepts."""

from __future__ import annotations

import datetime as dt
import json
import re
import unicodedata
from pathlib import Path

from kg.files.read import NotesFolder
from kg.files.tree import Tree
from kg.notes.discover import list_notes

FOLDER_OF_TYPE = {
    "claim": "claims",
    "counter-claim": "claims",
    "evidence": "evidence",
    "line": "lines",
    "source": "sources",
}
PLACEHOLDERS = {
    "key": "the key of a source in references.bib, or the name of a source note",
    "the-claim-it-bears-on": "the name of the claim's note",
    "the-claim-it-answers": "the name of the claim's note",
    "a-statement": "the name of a note that argues for this camp",
    "another-statement": "the name of a note that argues for this camp",
}
"""What a new note cites and links to until it is filled in, and what to put there."""

PLACEHOLDER_TITLE = "What was found, in one sentence"
"""The title of the evidence in a new claim until it is filled in."""

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

- optimist:: [[a-statement]] — what it says for this camp
- skeptic:: [[another-statement]] — what it says for this camp

## Next

- next:: What would have to be asked next?
""",
    "source": "What the source is, what it shows, and what it does not.\n",
}


def find_free_id(folder: NotesFolder, title: str) -> str:
    """An id made of the title's first words that no note under `folder` has."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    words = re.findall(r"[a-z0-9]+", folded)
    stem = "-".join(words[:7]) or "note"
    taken = {Path(note.path).stem for note in list_notes(folder).notes}
    return next(
        name
        for number in range(1, len(taken) + 2)
        if (name := stem if number == 1 else f"{stem}-{number}") not in taken
    )


def render_note(
    type: str,
    title: str,
    camp: str = "",
    topics: tuple[str, ...] = (),
    today: dt.date | None = None,
) -> str:
    """The text of a new note, with places to fill in."""
    front = [f"type: {type}"]
    if camp:
        front.append(f"camp: {camp}")
    if topics:
        front.append(f"topics: {json.dumps(list(topics), ensure_ascii=False)}")
    front.append(f"created: {today or dt.date.today()}")
    heading = " ".join(title.split())
    return "---\n" + "\n".join(front) + f"\n---\n\n# {heading}\n\n{_BODIES[type]}"


def write_note(folder: NotesFolder, id: str, type: str, text: str) -> Path:
    """Write a new note where notes of its type are kept, and return its path.

    Raises `FileExistsError` rather than write over anything, and `PathBlocked` rather than write
    through a link, or outside of `folder`.
    """
    name = f"{FOLDER_OF_TYPE[type]}/{id}.md"
    with Tree(folder.real) as tree:
        tree.create(name, text.encode("utf-8"))
    return folder.shown / name
