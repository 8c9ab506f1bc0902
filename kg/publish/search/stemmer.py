"""Words of a text as the search index knows them: folded, and cut to their stems.

`site/assets/kg-search.js` does the same to what a reader types; a browser test holds the two
together. The stems are Porter's ("An algorithm for suffix stripping", 1980).
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 64  # letters of a word that are told apart; a cut word is still found by its beginning
_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")

_STOPPED = (
    "a an and are as at be been but by can do for from had has have if in into is it its no not of "
    "on or such than that the their then there these they this to was were will with"
)
STOP_WORDS = frozenset(_STOPPED.split(" "))

_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
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


def _table(text: str) -> tuple[tuple[str, str], ...]:
    pairs = [tuple(pair.split(":")) for pair in text.split()]
    return tuple(sorted(((a, b) for a, b in pairs), key=lambda pair: -len(pair[0])))


_TABLE_2, _TABLE_3, _TABLE_4 = _table(_STEP_2), _table(_STEP_3), _table(_STEP_4)


def find_words(text: str) -> list[str]:
    """The words of `text` in lower case, without accents; of what is too long, the beginning."""
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return [word[:LONGEST] for word in _WORD.findall(text.lower())]


def is_term(word: str) -> bool:
    """Whether a word is worth an entry: no lone letter, and not one that stands on every page."""
    return word not in STOP_WORDS and (len(word) > 1 or not ("a" <= word <= "z"))


def stem(word: str) -> str:
    """The stem of a folded word; what is not plain English letters stays as it is."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    consonant_y = word[0] == "y"
    if consonant_y:
        word = "Y" + word[1:]
    word = _past(_plural(word))
    if word.endswith("y") and _VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _TABLE_2, _SOME)
    word = _replace(word, _TABLE_3, _SOME)
    word = _last(word)
    return "y" + word[1:] if consonant_y else word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _SOME.match(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            bare = word.removesuffix(ending)
            return _mended(bare) if _VOWEL.match(bare) else word
    return word


def _mended(word: str) -> str:
    """A verb without its ending, as it would be written: hop(p), fil(e), conflat(e)."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _DOUBLE.search(word):
        return word[:-1]
    return word + "e" if _SHORT.match(word) else word


def _replace(word: str, table: tuple[tuple[str, str], ...], enough: re.Pattern[str]) -> str:
    for ending, instead in table:
        if word.endswith(ending):
            bare = word.removesuffix(ending)
            return bare + instead if enough.match(bare) else word
    return word


def _last(word: str) -> str:
    if word.endswith(("sion", "tion")):
        word = word[:-3] if _MORE.match(word[:-3]) else word
    else:
        word = _replace(word, _TABLE_4, _MORE)
    if word.endswith("e"):
        bare = word[:-1]
        if _MORE.match(bare) or (_ONE.match(bare) and not _SHORT.match(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _MORE.match(word) else word
