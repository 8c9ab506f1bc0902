"""A folder that somebody sent: what lies in it runs nothing and hangs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE = 120.0  # only against what would hang
# Started as the installed command is: its own folder comes first on Python's path, not this one.
PROGRAM = "import sys\nfrom kg.cli import run\nif __name__ == '__main__':\n    sys.exit(run())\n"
MODULES = ("kg", "markdown", "material", "mkdocs", "multiprocessing", "os", "re", "signal", "yaml")
CLAIM = "---\ntype: claim\ncamp: {camp}\n---\n\n# {title}\n\n{body}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus, with modules in it that leave a trace when they are run."""
    folder = tmp_path / "sent"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "a.md").write_text(CLAIM.format(camp="skeptic", title="A", body="It is."))
    trace = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    for place in (folder, folder / "notes"):
        for name in MODULES:
            (place / f"{name}.py").write_text(trace)
    return folder


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    program = folder.parent / "program"
    program.mkdir(exist_ok=True)
    script = program / "command.py"
    script.write_text(PROGRAM)
    around = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    return subprocess.Popen(
        [sys.executable, str(script), *words],
        cwd=folder,
        env=around,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("command", ["check", "stats", "build"])
def test_no_module_of_the_folder_is_run(command: str, folder: Path) -> None:
    done = start(folder, command)
    _, said = done.communicate(timeout=PATIENCE)
    assert done.returncode == 0, said
    assert not (folder.parent / "ran").exists()


def test_the_build_that_serve_starts_runs_no_module_of_the_folder(folder: Path) -> None:
    made = folder / "build" / "site" / "html" / "index.html"
    serving = start(folder, "serve", "--port", "0")
    end = time.monotonic() + PATIENCE
    try:
        while not made.exists() and time.monotonic() < end:
            time.sleep(0.1)
            assert not (folder.parent / "ran").exists()
            assert serving.poll() is None
    finally:
        serving.terminate()
        serving.communicate(timeout=PATIENCE)
    assert made.exists()
    assert not (folder.parent / "ran").exists()


def test_parts_and_words_without_end_are_only_text(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    parts = ("[", "![", "](", "[[a|", "[@", "_", "a_", "`", "*", "> ", "<", "&", "|", "^", "(a:: ")
    texts = [f"x{part * 16_000}y" for part in parts] + ["x" * 400_000]
    for number, body in enumerate(texts):
        text = CLAIM.format(camp="skeptic", title=f"Number {number}", body=body)
        (tmp_path / "notes" / f"n{number}.md").write_text(text)
    done = start(tmp_path, "build")
    _, said = done.communicate(timeout=PATIENCE)
    assert done.returncode == 0, said
