"""The notes as they are now, read ahead."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.files.read_files import NotesFolder
from kg.mcp.latest_corpus import LatestCorpus
from kg.model.settings.config import ConfigError
from tests.mcp.conftest import (
    REST,
    asking,
)

pytestmark = [pytest.mark.integration, pytest.mark.anyio]


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
    monkeypatch.setattr("kg.files.read_files.COARSEST_CLOCK_NANOSECONDS", -(10**18))
    latest = LatestCorpus(NotesFolder.of(folder))
    latest.read_ahead()
    monkeypatch.setattr("kg.mcp.latest_corpus.load_corpus", None)
    assert "rest" in latest.read().statements


def test_what_is_wrong_is_not_told_ahead_but_when_it_is_asked_for(folder: Path) -> None:
    latest = LatestCorpus(NotesFolder.of(folder))
    (folder / "kg.toml").write_text("what is this", "utf-8")
    latest.read_ahead()
    with pytest.raises(ConfigError):
        latest.read()
