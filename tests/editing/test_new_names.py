"""Ids that a change may give."""

from __future__ import annotations

import pytest

from kg.editing.folder_files import NotEditable
from kg.editing.new_names import MAX_FILE_NAME_BYTES, require_linkable
from kg.notes.note_listing import NOTE_SUFFIX
from tests.support.every_row import every_row

LONGEST = "é" + "x" * (MAX_FILE_NAME_BYTES - len(NOTE_SUFFIX) - 2)


@every_row(
    ("id", "message"),
    [
        (f"{LONGEST}x", "is too long"),
        ("a#b", "cannot be linked to"),
        (" a", "cannot be linked to"),
        (".a", "cannot be linked to"),
        ("README", "is no note"),
    ],
)
def test_an_id_that_is_too_long_or_that_no_link_leads_to_is_refused(id: str, message: str) -> None:
    with pytest.raises(NotEditable, match=message):
        require_linkable(id)


def test_an_id_as_long_as_the_name_of_a_file_may_be_is_taken() -> None:
    require_linkable(LONGEST)
