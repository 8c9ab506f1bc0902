"""The report of an answer: lines and tables, rendered as text, HTML and Markdown; and the
answer's records, as CSV and as a data frame."""

from __future__ import annotations

import re
import textwrap
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from kg.model import Edge, Value
from kg.reporting.csv_cells import csv_columns, escape_formula, render_csv_rows
from kg.reporting.data_frames import as_frame, record_columns
from kg.text.plurals import describe_rest
from kg.text.printable import printable

LINE_WIDTH = 100  # characters: a usual width of windows, and longer lines are hard to read
MAX_ROWS = 15  # rows shown of a long table
MAX_LISTED_IN_LINE = 6  # names in a line of text
MAX_CELL_CHARACTERS = 48  # of a cell, where long cells are cut
Record = TypeVar("Record")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_TAGS = {"": "{}", "strong": "<strong>{}</strong>", "aside": "<small>{}</small>"}
# A colon before a word may begin an emoji of Slack or GitHub, or be part of an address.
_MARKDOWN_MARKS = re.compile(r"[\\`*_{}\[\]<>|#~^$@&]|!(?=\[|$)|:(?=\S|$)")


class TextLine(NamedTuple):
    """A line; with a `hang` it is wrapped if it is too long, with that as the indentation."""

    text: str
    style: Literal["", "strong", "aside"] = ""
    hang: str | None = None


class Table(NamedTuple):
    """Headings and rows of cells; a report shows `max_rows` rows. A cell may have
    several lines.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    max_rows: int | None = None
    meaning: str = ""  # of its numbers


class TableOf(NamedTuple, Generic[Record]):
    """The columns of a table of such records, each a heading and a function that makes a cell, and
    what their numbers mean.
    """

    columns: Sequence[tuple[str, Callable[[Record], object]]]
    meaning: str = ""


class Report(NamedTuple):
    """Lines and tables in order, and the edges they mention; tables without rows are not shown.

    A line without text separates the parts above and below it.
    """

    parts: Sequence[TextLine | Table]
    edges: tuple[Edge, ...] = ()


class _AbstractRecordMeta(msgspec.StructMeta, ABCMeta):
    """The metaclass of records with abstract methods."""


class PrintableAnswer(Value, frozen=True, omit_defaults=False, metaclass=_AbstractRecordMeta):
    """An answer that prints as its report."""

    @abstractmethod
    def report(self) -> Report:
        """The answer in lines and tables."""

    def __str__(self) -> str:
        return render_text(self.report())

    def _repr_html_(self) -> str:
        return render_html(self.report())

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values, with every field."""
        values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return values

    def to_frame(self, library: str | None = None, table: str = "") -> Any:
        """A data frame of the answer's main records, or of those in the field `table`.

        `library` is `"pandas"` or `"polars"`; the default is the one that is installed. Raises
        `MissingLibrary` and `NoSuchTable`.
        """
        return as_frame(record_columns(self, table), library)

    def to_csv(self, table: str = "") -> str:
        """The records of `to_frame` as CSV, with lists joined by `; `. Raises `NoSuchTable`."""
        return csv_columns(record_columns(self, table))

    def to_markdown(self) -> str:
        """The report in Markdown, with all rows of its tables."""
        return render_markdown(self.report())


def render_signed(number: float, digits: int = 2) -> str:
    """`+0.19` or `−0.19`, with a minus sign as wide as the plus."""
    return f"{number:+.{digits}f}".replace("-", "−")


