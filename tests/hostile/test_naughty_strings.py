"""Strings in every field, through every format, command, answer to an editor and tool there is.

The tables of the program say what is tried, so that a new format or tool is tried unasked.
"""

from __future__ import annotations

import asyncio
import csv
import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import bibtexparser
import click
import pygls.workspace
import pyoxigraph as ox
import pytest
import yaml
from lsprotocol import types as lsp
from pylatexenc.latex2text import LatexNodes2Text

from kg.cli import COMMANDS, main
from kg.corpus import Corpus
from kg.exchange.formats import FORMATS, Format, write_export
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.lsp.notes_server import NotesServer
from kg.lsp.protocol import make_server
from kg.lsp.text_ranges import DocumentText
from kg.lsp.workspace import Workspace
from kg.mcp.latest_corpus import LatestCorpus
from kg.mcp.tool_server import make_tool_server
from kg.model import Source, Statement
from tests.hostile import strict_readers as strict
from tests.hostile.naughty_strings import STRINGS, in_value, marker_word, write_vault
from tests.hostile.walls import require_inert
from tests.support.command import kg

pytestmark = pytest.mark.integration

HALF_A_PAIR = STRINGS.index("\ud800")  # no text of notes holds it; JSON beside them may
COMMENTS = [number for number, text in enumerate(STRINGS) if text.startswith("%%")]
ODD = [
    number
    for number, text in enumerate(STRINGS)
    if (number != HALF_A_PAIR and not text.isprintable()) or text in ("[[a|b]]", "=1+1", "%s%n")
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    top = tmp_path_factory.mktemp("naughty")
    write_vault(top, range(len(STRINGS)))
    return load_corpus(top / "notes")


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A smaller vault: with strings that a terminal would obey."""
    place = tmp_path_factory.mktemp("odd")
    write_vault(place, ODD[::4])
    return place


def test_each_string_is_read_as_it_is_or_reported(corpus: Corpus) -> None:
    paths = {each.span.path for each in corpus.diagnostics}
    for number in range(len(STRINGS)):
        title = " ".join(in_value(number).split())
        statement = corpus.statements.get(f"c{number}")
        if number in COMMENTS:
            assert statement is not None
            assert statement.title != title  # comments are read by nobody
        elif statement is None or " ".join(statement.title.split()) != title:
            assert f"c{number}.md" in paths


# -- exports ---------------------------------------------------------------------------


def strings_in(value: object) -> Iterator[str]:
    """All strings of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from (name, *strings_in(each))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings_in(each)


def cells_in(folder: Path) -> Iterator[str]:
    for file in folder.glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as text:
            for row in csv.reader(text, strict=True):
                yield from row
    for file in folder.glob("*.parquet"):
        import polars

        yield from strings_in(polars.read_parquet(file).rows())


def texts_in(format: Format, place: Path) -> Iterable[str]:
    """What others read in an export, text by text."""
    if format.is_folder:
        return cells_in(place)
    data = place.read_bytes()
    if format.name in strict.RDF:
        quads = ox.parse(data, format=strict.RDF[format.name])
        return (each.object.value for each in quads if isinstance(each.object, ox.Literal))
    text = data.decode("utf-8")
    if format.suffix in (".graphml", ".gexf"):
        elements = list(strict.read_xml(data).iter())
        return [t for e in elements for t in (e.text or "", *e.attrib.values())]
    if format.name == "cff":
        return strings_in(yaml.safe_load(text))
    if format.name == "bibtex":
        plain = LatexNodes2Text(strict_latex_spaces=True).latex_to_text
        entries = bibtexparser.parse_string(text).entries
        return [plain(each.value) for entry in entries for each in entry.fields]
    if format.name == "dot":
        labels = re.findall(r'label="((?:\\.|[^"\\])*)"', text)  # Graphviz judges it elsewhere
        return [html.unescape(re.sub(r"\\(.)", _sign_of_dot, label)) for label in labels]
    try:
        return strings_in(strict.read_json(text))
    except json.JSONDecodeError:  # running text for people, which other tests judge as a whole
        assert not strict.CONTROL.search(text.replace("\u200d", ""))
        return text.split("\n")


def _sign_of_dot(expected: re.Match[str]) -> str:
    return "\n" if expected[1] in "nl" else expected[1]


EXACT = ("ttl", "nq", "trig", "jsonld", "csv", "parquet", "aif", "xaif", "csl")
REPLACED = ("rdfxml", "graphml", "gexf", "neo4j", "dot")  # sign by sign: what XML cannot hold
OF_SOURCES = ("bibtex", "csl")
OF_SETTINGS = ("cff", "datacite", "ro-crate")  # formats that hold the settings and no notes


def visible_signs(text: str, marks: str = "") -> str:
    """The letters and signs of a text that a reader sees, but for those that mark it up."""
    text = unicodedata.normalize("NFC", text)
    return "".join(sign for sign in text if sign.isprintable() and sign not in f" �'{marks}")


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_each_string_comes_back_from_every_format(
    format: Format, corpus: Corpus, tmp_path: Path
) -> None:
    place = tmp_path / f"out{format.suffix}"
    write_export(corpus, format.name, place)
    strict.read_export(format.name, place)
    texts: dict[str, set[str]] = {}
    for text in texts_in(format, place):
        for match in re.findall(r"zq\d{3}qz", text):
            texts.setdefault(match, set()).add(text)
    for number in range(len(STRINGS)):
        if format.name in OF_SOURCES:
            record: Source | Statement | None = corpus.sources.get(f"j{number}")
        else:
            record = corpus.statements.get(f"c{number}")
        if record is None or marker_word(number) not in record.title or format.name in OF_SETTINGS:
            continue
        match = texts.get(marker_word(number), set())
        if format.name in EXACT:
            title = record.title
            assert any(title in each for each in match), (title, match)
        elif format.name in REPLACED:
            title = visible_signs(record.title, '"\\')
            assert any(title in visible_signs(each, '"\\') for each in match), (title, match)


# -- commands --------------------------------------------------------------------------

FIRST = ODD[4]
IDS = (f"c{FIRST}", f"c{ODD[8]}")
WORDS: dict[str, tuple[str, ...]] = {
    "title": (in_value(FIRST),),
    "new": ("other",),
    "callout": (f"b{FIRST}#x",),
    "heading": (in_value(FIRST),),
    "note": (f"b{FIRST}",),
    "asked": (f"l{FIRST}",),
    "text": (marker_word(FIRST),),
    "query": ("SELECT * { ?s ?p ?o }",),
    "type": ("claim",),
}
"""What the arguments of commands are, by their names; where none stands here, ids."""
STAY = {"serve", "lsp", "mcp"}  # they answer until they are told to end; others are asked below
OTHERS = {"push", "pull", "import", "agreement", "diff", "build", "export", "undo", "init", "help"}
"""They read something else than notes, or write: tests of their own, and walls.py, try them."""


def lines_to_try() -> Iterator[tuple[str, ...]]:
    """A line for each command, in each of its formats."""
    for name, _, _ in COMMANDS:
        if name in STAY | OTHERS:
            continue
        command = main.get_command(click.Context(main), name)
        assert command is not None
        ids = iter(IDS)
        words = [name]
        for each in command.params:
            needed = isinstance(each, click.Argument) and (each.required or each.name in WORDS)
            if isinstance(each, click.Argument) and needed:
                words += WORDS.get(str(each.name)) or (next(ids),)
            elif each.required:
                words += [each.opts[0], *WORDS[str(each.name)]]
        dry = [each for each in command.params if each.name == "dry_run" or "--diff" in each.opts]
        formats = [
            each.type.choices
            for each in command.params
            if isinstance(each.type, click.Choice) and each.name == "format"
        ]
        dry_words = [dry[0].opts[0]] if dry and name != "check" else []
        for format in formats[0] if formats else ("",):
            yield (*words, *dry_words, *(("--format", format) if format else ()))


@pytest.mark.parametrize("line", tuple(lines_to_try()), ids=lambda words: ascii(" ".join(words)))
def test_no_string_is_obeyed_by_a_terminal_or_breaks_what_is_printed(
    line: tuple[str, ...], top: Path
) -> None:
    result = kg(top, *line, terminal=True)
    require_inert(result.stdout + result.stderr)
    if line[-1] in ("json", "sarif") and result.stdout:
        strict.read_json(kg(top, *line).stdout)
    elif line[-1] == "csv":
        assert strict.problems_of_csv(kg(top, *line).stdout) == []


# -- an editor -------------------------------------------------------------------------


def params_of(method: str, uri: str, line: int) -> Any:
    """What an editor sends with a request."""
    kind = lsp.METHOD_TO_TYPES[method][2]
    place = lsp.Position(line, 6)
    params = {
        "text_document": lsp.TextDocumentIdentifier(uri),
        "position": place,
        "range": lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0)),
        "context": lsp.CodeActionContext([]),
        "new_name": "other",
        "query": "zq",
    }
    if method == lsp.TEXT_DOCUMENT_REFERENCES:
        params["context"] = lsp.ReferenceContext(True)
    fields = attrs.fields_dict(kind)
    return kind(**{name: value for name, value in params.items() if name in fields})


