"""Text that a format can hold: TeX that does nothing but print, names, lines, and JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from kg.model.value import replace_unprintable

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
}
_SPECIAL = re.compile(r"[\\~^&%$#_{}]")
_PLAIN = re.compile(r"[\w.,:;()/]+(?:[ -][\w.,:;()/]+)*")  # with single spaces and hyphens
_LIGATURE = re.compile(r"(?<=-)-|(?<=`)`|(?<=')'|(?<=[?!])`")
_BALANCED = {"{": r"\{", "}": r"\}"}
_ALONE = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}


def escape_tex(text: str) -> str:
    """Text for the running words of a document, or for a field that BibTeX prints."""
    if _PLAIN.fullmatch(text) and "_" not in text:
        return text
    signs = _SIGNS | _braces(text)
    text = _SPECIAL.sub(lambda sign: signs[sign[0]], join_lines(text))
    return _LIGATURE.sub(r"{}\g<0>", text)


def escape_verbatim(text: str) -> str:
    """An address or a number for a field of BibTeX that is not typeset."""
    text, signs = join_lines(text), {**_braces(text), "\\": _SIGNS["\\"], "$": r"\$"}
    return re.sub(r"[\\${}]", lambda sign: signs[sign[0]], text)


def join_lines(text: str) -> str:
    """Text without line breaks and control characters."""
    return " ".join(replace_unprintable(text, _space_for).split())


def _space_for(sign: str) -> str:
    """Nothing for a sign without width, such as a soft hyphen, which parts no words."""
    return "" if unicodedata.category(sign) == "Cf" else " "


def _braces(text: str) -> dict[str, str]:
    """BibTeX counts braces, escaped ones too: those that do not match must not look like any."""
    if "{" not in text and "}" not in text:
        return _BALANCED
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return _ALONE
    return _ALONE if depth else _BALANCED


def render_json(value: Any) -> str:
    """A value as JSON that people can read, too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def write_json_file(value: Any, file: Path) -> None:
    """Write a value into `file` as `render_json` puts it."""
    file.write_text(render_json(value), "utf-8")


def assign_safe_names(names: Collection[str], bad: re.Pattern[str]) -> dict[str, str]:
    """A name for each: itself where nothing in it is bad, else one with `_` that no other has."""
    found: dict[str, str] = {}
    taken = {name for name in names if not bad.search(name)}
    for name in names:
        made = found[name] = name if name in taken else bad.sub("_", name)
        number = 1
        while made != name and found[name] in taken:
            number += 1
            found[name] = f"{made}-{number}"
        taken.add(found[name])
    return found