def render_cell(value: object) -> str:
    """A value as text: numbers to three decimal places, lists cut after six items."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, dict):
        return (
            ", ".join(f"{_words_of_name(name)} {render_cell(each)}" for name, each in value.items())
            or "–"
        )
    if isinstance(value, tuple):
        return (
            ", ".join(map(render_cell, value[:MAX_LISTED_IN_LINE]))
            + describe_rest(value, MAX_LISTED_IN_LINE, ", and")
            or "–"
        )
    return _render_each_line(str(value))


def _render_each_line(
    text: str, render: Callable[[str], str] = printable, between: str = "\n"
) -> str:
    return between.join(map(render, text.split("\n")))


def _words_of_name(name: str) -> str:
    return name.replace("_", " ")


def lines_in_cell(*parts: str) -> str:
    """A cell of several lines, without the empty parts."""
    return "\n".join(filter(None, parts))


def table(
    title: str, records: Sequence[Record], shape: TableOf[Record], max_rows: int | None = MAX_ROWS
) -> Table:
    """A table with a row for each record, whose columns `shape` names and fills."""
    headings, functions = zip(*shape.columns, strict=True)
    rows = [tuple(render_cell(value_of(record)) for value_of in functions) for record in records]
    return Table(title, headings, rows, max_rows, shape.meaning)


def columns(
    record: type[Record],
    *entries: str | tuple[str, Callable[[Record], object]],
    meaning: str = "",
) -> TableOf[Record]:
    """Columns of a table of such records: `entries` name fields ("statement, for: pro"), or pair
    a heading with a function; `meaning` says what their numbers mean.

    Raises `AttributeError` for a field that does not exist.
    """
    pairs: list[tuple[str, Callable[[Record], object]]] = []
    for each in entries:
        if not isinstance(each, str):
            pairs.append(each)
            continue
        for heading, _, name in (part.partition(": ") for part in each.split(", ")):
            field = name or heading.replace(" ", "_")
            getattr(record, field)
            pairs.append((heading, attrgetter(field)))
    return TableOf(pairs, meaning)


def fact_line(name: str, value: object, unit: str = "") -> TextLine:
    """A named value in a line."""
    return TextLine(f"  {name}: {render_cell(value)}{f' ({unit})' if unit else ''}", hang="    ")


def list_names(name: str, values: Sequence[str], limit: int = MAX_ROWS) -> tuple[TextLine, ...]:
    """Names in a line; no line if there are none."""
    first = TextLine(f"{name}: {', '.join(map(render_cell, values[:limit]))}", hang="  ")
    rest = describe_rest(values, limit)
    return (first, *([TextLine(rest)] if rest else [])) if values else ()


def line_of_values(name: str, values: dict[str, Any] | tuple[str, ...]) -> tuple[TextLine, ...]:
    """Values in a line, with their names, or as a list cut after six; no line if none."""
    return (TextLine(f"{name}: {render_cell(values)}", hang="  "),) if values else ()


def aside_lines(texts: Sequence[str]) -> tuple[TextLine, ...]:
    """Further remarks, separated from what is above by an empty line."""
    return (TextLine(""), *(TextLine(text, "aside", "  ") for text in texts)) if texts else ()


def render_text(report: Report) -> str:
    """A report as plain text."""
    parts = (p for p in report.parts if isinstance(p, TextLine) or p.rows)
    return "\n".join(render_line(p) if isinstance(p, TextLine) else _render_table(p) for p in parts)


def render_line(text_line: TextLine, width: int = LINE_WIDTH) -> str:
    """A line, wrapped into lines of at most `width` characters."""
    if text_line.hang is None:
        return printable(text_line.text)
    lines = textwrap.wrap(
        printable(text_line.text),
        width,
        subsequent_indent=text_line.hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def _render_table(table: Table) -> str:
    title = f"\n{printable(table.title)}" if table.title else ""
    grid = render_columns(table._replace(rows=table.rows[: table.max_rows]))
    return lines_in_cell(title, grid, describe_rest(table.rows, table.max_rows))


def render_columns(table: Table, widest: int | None = None) -> str:
    """Cells in columns as wide as needed; all but the last column are cut to `widest`."""
    rows = [
        [_render_each_line(each).split("\n") for each in row]
        for row in (table.columns, *table.rows)
    ]
    last = len(table.columns) - 1
    widths = [
        max(len(text_line) for row in rows for text_line in row[column])
        for column in range(last + 1)
    ]
    widths = [min(width, widest or width) for width in widths]
    return "\n".join(
        "  ".join(
            (_shorten_to(lines[number], width) if column < last else lines[number]).ljust(width)
            if number < len(lines)
            else " " * width
            for column, (lines, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
        for number in range(max(map(len, row)))
    )


def _shorten_to(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


AddressOf: TypeAlias = Callable[[str], str]


def render_html(report: Report, address: AddressOf = lambda id: "") -> str:
    """A report in HTML; ids with an address are links."""
    html = ""
    for is_table, group in groupby(report.parts, lambda part: isinstance(part, Table)):
        if is_table:
            html += "".join(_html_table(p, address) for p in group if isinstance(p, Table))
        else:
            lines = (_html_line(p, address) for p in group if isinstance(p, TextLine))
            html += f"<p>{'<br>'.join(lines).removeprefix('<br>')}</p>"
    return html


def _html_line(text_line: TextLine, address: AddressOf) -> str:
    """A line, with ids in brackets as links, and indented if the text is."""
    inset = "&emsp;" if text_line.text.startswith(" ") else ""
    pieces = enumerate(_BRACKETED.split(text_line.text))
    text = "".join(
        f"[{link_cell(part, address(part))}]" if number % 2 else escape(printable(part))
        for number, part in pieces
    )
    return inset + (_TAGS[text_line.style].format(text) if text else "")


def _html_table(table: Table, address: AddressOf) -> str:
    """A table under its title; empty if it has no rows."""
    if not table.rows:
        return ""
    head = f"<h4>{escape(table.title)}</h4>" if table.title else ""
    cells = (
        [
            _render_each_line(
                cell, lambda text_line: link_cell(text_line, address(text_line)), "<br>"
            )
            for cell in row
        ]
        for row in table.rows[: table.max_rows]
    )
    rest = describe_rest(table.rows, table.max_rows)
    return head + html_table(table.columns, cells) + (f"<p>{rest}</p>" if rest else "")


def html_table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose cells are already HTML."""
    head = "".join(f"<th>{escape(_words_of_name(name))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def link_cell(cell: str, target: str) -> str:
    """Text as a link, or as plain text if it has no target."""
    text = escape(printable(cell))
    return f'<a href="{escape(target)}">{text}</a>' if target else text


def csv_text(table: Table) -> str:
    """A table as CSV; cells that a spreadsheet would run as formulas are escaped."""
    rows = ([escape_formula(printable(cell)) for cell in row] for row in table.rows)
    return render_csv_rows(table.columns, rows, "\n")


def render_markdown(report: Report) -> str:
    """A report in Markdown, with all rows of its tables."""
    pieces: list[str] = []
    for part in report.parts:
        if isinstance(part, TextLine):
            text = escape_markdown(part.text.strip())
            inset = part.text.startswith(" ")
            markdown = f"- {text}" if inset else f"**{text}**" if part.style == "strong" else text
            gap = "\n" if inset and pieces and pieces[-1].startswith("- ") else "\n\n"
            pieces += [gap, markdown] if text else []
        elif part.rows:
            title = f"### {escape_markdown(part.title)} ({len(part.rows)})\n\n" * bool(part.title)
            pieces += ["\n\n", title + markdown_table(part)]
    return "".join(pieces[1:]) + "\n"


def markdown_table(table: Table) -> str:
    """A table in Markdown, with its cells escaped."""
    heads = [escape_markdown(_words_of_name(name)) for name in table.columns]
    rows = (
        [_render_each_line(cell, escape_markdown, "<br>") for cell in row] for row in table.rows
    )
    lines = [heads, ["---" for _ in heads], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def escape_markdown(text: str) -> str:
    """Text that Markdown, including Pandoc's and HTML inside it, shows literally."""
    return _MARKDOWN_MARKS.sub(r"\\\g<0>", printable(text))
