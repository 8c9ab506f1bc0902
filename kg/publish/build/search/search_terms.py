"""Stem words to terms, and distribute their postings among files by first letters.

A file holds the terms that start with its name; letters are added to the name until the file is
small enough, or the name too long. The distribution depends only on the terms, so patching an
index and building it from scratch give the same files.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

# In code point order, so that sorted strings are sorted numbers.
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
SLOTS_PER_DOCUMENT = 3  # so that most documents get the slot of their hash
SMALLEST = 256  # slots


def capacity_for(count: int) -> int:
    """The number of slots for `count` documents: a power of two, at least three times as many."""
    return max(SMALLEST, 1 << (count * SLOTS_PER_DOCUMENT - 1).bit_length())


def digits_needed(capacity: int) -> int:
    """The number of digits for any slot, including those past the end."""
    width = 1
    while BASE**width < capacity * 2:
        width += 1
    return width


def assign_slots(names: Iterable[str], capacity: int) -> dict[str, int]:
    """A slot for each name: its hash, or the next free one; depends only on the names."""
    names_by_first_slot = sorted((_first_slot(name, capacity), name) for name in names)
    slots: dict[str, int] = {}
    last = -1
    for home, name in names_by_first_slot:
        last = max(home, last + 1)
        slots[name] = last
    return slots


def encode_number(number: int, width: int) -> str:
    """`number` in `width` digits."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, BASE)
        digits.append(DIGITS[rest])
    return "".join(reversed(digits))


def _first_slot(name: str, capacity: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()) % capacity


MAX_FILE_BYTES = 24 * 1024  # bytes of a file
MAX_NAME_LETTERS = 24  # of a file's name, as file systems limit it
EXACT_TERM_SUFFIX = "$"  # suffix of the file for a term that is a prefix of too many others
_LAST = chr(0x10FFFF)  # sorts behind every letter
_BYTES_AROUND_TERM = len('"":"",')  # the JSON around a term and its postings

Shard = dict[str, str]
Load = Callable[[str], Shard]


class PostingsPatch:
    """Postings to remove and add, by term; a posting is the digits of a slot and a weight."""

    def __init__(self, width: int) -> None:
        self.removed: defaultdict[str, set[str]] = defaultdict(set)
        self.added: defaultdict[str, list[str]] = defaultdict(list)
        self._step = width + 1

    @property
    def terms(self) -> set[str]:
        """Every term that changes."""
        return self.removed.keys() | self.added.keys()

    def apply(self, term: str, postings: str) -> str:
        """The term's postings after the patch."""
        removed_codes = self.removed.get(term, ())
        postings_before = (
            postings[start : start + self._step] for start in range(0, len(postings), self._step)
        )
        remaining = [posting for posting in postings_before if posting[:-1] not in removed_codes]
        return "".join(sorted(remaining + self.added.get(term, [])))


