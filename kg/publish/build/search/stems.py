"""The words of a text, without accents, and their stems by Porter's rules."""

from __future__ import annotations

import re
import unicodedata

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
# Porter's rules would give them the stems of politeness and person.
_OWN_STEMS = ("politic", "personalit")
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
    """Return whether to index a word: not a single letter, and not a stop word."""
    return word not in STOP_WORDS and (len(word) > 1 or not ("a" <= word <= "z"))


def stem(word: str) -> str:
    """The stem of a folded word; words with other than ASCII letters are unchanged."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    if word.startswith(_OWN_STEMS):
        return next(beginning for beginning in _OWN_STEMS if word.startswith(beginning))
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
