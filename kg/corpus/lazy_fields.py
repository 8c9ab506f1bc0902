"""Values that are read when they are first asked for: mappings, and fields of a data class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

MappedValue = TypeVar("MappedValue")
_LAZY_FIELDS = "_lazy_fields"


class LazyMapping(Mapping[str, MappedValue]):
    """A mapping that is read on first access."""

    def __init__(self, read_mapping: Callable[[], Mapping[str, MappedValue]]) -> None:
        self._read = read_mapping

    @cached_property
    def _entries_read(self) -> Mapping[str, MappedValue]:
        return self._read()

    def __getitem__(self, key: str) -> MappedValue:
        return self._entries_read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries_read)

    def __len__(self) -> int:
        return len(self._entries_read)

    def values(self) -> Any:
        return self._entries_read.values()

    def items(self) -> Any:
        return self._entries_read.items()


MadeRecord = TypeVar("MadeRecord", bound="LazyFields")


@dataclass(frozen=True)
class LazyFields:
    """The base of a data class that can be made before all of its fields are known."""

    if not TYPE_CHECKING:  # otherwise mypy would accept any name

        def __getattr__(self, name: str) -> Any:
            # Python asks here only for what is not in `__dict__` yet
            if (read_value := self.__dict__.get(_LAZY_FIELDS, {}).get(name)) is None:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            self.__dict__[name] = value = read_value()
            return value


def make_lazy(
    kind: type[MadeRecord],
    values: Mapping[str, object],
    readers: Mapping[str, Callable[[], object]],
) -> MadeRecord:
    """A record with these `values`, and fields that `readers` read, each once, on first access.

    Nothing is checked or copied: every field that a caller may give must be in one of the two.
    A value may also be that of a property that is computed once.
    """
    record = object.__new__(kind)
    for each in fields(kind):
        if not each.init and each.default_factory is not MISSING:
            record.__dict__[each.name] = each.default_factory()
    record.__dict__.update(values)
    record.__dict__[_LAZY_FIELDS] = dict(readers)
    return record
