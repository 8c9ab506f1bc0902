"""Records of which some fields are read only when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

_LATER = "_later"
Made = TypeVar("Made", bound="ReadLater")


class ReadLater:
    """The base of a data class that can be made before all of its fields are known."""

    if not TYPE_CHECKING:  # or any name would be one to mypy

        def __getattr__(self, name: str) -> Any:
            if (read := self.__dict__.get(_LATER, {}).get(name)) is None:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            self.__dict__[name] = value = read()
            return value


def read_later(
    kind: type[Made], known: Mapping[str, Any], later: Mapping[str, Callable[[], Any]]
) -> Made:
    """A record with these fields, and others that `later` reads, each once, when it is asked for.

    Nothing is checked or copied: every field has to be in one of the two.
    """
    made = object.__new__(kind)
    made.__dict__.update(known)
    made.__dict__[_LATER] = dict(later)
    return made
