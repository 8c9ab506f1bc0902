"""Where `kg export` writes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import status
from tests.support.every_row import every_row

NOTES = {"a": "---\ntype: claim\n---\n\n# A\n"}


@pytest.mark.usefixtures("notes")
@every_row(
    ("words", "message"),
    [
        (("--output", ""), "--output has no value"),
        (("-o", ""), "an empty name is no file"),
        (("-o", "out/"), "out/ is a folder, and nq is written to one file"),
    ],
)
def test_what_is_no_place_for_a_format_is_refused(
    words: tuple[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("export", "nq", *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("notes")
@every_row(("format", "target"), [("nq", "a.nq"), ("csv", "tables/"), ("csv", "more")])
def test_a_format_is_written_where_it_is_to_be(format: str, target: str) -> None:
    assert status("export", format, "--output", target) == 0
    assert Path(target).is_dir() is (format == "csv")
