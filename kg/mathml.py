"""TeX formulas as MathML elements; the only module that uses the library for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element

from kg.model.errors import KgError

MAX_FORMULA_CHARACTERS = 2000
MAX_ELEMENTS = 5000  # of one formula; a page full of it has some hundreds
_DEFINING_COMMANDS = re.compile(
    r"\\(?:[gex]?def|let|(?:re)?new|provide|Declare|require|href|style|class)"
)
_ALLOWED_ELEMENTS = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose mover "
    "munder munderover msub msup msubsup mmultiscripts mprescripts none mtable mtr mtd"
)
_ELEMENTS = set(_ALLOWED_ELEMENTS.split())
_CHARACTER_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{5});")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PARTS = re.compile(r"\\(left|right|begin|end)(?![A-Za-z])")


class UnreadableFormula(KgError, ValueError):
    """A formula cannot be shown; the message says why. `$\\frac{1$`"""


@lru_cache(maxsize=4096)
def read_formula(latex: str, display: bool) -> Element:
    """A formula as MathML, with only known elements. Raises `UnreadableFormula`."""
    from latex2mathml.converter import convert_to_element

    if len(latex) > MAX_FORMULA_CHARACTERS:
        raise UnreadableFormula(f"it has more than {MAX_FORMULA_CHARACTERS} characters")
    if defining := _DEFINING_COMMANDS.search(latex):
        raise UnreadableFormula(f"`{defining[0]}` is not allowed in it")
    if unclosed := next(_find_unclosed(latex), ""):
        raise UnreadableFormula(unclosed)
    try:
        formula = convert_to_element(latex, display="block" if display else "inline")
    except Exception:  # the library raises errors of many types
        raise UnreadableFormula("a part of it is missing, or occurs twice") from None
    for number, part in enumerate(formula.iter()):
        text = decode_entities(part.text)
        if part.tag != "mtext" and text.startswith("\\"):
            raise UnreadableFormula(f"`{text[:40]}` is not known")
        if part.tag not in _ELEMENTS or number >= MAX_ELEMENTS:
            raise UnreadableFormula("it has too many parts, or unknown ones")
    return formula


def _find_unclosed(latex: str) -> Iterator[str]:
    """Messages about braces, `\\left` and `\\begin` without their other half, or the reverse."""
    signs = _BRACE.findall(latex)
    if missing := signs.count("{") - signs.count("}"):
        yield f"a `{'}' if missing > 0 else '{'}` is missing"
    parts = _PARTS.findall(latex)
    for first, last in (("left", "right"), ("begin", "end")):
        if missing := parts.count(first) - parts.count(last):
            yield f"a `\\{last if missing > 0 else first}` is missing"


def decode_entities(text: str | None) -> str:
    """Text with characters instead of the codes that the library writes for browsers."""
    return _CHARACTER_REFERENCE.sub(lambda match: chr(int(match[1], 16)), text or "")
