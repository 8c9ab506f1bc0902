"""Formulas as MathML that is safe whatever the note contains."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree.ElementTree import Element

from kg.notes.markdown import UnreadableFormula, decode_entities, read_formula
from kg.publish.markup.html import Html, element, join_children

_KNOWN_MATHML_ATTRIBUTES = (
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence "
    "form height largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits "
    "notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric width"
)
_MATHML_ATTRIBUTES = set(_KNOWN_MATHML_ATTRIBUTES.split())
_PLAIN_VALUE = re.compile(r"[\w#.,% +-]*")


@lru_cache(maxsize=4096)
def render_formula(latex: str, display: bool) -> Html:
    """A formula as MathML; unchanged if it cannot be parsed."""
    signs = "$$" if display else "$"
    try:
        mathml = _copy_mathml(read_formula(latex, display), alttext=latex)
    except (UnreadableFormula, RecursionError):
        return element("code", f"{signs}{latex}{signs}", class_="kg-formula-text")
    if not display:
        return mathml
    return element(
        "span", mathml, class_="kg-formula", tabindex="0", role="group", aria_label="Formula"
    )


def _copy_mathml(part: Element, **extra_attributes: str) -> Html:
    """Return one of the library's elements and its content, with attributes known to be
    harmless.
    """
    attributes = {
        key: value
        for key, value in part.attrib.items()
        if key in _MATHML_ATTRIBUTES and _PLAIN_VALUE.fullmatch(value)
    }
    inner = [
        decode_entities(part.text),
        *(each for p in part for each in (_copy_mathml(p), decode_entities(p.tail))),
    ]
    return element(part.tag, join_children(inner), **attributes, **extra_attributes)
