"""How many claims the notes leave with which result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

PERHAPS, UNDECIDED, PERHAPS_NOT, PROBABLY_NOT = 1, 2, 3, 4


class ClaimsByResult(NamedTuple):
    """How many claims have which result; each is counted once."""

    probably: int
    perhaps: int
    undecided: int
    perhaps_not: int
    probably_not: int

    @classmethod
    def of(cls, words: Iterable[str]) -> ClaimsByResult:
        """The claims with these words, counted."""
        counts = Counter(map(result_index, words))
        return cls(*(counts[index] for index in range(len(cls._fields))))

    @property
    def claims(self) -> int:
        return sum(self)


def result_index(sureness: str) -> int:
    """The index in a `ClaimsByResult` of a claim with this word."""
    is_refuted = sureness.endswith(" not")
    if sureness.startswith("perhaps"):
        return PERHAPS_NOT if is_refuted else PERHAPS
    if not sureness.startswith(("probably", "very probably")):
        return UNDECIDED
    return PROBABLY_NOT if is_refuted else 0
