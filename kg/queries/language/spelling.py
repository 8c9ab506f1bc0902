"""The nearest word that is known, for one that is not."""

from __future__ import annotations

from collections.abc import Iterable

SHORT = 3
LONG = 7


def nearest_word(word: str, known: Iterable[tuple[str, int]]) -> str | None:
    """The known word (each with its frequency) that a typo most likely meant; None for none.

    One slip is allowed, in long words two: a letter missing, added, changed, or two swapped.
    Words of up to three letters are taken as they stand.
    """
    if len(word) <= SHORT:
        return None
    most = 2 if len(word) >= LONG else 1
    best: tuple[int, int, int, str] | None = None
    for other, count in known:
        if abs(len(other) - len(word)) > most or len(other) < SHORT:
            continue
        slips = distance(word, other, most)
        if slips <= most:
            rank = (slips, int(other[0] != word[0]), -count, other)
            best = rank if best is None or rank < best else best
    return None if best is None else best[3]


def distance(one: str, other: str, most: int) -> int:
    """How many slips lead from one word to the other; `most` + 1 where it takes more."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != there))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)
