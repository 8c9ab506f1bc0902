"""What is written for others, read as they would read it: strictly."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import bibtexparser
import pyoxigraph as ox
import yaml

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
"""What a terminal or a reader's eye would obey, and no text of ours may hold."""
FORMULA = re.compile(r"\s*[=+@\-\t\r]")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?%?")
VOID_OF_SCHEME = re.compile(r"https?://|[^:/?#]*(?:[/?#]|$)|#|mailto:", re.I)
SITE_PATH = re.compile(r'(?<=new URL\(")[\w./%-]*')  # the theme says there where the site is
SCRIPTS = {"application/json", "application/ld+json"}


def read_json(text: str | bytes) -> object:
    """The value of JSON without infinities and without a key that stands twice."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len({name for name, _ in pairs}) == len(pairs), pairs
        return dict(pairs)

    if isinstance(text, bytes):
        text = text.decode("utf-8")
    value = json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair
    return value


def read_xml(data: bytes) -> ET.Element:
    """The root of XML that is well-formed."""
    return ET.fromstring(data)


class PageReader(HTMLParser):
    """A page as a browser takes it: elements with attributes, and the texts of scripts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.used: set[tuple[str, str]] = set()
        self.links: set[str] = set()
        self.scripts: list[str] = []
        self._script = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.used |= {(tag, ""), *((tag, name) for name, _ in attrs)}
        values = dict(attrs)
        self.links |= {
            values[name] or ""
            for name in ("href", "src", "action", "xlink:href", "data", "poster", "formaction")
            if name in values
        }
        if tag == "meta" and "http-equiv" in values:
            self.used.add(("meta", f"http-equiv={values['http-equiv']}"))
        self._script = (tag == "script" and (values.get("type") or "text/javascript")) or ""

    def handle_endtag(self, tag: str) -> None:
        self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script in SCRIPTS:
            read_json(data)
        elif self._script:
            self.scripts.append(SITE_PATH.sub("", data))


def problems_of_page(html: str, known: set[tuple[str, str]], scripts: set[str]) -> list[str]:
    """What a page holds that no template and no Markdown has."""
    page = PageReader(html)
    texts = [f"<{tag} {name}>" for tag, name in page.used - known]
    texts += [f"a link to {link!r}" for link in page.links if not VOID_OF_SCHEME.match(link)]
    texts += [f"a link to {link!r}" for link in page.links if link.startswith(("//", "\\", "/\\"))]
    return texts + [f"a script: {text[:80]!r}" for text in page.scripts if text not in scripts]


def problems_of_csv(text: str) -> list[str]:
    """Cells that a spreadsheet would run."""
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    cells = (cell for row in rows for cell in row)
    return [cell for cell in cells if FORMULA.match(cell) and not NUMBER.fullmatch(cell)]


RDF = {
    "ttl": ox.RdfFormat.TURTLE,
    "nq": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}


def read_export(name: str, place: Path) -> None:
    """Read an export back; raises what is wrong with it."""
    if place.is_dir():
        for file in place.iterdir():
            if file.suffix == ".csv":
                assert problems_of_csv(file.read_text("utf-8")) == [], file.name
        return
    data = place.read_bytes()
    text = data.decode("utf-8")
    if name in RDF:
        for _ in ox.parse(data, format=RDF[name]):
            pass
    if name in ("graphml", "gexf", "rdfxml"):
        read_xml(data)
    elif name in ("canvas", "csl", "aif", "xaif", "datacite", "ro-crate", "jsonld"):
        read_json(data)
    elif name == "cff":
        yaml.safe_load(text)
    elif name == "bibtex":
        assert not bibtexparser.parse_string(text).failed_blocks
