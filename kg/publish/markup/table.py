"""Tables whose rows become cards on narrow screens, and what stands in their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from kg.publish.markup.html import EMPTY, Child, Html, element, escape, join_children
from kg.publish.markup.phrases import count_of

BLANK = "–"  # stands in a cell that has nothing to say
SHORT = 14  # letters of a cell that is not broken into rows


def table(
    head: Sequence[str], rows: Iterable[Sequence[Child]], name: str, classes: str = ""
) -> Html:
    """A table; on narrow screens its rows become cards, so each cell carries its column's name."""
    header, starts = _columns(*head)
    body = ["<tr>" + "".join(map(_as_cell, row, starts)) + "</tr>" for row in rows]
    if not body:
        return EMPTY
    whole = f"{header}<tbody>{''.join(body)}</tbody></table></div>"
    return Html(
        f'<div class="kg-scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f'<table class="{escape(f"kg-table {classes}".strip())}">{whole}'
    )


@lru_cache(typed=True)
def _columns(*head: str) -> tuple[str, tuple[str, ...]]:
    """A table's head, and how the cells of each column begin: with the column's name, if a text."""
    heads = [element("th", cell, scope="col") for cell in head]
    starts = [f'<td data-label="{escape(c)}"' if type(c) is str else "<td" for c in head]
    return element("thead", element("tr", *heads)), tuple(starts)


def _as_cell(cell: Child, start: str) -> str:
    """What is not a cell already becomes one; blank cells get their own class."""
    if isinstance(cell, Html) and cell.startswith(("<th ", "<td ")):
        return cell
    short = isinstance(cell, int | float) or (type(cell) is str and len(cell) <= SHORT)
    classes = ' class="kg-blank"' if cell == BLANK else ' class="kg-short"' if short else ""
    return f"{start}{classes}>{join_children((cell,))!s}</td>"


def without_blanks(
    head: Sequence[str], rows: Sequence[Sequence[Child]]
) -> tuple[list[str], list[list[Child]]]:
    """A table without the columns that say nothing in any row."""
    kept = [column for column in range(len(head)) if any(row[column] != BLANK for row in rows)]
    return [head[c] for c in kept], [[row[c] for c in kept] for row in rows]


def row_name(what: Html) -> Html:
    """The cell that says what a row of a table is about."""
    return Html('<th scope="row">' + what + "</th>")


def folded_list(things: Sequence[Child], one: str, many: str = "") -> Html:
    """Things under each other, folded into a count where there are several."""
    if len(things) <= 1:
        return Html("".join([f"<div>{join_children((thing,))!s}</div>" for thing in things]))
    rows = "".join([f"<li>{join_children((thing,))!s}</li>" for thing in things])
    counted = escape(count_of(len(things), one, many))
    return Html(f'<details><summary>{counted}</summary><ul class="kg-plain">{rows}</ul></details>')
