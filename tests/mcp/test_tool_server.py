"""The tools, called by the client that comes with the library, once over standard input.

Of `kg/mcp/latest_corpus.py`, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.files.read_files import NotesFolder
from kg.mcp.latest_corpus import LatestCorpus
from kg.model.settings.config import ConfigError
from tests.mcp.conftest import REST, asking, started_server

pytestmark = [pytest.mark.integration, pytest.mark.anyio]


async def test_a_program_starts_it_and_can_propose_nothing_unasked(folder: Path) -> None:
    async with asking(folder, server=started_server(folder)) as (client, ask):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {*("search", "find", "show", "why", "verdict", "crux", "check_text")}
        assert all(each.annotations and each.annotations.read_only_hint for each in tools.values())
        assert "naps (claim)" in await ask("search", text="memory")
        assert (await ask("propose_note", path="a.md", text="x")).startswith("error: ")


WRONG: tuple[tuple[str, dict[str, object], str], ...] = (
    ("search", {"text": "naps", "bogus": 1}, "search has no argument bogus"),
    ("search", {"text": "naps", "limit": 0}, "limit: Input should be greater than or equal to 1"),
    ("show", {"id": "nothing"}, "nothing"),
    ("verdict", {}, "id: Field required"),
    ("find", {"query": "nonsense:1"}, "nonsense"),
    ("find", {"query": "claims", "cursor": "2"}, "no cursor '2'"),
    ("find", {"query": "claims", "cursor": "²"}, "no cursor"),
    ("search", {"text": " "}, "`text` is empty"),
    ("check_text", {"text": "x", "path": "../x.md"}, "not a note's path"),
    ("nonsense", {}, "Unknown tool"),
)


async def test_an_error_is_one_line(folder: Path) -> None:
    async with asking(folder) as (_, ask):
        for tool, arguments, message in WRONG:
            answer = await ask(tool, **arguments)
            assert answer.startswith("error: ")
            assert message in answer


@pytest.mark.parametrize("propose", [False, True])
async def test_instructions_say_how_to_write_a_note_to_those_who_may_propose(
    folder: Path, propose: bool
) -> None:
    (folder / "kg.toml").write_text('[[camps]]\nid = "owls"\nlabel = "Owls"\n', "utf-8")
    async with asking(folder, propose=propose) as (client, _):
        assert ("owls" in (client.instructions or "")) == propose


async def test_a_note_that_changed_is_read_again(folder: Path) -> None:
    async with asking(folder) as (_, ask):
        assert "Tea is enough" not in await ask("find", query="claims")
        place = folder / "claims" / "new.md"
        place.write_text(REST.replace("Rest is enough", "Tea is enough"), "utf-8")
        assert "Tea is enough" in await ask("show", id="new")
        place.unlink()
        assert "] no id 'new'" in await ask("show", id="new")
        assert "Tea is enough" not in await ask("find", query="claims")


def test_what_is_read_ahead_is_not_read_again_when_it_is_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18))
    latest = LatestCorpus(NotesFolder.from_path(folder))
    latest.read_ahead()
    monkeypatch.setattr("kg.mcp.latest_corpus.load_corpus", None)
    assert "rest" in latest.read().statements


def test_problems_are_listed_only_when_they_are_asked_for(folder: Path) -> None:
    latest = LatestCorpus(NotesFolder.from_path(folder))
    (folder / "kg.toml").write_text("what is this", "utf-8")
    latest.read_ahead()
    with pytest.raises(ConfigError):
        latest.read()
