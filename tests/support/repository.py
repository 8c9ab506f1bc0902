"""A folder of notes in git, whose commits have days."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path


def git(folder: Path, *words: str, day: str = "2026-01-01") -> str:
    """What git prints; nobody's own settings count."""
    who = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", "N"), ("EMAIL", "n@x.org"), ("DATE", f"{day}T12:00:00Z"))
    }
    none = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    environment = os.environ | who | none
    result = subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True, env=environment
    )
    return result.stdout.strip()


def commit(notes: Path, day: str, message: str = "so", **texts: str | None) -> str:
    """Write notes, or remove those without a text, and commit all; the commit's hash."""
    notes.mkdir(parents=True, exist_ok=True)
    top = notes.parent
    if not (top / ".git").exists():
        git(top, "init", "-q", "-b", "main", "--template=")
    for name, text in texts.items():
        place = notes / f"{name}.md"
        if text is None:
            place.unlink()
        else:
            place.write_text(text, "utf-8")
    git(top, "add", "-A", "notes")
    git(top, "commit", "-q", "--allow-empty", "-m", message, day=day)
    branch = (top / ".git" / "HEAD").read_text("utf-8").removeprefix("ref: ").strip()
    return (top / ".git" / branch).read_text("utf-8").strip()


LINE = "---\ntype: line\nproposition: {0}\n---\n\n# Does it help?\n\n## Answers\n"
CLAIM = "---\ntype: claim\n---\n\n# {0}\n"


def experiment_text(title: str, edge: str = "", target: str = "it-helps") -> str:
    """A good experiment, with an edge to a claim."""
    row = f"\n- {edge}:: [[{target}]] — because\n" if edge else ""
    return f"---\ntype: evidence\nmethod: experiment\nsample: 200\n---\n\n# {title}\n{row}"


def moving_corpus_folder(tmp_path: Path) -> Path:
    """A line whose answer was open, then backed, then turned; the folder of its notes."""
    shutil.copytree(_make_moving_corpus(), tmp_path / "repository")
    return tmp_path / "repository" / "notes"


@cache
def _make_moving_corpus() -> Path:
    """It, made once in each process."""
    place = tempfile.mkdtemp(prefix="kg-moving-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    notes = Path(place) / "repository" / "notes"
    commit(notes, "2026-01-01", "FIRST", it=LINE.format("it-helps"))
    commit(notes, "2026-01-02", "SECOND", **{"it-helps": CLAIM.format("It helps")})
    commit(notes, "2026-01-05", "A-SLIP", pro=experiment_text("It helped", "contradicts"))
    commit(notes, "2026-01-05", "THIRD", pro=experiment_text("It helped", "supports"))
    against = {f"con{n}": experiment_text(f"It harmed {n}", "contradicts") for n in range(3)}
    commit(notes, "2026-01-09", "FOURTH", pro=None, **against)
    return notes.parent
