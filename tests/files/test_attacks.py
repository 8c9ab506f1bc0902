"""A folder that somebody sent: nothing in it is believed, and no link in it written through."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.notes import notes_cache
from kg.publish.build import site as site_module
from kg.publish.build.theme.shell import build_shell, get_inputs
from tests.files.folders import LINKS, NOTE, files_below
from tests.support.corpora import parsed_note_of

pytestmark = pytest.mark.integration

EVIL = "<script>alert(1)</script>"


def run(*words: str, well: bool = True) -> str:
    """What a command says; it ends well, or with one message."""
    result = CliRunner().invoke(main, list(words))
    text = getattr(result.exception, "args", ("",))
    if well:
        assert result.exit_code == 0, (result.output, result.exception)
    else:
        assert result.exit_code != 0
        assert type(result.exception).__name__ == "PathBlocked", result.exception
    return result.output + "".join(map(str, text))


def fresh(sent: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The site of the notes as it is made where nothing was sent along."""
    clean = sent.parent / "clean"
    shutil.copytree(sent / "notes", clean / "notes", copy_function=shutil.copy2)
    with monkeypatch.context() as context_there:
        context_there.chdir(clean)
        run("build")
    return files_below(clean / "build" / "site" / "html")


def journal(site: Path, moves: list[str], removals: list[str]) -> None:
    whole = {"moves": moves, "removals": removals, "manifest": {}}
    (site / "commit.json").write_text(json.dumps(whole))
    for name in moves:
        (site / "staged" / name).parent.mkdir(parents=True, exist_ok=True)
        (site / "staged" / name).write_text(EVIL)


# -- the site --------------------------------------------------------------------------------


@LINKS
def test_a_journal_in_the_folder_moves_and_removes_nothing(sent: Path, home: Path) -> None:
    site = sent / "build" / "site"
    (site / "html").symlink_to(home)
    journal(site, [".bashrc"], ["precious"])
    assert "html is a link" in run("build", well=False)


def test_a_journal_does_not_lead_out_of_the_site(sent: Path, home: Path) -> None:
    site = sent / "build" / "site"
    journal(site, [], ["../../../home/precious"])
    (site / "html").mkdir()
    (site / "html" / "mine").write_text("mine")
    journal(site, ["evil.html"], ["mine"])
    run("build")
    assert (site / "html" / "mine").read_text() == "mine"
    assert not (site / "html" / "evil.html").exists()


@LINKS
@pytest.mark.parametrize("way", ["build", "build/site", "build/site/html"])
def test_a_link_on_the_way_to_the_site_is_not_followed(way: str, sent: Path, home: Path) -> None:
    shutil.rmtree(sent / "build")
    (sent / way).parent.mkdir(parents=True, exist_ok=True)
    (sent / way).symlink_to(home, target_is_directory=True)
    result = run("build", well=False)
    assert f"{way} is a link, which is not followed; move it away" in result


@LINKS
@pytest.mark.parametrize("output", ["build", "./build/../build/site", "public"])
def test_a_link_in_the_folder_is_not_followed_though_it_is_typed(
    output: str, sent: Path, home: Path
) -> None:
    shutil.rmtree(sent / "build")
    (sent / "build").symlink_to(home)
    (sent / "public").symlink_to(home)
    run("build", "--out", output, well=False)
    run("build", "--out", str(sent / output), well=False)


@LINKS
def test_a_folder_elsewhere_may_be_a_link(sent: Path, tmp_path: Path) -> None:
    """Who typed it chose it."""
    (tmp_path / "www").mkdir()
    (tmp_path / "elsewhere").symlink_to(tmp_path / "www")
    run("build", "--out", str(tmp_path / "elsewhere"))
    assert (tmp_path / "www" / "html" / "index.html").is_file()


@LINKS
@pytest.mark.parametrize("name", ["pages.state", "manifest.json", "search.state", "built.state"])
def test_no_draft_is_written_through_a_link(name: str, sent: Path, home: Path) -> None:
    (sent / "build" / "site" / f"{name}.draft").symlink_to(home / "precious")
    run("build")


@LINKS
def test_a_lock_that_is_a_link_makes_no_file(sent: Path, home: Path) -> None:
    (sent / "build" / "site" / "lock").symlink_to(home / "new")
    run("build")
    assert not (home / "new").exists()


