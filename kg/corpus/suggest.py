"""Names that look like a misspelled one."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable

SUGGESTIONS = 3
_RAREST = 8
_TRIED = 40


def nearest(wanted: str, among: Iterable[str]) -> tuple[str, ...]:
    """Up to three names that look like `wanted`, the closest first."""
    names = list(among)
    close = difflib.get_close_matches(wanted, names, SUGGESTIONS, cutoff=0.6)
    if close:
        return tuple(close)
    folded = wanted.casefold()
    holding = sorted((n for n in names if folded and folded in n.casefold()), key=len)
    return tuple(holding[:SUGGESTIONS])


class Spelling:
    """Many names, indexed by their groups of three letters, to be searched many times."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)
        self._having: defaultdict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self._names):
            for letters in _threes(name):
                self._having[letters].append(number)

    def nearest(self, wanted: str) -> tuple[str, ...]:
        """Up to three names that look like `wanted`, the closest first."""
        known = [self._having[letters] for letters in _threes(wanted) if letters in self._having]
        shared: Counter[int] = Counter()
        for numbers in sorted(known, key=len)[:_RAREST]:
            shared.update(numbers)
        return nearest(wanted, [self._names[n] for n, _ in shared.most_common(_TRIED)])


def _threes(name: str) -> set[str]:
    padded = f"  {name.casefold()} "
    return {padded[n : n + 3] for n in range(len(padded) - 2)}
