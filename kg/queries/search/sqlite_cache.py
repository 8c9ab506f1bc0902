"""A data base that is kept between runs: in memory while it is used, sealed in a file between."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from kg.files.sealed import read_sealed, write_sealed

Update = Callable[[sqlite3.Connection], None]


def kept(file: Path | None, kind: str, update: Update) -> sqlite3.Connection:
    """A data base that `update` has brought up to date, from `file` where that is whole.

    SQLite is never given a file to read: what it reads was checked byte for byte.
    """
    known = read_sealed(file, kind) if file is not None and _can_be_kept() else None
    try:
        connection = _updated(known, update)
    except Exception:
        if known is None:
            raise
        connection = _updated(None, update)  # whatever another release kept does to this one
    if file is not None and connection.total_changes and _can_be_kept():
        write_sealed(file, kind, connection.serialize())
    return connection


def _can_be_kept() -> bool:
    """Whether this SQLite can hand over a data base as bytes."""
    return hasattr(sqlite3.Connection, "serialize")


def _updated(known: bytes | None, update: Update) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    try:
        if known is not None:
            connection.deserialize(known)
        update(connection)
    except BaseException:
        connection.close()
        raise
    return connection
