"""What commands say of a small corpus, as it was last read and found right.

A file of `golden` is a session: lines that begin with `$ kg` are run, one after the other, and
below each stands what it printed. They are run beside the notes in `tests/publish/golden/notes`,
or beside those that the file's first lines say in the shorthand of `tests/support/shorthand.py`.
Where a file's name ends in a number, they print to a terminal that is so wide; ␛ stands for escape.

Where something is meant to change, `python -m tests.cli.test_golden_commands` writes the files
anew: read the difference before you commit it. To try one more command, write its line, and do so.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from tests.support.command import kg
from tests.support.golden import write_golden_notes
from tests.support.shorthand import load_shorthand

SESSIONS = sorted((Path(__file__).parent / "golden").glob("*.txt"))
PROMPT = "$ kg "
COLOURS = {"TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": ""}
_LONG = re.compile(r"\d+\.\d{6,}(e-?\d+)?")
_TODAY = re.compile(r"(?<=^created: )\d{4}-\d\d-\d\d$", re.MULTILINE)


def play_session(session: Path, place: Path) -> str:
    """The session as it goes now."""
    notes, _, rest = session.read_text("utf-8").partition(PROMPT)
    if notes:
        (place / "notes").mkdir()
        load_shorthand(place / "notes", notes)
    else:
        write_golden_notes(place)
    lines = (PROMPT + rest).splitlines()
    width = session.stem.rpartition("-")[2]
    text = (_answer_of_command(line, place, width) for line in lines if line.startswith(PROMPT))
    return notes + "\n".join(text)


def _answer_of_command(line: str, place: Path, width: str) -> str:
    words, terminal = shlex.split(line.removeprefix(PROMPT)), width.isdigit()
    forced = COLOURS | {"COLUMNS": width if terminal else "80", "FORCE_COLOR": "1" * terminal}
    ended = kg(place, *words, terminal=terminal, **forced)
    status = f"[status {ended.returncode}]\n" if ended.returncode else ""
    return f"{line}\n{_without_changing_digits(ended.stdout)}{ended.stderr}{status}"


def _without_changing_digits(text: str) -> str:
    """Without the day, the line ends of CSV, and digits in which machines may differ."""
    text = _TODAY.sub("TODAY", text.replace("\r\n", "\n").replace("\x1b", "␛"))
    return _LONG.sub(lambda number: f"{float(number[0]):.4f}", text)


@pytest.mark.integration
@pytest.mark.skipif(os.name == "nt", reason="paths are written otherwise there")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.stem)
def test_commands_say_what_was_read(session: Path, tmp_path: Path) -> None:
    assert play_session(session, tmp_path) == session.read_text("utf-8")


if __name__ == "__main__":
    for file in SESSIONS:
        with tempfile.TemporaryDirectory() as folder:
            file.write_text(play_session(file, Path(folder)), "utf-8")
