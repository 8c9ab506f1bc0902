"""Pictures and files that notes link to, on the site; and what is private, nowhere."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from kg.corpus.site_files import Attachment, link_key
from kg.exchange.formats import FORMATS, render_export
from kg.loader import load_corpus
from kg.model.settings.config import Config
from kg.publish.build.site import build_folder
from kg.publish.markup.html import Html
from kg.publish.markup.shown_files import A_NOTE_LEFT_OUT, LinkTargets, ShownFiles
from kg.serve.live_site import LiveSite
from tests.support.corpora import corpus_of_notes

pytestmark = pytest.mark.integration
CLAIM = "---\ntype: claim\nopen: an example\n---\n\n# A claim\n\n"


def _write_picture(place: Path, colour: str) -> None:
    data = io.BytesIO()
    Image.new("RGB", (40, 20), colour).save(data, "PNG")
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data.getvalue())


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    _write_picture(notes / "figures" / "Fit.png", "red")
    _write_picture(notes / "unlinked.png", "blue")
    (notes / "data.csv").write_text("a,b\n")
    (notes / "a.md").write_text(f"{CLAIM}![[Fit.png|A fit|20]] and [data](data.csv)\n")
    (notes / "b.md").write_text(CLAIM)
    return notes


def _files(path: Path) -> set[str]:
    return {file.name.rpartition("-")[0] for file in (path / "html" / "files").glob("*")}


def _page(path: Path) -> str:
    return (path / "html" / "statements" / "a.html").read_text()


def test_only_linked_files_are_published(notes: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    build_folder(notes, output)
    assert _files(output) == {"fit", "data"}
    match = re.search(
        r'<img src="\.\./(files/[^"]*)" alt="A fit" width="20" height="10"', _page(output)
    )
    assert match
    assert (output / "html" / match[1]).read_bytes() == (notes / "figures" / "Fit.png").read_bytes()


def test_a_picture_that_changes_makes_its_page_anew_and_the_old_one_goes(
    notes: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    build_folder(notes, output)
    before = set((output / "html" / "files").glob("fit-*"))
    _write_picture(notes / "figures" / "Fit.png", "green")
    report = build_folder(notes, output)
    assert "statements/a.html" in report.written
    assert "statements/b.html" not in report.written
    after = set((output / "html" / "files").glob("fit-*"))
    assert len(after) == 1
    assert after != before
    (notes / "a.md").write_text(f"{CLAIM}nothing\n")
    build_folder(notes, output)
    assert _files(output) == set()


@pytest.mark.parametrize(
    ("flat", "expected_output"),
    [
        (False, '<img src="../files/fit-0.png" alt="A fit" width="40" height="20"'),
        (True, '<a href="../files/fit-0.png" class="kg-file">Picture: A fit</a>'),
    ],
)
def test_within_a_line_of_text_a_picture_is_a_link(flat: bool, expected_output: str) -> None:
    fit = Attachment(path="Fit.png", digest="0", bytes=9, width=40, height=20)
    files = ShownFiles({link_key("a.md", "Fit.png", wiki=True): fit}, Config())
    assert str(files.picture("a.md", "Fit.png", True, "../", "A fit", flat)).startswith(
        expected_output
    )
    missing = files.picture("a.md", "None.png", True, "../", "A fit", flat)
    assert "<img" not in str(missing)
    assert "Picture: A fit" in str(missing)


@pytest.mark.parametrize(
    ("size", "text"),
    [(999, "999 bytes"), (1000, "1 kB"), (999_499, "999 kB"), (1_000_000, "1.0 MB")],
)
def test_a_file_says_how_large_it_is(size: int, text: str) -> None:
    data = Attachment(path="data.csv", digest="0", bytes=size)
    files = ShownFiles({link_key("a.md", "data.csv", wiki=False): data}, Config())
    assert f" (CSV, {text})" in str(files.link("a.md", "data.csv", False, "", Html("data")))


def test_what_is_served_shows_pictures_too(notes: Path) -> None:
    live = LiveSite(notes)
    live.refresh()
    site = live.state.site
    assert site is not None
    url = re.findall(
        r'"\.\./(files/fit[^"]*)"', (site.find_file("statements/a.html") or b"").decode()
    )
    assert site.find_file(url[0]) == (notes / "figures" / "Fit.png").read_bytes()
    assert site.find_file("files/unlinked.png") is None


def test_files_outside_the_notes_are_not_published(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "private.csv").write_text("secret")
    (notes / "link.csv").symlink_to(tmp_path / "private.csv")
    (notes / "a.md").write_text(f"{CLAIM}[x](../private.csv) [y](link.csv) [[private.csv]]\n")
    build_folder(notes, tmp_path / "out")
    assert _files(tmp_path / "out") == set()


def test_comments_and_drafts_are_neither_published_nor_exported(
    notes: Path, tmp_path: Path
) -> None:
    (notes / "a.md").write_text(
        f"{CLAIM}Words %%xyzzy%% <!-- xyzzy --> [[xyzzy-d|a draft]].\n\n%%\nxyzzy\n%%\n\n"
        "[[xyzzy-d#^e]] and [more](xyzzy-d.md) beside [[b]]\n\n"
        "- contradicts:: [[b]] — why %%xyzzy%%, [[plugh]]\n\n"
        "> [!evidence] E %%xyzzy%%\n> (method:: anecdote)\n"
    )
    (notes / "xyzzy-d.md").write_text(
        "---\ntype: claim\nstatus: draft\naliases: [plugh]\n---\n\n# Plugh\n\nxyzzy\n"
    )
    (notes / "l.md").write_text(
        "---\ntype: line\nopen: as [[xyzzy-d]] says\n---\n\n# Why?\n\n"
        "It stands.\n\nSee [[xyzzy-d]].\n"
    )
    (notes / "README.md").write_text("About %%xyzzy%% it, and [[xyzzy-d#^e]].\n")
    build_folder(notes, tmp_path / "out")
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert len(files) > 20
    for file in files:
        assert not re.search(rb"xyzzy|plugh", file.read_bytes().lower()), file
    assert "a draft." in re.sub(r"<[^>]*>", "", _page(tmp_path / "out"))
    corpus = load_corpus(notes)
    for name in ("ttl", "jsonld", "graphml", "dot"):
        assert name in {each[0] for each in FORMATS}
        assert not re.search("xyzzy|plugh", str(render_export(corpus, name)).lower())
    build_folder(notes, tmp_path / "out", drafts=True)
    assert (
        "plugh" in (tmp_path / "out" / "html" / "statements" / "xyzzy-d.html").read_text().lower()
    )


@pytest.mark.parametrize(
    ("target", "id"),
    [
        ("a", "a"),
        ("A", "a"),
        ("second name", "a"),
        ("/deep/a.md", "a"),
        ("a#Heading", "a"),
        ("a#^seen", "a#seen"),
        ("a#^gone", None),
        ("gone", None),
        ("gone#^seen", None),
        ("Draft", A_NOTE_LEFT_OUT),
    ],
)
def test_a_link_leads_to_a_note_by_name_alias_or_path_or_to_a_callout(
    target: str, id: str | None
) -> None:
    text = CLAIM.replace("type", "aliases: [second name]\ntype") + "> [!evidence] Seen ^seen\n"
    corpus = corpus_of_notes(**{"deep/a": text})
    assert LinkTargets(replace(corpus, drafts=frozenset({"draft"}))).resolve(target) == id
