"""A file is what its name says, nothing in it runs or fetches, and a picture has a size."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from kg.files.measure_picture import UnpublishableFile, measure_picture
from tests.support.every_row import every_row

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {}>{}</svg>'
)


def _picture(kind: str, size: tuple[int, int] = (30, 20), orientation: int = 1) -> bytes:
    data = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("1" if kind == "PNG" else "RGB", size).save(data, kind, exif=exif)
    return data.getvalue()


@every_row(
    ("name", "kind"), [("a.png", "PNG"), ("a.JPG", "JPEG"), ("a.webp", "WEBP"), ("a.gif", "GIF")]
)
def test_pictures_have_a_size(name: str, kind: str) -> None:
    assert measure_picture(name, _picture(kind)) == (30, 20)


@every_row(("orientation", "size"), [(n, (30, 20) if n < 5 else (20, 30)) for n in range(1, 9)])
def test_a_picture_that_lies_on_its_side_is_turned(orientation: int, size: tuple[int, int]) -> None:
    assert measure_picture("a.jpg", _picture("JPEG", orientation=orientation)) == size


@every_row(
    ("attributes", "size"),
    [
        ('width="3" height="2"', (3, 2)),
        ('width="1in" height="72pt"', (96, 96)),
        ('viewBox="0 0 40 30"', (40, 30)),
        ('width="0.2" height="0.3"', (1, 1)),
        ('width="100%"', (0, 0)),
        ("", (0, 0)),
    ],
)
def test_drawings_have_a_size_where_they_say_one(attributes: str, size: tuple[int, int]) -> None:
    assert measure_picture("a.svg", SVG.format(attributes, "").encode()) == size


@every_row(("name", "data"), [("a.pdf", b"%PDF-1.7"), ("a.csv", b"a,b")])
def test_what_is_no_picture_has_no_size(name: str, data: bytes) -> None:
    assert measure_picture(name, data) == (0, 0)


@every_row(
    "inner",
    [
        '<use xlink:href="#a"/><path style="fill: url(#b)" d="M0 0"/>',
        '<a href="https://example.org/"><text>x</text></a>',
        '<image xlink:href="data:image/png;base64,AAAA"/>',
        "<style>*{stroke-linejoin: round;}</style>",
    ],
)
def test_drawings_as_programs_write_them_are_publishable(inner: str) -> None:
    assert measure_picture("a.svg", SVG.format("", inner).encode()) == (0, 0)


@every_row(
    "data",
    [
        SVG.format("", "<script>alert(1)</script>"),
        SVG.format('onload="alert(1)"', ""),
        SVG.format("", "<foreignObject/>"),
        SVG.format("", '<a xlink:href="javascript:alert(1)"/>'),
        SVG.format("", '<image href="https://example.org/a.png"/>'),
        SVG.format("", '<audio src="file:///a"/>'),
        SVG.format("style=\"background: image-set('https://example.org/a' 1x)\"", ""),
        SVG.format("", '<use href="https://example.org/a.svg#a"/>'),
        SVG.format("", "<style>@import 'https://example.org/a.css';</style>"),
        SVG.format("", "<style>a{}</style><style>b{fill:url(https://example.org/c)}</style>"),
        SVG.format("", '<path fill="url(https://example.org/a.svg#b)"/>'),
        SVG.format("", '<style>*{background: image-set("https://example.org/a" 1x)}</style>'),
        SVG.format("", '<path fill="URL(https://example.org/a.svg#b)"/>'),
        SVG.format("", '<x:iframe xmlns:x="http://www.w3.org/1999/xhtml"/>'),
        SVG.format("", '<animate attributeName="href" to="javascript:alert(1)"/>'),
        '<?xml-stylesheet href="a.css"?>' + SVG.format("", ""),
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG.format("", "&a;"),
        "<html/>",
        "no xml",
    ],
)
def test_drawings_that_run_fetch_or_expand_something_are_refused(data: str) -> None:
    with pytest.raises(UnpublishableFile):
        measure_picture("a.svg", data.encode())


@every_row(
    "encoding", ["UTF-7", "utf-32", "hex", "idna", "punycode", "undefined", "bogus", "cp037"]
)
def test_a_drawing_in_an_encoding_that_few_read_does_not_go(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    with pytest.raises(UnpublishableFile, match="encoding"):
        measure_picture("a.svg", (head + SVG.format("", "")).encode())


def test_drawings_may_name_the_encoding_that_they_are_in() -> None:
    for encoding in ("UTF-8", "utf-16", "ISO-8859-1", "US-ASCII"):
        head = f'<?xml version="1.0" encoding="{encoding}"?>'
        text = head + SVG.format('width="3" height="2"', "")
        assert measure_picture("a.svg", text.encode(encoding)) == (3, 2)


@every_row(
    ("name", "data"),
    [
        ("a.png", _picture("JPEG")),
        ("a.png", b"<html>"),
        ("a.pdf", b"<html>"),
        ("a.csv", b"\xff\xfe"),
        ("a.xlsx", b"x"),
    ],
)
def test_what_is_not_what_its_name_says_does_not_go(name: str, data: bytes) -> None:
    with pytest.raises(UnpublishableFile):
        measure_picture(name, data)


def test_the_error_of_a_picture_too_large_says_what_is_the_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UnpublishableFile, match="more than 50 million pixels"):
        measure_picture("a.png", _picture("PNG", (9000, 9000)))
    monkeypatch.setattr("kg.files.measure_picture.MAX_PIXELS", 600)
    assert measure_picture("a.png", _picture("PNG", (30, 20))) == (30, 20)
