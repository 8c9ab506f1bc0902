"""Which files may go with a site, and from where a picture is shown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from kg.corpus.site_files import attachments_by_link, is_allowed_host, linked_files
from kg.loader import load_corpus
from kg.model.settings.config import Config
from tests.support.every_row import every_row

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'


def _picture() -> bytes:
    data = io.BytesIO()
    Image.new("1", (30, 20)).save(data, "PNG")
    return data.getvalue()


@every_row(
    ("address", "is_allowed"),
    [
        ("https://pictures.example/a.png", True),
        ("HTTPS://pictures.example/a.png", True),
        ("http://pictures.example/a.png", False),
        ("https://pictures.example:8443/a.png", False),
        ("https://pictures.example:no/a.png", False),
        ("https://other.example/a.png", False),
        ("//pictures.example/a.png", False),
    ],
)
def test_a_picture_is_shown_only_from_a_host_that_is_named(address: str, is_allowed: bool) -> None:
    assert is_allowed_host(Config(image_hosts=("pictures.example",)), address) is is_allowed


def test_what_cannot_go_is_kept_with_its_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.corpus.site_files.MAX_ATTACHMENT_BYTES", 1024)
    links = "![](a.png) ![](gone.png) ![](false.png) ![](wild.svg) ![](large.png)"
    (tmp_path / "large.png").write_bytes(_picture() + bytes(1024))
    (tmp_path / "a.md").write_text(f"---\ntype: claim\n---\n\n# A\n\n{links}\n")
    (tmp_path / "a.png").write_bytes(_picture())
    (tmp_path / "false.png").write_bytes(b"GIF89a")
    (tmp_path / "wild.svg").write_text(SVG)
    corpus = load_corpus(tmp_path)
    files = {file.path: file for _, file in linked_files(corpus) if file}
    assert {path: file.trouble for path, file in files.items()} == {
        "a.png": "",
        "false.png": "it is not in PNG format",
        "wild.svg": "this SVG holds what a browser runs, `<script>`",
        "large.png": "it is larger than 1 KiB",
    }
    assert files["a.png"].width == 30
    assert [file.path for file in attachments_by_link(corpus).values()] == ["a.png"]
