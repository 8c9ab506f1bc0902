"""TeX formulas as MathML, which browsers draw themselves; the only module that names the library.

The library passes on what a formula says: tags in `\\text`, addresses, styles. So its elements are
made anew here, from names and values that are known, and every text in them is escaped.
"""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree.ElementTree import Element

from kg.model.errors import KgError
from kg.publish.markup.html import Html, element, join_children

LONGEST_FORMULA = 2000  # characters
MOST_ELEMENTS = 5000
# What a formula defines may unfold without end.
_DEFINES = re.compile(r"\\(?:[gex]?def|let|(?:re)?new|provide|Declare|require|href|style|class)")
_KNOWN_ELEMENTS = (
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose mover "
    "munder munderover msub msup msubsup mmultiscripts mprescripts none mtable mtr mtd"
)
_KNOWN_ATTRIBUTES = (
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence "
    "form height largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits "
    "notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric width"
)
_ELEMENTS, _ATTRIBUTES = set(_KNOWN_ELEMENTS.split()), set(_KNOWN_ATTRIBUTES.split())
_PLAIN = re.compile(r"[\w#.,% +-]*")
_CODED = re.compile(r"&#x([0-9A-Fa-f]{5});")


class _Refused(KgError, ValueError):
    """A formula that is not drawn."""


@lru_cache(maxsize=4096)
def render_formula(latex: str, display: bool) -> Html:
    """A formula as MathML; as it was written where it cannot be read."""
    signs = "$$" if display else "$"
    try:
        shown = _as_mathml(latex, display)
    except Exception:  # whatever the library trips over
        return element("code", f"{signs}{latex}{signs}", class_="kg-formula-text")
    if not display:
        return shown
    return element(
        "span", shown, class_="kg-formula", tabindex="0", role="group", aria_label="Formula"
    )


def _as_mathml(latex: str, display: bool) -> Html:
    from latex2mathml.converter import convert_to_element

    if len(latex) > LONGEST_FORMULA or _DEFINES.search(latex):
        raise _Refused
    made = convert_to_element(latex, display="block" if display else "inline")
    if sum(1 for _ in made.iter()) > MOST_ELEMENTS:
        raise _Refused
    return _copy(made, alttext=latex)


def _copy(part: Element, **more: str) -> Html:
    """One of the library's elements and all in it, of what is known to be harmless."""
    name, text = part.tag, _decoded(part.text)
    if name not in _ELEMENTS or (name != "mtext" and text.startswith("\\")):
        raise _Refused
    attributes = {
        key: value
        for key, value in part.attrib.items()
        if key in _ATTRIBUTES and _PLAIN.fullmatch(value)
    }
    inner = join_children([text, *(each for p in part for each in (_copy(p), _decoded(p.tail)))])
    return element(name, inner, **attributes, **more)


def _decoded(text: str | None) -> str:
    """The library writes signs as codes, to be read by a browser."""
    return _CODED.sub(lambda found: chr(int(found[1], 16)), text or "")
