"""HTML elements and tables as values: text is escaped, unless it is `Html` already.

What stands on nearly every page is written as a string instead, which costs a third: of
constants, of texts through `escape`, and of `Html` joined by `+` or as `{…!s}`, since formatting
a subclass of `str` without that is slow.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from kg.text.plurals import count_of

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+\Z", re.IGNORECASE)
_TAG_OR_BREAK = re.compile(r"</?(?!br\b)\w[^>]*>|\n")
# what a line would be broken in: `GPT-5`, `Mistral-7B`
_NUMBERED_NAME = re.compile(r"[^\W\d_]+-\d\w*(?:\.\w+)*")
_VOID = frozenset({"br", "hr", "img", "input", "wbr", "col"})
_UNSAFE_IN_SCRIPT = {c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_encode_json = msgspec.json.Encoder().encode
T = TypeVar("T")
BLANK = "–"  # the content of an empty cell
SHORT = 14  # letters: shorter cells are not wrapped


class Html(str):
    """Text that is already HTML, made by the functions of this module."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"
EMPTY = Html("")


def escape(text: str) -> str:
    """`text` escaped for an element or a quoted attribute; most texts need no escaping."""
    if "&" in text or "<" in text or ">" in text or '"' in text or "'" in text:
        return html.escape(text)
    return text


def title_in_html(title: str) -> Html:
    """A title whose names with a number, such as `GPT-5`, are not broken at their hyphen."""
    text = escape(title)
    if "-" not in text:
        return Html(text)
    return Html(_NUMBERED_NAME.sub(r'<span class="kg-nowrap">\g<0></span>', text))


def element(name: str, *children: Child, **attributes: object) -> Html:
    """`<name attributes>children</name>`.

    In attribute names a trailing underscore is dropped and the others become hyphens;
    attributes that are None or False are left out, True gives an attribute without a value.
    """
    start = f"<{name}{_render_attributes(attributes)}>" if attributes else f"<{name}>"
    return Html(start if name in _VOID else f"{start}{_join_children(children)}</{name}>")


def join_children(children: Iterable[Child]) -> Html:
    """Children joined together, with every text escaped."""
    return Html(_join_children(children))


def _join_children(children: Iterable[Child]) -> str:
    parts: list[str] = []
    for child in children:
        kind = type(child)
        if kind is Html:
            parts.append(child)  # type: ignore[arg-type]
        elif child is None:
            continue
        elif isinstance(child, str):
            parts.append(escape(child))
        elif isinstance(child, int | float):
            parts.append(str(child))
        else:
            parts.append(_join_children(child))
    return "".join(parts)


def join(separator: str, children: Iterable[Child]) -> Html:
    """Children with `separator` (as text) between them."""
    return Html(escape(separator).join(join_children((child,)) for child in children))


def page_kind_line(*parts: Child) -> Html:
    """The small line above a title that names the kind of page."""
    return Html('<p class="kg-kicker">' + _wrap_each("span", parts) + "</p>")


def fact_row(*parts: Child) -> Html:
    """Short facts in a row."""
    return Html('<ul class="kg-facts">' + _wrap_each("li", parts) + "</ul>")


def definition_list(rows: list[tuple[str, Child]]) -> Html:
    """A list of names and values; those without a value are left out."""
    pairs = [
        f"<div><dt>{escape(name)}</dt><dd>{join_children((value,))!s}</dd></div>"
        for name, value in rows
        if value
    ]
    return Html(f'<dl class="kg-record">{"".join(pairs)}</dl>')


def _wrap_each(name: str, parts: Iterable[Child]) -> str:
    return "".join([f"<{name}>" + join_children((part,)) + f"</{name}>" for part in parts if part])


def collapsible(
    summary: Child, *children: Child, class_: str | None = None, id: str | None = None
) -> Html:
    """A summary that expands to show the rest."""
    return element("details", element("summary", summary), *children, class_=class_, id=id)


def collapsible_on_screen(summary: Child, *children: Child) -> Html:
    """A `collapsible` that is open on paper."""
    return collapsible(summary, *children, class_="kg-on-paper")


def collapse_after(
    items: Sequence[T],
    count: int,
    label: str,
    render: Callable[[Sequence[T]], Html],
    *,
    least_collapsed: int = 2,
    more: Html = EMPTY,
) -> Html:
    """Render items, with those after the first `count` collapsed, which ends with `more`, unless
    they are fewer than `least_collapsed`.
    """
    if len(items) < count + least_collapsed:
        return render(items)
    return Html(render(items[:count]) + collapsible_on_screen(label, render(items[count:]), more))


