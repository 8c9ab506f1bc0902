"""A folder that somebody sent: what lies in it runs nothing and hangs nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

pytestmark = pytest.mark.integration

# Started as the installed command is: its own folder comes first on Python's path, not this one.
PROGRAM = "import sys\nfrom kg.cli import run\nif __name__ == '__main__':\n    sys.exit(run())\n"
# Commands in folders, one after the other: to start Python for each would take longer than they do.
MANY = """import json, os, sys
from kg.cli import run
for folder, command in json.loads(sys.argv[1]) if __name__ == '__main__' else ():
    os.chdir(folder)
    try:
        run([command])
    except SystemExit as end:
        assert end.code in (None, 0, 1, 2), (folder, command, end.code)
"""
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


def start(folder: Path, *words: str, text: str = PROGRAM) -> subprocess.Popen[str]:
    program = folder.parent / "program"
    program.mkdir(exist_ok=True)
    script = program / "command.py"
    script.write_text(text)
    around = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    return subprocess.Popen(
        [sys.executable, str(script), *words],
        cwd=folder,
        env=around,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("command", ["check", "show", "build"])
def test_no_module_of_the_folder_is_run(command: str, folder: Path) -> None:
    result = start(folder, command)
    _, text = result.communicate(timeout=PATIENCE)
    assert result.returncode == 0, text
    assert not (folder.parent / "ran").exists()


def test_the_build_that_serve_starts_runs_no_module_of_the_folder(folder: Path) -> None:
    index_page = folder / "build" / "site" / "html" / "index.html"
    serving = start(folder, "serve", "--port", "0")
    end = time.monotonic() + PATIENCE
    try:
        while not index_page.exists() and time.monotonic() < end:
            time.sleep(0.1)
            assert not (folder.parent / "ran").exists()
            assert serving.poll() is None
    finally:
        serving.terminate()
        serving.communicate(timeout=PATIENCE)
    assert index_page.exists()
    assert not (folder.parent / "ran").exists()


DEEP = 16_000
NESTED = {
    "kg.toml": ("a = " + "[" * DEEP, "a" + ".a" * DEEP + " = 1", "a = " + "{a=" * DEEP),
    "notes/references.json": ("[" * DEEP, '[{"id": ' * DEEP, '[{"id": "a", "x": ' + "[" * DEEP),
    "notes/references.bib": (
        "@article{a, title = " + "{" * DEEP + "}",
        "@article{a, title = {" + "{" * DEEP + "}" * DEEP + "}}",
        "@article{a, title = {$" + r"\frac{" * 2000 + "}" * 2000 + "$}}",
    ),
    "notes/judgements/a.csv": (f'edge,annotator,label\n"{"x" * 200_000}",a,supports\n',),
}
PARTS = ("[", "![", "](", "[[a|", "[@", "_", "a_", "`", "*", "> ", "<", "&", "|", "^", "(a:: ")
BODIES = (
    *(f"x{part * DEEP}y" for part in PARTS),
    "x" * 400_000,
    "> " * DEEP + "x",
    "".join(f"{'  ' * depth}- x\n" for depth in range(1000)),
    "*a **b " * DEEP,
    "[" * DEEP + "]" * DEEP,
    "![" * DEEP + "](a)" * DEEP,
    "<b>" * DEEP,
    "<!--" * DEEP,
    "`a` " * DEEP,
    "[[a]] " * DEEP,
    "![[" * DEEP,
    "## h\n\n" * DEEP,
    "- supports:: [[a]]\n" * DEEP,
    "a[^1] " * DEEP,
)


def test_files_that_go_on_without_end_are_messages(tmp_path: Path) -> None:
    requests = []
    for number, (name, text) in enumerate((n, text) for n in NESTED for text in NESTED[n]):
        folder = tmp_path / f"text {number}"
        (folder / "notes").mkdir(parents=True)
        whole_text = CLAIM.format(camp="skeptic", title="A", body="[@a]")
        (folder / "notes" / "a.md").write_text(whole_text)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        requests.append((str(folder), "check"))
    result = start(tmp_path, json.dumps(requests), text=MANY)
    _, wording = result.communicate(timeout=PATIENCE)
    assert result.returncode == 0, wording[-500:]


def test_notes_that_go_on_without_end_are_only_text(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text(CLAIM.format(camp="skeptic", title="A", body="[@a]"))
    for number, body in enumerate(BODIES):
        text = CLAIM.format(camp="skeptic", title=f"Number {number}", body=body)
        (tmp_path / "notes" / f"n{number}.md").write_text(text)
    query = [(str(tmp_path), "check"), (str(tmp_path), "build")]
    result = start(tmp_path / "notes", json.dumps(query), text=MANY)
    _, wording = result.communicate(timeout=PATIENCE)
    assert result.returncode == 0, wording[-500:]
    pages = tmp_path / "build" / "site" / "html" / "statements"
    assert all((pages / f"n{number}.html").exists() for number in range(len(BODIES)))


def test_tex_reads_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("what nobody should see")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text(CLAIM.format(camp="skeptic", title="A", body="[@a]"))
    tex = rf"\input{{{secret}}} \include{{../secret}} \input{{../secret.tex}} $x$"
    bib = f"@article{{a, title = {{T {tex}}}, author = {{B, {tex}}}, year = 2020}}\n"
    (tmp_path / "notes" / "references.bib").write_text(bib)
    result = start(tmp_path / "notes", "export", "ttl", "--notes", ".")
    report, text = result.communicate(timeout=PATIENCE)
    assert result.returncode == 0, text
    assert "T " in report
    assert "nobody" not in report


def test_a_snapshot_outside_the_notes_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("what nobody should see")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "link.txt").symlink_to(tmp_path / "secret.txt")
    for number, path in enumerate(("../secret.txt", str(tmp_path / "secret.txt"), "link.txt")):
        text = f"---\ntype: source\nsnapshot: {path}\n---\n\n# S{number}\n"
        (notes / f"s{number}.md").write_text(text)
    quoted = "".join(f"\n> what nobody should see\n> [@s{number}]\n" for number in range(3))
    (notes / "a.md").write_text(CLAIM.format(camp="skeptic", title="A", body=quoted))
    result = start(notes, "check", "--notes", ".", "--format", "json")
    report, _ = result.communicate(timeout=PATIENCE)
    problems = json.loads(report)
    assert sorted(p["path"] for p in problems if p["rule"] == "missing-snapshot") == [
        "s0.md",
        "s1.md",
        "s2.md",
    ]
    assert "misquoted-source" not in {problem["rule"] for problem in problems}
