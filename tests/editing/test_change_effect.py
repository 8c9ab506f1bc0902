"""What a change does to the corpus: problems that are new, and answers that move."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.change import Change
from kg.editing.change_effect import ChangeEffect, RefusedChange, effect_of
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from tests.editing.edited_folder import CLAIM, write

LINE = "---\ntype: line\nproposition: a\n---\n\n# L?\n\n- optimist:: [[a]] — so\n"
SEEN = "\n> [!evidence] Seen\n> (method:: experiment) (reason:: so)\n"


def test_new_problems_and_moved_answers_are_told_and_errors_refused(tmp_path: Path) -> None:
    before = {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "[[a]]\n", "l.md": LINE}
    folder = write(tmp_path, before)

    def effect(name: str, text: str) -> ChangeEffect:
        change = Change("", {name: before[name].encode()}, {name: text.encode()})
        return effect_of(load_corpus(folder), change, NotesFolder.of(folder))

    assert effect("b.md", before["b.md"]) == ChangeEffect()
    answer = effect("a.md", before["a.md"].replace("claim\n", "claim\ncolour: red\n") + SEEN)
    assert [each.rule for each in answer.problems] == ["unknown-key", "unsourced-evidence"]
    assert [(each.line, (each.after or 0) > 0.5) for each in answer.verdicts] == [("l", True)]
    for lost in ("[[gone]]", "- supports:: [[gone]] — so"):
        with pytest.raises(RefusedChange, match=r"nothing was written:\n  .*b\.md:\d+:\d+: .*gone"):
            effect("b.md", f"{CLAIM.format('b')}{lost}\n")
