"""Answers in a notebook: tables with links, and a small drawing of the edges; all of it inert."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model.config import Config
from kg.queries.drawing import GREY, Dot, draw
from kg.queries.sort import Sort
from kg.queries.tables import columns_of, counted, plain, rows

if TYPE_CHECKING:
    from kg.queries.answer import Answer
    from kg.queries.documents import Hit
    from kg.queries.explain import Branch
    from kg.queries.report import Label, Report

MOST_ROWS = 100
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


def render_answer(answer: Answer[Any]) -> str:
    """The table of an answer, with its edges drawn where they are few enough to be read."""
    columns = columns_of(answer)
    shown = answer[:MOST_ROWS]
    cells = [
        tuple(
            _linked(cell, address(answer.corpus, answer.sort, id))
            if name in ("id", "source")
            else escape(plain(cell))
            for name, cell in zip(columns, row, strict=True)
        )
        for id, row in zip(shown.ids, rows(shown, columns), strict=True)
    ]
    more = len(answer) - len(shown)
    note = f", the first {len(shown)} shown" if more else ""
    return f"{_table(columns, cells)}<p>{counted(answer)}{note}</p>{_drawing(answer)}"


def render_table(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of plain text."""
    return _table(names, [tuple(escape(plain(cell)) for cell in row) for row in cells])


def render_told(report: Report, labels: Mapping[str, Label]) -> str:
    """A report: lines, tables in which statements are links, and its edges drawn."""
    parts = [f"<p>{'<br>'.join(_line(line, labels) for line in report.head)}</p>"]
    for table in report.tables:
        if table.rows:
            head = f"<h4>{escape(table.title)}</h4>" if table.title else ""
            cells = [tuple(_labelled(cell, labels) for cell in row) for row in table.rows]
            parts.append(head + _table(table.columns, cells))
    return "".join(parts) + draw(report.edges, _dots(labels))


def render_branch(root: Branch) -> str:
    """A tree of reasons as nested lists, and as a drawing if it is small."""
    branches = [branch for _, branch in root.walk()]
    edges = (branch.edge for branch in branches if branch.edge is not None)
    return _tree(root) + draw(edges, _dots({each.statement: each.label for each in branches}))


def _dots(labels: Mapping[str, Label]) -> dict[str, Dot]:
    colours = {camp.id: camp.colour for camp in Config().camps}
    return {
        id: Dot(label.title, colours.get(label.camp or "", GREY)) for id, label in labels.items()
    }


def _tree(branch: Branch) -> str:
    """A branch and all below it, each statement a link to its note."""
    before, after = (escape(plain(text)) for text in branch.around())
    title = _linked(branch.label.title, quote(branch.label.note))
    _, *said = branch.lines()
    reason = "".join(f"<br><em>{escape(plain(line.strip()))}</em>" for line in said)
    below = "".join(f"<li>{_tree(each)}</li>" for each in branch.branches)
    return f"{before}{title}{after}{reason}" + (f"<ul>{below}</ul>" if below else "")


def render_hits(hits: Iterable[Hit]) -> str:
    """What a search found, as a list with what was looked for set off."""
    items = []
    for hit in hits:
        snippet = "".join(
            f"<mark>{escape(plain(text))}</mark>" if marked else escape(plain(text))
            for text, marked in hit.snippet
        )
        title = _linked(hit.title, hit.address)
        name = f"{hit.sort} <code>{escape(plain(hit.id))}</code>"
        items.append(f"<li>{title} {name}<br>{snippet}</li>")
    return f"<ol>{''.join(items)}</ol>"


def _table(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _line(text: str, labels: Mapping[str, Label]) -> str:
    """A line in which a statement's id in brackets is a link; what is set in stays so."""
    inset = "&emsp;" if text.startswith(" ") else ""
    return inset + "".join(
        f"[{_labelled(part, labels)}]" if number % 2 else escape(plain(part))
        for number, part in enumerate(_BRACKETED.split(text))
    )


def _labelled(cell: str, labels: Mapping[str, Label]) -> str:
    """A cell, as a link if it is the id of a statement."""
    return _linked(cell, quote(labels[cell].note) if cell in labels else "")


def _linked(cell: str, target: str) -> str:
    text = escape(plain(cell))
    return f'<a href="{escape(target)}">{text}</a>' if target else text


def address(corpus: Corpus, sort: Sort, id: str) -> str:
    """Where a record can be read: a source on the web, anything else in its note."""
    if sort is Sort.SOURCE:
        source = corpus.sources.get(id)
        url = source.url if source else ""
        return url if url.startswith(("https://", "http://")) else ""
    record = corpus.statements.get(id) or corpus.lines.get(id)
    if corpus.folder is None or record is None:
        return ""
    return quote(f"{corpus.folder.as_posix()}/{record.span.path}")


def _drawing(answer: Answer[Any]) -> str:
    """An SVG of the edges that justify the answer, or nothing."""
    if not answer.edges:
        return ""
    part, found = answer.excerpt, frozenset(answer.ids)
    colours = {camp.id: camp.colour for camp in part.config.camps}
    dots = {
        id: Dot(s.title, colours.get(part.default_camps.get(id, ""), GREY), id in found)
        for id, s in part.statements.items()
    }
    return draw(part.edges, dots)
