"""The settings of a corpus, read from its `kg.toml`."""

from __future__ import annotations

import os
from pathlib import Path

from kg.files.read import Outside, read_input
from kg.model.config import Config, ConfigError, config_places, parse_config

LARGEST = 1024 * 1024


def load_config(notes: Path) -> Config:
    """Settings of the corpus in `notes`: from its own `kg.toml`, else the one beside the folder.

    Raises `ConfigError` where the file is not valid, or no file that may be read.
    """
    for place in config_places(notes):
        if os.path.lexists(place):
            return parse_config(_read(place), str(place))
    return Config()


def _read(place: Path) -> str:
    try:
        return read_input(place, LARGEST, place.parent).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place}: not valid TOML: {error}") from None
    except Outside as error:
        why = f"this link is not followed, since {error.strerror}"
        raise ConfigError(f"{place}: {why}; put the file itself here") from None
    except OSError as error:
        raise ConfigError(f"{place}: cannot be read: {error.strerror}") from None
