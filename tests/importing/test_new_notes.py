"""The files that new notes get."""

from __future__ import annotations

from pathlib import Path

from tests.importing.conftest import Import, load
from tests.support.every_row import every_row


@every_row(
    ("first", "second", "second_file"),
    [("Naps", "naps", "naps-2.md"), ("naps", "Naps", "Naps-2.md")],
)
def test_names_that_differ_by_case_alone_become_two_files_on_every_disk(
    first: str, second: str, second_file: str, notes: Path, bring: Import
) -> None:
    """Where a disk takes `Naps.md` and `naps.md` for one, the second would replace the first."""
    for path in notes.rglob("*.md"):  # of the row before
        path.unlink()
    bring("csv", {"a.csv": f"id,title\n{first},Naps help\n{second},Naps hinder\n"})
    assert {path.name for path in notes.rglob("*.md")} == {f"{first}.md", second_file}
    assert {each.title for each in load(notes).statements.values()} == {"Naps help", "Naps hinder"}
