"""Records as columns: what data frames and CSV hold of an answer."""

from __future__ import annotations

import datetime as dt
import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec

from kg.model.errors import Misuse


class NoSuchTable(Misuse, LookupError):
    """A name that no table of an answer has; the message lists those that there are."""


def record_columns(answer: msgspec.Struct, table: str = "") -> dict[str, list[Any]]:
    """Columns of the first field that holds records, and of others that hold the same sort.

    Then the column `table` names the field. An answer that holds no records is one row. What is
    inside a record is a column of its own, called after both; values are never cut or rounded.
    """
    tables = {f.name: _record_type(f.type) for f in msgspec.structs.fields(answer)}
    tables = {name: held for name, held in tables.items() if held}
    if table and table not in tables:
        known = f"there are {', '.join(tables)}" if tables else "there are none"
        raise NoSuchTable(f"no table is called {table!r}; {known}")
    first = tables.get(table or next(iter(tables), ""))
    names = [name for name in tables if tables[name] is first and table in ("", name)]
    rows: dict[str, dict[str, Any]] = {}  # by what they say: a field may hold part of another
    for name, record in ((held, each) for held in names for each in getattr(answer, held)):
        row = dict(_flat("" if isinstance(record, msgspec.Struct) else name, record))
        rows.setdefault(repr(row), {"table": name, **row} if names[1:] else row)
    found = list(rows.values()) if first else [dict(_flat("", answer))]
    empty = getattr(first, "__struct_fields__", tuple(names))
    columns = dict.fromkeys(key for row in found for key in row) or empty
    return {name: [row.get(name) for row in found] for name in columns}


def _record_type(annotation: Any) -> Any:
    """What a field holds many of, if these are records or tuples."""
    of = get_args(annotation)[0] if get_origin(annotation) is tuple else None
    return of if isinstance(of, msgspec.StructMeta) or get_origin(of) is tuple else None


def _flat(name: str, value: object) -> Iterator[tuple[str, Any]]:
    """A value, or each of the values inside it, with their names."""
    if isinstance(value, msgspec.Struct):
        value = {field: getattr(value, field) for field in value.__struct_fields__}
    if not isinstance(value, Mapping):
        plain = msgspec.to_builtins(value, builtin_types=(dt.date,))
        yield name, list(plain) if isinstance(plain, tuple) else plain
        return
    for key, each in value.items():
        yield from _flat(f"{name}_{key}" if name else str(key), each)


FRAME_LIBRARIES = ("pandas", "polars")


class MissingLibrary(Misuse, ImportError):
    """A library that is not installed; the message says how to get it."""

    def __init__(self, names: Sequence[str], purpose: str) -> None:
        wanted = " or ".join(names)
        super().__init__(f"{purpose} need {wanted}: `pip install {names[0]}` installs it")


def as_frame(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Columns as a data frame. Raises `MissingLibrary`."""
    wanted = FRAME_LIBRARIES if library is None else (library,)
    for name in wanted:
        if name not in FRAME_LIBRARIES:
            raise ValueError(
                f"data frames come from {' or '.join(FRAME_LIBRARIES)}, not from {name!r}"
            )
        if importlib.util.find_spec(name):
            mixed = {"strict": False} if name == "polars" else {}  # whole numbers among others
            return importlib.import_module(name).DataFrame(dict(columns), **mixed)
    raise MissingLibrary(wanted, "data frames")
