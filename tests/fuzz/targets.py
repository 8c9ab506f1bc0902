"""What a fuzzer feeds: each target takes any bytes, and may raise nothing but our own errors."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from kg.checks import check
from kg.corpus import Corpus
from kg.editing.folder_files import FolderFiles
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.importing.import_records import ImportInput, InputFile
from kg.importing.importers import IMPORTERS, Importer
from kg.importing.new_notes import import_notes
from kg.judgements.edge_labels import judgements_of
from kg.loader import load_changed, load_corpus
from kg.lsp.completion import find_completions
from kg.lsp.hover_text import hover_at
from kg.lsp.protocol import make_server
from kg.lsp.symbols import rename_at, symbols_in
from kg.lsp.text_ranges import DocumentText
from kg.lsp.workspace import Workspace
from kg.mcp import read_tools
from kg.mcp.latest_corpus import LatestCorpus
from kg.mcp.message_streams import read_message
from kg.mcp.tool_server import make_tool_server
from kg.model import Severity
from kg.model.errors import KgError
from kg.model.settings.config import parse_config
from kg.queries.language.parse_query import parse_request

SEEDS = Path(__file__).parent / "seeds"
Target = Callable[[bytes], object]

ERRORS_OF_ARGUMENTS = {"supports-and-contradicts", "self-edge", "unknown-camp", "wrong-premise"}
"""What an imported text may get wrong, and its notes then say as it does."""


@cache
def corpus() -> Corpus:
    """A small corpus in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="fuzzed-"))
    shutil.copytree(SEEDS / "corpus", folder, dirs_exist_ok=True)
    new_corpus = load_corpus(folder)
    errors = [problem for problem in check(new_corpus) if problem.severity is Severity.ERROR]
    assert not errors, errors
    return new_corpus


MAPPED = b"""[map]
links = true
[map.keys]
kind = "type"
tags = "topics"
[map.types]
idea = "claim"
[map.titles]
"EVD - " = "evidence"
"@" = "source"
[map.relations]
opposes = "contradicts"
[map.connectives]
since = "relates"
"""


def read_files(
    names: Iterable[str], data: bytes, settings: Mapping[str, bytes] = MappingProxyType({})
) -> None:
    """Load and check the corpus as if `data` stood at each of these places, one after another."""
    for name in names:
        changed = load_changed(corpus().folder, {**settings, name: data})
        for problem in check(changed):
            assert problem.message
            assert problem.span.line >= 1
            assert problem.span.column >= 1


def read_judgements(data: bytes) -> None:
    """Read a table of judgements."""
    changed = load_changed(corpus().folder, {"judgements/a.csv": data})
    list(check(changed))
    judgements_of(changed)


def ask(data: bytes) -> None:
    """Put a question, as the command line and other programs do."""
    text = data.decode("utf-8", "replace")
    for question in (
        read_tools.ask_find,
        read_tools.ask_search,
        read_tools.ask_show,
        read_tools.ask_verdict,
    ):
        with suppress(KgError):
            question(corpus(), text)
    with suppress(KgError):
        repr(parse_request(text))


def import_file(importer: Importer, data: bytes) -> None:
    """Import a file, and read the notes that would be made."""
    try:
        file = InputFile(f"given{importer.suffixes[0]}", data.decode("utf-8"))
    except UnicodeDecodeError:
        return
    imported = importer.read(ImportInput((file,), corpus().config.camps))
    change = import_notes(FolderFiles(corpus().folder), corpus(), importer, imported)
    changed = load_changed(corpus().folder, change.files_after)
    errors = [
        problem
        for problem in check(changed)
        if problem.severity is Severity.ERROR and problem.rule not in ERRORS_OF_ARGUMENTS
    ]
    assert not errors, errors[0]


def edit(data: bytes) -> None:
    """Ask for all that an editor asks, at places of a note."""
    text = DocumentText("naps-help.md", data.decode("utf-8", "replace"))
    symbols_in(corpus(), text)
    places = random.Random(len(data))
    for _ in range(8):
        line = places.randint(1, len(text.lines))
        column = places.randint(1, len(text.line(line)) + 1)
        find_completions(corpus(), text, line, column)
        hover_at(corpus(), text, line, column)
        with suppress(KgError):
            rename_at(corpus(), FolderFiles(corpus().folder), text, line, column, "other")


def answer_editor(data: bytes) -> None:
    """Serve an editor that greets, says lines of JSON and anything else, and leaves."""
    hello = {"id": 0, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
    bye = ({"id": 1, "method": "shutdown"}, {"method": "exit"})
    data_here = Path(corpus().folder).as_uri().encode()
    text = [
        json.dumps({"jsonrpc": "2.0", **hello}).encode(),
        *data.replace(b"file:///notes", data_here).split(b"\n"),
        *(json.dumps({"jsonrpc": "2.0", **each}).encode() for each in bye),
    ]
    frames = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(each), each) for each in text)
    workspace, answers = Workspace(corpus().folder), io.BytesIO()
    workspace.open()
    server = make_server(lambda _: workspace)
    logging.disable()  # what is refused is logged
    try:
        with suppress(SystemExit):  # an editor may ask for the end before
            server.start_io(io.BytesIO(frames), answers)
    finally:
        logging.disable(logging.NOTSET)
    message = answers.getvalue()
    assert b'"code": -32603' not in message, message  # an error of the server itself
    assert b"Error in server" not in message, message


def answer_agent(data: bytes) -> None:
    """Answer lines of an agent, and run the tools that they call."""
    server = make_tool_server(LatestCorpus(corpus().folder), propose=True)
    for line in data.decode("utf-8", "replace").split("\n"):
        with suppress(KgError):
            params = getattr(read_message(line), "params", None) or {}
            name, arguments = params.get("name"), params.get("arguments")
            if isinstance(name, str) and isinstance(arguments, dict):
                _call_tool(server, name, arguments)


def _call_tool(server: MCPServer[Any], name: str, arguments: dict[str, Any]) -> None:
    """Call a tool; what it raises comes as the cause of the library's error."""
    try:
        asyncio.run(server.call_tool(name, arguments))
    except ToolError as error:
        if not isinstance(error.__cause__, KgError | ToolError | ValidationError | None):
            raise error.__cause__ from error


def read_reply(data: bytes) -> None:
    """Read what a server answers."""
    for kind in ("application/sparql-results+json", "text/turtle", "application/n-triples"):
        with suppress(KgError):
            parse_results(ServerReply(data, kind))


def read_settings(data: bytes) -> None:
    """Read settings."""
    parse_config(data.decode("utf-8", "replace"), "kg.toml")


TARGETS: Mapping[str, Target] = {
    "note": partial(read_files, ["naps-help.md", "work.md"]),
    "mapped": partial(read_files, ["naps-help.md", "@doe.md"], settings={"kg.toml": MAPPED}),
    "bibliography": partial(read_files, ["references.bib", "more.json"]),
    "settings": read_settings,
    "judgements": read_judgements,
    "question": ask,
    "reply": read_reply,
    "editor": edit,
    "editor-message": answer_editor,
    "agent": answer_agent,
    **{f"import-{each.name}": partial(import_file, each) for each in IMPORTERS},
}