def item_list(
    items: Iterable[Child], class_: str | None = "kg-plain", id: str | None = None
) -> Html:
    """A list of items, some of which may be elements of lists already; nothing if it is empty."""
    rows = [_as_item(item) for item in items]
    return element("ul", *rows, class_=class_, id=id) if rows else EMPTY


def _as_item(item: Child) -> Html:
    if isinstance(item, Html) and item.startswith(("<li>", "<li ")):
        return item
    return element("li", item)


def remark(*words: Child) -> Html:
    """Words below what they are about; nothing if there are none."""
    text = join_children(words)
    return Html(f'<span class="kg-reason">{text!s}</span>') if text else EMPTY


def web_address(url: str) -> str | None:
    """`url` if it is a plain web address; None for every other scheme."""
    return url if _WEB.match(url) else None


def cut_line(html: str) -> tuple[str, str]:
    """`html` before and after its first line break outside any element."""
    depth = 0
    for match in _TAG_OR_BREAK.finditer(html):
        if match[0] == "\n" and not depth:
            return html[: match.start()], html[match.end() :]
        if match[0] != "\n":
            depth += -1 if match[0].startswith("</") else 1
    return html, ""


def as_script_json(value: object) -> str:
    """`value` as JSON that is safe inside a script, whatever it contains."""
    return escape_json(_encode_json(value).decode())


def escape_json(text: str) -> str:
    """JSON made safe inside a script: nothing in it can end the script or start a comment."""
    for character, safe in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, safe)
    return text


def _render_attributes(attributes: dict[str, object]) -> str:
    markup = ""
    for name, value in attributes.items():
        if value is not None and value is not False:
            markup += " " + name.rstrip("_").replace("_", "-")
            if value is not True:
                markup += f'="{escape(str(value))}"'
    return markup


def table(
    head: Sequence[str], rows: Iterable[Sequence[Child]], name: str, classes: str = ""
) -> Html:
    """A table; on narrow screens its rows become cards, so each cell has its column's name."""
    header, starts = _head_and_cell_tags(*head)
    body = ["<tr>" + "".join(map(_as_cell, row, starts)) + "</tr>" for row in rows]
    if not body:
        return EMPTY
    content = f"{header}<tbody>{''.join(body)}</tbody></table></div>"
    return Html(
        f'<div class="kg-scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f'<table class="{escape(f"kg-table {classes}".strip())}">{content}'
    )


def table_collapsed_after(
    head: Sequence[str],
    rows: Sequence[Sequence[Child]],
    count: int,
    label: str,
    name: str,
    classes: str = "",
    *,
    least_collapsed: int = 2,
) -> Html:
    """A `table` with the rows after the first `count` collapsed, as by `collapse_after`."""
    if len(rows) < count + least_collapsed:
        return table(head, rows, name, classes)
    rest = table(head, rows[count:], f"{name}, continued", classes)
    return Html(table(head, rows[:count], name, classes) + collapsible_on_screen(label, rest))


def _head_and_cell_tags(*head: str) -> tuple[str, tuple[str, ...]]:
    """A table's head, and how each column's cells begin: with the column's name, if it is text."""
    heads = [element("th", cell, scope="col") for cell in head]
    starts = [f'<td data-label="{escape(c)}"' if type(c) is str else "<td" for c in head]
    return element("thead", element("tr", *heads)), tuple(starts)


def _as_cell(cell: Child, start: str) -> str:
    """`cell` as a table cell, if it is not one yet; blank cells get their own class."""
    if isinstance(cell, Html) and cell.startswith(("<th ", "<td ")):
        return cell
    short = isinstance(cell, int | float) or (type(cell) is str and len(cell) <= SHORT)
    classes = ' class="kg-blank"' if cell == BLANK else ' class="kg-short"' if short else ""
    return f"{start}{classes}>{join_children((cell,))!s}</td>"


def sortable_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Child]],
    name: str,
    class_name: str = "",
    *,
    only: str | None = None,
) -> Html:
    """A table that readers sort by its columns and filter; `only` names a choice of marked rows."""
    if not rows:
        return element("p", "None yet.", class_="kg-none")
    table_html = table(head, rows, name, class_name)
    return element("div", table_html, data_kg_sort=True, data_kg_only=only, class_="kg-sortable")


def row_name(name: Html) -> Html:
    """The cell with the name of what a table row is about."""
    return Html('<th scope="row">' + name + "</th>")


def collapsed_list(things: Sequence[Child], singular: str) -> Html:
    """Things listed below each other, collapsed into a count if there are several."""
    if len(things) <= 1:
        return Html("".join([f"<div>{join_children((thing,))!s}</div>" for thing in things]))
    rows = "".join([f"<li>{join_children((thing,))!s}</li>" for thing in things])
    return collapsible(count_of(len(things), singular), Html(f'<ul class="kg-plain">{rows}</ul>'))
