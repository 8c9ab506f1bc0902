"""The notes that hold one of everything, in git: changed once since the first commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

NOTES = Path(__file__).parents[1] / "publish" / "golden" / "notes"


def write_golden_notes(place: Path) -> Path:
    """The folder of notes below `place`, which becomes a repository of two commits."""
    notes = place / "notes"
    shutil.copytree(NOTES, notes)
    changed = notes / "claims" / "naps-steal-nights.md"
    text = changed.read_text("utf-8")
    changed.write_text(text.replace("- undercuts::", "- contradicts::").replace("#^words", ""))
    (notes / "claims" / "new-view.md").rename(place / "later.md")
    _git(place, "init", "--quiet", "--initial-branch=main")
    _git(place, "add", "notes")
    _git(place, "commit", "--quiet", "--message=First", day="2024-01-02")
    changed.write_text(text, "utf-8")
    (place / "later.md").rename(notes / "claims" / "new-view.md")
    _git(place, "add", "notes")
    _git(place, "commit", "--quiet", "--message=The well rested", day="2024-03-04")
    return notes


def _git(place: Path, *words: str, day: str = "2024-01-01") -> None:
    name = {f"GIT_{who}_NAME": "N" for who in ("AUTHOR", "COMMITTER")}
    mail = {f"GIT_{who}_EMAIL": "n@example.org" for who in ("AUTHOR", "COMMITTER")}
    date = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    subprocess.run(["git", *words], cwd=place, check=True, env=os.environ | name | mail | date)
