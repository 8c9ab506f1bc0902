"""HTML elements as values: text is escaped, unless it is `Html` already."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any, TypeAlias

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+\Z", re.IGNORECASE)
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col"})
_BREAKS_OUT = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


class Html(str):
    """Text that is HTML already, made by the functions of this module."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"
EMPTY = Html("")
_NAMES: dict[str, str] = {}


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
        kind = type(child)
        if kind is Html:
            parts.append(child)  # type: ignore[arg-type]
        elif kind is str:
            parts.append(escape(child))  # type: ignore[arg-type]
        elif child is None:
            continue
        elif isinstance(child, int | float):
            parts.append(str(child))
        elif isinstance(child, str):
            parts.append(escape(child))
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
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for found, instead in _BREAKS_OUT.items():
        text = text.replace(found, instead)
    return text


def _attributes(attributes: dict[str, object]) -> str:
    text = ""
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        shown = _NAMES.get(name) or _name(name)
        if value is True:
            text += f" {shown}"
        else:
            text += f' {shown}="{escape(str(value))}"'
    return text


def _name(name: str) -> str:
    return _NAMES.setdefault(name, name.rstrip("_").replace("_", "-"))