class Layout:
    """The file of each term, given the size of each in bytes."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        self._terms = sorted(self.sizes)
        self._bytes_before = [0, *accumulate(map(self.sizes.__getitem__, self._terms))]
        # only prefixes that were asked for: all would fill memory
        self._bytes_by_prefix: dict[str, int] = {}

    def file_of(self, term: str) -> str:
        """The shortest prefix of `term` whose terms fit into one file."""
        for end in range(min(len(term), MAX_NAME_LETTERS) + 1):
            if end == MAX_NAME_LETTERS or not self.is_split(term[:end]):
                return term[:end]
        return term + EXACT_TERM_SUFFIX

    def files(self) -> list[str]:
        """Every file, in order."""
        return sorted({self.file_of(term) for term in self.sizes})

    def is_split(self, prefix: str) -> bool:
        """Whether the terms with this prefix are too large for one file."""
        if prefix not in self._bytes_by_prefix:
            first = bisect_left(self._terms, prefix)
            end = bisect_left(self._terms, prefix + _LAST, first)
            self._bytes_by_prefix[prefix] = self._bytes_before[end] - self._bytes_before[first]
        return self._bytes_by_prefix[prefix] > MAX_FILE_BYTES


def patch_shards(
    old: Layout, patch: PostingsPatch, load: Load
) -> tuple[Layout, dict[str, Shard | None]]:
    """The layout after `patch`, and the changed files by name; None for removed ones.

    `load` reads a file as it was before.
    """
    changed_terms = patch.terms
    shards = _load_all({old.file_of(term) for term in changed_terms & old.sizes.keys()}, load)
    loaded_names = set(shards)
    postings_by_term = {
        term: postings for shard in shards.values() for term, postings in shard.items()
    }
    sizes = dict(old.sizes)
    for term in changed_terms:
        postings = patch.apply(term, postings_by_term.pop(term, ""))
        sizes.pop(term, None)
        if postings:
            postings_by_term[term] = postings
            sizes[term] = len(term.encode("utf-8")) + len(postings) + _BYTES_AROUND_TERM
    new = Layout(sizes)
    moved_terms = _terms_in_other_files(old, new, changed_terms)
    names_to_load = {old.file_of(term) for term in moved_terms & old.sizes.keys()}
    joined_names = {new.file_of(term) for term in changed_terms & sizes.keys()} & set(old.files())
    more_shards = _load_all((names_to_load | joined_names) - loaded_names, load)
    loaded_names |= more_shards.keys()
    for shard in more_shards.values():
        postings_by_term.update(shard)
    files: defaultdict[str, Shard] = defaultdict(dict)
    for term in sorted(postings_by_term):
        files[new.file_of(term)][term] = postings_by_term[term]
    return new, {**dict.fromkeys(loaded_names), **files}


def _load_all(names: Iterable[str], load: Load) -> dict[str, Shard]:
    return {name: load(name) for name in names}


def _terms_in_other_files(old: Layout, new: Layout, changed_terms: Iterable[str]) -> set[str]:
    """Terms that may be in another file now, because files were split or merged."""
    prefix_set = {prefix for term in changed_terms for prefix in _split_changes(old, new, term)}
    if not prefix_set:
        return set()
    prefixes = tuple(prefix_set)
    return {term for term in new.sizes if term.startswith(prefixes)}


def _split_changes(old: Layout, new: Layout, term: str) -> Iterator[str]:
    """Prefixes of `term` that are split in only one of the layouts."""
    for end in range(min(len(term), MAX_NAME_LETTERS) + 1):
        was_split, is_split = old.is_split(term[:end]), new.is_split(term[:end])
        if was_split != is_split:
            yield term[:end]
        elif not was_split:
            return  # a longer prefix is split only if this one is


MAX_WORD_LETTERS = 64  # a longer word is cut, and still found by its beginning
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")

_STOP_WORD_TEXT = (
    "a an and are as at be been but by can do for from had has have if in into is it its no not of "
    "on or such than that the their then there these they this to was were will with"
)
STOP_WORDS = frozenset(_STOP_WORD_TEXT.split(" "))

_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
# Porter's measure of a stem, its pairs of vowels and consonants: at least one, just one, more.
_SOME = re.compile(f"^(?:{_C})?{_V}{_C}")
_ONE = re.compile(f"^(?:{_C})?{_V}{_C}(?:{_V})?$")
_MORE = re.compile(f"^(?:{_C})?{_V}{_C}{_V}{_C}")
_VOWEL = re.compile(f"^(?:{_C})?[aeiouy]")
_SHORT = re.compile(f"^{_C}[aeiouy][^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeioulsz])\1$")

_STEP_2 = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble logi:log"
)
_STEP_3 = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_STEP_4 = (
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:"
)


def _suffix_pairs(text: str) -> tuple[tuple[str, str], ...]:
    pairs = [tuple(pair.split(":")) for pair in text.split()]
    return tuple(sorted(((a, b) for a, b in pairs), key=lambda pair: -len(pair[0])))


_TABLE_2, _TABLE_3, _TABLE_4 = map(_suffix_pairs, (_STEP_2, _STEP_3, _STEP_4))


def find_words(text: str) -> list[str]:
    """The words of `text` in lower case, without accents, cut to a maximal length."""
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return [word[:MAX_WORD_LETTERS] for word in _LETTERS_OR_DIGITS.findall(text.lower())]


def is_term(word: str) -> bool:
    """Whether to index a word: not a single letter, and not a stop word."""
    return word not in STOP_WORDS and (len(word) > 1 or not ("a" <= word <= "z"))


def stem(word: str) -> str:
    """The stem of a folded word; words with other than ASCII letters are unchanged."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    consonant_y = word[0] == "y"
    if consonant_y:
        word = "Y" + word[1:]
    word = _strip_past(_strip_plural(word))
    if word.endswith("y") and _VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_suffix(word, _TABLE_2, _SOME)
    word = _replace_suffix(word, _TABLE_3, _SOME)
    word = _strip_final_e(word)
    return "y" + word[1:] if consonant_y else word


def _strip_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _SOME.match(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            base = word.removesuffix(ending)
            return _restore_verb(base) if _VOWEL.match(base) else word
    return word


def _restore_verb(word: str) -> str:
    """The spelling of a verb without its ending: hop(p), fil(e), conflat(e)."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _DOUBLE.search(word):
        return word[:-1]
    return word + "e" if _SHORT.match(word) else word


def _replace_suffix(
    word: str, table: tuple[tuple[str, str], ...], required_measure: re.Pattern[str]
) -> str:
    for ending, replacement in table:
        if word.endswith(ending):
            base = word.removesuffix(ending)
            return base + replacement if required_measure.match(base) else word
    return word


def _strip_final_e(word: str) -> str:
    if word.endswith(("sion", "tion")):
        word = word[:-3] if _MORE.match(word[:-3]) else word
    else:
        word = _replace_suffix(word, _TABLE_4, _MORE)
    if word.endswith("e"):
        base = word[:-1]
        if _MORE.match(base) or (_ONE.match(base) and not _SHORT.match(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _MORE.match(word) else word
