"""Print answers, progress and errors to a terminal or a pipe."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kg.model.errors import KgError
from kg.notes.note_listing import NoSuchFolder
from kg.text.plurals import describe_rest
from kg.text.printable import printable, printable_lines
from kg.text.spelling import similar_names

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text
    from rich.tree import Tree

    from kg.reporting.report import PrintableAnswer, Report

TABLE_KEY = "kg.table"  # the context key for the value of `--table`
CLOSED_PIPE_STATUS = 141  # what a shell reports for a program killed by SIGPIPE
CLEAR_LINE = "\r\x1b[K"
WIDTH_WITHOUT_FOLDING = 100_000  # of output for programs, so that no word is broken
FEWEST_TABLE_COLUMNS = 60  # in a narrower terminal, a table would break words


def use_colours() -> bool | None:
    """False if NO_COLOR is set; else None, so that the output stream decides."""
    return False if os.environ.get("NO_COLOR") else None


def print_error(error: Exception) -> None:
    """Print what went wrong and what to do; unexpected errors are raised again."""
    if isinstance(error, NoSuchFolder):
        message = f"{error}\n  start one with `kg init DIR`, or name it with `--notes DIR`"
    elif isinstance(error, click.ClickException):
        message = _message_of_click(error)
    elif isinstance(error, KgError):
        message = str(error)
    elif isinstance(error, OSError) and (error.errno or "(os error " in str(error)):
        # errors of the operating system, such as a full disk, also as Rust libraries report them
        why = error.strerror or str(error)
        message = why if error.filename is None else f"{error.filename}: {why}"
    elif isinstance(error, MemoryError):
        message = "there is not enough memory"
    else:
        raise error
    message_text = click.style("error: ", fg="red", bold=True) + printable_lines(message)
    click.echo(message_text, err=True, color=use_colours())


def _message_of_click(error: click.ClickException) -> str:
    """Click's message in our style, and where the command is explained."""
    message = error.format_message().removesuffix(".")
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        message = error.message.removesuffix(".")
        if suggestions := similar_names(error.option_name, error.possibilities, 1):
            message += f"; did you mean {suggestions[0]}?"
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return message[:1].lower() + message[1:]
    command = context.command_path.removeprefix("kg").strip()
    help_command = f"kg help {command}" if command else "kg --help"
    return f"{message[:1].lower()}{message[1:]}\n  see `{help_command}`"


@contextmanager
def exit_on_closed_pipe() -> Iterator[None]:
    """Exit quietly with status 141 (`CLOSED_PIPE_STATUS`) on a closed pipe, as with `| head`.

    By default, click and rich would exit with 1, which means that the notes have problems.
    """
    try:
        yield
    except (OSError, SystemExit) as error:
        if not _is_unread(error) and not _is_unread(error.__context__):
            raise
        _discard_output()
        sys.exit(CLOSED_PIPE_STATUS)


def _discard_output() -> None:
    """Discard buffered output, so that Python does not try to write it again on exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_closed_streams() -> None:
    """Open the null device in place of closed standard streams, as after `kg check >&-`.

    Otherwise Python has none, and the next file to be opened takes its descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def add_output_name(error: Exception) -> None:
    """Add the name of standard output to an error from writing to it."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _discard_output()
        if isinstance(error, OSError) and error.errno and error.filename is None:
            error.filename = "standard output"
    if isinstance(error, FileNotFoundError) and error.filename is None:
        try:
            os.getcwd()
        except FileNotFoundError:
            error.filename = "the folder that you are in"


def _is_unread(error: BaseException | None) -> bool:
    if not isinstance(error, OSError):
        return False
    # Windows reports a pipe without a reader as an invalid argument
    is_windows_pipe = (
        sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    )
    return is_windows_pipe or error.errno == errno.EPIPE


@contextmanager
def make_progress_counter() -> Iterator[Callable[[str, int], None]]:
    """A context with a function that shows a step and a count on one line, cleared at the end."""
    is_terminal = sys.stderr.isatty()

    def show(step: str, count: int) -> None:
        if is_terminal:
            click.echo(f"{CLEAR_LINE}{step} {count}", err=True, nl=False)

    try:
        yield show
    finally:
        if is_terminal:
            click.echo(CLEAR_LINE, err=True, nl=False)


def print_text(text: str | bytes) -> None:
    """Print text unchanged, except without control characters to a terminal."""
    if sys.stdout.isatty():
        text = printable_lines(text if isinstance(text, str) else text.decode("utf-8", "replace"))
    click.echo(text, nl=False)


def make_console(piped_width: int = 120) -> Console:
    """The console for answers, `piped_width` columns wide and without colours if output is piped.

    NO_COLOR prevails over FORCE_COLOR, which “rich” would heed in part.
    """
    from rich.console import Console

    width = None if sys.stdout.isatty() else piped_width
    return Console(
        width=width,
        color_system=None if use_colours() is False else "auto",
        highlight=False,
        emoji=False,
    )


def is_narrow(screen: Console) -> bool:
    """Return whether a table would break words on `screen`."""
    return screen.width < FEWEST_TABLE_COLUMNS


def print_json(value: object) -> None:
    """Print `value` as JSON."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    print_text(text.decode("utf-8") + "\n")


