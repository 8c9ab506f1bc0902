"""A vault that somebody made to do harm: more than 150 ways, each tried on every wall."""

from __future__ import annotations

import time
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

from kg.loader import load_corpus
from tests.hostile import (
    hostile_arguments,
    hostile_bodies,
    hostile_disk,
    hostile_heads,
    hostile_settings,
    hostile_tables,
)
from tests.hostile.hostile_case import BAD, Case
from tests.hostile.walls import check_all_walls, put_secrets, try_commands, try_exports, try_site
from tests.support.rights import rights_count

pytestmark = pytest.mark.integration

TABLES = (
    hostile_heads,
    hostile_bodies,
    hostile_settings,
    hostile_tables,
    hostile_disk,
    hostile_arguments,
)
CASES = {case.name: case for table in TABLES for case in table.CASES}


def test_there_are_many_cases_each_with_a_name_of_its_own() -> None:
    assert len(CASES) == sum(len(table.CASES) for table in TABLES)
    assert len(CASES) >= 150


LONGEST = 3.0  # seconds of the processor; the slowest case takes one to 2.6, as the machine is
ADDITIONS = 1_000_000  # which take 0.05 s where nothing else runs


@cache
def slowness() -> float:
    """How many times slower this machine is than that, at the moment: at least 1."""
    begin, total = time.process_time(), 0
    for number in range(ADDITIONS):
        total += number
    return max(1.0, (time.process_time() - begin) / 0.05)


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: ascii(case.name))
def test_a_hostile_vault_breaks_no_command_export_or_site(case: Case, tmp_path: Path) -> None:
    took = _seconds_at_all_walls(case, tmp_path / "first")
    if took > LONGEST:  # once more, since others disturb, and the first case loads what all use
        took = min(took, _seconds_at_all_walls(case, tmp_path / "second"))
    if took > LONGEST:  # only then is it worth knowing how slow the machine is
        assert took <= LONGEST * slowness(), f"{took:.1f} s, and this machine is no slower"


def _seconds_at_all_walls(case: Case, place: Path) -> float:
    """Seconds of processor time; skips the test where the system has no such files."""
    place.mkdir()
    put_secrets(place / "outside")
    try:
        case.write(place / "vault")
    except OSError as error:
        pytest.skip(f"this system has no such files: {error}")
    with rights_count() if case.rights else nullcontext():
        begin = time.process_time()
        check_all_walls(case, place)
        return time.process_time() - begin


LONGEST_IN_COMPANY = 3000  # bytes of a note; longer ones are tried one at a time, above


def test_all_hostile_notes_together_break_no_command_export_or_site(tmp_path: Path) -> None:
    notes = [case.files[BAD] for case in CASES.values() if case.is_note]
    files = {f"notes/n{number}.md": text for number, text in enumerate(notes)}
    short = {name: text for name, text in files.items() if len(text) < LONGEST_IN_COMPANY}
    assert len(short) > 70
    put_secrets(tmp_path / "outside")
    top = tmp_path / "vault"
    Case("together", short).write(top)
    try_commands(top)
    try_exports(load_corpus(top / "notes"), tmp_path / "exports")
    try_site(top)
