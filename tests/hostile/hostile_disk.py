"""Folders whose files, links and names were made to do harm."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from tests.hostile.hostile_case import CLAIM, Case, claim


def _link(path: str, target: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).unlink(missing_ok=True)
        (top / path).symlink_to(target)

    return prepare


def _pipe(path: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        if not hasattr(os, "mkfifo"):
            raise OSError("there are no pipes with names here")
        (top / path).unlink(missing_ok=True)
        os.mkfifo(top / path)

    return prepare


def _folder(path: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        (top / path).unlink(missing_ok=True)
        (top / path).mkdir(parents=True)

    return prepare


def _listen(top: Path) -> None:
    """A socket's path is short, so it is bound from its folder."""
    before = Path.cwd()
    os.chdir(top / "notes")
    try:
        if not hasattr(socket, "AF_UNIX"):
            raise OSError("there are no sockets with names here")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("s.md")
    finally:
        os.chdir(before)


def _unreadable(path: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        if os.name == "nt":
            raise OSError("Windows keeps rights otherwise")
        (top / path).write_text("x", "utf-8")
        (top / path).chmod(0)

    return prepare


def _deep(top: Path) -> None:
    place = top / "notes"
    for _ in range(300):
        place /= "d"
        place.mkdir()
    (place / "deep.md").write_text(claim(title="Deep down"), "utf-8")


def _many(top: Path) -> None:
    for number in range(1000):
        os.close(os.open(top / "notes" / f"e{number}.md", os.O_CREAT | os.O_WRONLY))


def _colliding(first: str, second: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        for name in (first, second):
            (top / "notes" / name).write_text(claim(title=f"Called {len(name)}"), "utf-8")
        if len({place.stat().st_ino for place in (top / "notes").glob("*.md")}) < 6:
            raise OSError("both are one file here")

    return prepare


def _named_note(name: str, message: str = "") -> Case:
    return Case(f"name: {name!r}", {f"notes/{name}": claim()}, message)


def _disk(
    name: str,
    prepare: Callable[[Path], None],
    message: str = "",
    refused: str = "",
    rights: bool = False,
) -> Case:
    return Case(f"disk: {name}", {}, message, refused, prepare, rights)


NAMES = (
    *("__proto__.md", "constructor.md", "index.md", "con.md", "nul.md", "aux.md", "com1.md"),
    *("-rf.md", "--help.md", "a b.md", "a;id.md", "a|id.md", "$(id).md", "`id`.md", "a&b.md"),
    *("a'b.md", 'a"b.md', "<img src=x onerror=alert(1)>.md", "a\\b.md", "a%2e%2eb.md", "a?b#c.md"),
    *("..md", "...md", "a..md", ".md", "a\nb.md", "a\rb.md", "a\tb.md", "a\x1b[5mb.md"),
    *(
        "a\x9bb.md",
        "a\x85b.md",
        "a\u202eb.md",
        "a\u2066b.md",
        "a\u200bb.md",
        "nаps.md",
        "a\u2028b.md",
    ),
    *("::error::x.md", "a,title=x.md", "a]]b.md", "[[a]].md", "=1+1.md", "@x.md", "#x.md", "~.md"),
    *("x" * 250 + ".md", "é" * 120 + ".md", "\U0001f600.md", "a\uffffb.md", "a{b}.md", "a^b.md"),
    *("all.md", "feed.md", "search.md", "sitemap.md", "a.html.md", "a.md.md", "NAPS.MD"),
)
CASES = (
    *(_named_note(name) for name in NAMES),
    Case("name: not Unicode", {"notes/a\udcffb.md": claim()}, "Unicode"),
    _disk("a link to itself", _link("notes/a.md", "a.md"), "a.md"),
    _disk(
        "two links to each other",
        lambda top: (_link("notes/a.md", "b.md")(top), _link("notes/b.md", "a.md")(top))[0],
        "a.md",
    ),
    _disk("a link to the folder it lies in", _link("notes/loop", "."), "loop"),
    _disk("a link to the vault around it", _link("notes/up", ".."), "up"),
    _disk(
        "folders that are links to each other",
        lambda top: (_link("notes/l1", "l2")(top), _link("notes/l2", "l1")(top))[0],
        "",
    ),
    _disk("a link to nothing", _link("notes/a.md", "gone.md"), "a.md"),
    _disk(
        "a link to a file of the reader's",
        _link("notes/a.md", "../../outside/secret.md"),
        "out of the notes",
    ),
    _disk(
        "a link to a folder of the reader's", _link("notes/a", "../../outside"), "out of the notes"
    ),
    _disk("a link to a device", _link("notes/a.md", "/dev/zero"), "out of the notes"),
    _disk("a link to the root", _link("notes/a", "/"), "out of the notes"),
    _disk(
        "a README that is a link outside",
        _link("notes/README.md", "../../outside/secret.md"),
        "README.md",
    ),
    _disk(
        "settings that are a link outside",
        _link("kg.toml", "../outside/secret.toml"),
        refused="not followed",
    ),
    _disk("settings that are a device", _link("kg.toml", "/dev/zero"), refused="kg.toml"),
    _disk("settings that are a pipe", _pipe("kg.toml"), refused="kg.toml"),
    _disk("settings that are a folder", _folder("kg.toml"), refused="kg.toml"),
    _disk("settings that link to themselves", _link("kg.toml", "kg.toml"), refused="kg.toml"),
    _disk(
        "judgements that are a link outside",
        _link("notes/judgements", "../../outside"),
        "judgements",
    ),
    _disk("a picture that is a link outside", _link("notes/a.png", "../../outside/secret.png")),
    _disk(
        "a bibliography that is a link outside",
        _link("notes/b.bib", "../../outside/secret.bib"),
        "b.bib",
    ),
    _disk("a pipe", _pipe("notes/p.md"), "p.md"),
    _disk("a pipe for a bibliography", _pipe("notes/p.bib"), "p.bib"),
    _disk(
        "a pipe for a table of judgements",
        lambda top: ((top / "notes/judgements").mkdir(), _pipe("notes/judgements/p.csv")(top))[1],
        "p.csv",
    ),
    _disk("a pipe for a README", _pipe("notes/README.md"), "README.md"),
    _disk("a socket", _listen, "s.md"),
    _disk("a folder that is called a note", _folder("notes/f.md")),
    _disk("a folder that is called a bibliography", _folder("notes/f.bib")),
    _disk("a folder for a README", _folder("notes/README.md"), ""),
    _disk("a note that may not be read", _unreadable("notes/u.md"), "u.md", rights=True),
    _disk(
        "a README that may not be read", _unreadable("notes/README.md"), "README.md", rights=True
    ),
    _disk("settings that may not be read", _unreadable("kg.toml"), refused="kg.toml", rights=True),
    _disk("names that differ in case", _colliding("sleep.md", "Sleep.md"), "leep"),
    _disk(
        "names that differ in how accents are written",
        _colliding("caf\u00e9.md", "cafe\u0301.md"),
        "caf",
    ),
    _disk("1,000 empty files", _many, "e0.md"),
    _disk("folders 300 deep", _deep),
    Case(
        "disk: Windows' own names",
        {"notes/naps.md": CLAIM, "notes/prn.md": claim(), "notes/lpt9.md": claim()},
    ),
)
