"""The tools, called by the client that comes with the library, once over standard input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcp.conftest import (
    asking,
    started_server,
)

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
        for tool, arguments, told in WRONG:
            answer = await ask(tool, **arguments)
            assert answer.startswith("error: ")
            assert told in answer


@pytest.mark.parametrize("propose", [False, True])
async def test_who_may_propose_is_told_how_a_note_is_written(folder: Path, propose: bool) -> None:
    (folder / "kg.toml").write_text('[[camps]]\nid = "owls"\nlabel = "Owls"\n', "utf-8")
    async with asking(folder, propose=propose) as (client, _):
        assert ("owls" in (client.instructions or "")) == propose
