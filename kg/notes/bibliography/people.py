"""Names of people and organisations, as BibTeX writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from kg.model.source import ET_AL
from kg.notes.bibliography.tex import tex_to_plain_text

_AND = re.compile(r" and ", re.I)
_AND_OR_BRACE = re.compile(r"([{}])| and ", re.I)
_COMMA_OR_BRACE = re.compile(r"(\\?[{}])|,")
_PART = re.compile(r"\s*(family|given|prefix|suffix|useprefix)\s*=(.*)", re.I | re.S)
_HAN = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]+")
_PARTICLE = re.compile(r"(?:(?<=\b[dDlL]['’])|(?<=\bal-)|(?<= ['’]s-)) (?=\w)")
_OTHERS = frozenset(("others", "et al", "et al.", "al, et", "al., et", "al., et."))
_STEP_OF_BRACE = {"{": 1, "}": -1}


def join_name(*parts: str) -> str:
    """A name joined from its parts, with no space after `d'` and `al-`.

    In Chinese and Korean the family name comes first.
    """
    if len(parts) == 2 and all(map(_HAN.fullmatch, parts)):
        return parts[1] + parts[0]
    return _PARTICLE.sub("", " ".join(filter(None, parts)))


class PersonName(NamedTuple):
    """A name as spoken, whether it is an organisation's, and as written in an entry."""

    spoken_name: str
    is_organisation: bool
    name_as_written: str


def parse_names(field_value: str) -> list[PersonName]:
    """Return every name in a field."""
    # with spaces around it, so that a stray `and` at either end is dropped
    text = f" {' '.join(field_value.split())} "
    if "{" in text:
        names = [_parse_name(each) for each in _split_outside_braces(_AND_OR_BRACE, text)]
    else:
        names = [_parse_person(each) for each in _AND.split(text)]
    return [name for name in names if name.spoken_name]


def render_names(names: Iterable[PersonName]) -> str:
    """Names as written in a field: `Last, First`, an organisation's in braces."""
    return " and ".join(name.name_as_written for name in names)


def organisation_name(name: str) -> PersonName:
    """A person whose name is not split: an organisation."""
    return PersonName(name, True, f"{{{name}}}")


def person_name(family_name: str, given_name: str, suffix: str = "") -> PersonName:
    """A name from its parts; particles belong to the family name."""
    spoken_name = join_name(given_name, family_name)
    written_name = ", ".join(filter(None, (family_name, suffix, given_name)))
    return PersonName(f"{spoken_name}, {suffix}" if suffix else spoken_name, False, written_name)


AND_OTHERS = PersonName(ET_AL, False, "others")


def _parse_name(name_text: str) -> PersonName:
    name_text = name_text.strip()
    if name_text.startswith("{") and _closes_at_end(name_text):
        name = tex_to_plain_text(name_text)
        return AND_OTHERS if name.casefold() in _OTHERS else organisation_name(name)
    return _parse_person(name_text)


def _parse_person(name_text: str) -> PersonName:
    """`Last, First` as `First Last`, followed by any `Jr.`; `others` as `et al.`"""
    if " ".join(name_text.split()).casefold() in _OTHERS:
        return AND_OTHERS
    name_parts = (
        _split_outside_braces(_COMMA_OR_BRACE, name_text)
        if "{" in name_text
        else name_text.split(",")
    )
    if "=" in name_text and (name := _parse_named_parts(name_parts)):
        return name
    name_parts = [tex_to_plain_text(part) for part in name_parts]
    if len(name_parts) == 3:
        last, suffix, first = name_parts
        return person_name(last, first, suffix)
    if len(name_parts) == 2:
        return person_name(*name_parts)
    spoken_name = join_name(*name_parts[1:], name_parts[0])
    return PersonName(spoken_name, False, spoken_name)


def _parse_named_parts(parts: list[str]) -> PersonName | None:
    """A name with named parts, `family=…, given=…`; None if they are not named."""
    matches = [_PART.fullmatch(part) for part in parts]
    if not all(matches):
        return None
    values = {
        each[1].casefold(): tex_to_plain_text(each[2].strip().strip('"'))
        for each in matches
        if each
    }
    family_name = join_name(values.get("prefix", ""), values.get("family", ""))
    return person_name(family_name, values.get("given", ""), values.get("suffix", ""))


def _split_outside_braces(signs: re.Pattern[str], text: str) -> list[str]:
    """The text between the separators that are outside braces."""
    pieces = []
    depth = 0
    start = 0
    for sign in signs.finditer(text):
        if sign[1]:
            depth += _STEP_OF_BRACE.get(sign[1], 0)
        elif depth == 0:
            pieces.append(text[start : sign.start()])
            start = sign.end()
    return [*pieces, text[start:]]


def _closes_at_end(name_text: str) -> bool:
    """Return whether the brace that opens a name is closed by its last character."""
    depth = 0
    for index, sign in enumerate(name_text):
        depth += _STEP_OF_BRACE.get(sign, 0)
        if depth == 0:
            return index == len(name_text) - 1
    return False
