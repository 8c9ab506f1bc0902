"""The spec pages, scene by scene: the notes that each writes, and the commands that it runs."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SPECS = Path(__file__).parents[1] / "specs"
BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>\w+)(?: (?P<name>[^\n]+))?\n(?P<text>.*?)^(?P=fence)$", re.M | re.S
)


HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


@dataclass
class Scene:
    """One heading of a page: the files it writes and the commands it runs."""

    page: Path
    title: str
    files: dict[str, str] = field(default_factory=dict)
    consoles: list[str] = field(default_factory=list)


def find_scenes(pages: Iterable[Path]) -> Iterator[Scene]:
    """The scenes of some pages, in order."""
    for page in pages:
        scene = Scene(page, "")
        text = page.read_text("utf-8")
        marks = sorted(
            [*HEADING.finditer(_without_blocks(text)), *BLOCK.finditer(text)],
            key=lambda m: m.start(),
        )
        for mark in marks:
            if mark.re is HEADING:
                if scene.consoles:
                    yield scene
                scene = Scene(page, mark[1])
            elif mark["kind"] in ("note", "file"):
                folder = "notes/" if mark["kind"] == "note" else ""
                name = folder + mark["name"]
                assert name not in scene.files, f"{page.name} writes {name} twice under one heading"
                scene.files[name] = mark["text"]
            elif mark["kind"] == "console":
                scene.consoles.append(mark["text"])
        if scene.consoles:
            yield scene


def rewrite_page(page: Path, old: str, new: str, *, heading: str = "") -> None:
    """Replace what a page shows, the first time after the heading, if one is given. A page is never
    seen half written; two processes would each lose what the other writes.
    """
    assert "PYTEST_XDIST_WORKER" not in os.environ, "pages are written by one process: pytest -n 0"
    text = page.read_text("utf-8")
    start = text.index(heading and f"# {heading}\n")
    rest = text[start:]
    assert old in rest, f"{page.name} no longer holds what is to be replaced:\n{old}"
    staged = page.with_suffix(".new")
    staged.write_text(text[:start] + rest.replace(old, new, 1), "utf-8")
    shutil.copymode(page, staged)
    os.replace(staged, page)


def _without_blocks(text: str) -> str:
    """The page with its blocks blanked, so that a heading inside a note is not the page's own."""
    return BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
