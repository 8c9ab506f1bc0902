"""What `--dry-run` prints is what `git apply` takes, from where it was asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.command import kg

HEAD = "---\ntype: claim\nopen: so\n---\n\n"
NOTES = {
    "a.md": f"{HEAD}# A\n\nSaid.[@k]\n\n- supports:: [[My note]] — so",
    "My note.md": f"{HEAD}# B\n\nOf\u2028two lines, [[a]]\fand more.\n\n## More\n\n[[a]]\n",
    "b.md": f"{HEAD}# C\n\n[[a]]\n".replace("\n", "\r\n"),
}
COMMANDS = (
    ("rename", "a", "an other"),
    ("rename", "k", "key"),
    ("merge", "b", "a"),
    ("merge", "a", "My note"),
    ("split", "My note", "--at", "More"),
)
if os.name == "posix":
    NOTES['a "q".md'] = f"{HEAD}# Q\n\n[[a]]\n"
    COMMANDS += (("retire", 'a "q"'),)


def file_contents(folder: Path) -> dict[str, bytes]:
    places = [*(folder / "notes").rglob("*"), *folder.glob("*.bib")]
    return {str(each.relative_to(folder)): each.read_bytes() for each in places if each.is_file()}


@pytest.mark.integration
@pytest.mark.parametrize("top", ["", "work", "."], ids=["nowhere", "at the top", "in a folder"])
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_git_applies_a_diff(
    tmp_path: Path, words: tuple[str, ...], top: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    work = tmp_path / "work"
    (work / "notes").mkdir(parents=True)
    for name, text in NOTES.items():
        (work / "notes" / name).write_bytes(text.encode())
    (work / "refs.bib").write_text("@book{k,\n title = {T},\n author = {B, C}\n}\n")
    (work / "kg.toml").touch()
    if top:
        subprocess.run(["git", "init", "-q", str(tmp_path / top)], check=True)
    result = kg(work, *words, "--dry-run")
    assert result.returncode == 0, result.stderr
    was = file_contents(work)
    patch = result.stdout.encode()
    subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=work, input=patch, check=True)
    applied = file_contents(work)
    for name, data in was.items():
        (work / name).write_bytes(data)
    for name in applied.keys() - was.keys():
        (work / name).unlink()
    outcome = kg(work, *words)
    assert outcome.returncode == 0, outcome.stderr
    assert applied == file_contents(work) != was
