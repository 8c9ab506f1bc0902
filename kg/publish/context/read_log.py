"""A log of the keys read from each table, as numbers that one build leaves to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np

from kg.publish.page import WHOLE_CORPUS

EVERYTHING = 0  # the key number for reads that no table covers
# As numpy holds one number: of a million values two are alike once in 40 million builds.
VALUE_DIGEST_BYTES = 8
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class ReadLog:
    """Records what a page reads; each key of each table has a number.

    `keys` has the numbers by table, and `values` a function for the current values of each table.
    Tests whether a key exists have a table of their own, whose name ends in `?`. As long as
    `inputs_digest` is the same, so is what pages show of the values of `input_tables`.
    """

    def __init__(self) -> None:
        self.numbers_read: list[int] = []
        self.values: dict[str, Callable[[str], Any]] = {}
        self.keys: dict[str, KeyNumbers] = {}
        self.input_tables: set[str] = set()
        self.next_number = EVERYTHING + 1
        self.inputs_digest = b""

    def resume(self, keys: Mapping[str, Mapping[str, int]], next_number: int) -> None:
        """Continue the numbers of an earlier log, before any are assigned here."""
        if self.next_number > EVERYTHING + 1:
            raise ValueError("numbers were given already")
        self.next_number = next_number
        for table, numbers in keys.items():
            self.keys.setdefault(table, KeyNumbers(self)).update(numbers)

    def numbers(
        self, table: str, value: Callable[[str], object], follows_inputs: bool = False
    ) -> KeyNumbers:
        """The numbers of the keys of a new table, whose values are `value(key)`."""
        if table in self.values:
            raise ValueError(f"two tables are called {table!r}")
        if follows_inputs:
            self.input_tables.add(table)
        self.values[table] = value
        return self.keys.setdefault(table, KeyNumbers(self))

    def record_all(self) -> None:
        """Record a read that no table covers."""
        self.numbers_read.append(EVERYTHING)

    def begin_page(self, about: tuple[str, str] | None) -> None:
        """Forget what was read, and record what the function that makes the page was given, which
        may be anything where it is not known what the page is `about`.
        """
        self.numbers_read.clear()
        if about is None:
            self.record_all()
        elif about != WHOLE_CORPUS:  # which was given nothing: it looks all of it up
            table, key = about
            self.numbers_read.append(self.keys[table][key])

    def take_numbers_read(self) -> list[int]:
        """The numbers of the keys read since the last call, each once, in order: `[3, 17]`. The log
        then forgets them.
        """
        numbers = sorted(set(self.numbers_read))
        self.numbers_read.clear()
        return numbers

    def entries_from(self, mark: int) -> list[tuple[str, str]]:
        """Table and key of each number from `mark` on, in their order."""
        keys = {
            number: (table, key)
            for table, numbers in self.keys.items()
            for key, number in numbers.entries_from(mark).items()
        }
        return [keys[number] for number in range(mark, self.next_number)]

    def adopt(self, keys: Iterable[tuple[str, str]]) -> list[int]:
        """The numbers in this log of keys that a copy of it numbered."""
        return [self.keys[table][key] for table, key in keys]

    def digests(self, table: str, keys: Iterable[str]) -> bytes:
        """Digests of current values in a table, `VALUE_DIGEST_BYTES` bytes each."""
        value = self.values[table]
        return b"".join(
            [blake2b(_encode(value(key)), digest_size=VALUE_DIGEST_BYTES).digest() for key in keys]
        )


class KeyNumbers(dict[str, int]):
    """The number of each key of a table; a new key takes the log's next."""

    __slots__ = ("_log",)

    def __init__(self, log: ReadLog) -> None:
        self._log = log

    def __missing__(self, key: str) -> int:
        number = self[key] = self._log.next_number
        self._log.next_number += 1
        return number

    def entries_from(self, mark: int) -> dict[str, int]:
        """Those from `mark` on, which is past what the log was resumed with, the last one first."""
        numbers = {}
        for key, number in reversed(self.items()):
            if number < mark:
                break
            numbers[key] = number
        return numbers


def pack_numbers(numbers: Iterable[int]) -> bytes:
    """Numbers as bytes, four each."""
    return np.fromiter(numbers, np.uint32).tobytes()
