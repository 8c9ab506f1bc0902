"""Text that a format can hold: TeX that does nothing but print, names, lines, and JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from kg.text.printable import replace_unprintable

_TEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
}
_SPECIAL = re.compile(r"[\\~^&%$#_{}]")
_PLAIN = re.compile(r"[\w.,:;()/]+(?:[ -][\w.,:;()/]+)*")  # with single spaces and hyphens
_LIGATURE = re.compile(r"(?<=-)-|(?<=`)`|(?<=')'|(?<=[?!])`")
_BALANCED = {"{": r"\{", "}": r"\}"}
_UNBALANCED_BRACES = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}


JsonObject: TypeAlias = dict[str, Any]  # an object of JSON, to be written


def escape_tex(text: str) -> str:
    """Escape text for a document's body, or for a field that BibTeX typesets."""
    if _PLAIN.fullmatch(text) and "_" not in text:
        return text
    signs = _TEX_SIGNS | _brace_escapes(text)
    text = _SPECIAL.sub(lambda match: signs[match[0]], without_controls(text))
    return _LIGATURE.sub(r"{}\g<0>", text)


def escape_verbatim(text: str) -> str:
    """Escape an address or a number for a BibTeX field that is not typeset."""
    text, signs = (
        without_controls(text),
        {**_brace_escapes(text), "\\": _TEX_SIGNS["\\"], "$": r"\$"},
    )
    return re.sub(r"[\\${}]", lambda match: signs[match[0]], text)


def without_controls(text: str) -> str:
    """Text without line breaks and control characters."""
    return " ".join(replace_unprintable(text, _space_for).split())


def _space_for(sign: str) -> str:
    """A space, but nothing for a character without width, such as a soft hyphen."""
    return "" if unicodedata.category(sign) == "Cf" else " "


def _brace_escapes(text: str) -> dict[str, str]:
    """Escapes for braces: BibTeX counts escaped ones, too, so unbalanced ones are spelt out."""
    if "{" not in text and "}" not in text:
        return _BALANCED
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return _UNBALANCED_BRACES
    return _UNBALANCED_BRACES if depth else _BALANCED


def render_readable_json(value: object) -> str:
    """A value as readable JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def write_json_file(value: object, file: Path) -> None:
    """Write a value to `file` in the format of `render_readable_json`."""
    file.write_text(render_readable_json(value), "utf-8")


def assign_safe_names(names: Collection[str], bad: re.Pattern[str]) -> dict[str, str]:
    """A valid name for each: itself if valid, else a unique one with `_` for bad characters."""
    safe_names: dict[str, str] = {}
    taken_names = {name for name in names if not bad.search(name)}
    for name in names:
        base_name = safe_names[name] = name if name in taken_names else bad.sub("_", name)
        number = 1
        while base_name != name and safe_names[name] in taken_names:
            number += 1
            safe_names[name] = f"{base_name}-{number}"
        taken_names.add(safe_names[name])
    return safe_names