def print_answer(answer: PrintableAnswer, format: str, where: str = "") -> None:
    """Print an answer in a format; `where` says where to read rows that are left out."""
    table = requested_table(format)
    if format == "json":
        print_json(answer.to_dict())
    elif format == "csv":
        print_text(answer.to_csv(table))
    elif format == "markdown":
        print_text(answer.to_markdown())
    else:
        print_report(answer.report(), where)


def requested_table(format: str) -> str:
    """The table that `--table` names, if any; raises `UsageError` unless the format is CSV."""
    context = click.get_current_context(silent=True)
    table: str = (context.meta.get(TABLE_KEY) if context else None) or ""
    if table and format != "csv":
        raise click.UsageError("--table goes with `--format csv`")
    return table


def print_report(report: Report, where: str = "") -> None:
    """Print lines, wrapped to fit the terminal, and tables."""
    from kg.reporting.report import LINE_WIDTH, TextLine, render_line

    def dim_row(row: Sequence[str]) -> Sequence[Any]:
        from rich.text import Text

        return (*row[:-1], Text(printable(row[-1]), "dim"))

    width = min(shutil.get_terminal_size((LINE_WIDTH, 24)).columns, LINE_WIDTH)
    for part in report.parts:
        if isinstance(part, TextLine):
            style = {"strong": {"bold": True}, "aside": {"dim": True}}.get(part.style)
            text = render_line(part, width)
            click.echo(click.style(text, **style) if style else text)
        elif part.rows:
            shown_rows = part.rows[: part.max_rows]
            ends_in_ids = part.columns[1:] and part.columns[-1] == "id"  # dim a last column of ids
            print_table(
                part.columns,
                map(dim_row, shown_rows) if ends_in_ids else shown_rows,
                title=part.title,
            )
            if rest := describe_rest(part.rows, part.max_rows):
                click.echo(rest + where)


def _cell_text(cell: object, separator: str = "\n") -> Text:
    """A cell as plain text, never read as markup."""
    from rich.text import Text

    if isinstance(cell, Text):
        return cell
    lines = map(printable, str(cell).split("\n"))
    return Text(separator.join(lines if separator == "\n" else map(str.strip, lines)))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print rows under headings; in a narrow terminal, each cell on a line with its name."""
    from rich.table import Column, Table
    from rich.text import Text

    if title:
        click.secho(f"\n{printable(title)}", bold=True)
    console = make_console(WIDTH_WITHOUT_FOLDING)
    if is_narrow(console) and len(columns) > 2:
        for first, *others in rows:
            console.print(_cell_text(first), style="bold")
            for name, cell in zip(columns[1:], others, strict=True):
                if not (text := _cell_text(cell, ", ")).plain.strip():
                    continue
                # The terminal itself wraps an id that is too long, so that it is copied whole.
                console.print(
                    Text.assemble((f"  {name}: ", "dim"), text), soft_wrap=" " not in text.plain
                )
        return
    # an id that does not fit is folded onto the next line, not cut off
    headings = [Column(name, overflow="fold") for name in columns]
    table = Table(*headings, box=None, padding=(0, 2, 0, 0), header_style="dim")
    for row in rows:
        table.add_row(*map(_cell_text, row))
    print_rich(console, table)


def print_rich(console: Console, table: Table | Tree) -> None:
    """Print a table or a tree; without trailing spaces if output is piped."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    click.echo(
        "\n".join(text_line.rstrip(" ") for text_line in capture.get().split("\n")), nl=False
    )
