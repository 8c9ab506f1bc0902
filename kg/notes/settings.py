"""The settings of a corpus, read from its `kg.toml`."""

from __future__ import annotations

import os
from pathlib import Path

from kg.files.read import NotesFolder, OutsideFolder, Place, allowed_folders, read_file
from kg.model.config import CONFIG_NAME, Config, ConfigError, parse_config

LARGEST = 1024 * 1024  # bytes that are read; `parse_config` takes less, and says so


def config_places(notes: Place) -> tuple[Path, Path]:
    """Where settings of the corpus in `notes` may stand, what counts first, first."""
    folder = NotesFolder.of(notes)
    return folder.real / CONFIG_NAME, folder.around / CONFIG_NAME


def load_config(notes: Place) -> Config:
    """Settings of the corpus in `notes`: from its own `kg.toml`, else the one beside the folder.

    Raises `ConfigError` where the file is not valid, or no file that may be read.
    """
    folder = NotesFolder.of(notes)
    own, beside = config_places(folder)
    for place, shown in (
        (own, folder.shown / CONFIG_NAME),
        (beside, folder.shown.parent / CONFIG_NAME),
    ):
        if os.path.lexists(place):
            name = shown if folder.shown.name not in ("", "..") or place == own else place
            return parse_config(_load_file(place, name), str(name))
    return Config()


def _load_file(real: Path, place: Path) -> str:
    """The text of settings with this real path, named `place` in messages."""
    try:
        return read_file(real, LARGEST, (str(real.parent), *allowed_folders())).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place}: not valid TOML: {error}") from None
    except OutsideFolder as error:
        why = f"this link is not followed, since {error.strerror}"
        raise ConfigError(f"{place}: {why}; put the file itself here") from None
    except OSError as error:
        raise ConfigError(f"{place}: cannot be read: {error.strerror}") from None