def lines_to_ask(method: str, text: DocumentText) -> Iterable[int]:
    """Where in a note to put a request: once, where it names no place, and in one note, if none."""
    fields = attrs.fields_dict(lsp.METHOD_TO_TYPES[method][2])
    if "position" in fields:
        return range(0, len(text.lines), 5)
    return (0,) if "text_document" in fields or text.path == f"b{FIRST}.md" else ()


TOLD = re.compile("textDocument/(did|publish)|workspace/did|initialize|shutdown|exit|window")


def asked_of(server: NotesServer) -> list[str]:
    """The requests that the server answers."""
    own = (lsp.INITIALIZED, lsp.SHUTDOWN)
    features = server.protocol.fm.features
    return [each for each in features if each not in own and not TOLD.match(each)]


def shown_in(value: Any) -> Iterator[str]:
    """What an editor shows of an answer: neither what it writes into a note nor addresses."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in (
                "newText",
                "uri",
                "filterText",
                "placeholder",
                "edit",
                "documentChanges",
            ):
                yield from shown_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from shown_in(each)
    elif isinstance(value, str):
        yield value


def test_each_answer_to_an_editor_is_sound(top: Path) -> None:
    """Each feature answers somewhere, and a feature that is new is asked, too."""
    workspace = Workspace(NotesFolder.from_path(top / "notes"))
    workspace.open()
    server = make_server(lambda _: workspace)
    server.protocol._workspace = pygls.workspace.Workspace(None)  # as an editor that begins has it
    server.begin(top)
    assert server.session is not None
    workspace.join()
    workspace.check()
    workspace.weigh()
    methods = asked_of(server)
    assert len(methods) >= 10
    answered: set[str] = set()
    for path in sorted(each.path for each in workspace.listing.notes):
        text = workspace.text(path)
        server.session.shown[path] = [*workspace.problems(path)]
        need_sound(server, [server.diagnostic(each) for each in server.session.shown[path]])
        uri = server.uri_of(path)
        for method in methods:
            for line in lines_to_ask(method, text):
                answer = server.protocol.fm.features[method](params_of(method, uri, line))
                need_sound(server, answer)
                answered |= {method} if answer else set()
    assert answered == set(methods)


def need_sound(server: NotesServer, answer: Any) -> None:
    """An answer is JSON, and nothing in what is shown of it is a command, or hides."""
    plain = server.protocol._converter.unstructure(answer)
    plain = strict.read_json(json.dumps(plain, default=server.protocol._converter.unstructure))
    for text in shown_in(plain):
        assert "](command:" not in text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), text


# -- tools -----------------------------------------------------------------------------


def test_each_answer_of_a_tool_is_inert_and_stays_between_its_marks(top: Path) -> None:
    folder = NotesFolder.from_path(top / "notes")
    server = make_tool_server(LatestCorpus(folder, None), propose=True)
    values = {"limit": 100, "cursor": "", "against": False, "as_written": True, "more": None}

    async def ask() -> int:
        count = 0
        for tool in await server.list_tools():
            for number in ODD[::4]:
                words = {
                    **{
                        "id": f"b{number}",
                        "text": in_value(number),
                        "query": f"claims {marker_word(number)}",
                    },
                    **{
                        "path": f"{in_value(number)}.md",
                        "note": f"b{number}",
                        "old": in_value(number),
                    },
                    **{"new": in_value(number), "why": in_value(number), **values},
                }
                known_properties = tool.input_schema["properties"]
                assert known_properties.keys() <= words.keys(), tool.name
                try:
                    answer = await server.call_tool(
                        tool.name, {n: words[n] for n in known_properties}
                    )
                    text = "".join(part.text for part in answer.content)
                except Exception as error:
                    text = str(error)
                require_inert(text)
                count += text.count("[end of notes ") == 1
        return count

    assert asyncio.run(ask()) > len(ODD[::4]) * 4
