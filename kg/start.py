"""A new corpus: three small notes that show the format, settings, and a bibliography."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

MADE = "build/\n"  # for .gitignore


def write_starter(folder: Path) -> list[Path]:
    """Write the starter corpus into `folder`, and return the files written.

    What `kg` makes is kept out of git, unless the folder says itself what is. Raises
    `FileExistsError` before writing anything if a file of the corpus is already there.
    """
    wanted = {folder / name: item for name, item in _starter(files("kg") / "starter")}
    for place in wanted:
        if place.exists():
            raise FileExistsError(17, "is already there, and is left as it is", str(place))
    for place, item in wanted.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(item.read_bytes())
    ignored = folder / ".gitignore"
    if ignored.exists():
        return sorted(wanted)
    ignored.write_text(MADE, "utf-8")
    return sorted([ignored, *wanted])


def _starter(place: Traversable, prefix: str = "") -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in place.iterdir():
        if item.is_dir():
            found += _starter(item, f"{prefix}{item.name}/")
        elif not item.name.startswith((".", "__")):
            found.append((prefix + item.name, item))
    return found
