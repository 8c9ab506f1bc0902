"""The corpus that `kg init` writes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from kg.files.tree import open_tree

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

GITIGNORE = ".gitignore"
GITIGNORE_TEXT = "build/\n"


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
    files: list[tuple[str, Traversable]] = []
    for item in place.iterdir():
        if item.is_dir():
            files += _starter(item, f"{prefix}{item.name}/")
        elif not item.name.startswith((".", "__")):
            files.append((prefix + item.name, item))
    return files
