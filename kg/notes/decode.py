"""Decode the bytes of a note."""

from __future__ import annotations

from kg.model import Diagnostic, Severity, Span
from kg.notes.note_files import NoteFile


def decode_file(file: NoteFile) -> str | Diagnostic:
    """The text of a file, or the problem if it is not UTF-8 text."""
    data = file.data
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "this file is UTF-16, not UTF-8"
        return _not_text(file.path, message, "save it again as UTF-8")
    if b"\0" in data:
        message = "this is not a text file: it holds NUL bytes"
        return _not_text(file.path, message, "notes are UTF-8 Markdown")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        help = "save it again as UTF-8"
        return _not_text(file.path, "this file is not UTF-8", help, line)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _not_text(path: str, message: str, help: str, line_number: int = 1) -> Diagnostic:
    return Diagnostic(
        rule="unreadable-file",
        severity=Severity.ERROR,
        message=message,
        span=Span(path, line_number),
        help=help,
    )
