"""What holds of every vault, whatever is in it: each wall is tried on it, and has to stand."""

from __future__ import annotations

import re
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from kg.checks import check
from kg.checks.render_diagnostics import PROBLEM_FORMATS, render_diagnostics
from kg.corpus import Corpus
from kg.editing.folder_files import FolderFiles
from kg.exchange.formats import FORMATS, write_export
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.lsp.completion import find_completions
from kg.lsp.hover_text import hover_at
from kg.lsp.symbols import rename_at, symbols_in
from kg.lsp.workspace import Workspace
from kg.mcp import read_tools
from kg.mcp.text_pages import MAX_ENTRIES, render_page
from kg.model.errors import KgError
from tests.hostile import strict_readers as strict
from tests.hostile.hostile_case import SECRET, Case
from tests.support.command import kg

ROOT = Path(__file__).parents[2]
MARKDOWN = {(tag, "") for tag in ("br", "del", "pre", "hr", "h3", "h4", "h5", "h6", "sup")}
OWN_STYLES = re.compile(
    r"\x1b\[(?:0|1|2|3|22|3[0-9])(?:;3[0-9])?m"
)  # bold, dim, italic, and a colour


def put_secrets(outside: Path) -> None:
    """Files of the reader's own, around the vault."""
    outside.mkdir()
    for name in ("secret.md", "secret.txt", "secret.bib", "secret.toml", "secret.csv"):
        (outside / name).write_text(f"# {SECRET}\n", "utf-8")


def check_all_walls(case: Case, place: Path) -> None:
    """All that is done with a vault that somebody sent, in the folder `place`."""
    top, outside = place / "vault", place / "outside"
    before = sorted(outside.iterdir())
    if case.refused:
        try_refusal(case, top)
    else:
        corpus = load_corpus(top / "notes")
        printed = try_check(corpus)
        assert case.message in printed, (case.message, printed[:2000])
        try_answers(corpus)
        try_editor(top, corpus)
        if not case.is_note:  # single notes are written together
            try_exports(corpus, place / "exports")
        if case.name.startswith("settings: texts"):
            try_site(top)
    assert sorted(outside.iterdir()) == before
    assert {each.name for each in place.iterdir()} <= {"exports", "outside", "vault"}


def try_refusal(case: Case, top: Path) -> None:
    """Every command says the same one thing, and nothing is written."""
    before = sorted(top.rglob("*"))
    for words in (("check",), ("build",), ("find",)):
        result = kg(top, *words)
        assert result.returncode == 2, result
        assert result.stdout == ""
        assert case.refused in result.stderr
        assert result.stderr.count("error: ") == 1
        require_inert(result.stderr)
    Workspace(NotesFolder.from_path(top / "notes")).open()
    assert sorted(top.rglob("*")) == before


def require_inert(text: str) -> None:
    """Nothing that was printed is obeyed by a terminal, and nothing of it is the reader's."""
    match = strict.CONTROL.search(OWN_STYLES.sub("", text))
    assert not match, (match, text[max(0, match.start() - 80) : match.end() + 80])
    assert SECRET not in text


def try_check(corpus: Corpus) -> str:
    """What `kg check` says, in all of its formats."""
    folder = NotesFolder.from_path(corpus.folder)
    problems = check(corpus)
    diagnostics = {
        each: render_diagnostics(problems, corpus, folder, each) for each in PROBLEM_FORMATS
    }
    for name, text in diagnostics.items():
        assert SECRET not in text
        if name in ("json", "sarif"):
            strict.read_json(text)
        else:
            require_inert(text)
    kinds = ("::error file=", "::warning file=", "::notice file=")
    assert all(line.startswith(kinds) for line in diagnostics["github"].splitlines())
    return diagnostics["lines"]


def try_answers(corpus: Corpus) -> None:
    """Ask what people and programs ask, whose answers are text."""
    for query in (
        read_tools.ask_find(corpus, "claims"),
        read_tools.ask_search(corpus, "naps"),
        read_tools.ask_show(corpus, "line"),
        read_tools.ask_verdict(corpus, "line"),
    ):
        require_inert(render_page(query.entries, query.summary, MAX_ENTRIES))


def try_commands(top: Path) -> None:
    """Ask the same in a terminal, and in JSON."""
    for words in (("find",), ("search", "naps"), ("show",), ("show", "line"), ("verdict", "line")):
        result = kg(top, *words, terminal=True)
        assert result.returncode == 0, result
        require_inert(result.stdout + result.stderr)
        answer = kg(top, *words, "--format", "json")
        strict.read_json(answer.stdout)
        assert SECRET not in answer.stdout


def try_exports(corpus: Corpus, folder: Path) -> None:
    """Write every format, and read it as others would."""
    folder.mkdir()
    for format in FORMATS:
        target = folder / f"{format.name}{format.suffix}"
        write_export(corpus, format.name, target)
        strict.read_export(format.name, target)
    require_no_secret(folder)


def require_no_secret(folder: Path) -> None:
    """No file below a folder holds what is the reader's own."""
    for file in folder.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file


def try_site(top: Path) -> None:
    """Build the site, and read its pages as a browser would."""
    result = kg(top, "build")
    assert result.returncode == 0, result
    require_inert(result.stdout + result.stderr)
    site = top / "build" / "site" / "html"
    known, scripts = harmless_template()
    for page in site.rglob("*.html"):
        problems = strict.problems_of_page(page.read_text("utf-8"), known, scripts)
        assert problems == [], (page.name, problems[:10])
    for file in (*site.glob("*.xml"),):
        strict.read_xml(file.read_bytes())
    for file in site.rglob("*.json"):
        strict.read_json(file.read_bytes())
    require_no_secret(site)


def try_editor(top: Path, corpus: Corpus) -> None:
    """Open the notes in an editor, and ask what it would ask."""
    workspace = Workspace(NotesFolder.from_path(top / "notes"))
    workspace.open()
    paths = sorted({each.path for each in workspace.listing.notes})
    text = workspace.text("bad.md" if "bad.md" in paths else paths[0])
    workspace.type(text.path, text.text)
    workspace.problems(text.path)
    note_text = workspace.join()
    workspace.check()
    symbols_in(note_text, text)
    ends = [(len(text.lines), 1), (6, 5)]
    for line, column in ends:
        column = min(column, len(text.line(line)) + 1)
        find_completions(note_text, text, line, column)
        hover = hover_at(note_text, text, line, column)
        assert hover is None or "command:" not in hover.text
        with suppress(KgError):
            rename_at(note_text, FolderFiles(corpus.folder), text, line, column, "other")


@cache
def harmless_template() -> tuple[set[tuple[str, str]], set[str]]:
    """Elements with attributes, and scripts, of a site of harmless notes, and those of Markdown."""
    place = Path(tempfile.mkdtemp(prefix="harmless-"))
    shutil.copytree(ROOT / "tests" / "publish" / "golden" / "notes", place / "notes")
    assert kg(place, "build").returncode == 0
    pages = [strict.PageReader(each.read_text("utf-8")) for each in place.rglob("*.html")]
    shutil.rmtree(place)
    return MARKDOWN.union(*(page.used for page in pages)), {s for p in pages for s in p.scripts}