@LINKS
def test_a_file_of_the_site_that_is_a_link_is_replaced(sent: Path, home: Path) -> None:
    html = sent / "build" / "site" / "html"
    html.mkdir()
    (html / "index.html").symlink_to(home / "index.html")
    run("build")
    assert not (html / "index.html").is_symlink()


def test_a_file_of_the_site_with_another_name_elsewhere_is_replaced(sent: Path, home: Path) -> None:
    html = sent / "build" / "site" / "html"
    html.mkdir()
    os.link(home / "index.html", html / "index.html")
    run("build")
    assert not (html / "index.html").samefile(home / "index.html")


@LINKS
@pytest.mark.parametrize("name", ["html", "html/statements"])
def test_a_link_put_in_between_looking_and_moving_is_not_followed(
    name: str, sent: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("build")
    place = sent / "build" / "site" / name
    (sent / "notes" / "a.md").write_text(NOTE.replace("Sleep", "Rest"), "utf-8")
    start = site_module.Writer.commit.__globals__["carry_out_journal"]

    def swap(*value: object) -> object:
        place.rename(sent / "aside")
        place.symlink_to(home)
        return start(*value)

    with monkeypatch.context() as patch:
        patch.setattr("kg.publish.build.writer.carry_out_journal", swap)
        assert "is a link" in run("build", well=False)
    assert "is a link" in run("build", well=False)
    place.unlink()
    (sent / "aside").rename(place)
    run("build")
    files = files_below(sent / "build" / "site" / "html")
    assert b"Rest helps memory" in files["statements/a.html"]
    assert files == fresh(sent, monkeypatch)


def test_a_prepared_shell_is_not_used(
    sent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs").mkdir()
    shell = build_shell(get_inputs(), tmp_path / "theirs").folder
    for page in shell.rglob("*.html"):
        page.write_text(page.read_text("utf-8").replace("</body>", f"{EVIL}</body>"), "utf-8")
    shutil.copytree(shell.parent, sent / "build" / "site" / "shell" / shell.parent.name)
    run("build")
    files = files_below(sent / "build" / "site" / "html")
    assert EVIL.encode() not in b"".join(files.values())
    assert files == fresh(sent, monkeypatch)


def test_a_page_that_was_altered_at_the_same_size_and_time_is_made_anew(
    sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sender built the site, with all that kg left then beside it, and altered a page."""
    run("build")
    time.sleep(0.05)  # more than a step of the clock
    page = sent / "build" / "site" / "html" / "statements" / "a.html"
    stat = page.stat()
    page.write_bytes(page.read_bytes().replace(b"Sleep helps", b"Sleep harms"))
    os.utime(page, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert page.stat().st_size == stat.st_size
    run("build")
    assert b"Sleep helps" in page.read_bytes()
    page.write_bytes(page.read_bytes().replace(b"Sleep helps", b"Sleep harms"))
    os.utime(page, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    monkeypatch.setenv("KG_CACHE_DIR", str(sent.parent / "of the victim"))
    run("build")
    assert b"Sleep helps" in page.read_bytes()


KEPT = ("manifest.json", "pages.state", "search.state", "built.state", "commit.json")
JUNK: dict[str, bytes] = {
    "nothing": b"",
    "bytes": bytes(range(256)),
    "a list": b"[]",
    "a map": msgspec.msgpack.encode({"format": 3, "pages": {"a": 1}, "names": [1]}),
    "numbers": msgspec.json.encode({"index.html": [4, 0], "statements/a.html": [-1, 2**70]}),
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_planted_state_is_neither_read_nor_written(
    junk: bytes, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("build")
    for name in KEPT:
        (sent / "build" / "site" / name).write_bytes(junk)
    (sent / "notes" / "a.md").write_text(NOTE.replace("Sleep", "Rest"), "utf-8")
    run("build")
    assert {(sent / "build" / "site" / name).read_bytes() for name in KEPT} == {junk}
    assert files_below(sent / "build" / "site" / "html") == fresh(sent, monkeypatch)


def test_what_no_build_wrote_is_named_whenever_a_site_is_built(sent: Path) -> None:
    site = sent / "build" / "site" / "html"
    (site / "statements").mkdir(parents=True)
    (site / "index.html").write_text("theirs")
    planted = [site / "statements" / f"x{number}.html" for number in range(5)]
    for place in planted:
        place.write_text("<script>planted()</script>")
    text = "that no build wrote are kept: " + ", ".join(
        f"statements/x{number}.html" for number in range(3)
    )
    assert f"{text} and 2 more\n" in run("build")
    assert f"{text} and 2 more\n" in run("build")  # nothing changed
    planted.pop().unlink()
    (sent / "notes" / "a.md").write_text(NOTE.replace("Sleep", "Rest"), "utf-8")
    assert f"{text} and 1 more\n" in run("build")
    for place in planted:
        place.unlink()
    assert "no build" not in run("build")


def test_planted_staged_files_are_neither_used_nor_removed(sent: Path) -> None:
    site = sent / "build" / "site"
    for name in ("staged", ".kg-staged-", ".kg-staged-0123456789abcdef"):
        (site / name).mkdir()
        (site / name / "index.html").write_text("theirs")
    run("build")
    assert "theirs" not in (site / "html" / "index.html").read_text("utf-8")
    assert len(list(site.glob("*/index.html"))) == 4


def test_nothing_but_the_site_is_left_in_the_folder(sent: Path) -> None:
    run("build")
    run("search", "sleep")
    run("sparql", "ASK { ?s ?p ?o }")
    assert [place.name for place in (sent / "build").iterdir()] == ["site"]
    assert [place.name for place in (sent / "build" / "site").iterdir()] == ["html"]


# -- what is known of the notes ----------------------------------------------------------------


def test_a_planted_cache_of_notes_is_not_believed(
    sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.loader.FEWEST_NOTES_TO_REMEMBER", 0)
    read = notes_cache.parse_note_files(
        [notes_cache.ListedFile("a.md", str(sent / "notes" / "a.md"))]
    )
    evil = msgspec.msgpack.encode(parsed_note_of(NOTE.replace("helps", "harms"), "a.md"))
    row = ("a.md", 1, 1, len(NOTE.encode()), 2, read.digests[0], evil)
    (sent / "build" / "cache").mkdir()
    with sqlite3.connect(sent / "build" / "cache" / "notes.sqlite") as store:
        store.execute("CREATE TABLE version (is_now TEXT PRIMARY KEY) WITHOUT ROWID")
        version = notes_cache.code_version("notes", "model")
        store.execute("INSERT INTO version VALUES (?)", (version,))
        store.execute(
            "CREATE TABLE file (path TEXT PRIMARY KEY, mtime INTEGER, ctime INTEGER, "
            "size INTEGER, seen INTEGER, digest BLOB, parsed BLOB) WITHOUT ROWID"
        )
        store.execute("INSERT INTO file VALUES (?,?,?,?,?,?,?)", row)
    (sent / "build" / "cache" / "notes.corpus").write_bytes(bytes(99))
    assert "Sleep helps" in run("find")


@pytest.mark.parametrize("name", ["cache/notes.sqlite", "search/notes-text.sqlite", "store"])
def test_a_planted_file_stays_as_it_is(
    name: str, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.loader.FEWEST_NOTES_TO_REMEMBER", 0)
    place = sent / "build" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert "Sleep helps" in run("find")
    assert "Sleep helps" in run("search", "sleep")
    assert "Sleep helps" in run("sparql", "SELECT ?t { ?s dcterms:title ?t }")
    assert place.read_bytes() == b"SQLite format 3\0" + b"\xff" * 5000


# -- what is written elsewhere -------------------------------------------------------------------


@LINKS
@pytest.mark.parametrize(
    "command", [("csv", "-o", "out"), ("ttl", "-o", "out/new"), ("nq", "-o", "out/precious")]
)
def test_an_export_is_not_written_through_a_link(
    command: tuple[str, ...], sent: Path, home: Path
) -> None:
    (sent / "out").symlink_to(home)
    assert "out is a link" in run("export", *command, well=False)


@LINKS
def test_an_export_is_not_written_through_a_link_to_which_a_link_of_ones_own_leads(
    sent: Path, home: Path
) -> None:
    (sent / "part").mkdir()
    (sent / "part" / "out").symlink_to(home)
    shortcut = sent.parent / "shortcut"
    shortcut.symlink_to(sent / "part")
    assert "out is a link" in run("export", "ttl", "-o", f"{shortcut}/out/new", well=False)


@LINKS
def test_an_export_is_written_through_links_of_ones_own(sent: Path, home: Path) -> None:
    shortcut = sent.parent / "shortcut"  # as /tmp is one on macOS
    shortcut.symlink_to(home)
    run("export", "ttl", "-o", f"{shortcut}/into/graph.ttl")
    assert (home / "into" / "graph.ttl").is_file()
    (home / "into" / "graph.ttl").unlink()
    (home / "into").rmdir()
    beside = sent.parent / "beside"
    beside.symlink_to(sent)
    run("export", "ttl", "-o", f"{beside}/into/graph.ttl")
    assert (sent / "into" / "graph.ttl").is_file()


@LINKS
def test_an_export_replaces_a_link(sent: Path, home: Path) -> None:
    (sent / "graph.ttl").symlink_to(home / "precious")
    run("export", "ttl", "-o", "graph.ttl")
    assert not (sent / "graph.ttl").is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_an_export_replaces_no_pipe_and_no_folder(sent: Path) -> None:
    os.mkfifo(sent / "pipe")
    (sent / "folder").mkdir()
    assert "is a device or a pipe" in run("export", "ttl", "-o", "pipe", well=False)
    assert "is a folder" in run("export", "ttl", "-o", "folder", well=False)
    assert (sent / "pipe").is_fifo()
    assert (sent / "folder").is_dir()


@LINKS
def test_a_new_note_is_not_written_through_a_link(sent: Path, home: Path) -> None:
    (sent / "notes" / "claims").symlink_to(home)
    assert "claims is a link" in run("new", "claim", "Naps help", well=False)
    (sent / "notes" / "claims").unlink()
    (sent / "notes" / "claims").mkdir()
    (sent / "notes" / "claims" / "naps.md").symlink_to(home / "new")
    result = CliRunner().invoke(main, ["new", "claim", "Naps", "--id", "naps"])
    assert isinstance(result.exception, FileExistsError)
    assert result.exception.filename.endswith(os.path.join("claims", "naps.md"))


def test_a_new_note_stays_among_the_notes(sent: Path) -> None:
    assert "leads outside" in run("new", "claim", "Naps", "--id", "../../x", well=False)


@LINKS
def test_a_new_corpus_is_not_written_through_links(sent: Path, home: Path) -> None:
    shutil.rmtree(sent / "notes")
    (sent / "notes").symlink_to(home)
    run("init", ".", well=False)
    (sent / "notes").unlink()
    (sent / ".gitignore").symlink_to(home / "new")
    run("init", ".")
    assert (sent / ".gitignore").is_symlink()
    shutil.rmtree(sent / "notes")
    (sent / "kg.toml").unlink()
    (sent / "kg.toml").symlink_to(home / "new")
    assert isinstance(CliRunner().invoke(main, ["init", "."]).exception, FileExistsError)


@LINKS
def test_what_is_named_from_where_one_stands_is_reached_without_links(
    sent: Path, home: Path
) -> None:
    """Also where the notes lie deeper than the link: whoever sent the folder made both."""
    nested = sent / "c" / "x" / "notes"
    nested.mkdir(parents=True)
    shutil.copy(sent / "notes" / "a.md", nested)
    (sent / "out").symlink_to(home)
    position = ("--notes", "c/x/notes")
    assert "out is a link" in run("export", "ttl", "-o", "out/graph.ttl", *position, well=False)
    assert "out is a link" in run("export", "csv", "-o", "out/tables", *position, well=False)
    assert "out is a link" in run("build", "--out", "out/site8", *position, well=False)
    (sent / "demo").symlink_to(home)
    assert "demo is a link" in run("init", "demo", well=False)


@LINKS
@pytest.mark.parametrize(
    ("format", "name"),
    [("text", r"\n::add-mask"), ("lines", r"\n::add-mask"), ("github", r"\n%3A%3Aadd-mask")],
)
def test_a_name_of_several_lines_is_shown_in_one(format: str, name: str, sent: Path) -> None:
    (sent / "notes" / "\n::add-mask::x\r.md").write_text("---\ntype: none\n---\n\n# A\n")
    output = CliRunner().invoke(main, ["check", "--format", format]).output
    assert name in output
    assert not any(line.startswith("::add-mask") for line in output.splitlines())
