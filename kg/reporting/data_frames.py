"""Records as columns: the content of data frames and CSV files of an answer."""

from __future__ import annotations

import datetime as dt
import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec

from kg.model.errors import Misuse

FRAME_LIBRARIES = ("pandas", "polars")


class NoSuchTable(Misuse, LookupError):
    """The answer has no table of this name; the message lists those it has."""


def record_columns(answer: msgspec.Struct, table_name: str = "") -> dict[str, list[Any]]:
    """The records of the first field that has any, as columns; also of others of the same type.

    If there are others, the column `table` names the field. An answer without records is one row.
    Columns are called as in JSON; a value inside a record is a column named after both; values are
    never cut or rounded.
    """
    tables = {f.name: _record_type(f.type) for f in msgspec.structs.fields(answer)}
    tables = {name: record_type for name, record_type in tables.items() if record_type}
    if table_name and table_name not in tables:
        available = f"there are {', '.join(tables)}" if tables else "there are none"
        raise NoSuchTable(f"no table is called {table_name!r}; {available}")
    if not tables:
        return {name: [value] for name, value in _flat_columns("", answer)}
    main_type = tables[table_name or next(iter(tables))]
    alike = [name for name, record_type in tables.items() if record_type is main_type]
    names = [table_name] if table_name else alike
    # by content, since fields may share records
    distinct_rows: dict[str, dict[str, Any]] = {}
    for name in names:
        for record in getattr(answer, name):
            row = dict(_flat_columns("" if isinstance(record, msgspec.Struct) else name, record))
            distinct_rows.setdefault(repr(row), {"table": name, **row} if names[1:] else row)
    rows = list(distinct_rows.values())
    columns_without_rows = getattr(main_type, "__struct_encode_fields__", names)
    columns = dict.fromkeys(key for row in rows for key in row) or columns_without_rows
    return {name: [row.get(name) for row in rows] for name in columns}


def _record_type(annotation: object) -> Any:
    """The type of a field's items, if they are records or tuples; else None."""
    item_type = get_args(annotation)[0] if get_origin(annotation) is tuple else None
    return (
        item_type
        if isinstance(item_type, msgspec.StructMeta) or get_origin(item_type) is tuple
        else None
    )


def _flat_columns(name: str, value: object) -> Iterator[tuple[str, Any]]:
    """A value, or each value nested in it, with a name."""
    if isinstance(value, msgspec.Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        value = {name_in_json: getattr(value, field) for name_in_json, field in names}
    if not isinstance(value, Mapping):
        plain = msgspec.to_builtins(value, builtin_types=(dt.date,))
        yield name, list(plain) if isinstance(plain, tuple) else plain
        return
    for key, each in value.items():
        yield from _flat_columns(f"{name}_{key}" if name else str(key), each)


class MissingLibrary(Misuse, ImportError):
    """A library is not installed; the message says how to install it."""

    def __init__(self, names: Sequence[str], purpose: str) -> None:
        alternatives = " or ".join(names)
        super().__init__(f"{purpose} need {alternatives}: `pip install {names[0]}` installs it")


def as_frame(columns: Mapping[str, Sequence[object]], library: str | None = None) -> Any:
    """Columns as a data frame. Raises `MissingLibrary`."""
    libraries = FRAME_LIBRARIES if library is None else (library,)
    for name in libraries:
        if name not in FRAME_LIBRARIES:
            raise ValueError(
                f"data frames come from {' or '.join(FRAME_LIBRARIES)}, not from {name!r}"
            )
        if importlib.util.find_spec(name):
            options = {"strict": False} if name == "polars" else {}  # integers among floats
            return importlib.import_module(name).DataFrame(dict(columns), **options)
    raise MissingLibrary(libraries, "data frames")
