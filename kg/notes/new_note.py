"""New notes, the smallest file that `kg check` accepts, and the corpus that `kg init` writes."""

from __future__ import annotations

import datetime as dt
import json
import re
import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from kg.files.read import NotesFolder
from kg.files.tree import Tree, open_tree
from kg.notes.discover import list_notes

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GITIGNORE = ".gitignore"
GITIGNORE_TEXT = "build/\n"
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


def write_starter(folder: Path) -> list[Path]:
    """Write the starter corpus into `folder`, and return the files written.

    What `kg` makes is kept out of git, unless the folder says itself what is. Raises
    `FileExistsError` before writing anything if a file of the corpus is already there, and
    `PathBlocked` if a link stands for one of its folders.
    """
    wanted = dict(_starter(files("kg") / "starter"))
    with open_tree(folder) as tree:
        for name in wanted:
            if tree.look(name):
                raise FileExistsError(17, "is already there, and is left as it is", folder / name)
        for name in wanted:
            tree.make(name.rpartition("/")[0])
        for name, item in wanted.items():
            tree.create(name, item.read_bytes())
        if tree.look(GITIGNORE) is None:
            tree.create(GITIGNORE, GITIGNORE_TEXT.encode())
            return sorted(folder / name for name in (GITIGNORE, *wanted))
    return sorted(folder / name for name in wanted)


def _starter(place: Traversable, prefix: str = "") -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in place.iterdir():
        if item.is_dir():
            found += _starter(item, f"{prefix}{item.name}/")
        elif not item.name.startswith((".", "__")):
            found.append((prefix + item.name, item))
    return found
