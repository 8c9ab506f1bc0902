"""The settings of a corpus: where `kg.toml` is, read within bounds, and parsed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from kg.files.read_files import NotesFolder, OutsideFolder, StrPath, allowed_folders, read_file
from kg.model.settings.config import CONFIG_NAME, Config, ConfigError, parse_config

MAX_CONFIG_BYTES = 1024 * 1024  # bytes to read; `parse_config` has a lower limit, in characters


def config_places(notes: StrPath) -> tuple[Path, Path]:
    """Return the two places where the settings of the corpus in `notes` may be; the first that
    exists counts.
    """
    folder = NotesFolder.from_path(notes)
    return folder.real / CONFIG_NAME, folder.around / CONFIG_NAME


class SettingsFile(NamedTuple):
    """`kg.toml`: its path from the notes folder, its name in messages, and its bytes."""

    path: str
    name: str
    data: bytes


def load_config(notes: StrPath) -> Config:
    """Settings of the corpus in `notes`: from its own `kg.toml`, else the one beside the folder.

    Raises `ConfigError` if the file is not valid or may not be read.
    """
    file = read_settings_file(notes)
    return parse_settings_file(file) if file else Config()


def read_settings_file(notes: StrPath) -> SettingsFile | None:
    """The `kg.toml` that counts for the corpus in `notes`, if there is one.

    Raises `ConfigError` if it may not be read.
    """
    folder = NotesFolder.from_path(notes)
    inside, beside = config_places(folder)
    has_parent_name = folder.display_path.name not in ("", "..")
    shown_beside = folder.display_path.parent / CONFIG_NAME if has_parent_name else beside
    for path, place, name in (
        (CONFIG_NAME, inside, str(folder.display_path / CONFIG_NAME)),
        (f"../{CONFIG_NAME}", beside, str(shown_beside)),
    ):
        if os.path.lexists(place):
            return SettingsFile(path, name, _read_settings(place, name))
    return None


def _read_settings(real: Path, name: str) -> bytes:
    """The settings at the path `real`; messages call it `name`."""
    try:
        return read_file(real, MAX_CONFIG_BYTES, (str(real.parent), *allowed_folders()))
    except OutsideFolder as error:
        why = f"this link is not followed, since {error.strerror}"
        raise ConfigError(f"{name}: {why}; put the file itself here") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from None


def parse_settings_file(file: SettingsFile) -> Config:
    """The settings in a file. Raises `ConfigError` if they are not valid."""
    try:
        text = file.data.decode("utf-8-sig")  # editors on Windows may add a byte order mark
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.name}: not valid TOML: {error}") from None
    return parse_config(text, file.name)
