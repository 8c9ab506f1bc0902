"""Names of people and organisations, as BibTeX writes them."""

from __future__ import annotations

import re

from kg.model.records import ET_AL
from kg.notes.entries.tex import as_text

_AND = re.compile(r" and ", re.I)
_AND_OR_BRACE = re.compile(r"([{}])| and ", re.I)
_COMMA_OR_BRACE = re.compile(r"(\\?[{}])|,")
_PART = re.compile(r"\s*(family|given|prefix|suffix|useprefix)\s*=(.*)", re.I | re.S)
_HAN = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]+")
_PARTICLE = re.compile(r"(?:(?<=\b[dDlL]['’])|(?<=\bal-)|(?<= ['’]s-)) (?=\w)")
_OTHERS = frozenset(("others", "et al", "et al.", "al, et", "al., et", "al., et."))


def joined(*parts: str) -> str:
    """A name of its parts; `d'` and `al-` stand without a space before what follows.

    A Chinese or Korean name begins with the family's.
    """
    if len(parts) == 2 and all(map(_HAN.fullmatch, parts)):
        return parts[1] + parts[0]
    return _PARTICLE.sub("", " ".join(filter(None, parts)))


def names(written: str) -> list[tuple[str, bool]]:
    """Each name of a field as people say it, and whether it is an organisation's."""
    written = f" {' '.join(written.split())} "  # there may be an `and` too many at either end
    if "{" in written:
        found = [_name(each) for each in _split(_AND_OR_BRACE, written)]
    else:
        found = [(_person(each), False) for each in _AND.split(written)]
    return [name for name in found if name[0]]


def _name(written: str) -> tuple[str, bool]:
    written = written.strip()
    if written.startswith("{") and _closes_at_end(written):
        name = as_text(written)
        return (ET_AL, False) if name.casefold() in _OTHERS else (name, " " in name)
    return _person(written), False


def _person(written: str) -> str:
    """`Last, First` as `First Last`, with any `Jr.` behind it; `others` as `et al.`"""
    if " ".join(written.split()).casefold() in _OTHERS:
        return ET_AL
    parts = _split(_COMMA_OR_BRACE, written) if "{" in written else written.split(",")
    if "=" in written and (named := _named(parts)):
        return named
    parts = [as_text(part) for part in parts]
    if len(parts) == 3:
        last, suffix, first = parts
        name = joined(first, last)
        return f"{name}, {suffix}" if suffix else name
    return joined(*parts[1:], parts[0])


def _named(parts: list[str]) -> str:
    """A name whose parts are named, `family=…, given=…`; empty where they are not."""
    found = [_PART.fullmatch(part) for part in parts]
    if not all(found):
        return ""
    said = {each[1].casefold(): as_text(each[2].strip().strip('"')) for each in found if each}
    name = joined(*(said.get(part, "") for part in ("given", "prefix", "family")))
    return f"{name}, {said['suffix']}" if said.get("suffix") else name


def _split(signs: re.Pattern[str], written: str) -> list[str]:
    """What stands between signs that are outside braces."""
    found, depth, start = [], 0, 0
    for sign in signs.finditer(written):
        if sign[1]:
            depth += 1 if sign[1] == "{" else -1 if sign[1] == "}" else 0
        elif depth == 0:
            found.append(written[start : sign.start()])
            start = sign.end()
    return [*found, written[start:]]


def _closes_at_end(written: str) -> bool:
    """Whether the brace that a name begins with is closed by its last sign."""
    depth = 0
    for at, sign in enumerate(written):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return at == len(written) - 1
    return False
