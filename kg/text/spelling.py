"""Find names similar to a misspelled one.

The only module that uses the library for comparing names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MAX_SUGGESTED = 3  # most names suggested
LEAST_SIMILARITY = 0.6  # least fraction of letters, in order, that two names have in common (Indel)
MAX_PAIRS_COMPARED = 10_000_000  # pairs of names compared for suggestions: takes some seconds
FEWEST_LOOKED_FOR = 100  # misspelled names looked for, however many names there are
SHORTEST_MEANT = 3  # letters of the shortest word that may have been meant
LETTERS_WITH_TWO_SLIPS = 7  # words from this length may have two slips, shorter ones one


def similar_names(
    misspelled: str, candidates: Iterable[str], limit: int = MAX_SUGGESTED
) -> tuple[str, ...]:
    """Up to `limit` names that share most letters with `misspelled`, closest first; or else the
    shortest that contain it.
    """
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extract

    names = list(candidates)
    close = extract(
        misspelled,
        names,
        scorer=Indel.normalized_similarity,
        score_cutoff=LEAST_SIMILARITY,
        limit=limit,
    )
    if close:
        return tuple(name for name, _, _ in close)
    folded = misspelled.casefold()
    containing = sorted((n for n in names if folded and folded in n.casefold()), key=len)
    return tuple(containing[:limit])


class BoundedNameSearch:
    """Suggestions for many misspelled names: each is looked for once, by `find`, which compares it
    with `candidate_count` names. The number of comparisons is bounded, as many names of both kinds
    would take hours.
    """

    def __init__(self, find: Callable[[str], tuple[str, ...]], candidate_count: int) -> None:
        self._find = find
        self._suggestions: dict[str, tuple[str, ...]] = {}
        self._searches_left = max(FEWEST_LOOKED_FOR, MAX_PAIRS_COMPARED // max(candidate_count, 1))

    def nearest(self, name: str) -> tuple[str, ...] | None:
        """The result of `find`; None for a name beyond the bound."""
        if name not in self._suggestions:
            if not self._searches_left:
                return None
            self._searches_left -= 1
            self._suggestions[name] = self._find(name)
        return self._suggestions[name]


def count_slips(word: str, other: str) -> int:
    """The number of letters missing, added, changed, or swapped with the next."""
    from rapidfuzz.distance import OSA

    return OSA.distance(word.casefold(), other.casefold())


def most_similar_name(
    name: str, candidates: Iterable[str], least_similarity: float = LEAST_SIMILARITY
) -> str | None:
    """The name most similar to `name`; None if none shares enough letters with it."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import extractOne

    match = extractOne(
        name, list(candidates), scorer=Indel.normalized_similarity, score_cutoff=least_similarity
    )
    return match[0] if match else None


def word_within_slips(word: str, known_words: Iterable[tuple[str, int]]) -> str | None:
    """The word most likely meant by a typo, of pairs of word and frequency; None if there is none.

    One slip is allowed, in long words two: a letter missing, added, changed, or two swapped
    (optimal string alignment). Words of up to three letters are not corrected, but one of three
    may have been meant.
    """
    from rapidfuzz.distance import OSA

    # most words of three letters are one slip away from many others
    if len(word) <= SHORTEST_MEANT:
        return None
    max_slips = 2 if len(word) >= LETTERS_WITH_TWO_SLIPS else 1
    ranked = (
        (slips, other[0] != word[0], -count, other)
        for other, count in known_words
        if len(other) >= SHORTEST_MEANT
        and (slips := OSA.distance(word, other, score_cutoff=max_slips)) <= max_slips
    )
    return min(ranked, default=(0, False, 0, None))[3]
