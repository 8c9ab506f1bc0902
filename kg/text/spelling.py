"""Names that look like a misspelled one.

The only module that names the library which compares names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MAX_SUGGESTED = 3  # names suggested
LEAST_SIMILARITY = 0.6  # share of letters, in their order, that two names have to share (Indel)
MAX_PAIRS_COMPARED = 10_000_000
"""Pairs of names that are compared to suggest what was meant: some seconds."""
FEWEST_LOOKED_FOR = 100  # misspelled names, among however many names
LETTERS_WITHOUT_SLIP = 3  # so short a word is taken as it stands
LETTERS_WITH_TWO_SLIPS = 7  # in so long a word two slips are likely, in a shorter one one


def nearest_names(wanted: str, among: Iterable[str], most: int = MAX_SUGGESTED) -> tuple[str, ...]:
    """Up to `most` names that look like `wanted`, the closest first; else those that hold it."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extract

    names = list(among)
    close = extract(
        wanted, names, scorer=Indel.normalized_similarity, score_cutoff=LEAST_SIMILARITY, limit=most
    )
    if close:
        return tuple(name for name, _, _ in close)
    folded = wanted.casefold()
    holding = sorted((n for n in names if folded and folded in n.casefold()), key=len)
    return tuple(holding[:most])


class NearNames:
    """What many misspelled names may mean: each is looked for once, by `look`, which compares it
    with `among` names. No more are looked for than a bound on all comparisons allows, since many of
    both would take hours.
    """

    def __init__(self, look: Callable[[str], tuple[str, ...]], among: int) -> None:
        self._look = look
        self._found: dict[str, tuple[str, ...]] = {}
        self._left = max(FEWEST_LOOKED_FOR, MAX_PAIRS_COMPARED // max(among, 1))

    def nearest(self, wanted: str) -> tuple[str, ...] | None:
        """What `look` gives; None for one beyond the bound."""
        if wanted not in self._found:
            if not self._left:
                return None
            self._left -= 1
            self._found[wanted] = self._look(wanted)
        return self._found[wanted]


def count_slips(one: str, other: str) -> int:
    """How many letters are missing, added, changed, or swapped with the next."""
    from rapidfuzz.distance import OSA

    return OSA.distance(one.casefold(), other.casefold())


def nearest_name(wanted: str, among: Iterable[str], alike: float = LEAST_SIMILARITY) -> str | None:
    """The name that looks most like `wanted`; None where none shares enough letters with it."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extractOne

    found = extractOne(wanted, list(among), scorer=Indel.normalized_similarity, score_cutoff=alike)
    return found[0] if found else None


def nearest_word(word: str, known: Iterable[tuple[str, int]]) -> str | None:
    """The known word (each with its frequency) that a typo most likely meant; None for none.

    One slip is allowed, in long words two: a letter missing, added, changed, or two swapped
    (optimal string alignment). Words of up to three letters are taken as they stand.
    """
    from rapidfuzz.distance import OSA

    if len(word) <= LETTERS_WITHOUT_SLIP:
        return None
    most = 2 if len(word) >= LETTERS_WITH_TWO_SLIPS else 1
    ranked = (
        (slips, other[0] != word[0], -count, other)
        for other, count in known
        if len(other) >= LETTERS_WITHOUT_SLIP
        and (slips := OSA.distance(word, other, score_cutoff=most)) <= most
    )
    return min(ranked, default=(0, False, 0, None))[3]
