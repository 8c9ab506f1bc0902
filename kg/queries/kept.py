"""What is kept between runs: SQLite files under `build/` that may be deleted at any time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

Update = Callable[[sqlite3.Connection], None]


def kept(file: Path | None, layout: int, update: Update) -> sqlite3.Connection:
    """A data base that `update` has brought up to date: in `file` if that can be used.

    A file that is broken or of another layout is made anew; one that is locked or cannot be
    written is left alone, and the data base is in memory.
    """
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            return _renewed(file, layout, update)
        except (sqlite3.Error, OSError):
            pass
    return _updated(sqlite3.connect(":memory:"), update)


def _renewed(file: Path, layout: int, update: Update) -> sqlite3.Connection:
    try:
        return _updated(_opened(file, layout), update)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        file.unlink()
        return _updated(_opened(file, layout), update)


def _opened(file: Path, layout: int) -> sqlite3.Connection:
    """The file, empty if it was of another layout; raises `DatabaseError` if it is no data base."""
    connection = sqlite3.connect(file, timeout=1.0)
    try:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error:
        connection.close()
        raise
    if found not in (0, layout):
        connection.close()
        file.unlink()
        connection = sqlite3.connect(file, timeout=1.0)
    connection.execute(f"PRAGMA user_version = {layout}")
    return connection


def _updated(connection: sqlite3.Connection, update: Update) -> sqlite3.Connection:
    try:
        update(connection)
    except BaseException:
        connection.close()
        raise
    return connection
