from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.files.locks import hold_lock
from kg.files.staging_folder import remove_abandoned, staging_folder


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_draft_folder_is_gone_afterwards(tmp_path: Path) -> None:
    with staging_folder(tmp_path, ".x-") as place:
        (place / "made").write_text("")
        (place / "folder").mkdir()
        assert names(tmp_path) == [place.name]
    with pytest.raises(ZeroDivisionError), staging_folder(tmp_path, ".x-"):
        raise ZeroDivisionError
    assert names(tmp_path) == []


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_makes_is_not(
    tmp_path: Path,
) -> None:
    left = tmp_path / ".x-abcd_123"
    (left / "old").mkdir(parents=True)
    (left / "old" / "file").write_text("")
    (left / "lock").write_text("")
    (tmp_path / ".x-abcd_124").mkdir()  # killed before there was a lock
    with staging_folder(tmp_path, ".x-") as first:
        assert names(tmp_path) == [first.name]
        with staging_folder(tmp_path, ".x-") as second:
            assert names(tmp_path) == sorted((first.name, second.name))


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    for name in (".x-", ".x-abcd_12", ".x-abcd_1234", ".y-abcd_123"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lock").write_text("")
    (tmp_path / ".x-filefile").write_text("")
    (tmp_path / ".x-own_file").mkdir()
    (tmp_path / ".x-own_file" / "thesis").write_text("")
    before = names(tmp_path)
    remove_abandoned(tmp_path, ".x-")
    assert names(tmp_path) == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_nothing_is_removed_behind_a_link(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "lock").write_text("")
    (tmp_path / ".x-abcd_123").symlink_to(own)
    remove_abandoned(tmp_path, ".x-")
    assert names(own) == ["lock"]
    assert (tmp_path / ".x-abcd_123").is_symlink()


def test_a_folder_that_was_taken_for_left_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = hold_lock
    taken: list[Path] = []

    def taking(place: Path, what: str) -> object:
        if not taken:
            taken.append(place.parent)
            place.parent.rmdir()
        return real(place, what)

    monkeypatch.setattr("kg.files.staging_folder.hold_lock", taking)
    with staging_folder(tmp_path, ".x-") as place:
        assert place.is_dir()
        assert [place] != taken
