"""HTML elements as values: text is escaped, unless it is `Html` already."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any, TypeAlias

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+\Z", re.IGNORECASE)
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col"})
_BREAKS_OUT = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


class Html(str):
    """Text that is HTML already, made by the functions of this module."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | None | Iterable[Child]"
EMPTY = Html("")


def element(name: str, *children: Child, **attributes: object) -> Html:
    """`<name attributes>children</name>`.

    A trailing underscore is dropped from attribute names and the others become hyphens;
    attributes that are None or False are left out, True stands bare.
    """
    start = f"<{name}{_attributes(attributes)}>" if attributes else f"<{name}>"
    return Html(start if name in _VOID else f"{start}{inside(children)}</{name}>")


def inside(children: Iterable[Child]) -> Html:
    """Children one after another, with every text escaped."""
    parts: list[str] = []
    for child in children:
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escape(child))
        elif child is None:
            continue
        elif isinstance(child, int | float):
            parts.append(str(child))
        else:
            parts.append(inside(child))
    return Html("".join(parts))


def join(separator: str, children: Iterable[Child]) -> Html:
    """Children with `separator` (as text) between them."""
    return Html(escape(separator).join(inside((child,)) for child in children))


def web_address(url: str) -> str | None:
    """`url` if it leads to the web and can do nothing else; None for every other scheme."""
    return url if _WEB.match(url) else None


def as_script_json(value: Any) -> str:
    """`value` as JSON that may stand inside a script, whatever it holds."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_BREAKS_OUT)


def _attributes(attributes: dict[str, object]) -> str:
    parts: list[str] = []
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        parts.append(f" {name}" if value is True else f' {name}="{escape(str(value))}"')
    return "".join(parts)
