"""Plain text as TeX that prints it, and can do nothing else."""

from __future__ import annotations

import re
import unicodedata

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
