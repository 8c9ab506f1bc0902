"""Many notes are read on several cores with the same result as on one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.notes import parse_files
from kg.notes.note_listing import ListedFile, list_notes
from kg.notes.parse_files import ParsedBatch, parse_note_files


@pytest.fixture
def files(tmp_path: Path) -> tuple[ListedFile, ...]:
    for number in range(12):
        head = f"---\ntype: claim\ncreated: 2026-01-0{number % 9}\n---\n"
        text = f"{head}\n# T {number} é\n\n[@k] [[x]]\n"
        (tmp_path / f"n{number:02}.md").write_text(text, "utf-8")
    (tmp_path / "n05.md").write_bytes(b"\0")
    notes = list_notes(tmp_path).notes
    (tmp_path / "n11.md").unlink()
    return notes


def _on_several(
    files: tuple[ListedFile, ...], monkeypatch: pytest.MonkeyPatch, cores: int = 2
) -> ParsedBatch:
    monkeypatch.setattr(parse_files, "FEWEST_NOTES_TO_SHARE_OUT", 2)
    monkeypatch.setattr(parse_files, "can_fork", lambda: True)
    monkeypatch.setattr(parse_files, "available_cores", lambda: cores)
    return parse_note_files(files)


@pytest.mark.integration
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.parametrize("cores", [2, 3, 4, 64])
def test_several_processes_read_what_one_reads(
    files: tuple[ListedFile, ...], monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    alone = parse_note_files(files)
    assert len(alone.parsed_notes) == len(alone.digests) == 11
    assert [problem.span.path for problem in alone.diagnostics] == ["n11.md"]
    assert _on_several(files, monkeypatch, cores) == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_what_a_lost_child_should_have_read_is_read_here(
    files: tuple[ListedFile, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = parse_note_files(files)
    here, parse = os.getpid(), parse_files.parse_note

    def parse_or_die(file):  # type: ignore[no-untyped-def]
        if os.getpid() != here:
            os.kill(os.getpid(), 9)
        return parse(file)

    monkeypatch.setattr(parse_files, "parse_note", parse_or_die)
    assert _on_several(files, monkeypatch) == alone


def test_few_notes_are_read_here(
    files: tuple[ListedFile, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> bool:
        raise AssertionError("there was no need to ask")

    monkeypatch.setattr(parse_files, "can_fork", refuse)
    assert len(parse_note_files(files).parsed_notes) == 11
