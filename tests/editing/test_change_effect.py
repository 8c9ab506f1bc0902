"""What a change does to the corpus: problems that are new, and answers that move."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.editing.change import Change
from kg.editing.change_effect import (
    ChangeEffect,
    RefusedChange,
    effect_of,
    new_diagnostics,
)
from kg.files.read_files import NotesFolder
from kg.loader import NotesChanged, load_corpus
from tests.editing.edited_folder import CLAIM, write
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

LINE = "---\ntype: line\nproposition: a\n---\n\n# L?\n\n- optimist:: [[a]] — so\n"
SEEN = "\n> [!evidence] Seen\n> (method:: experiment) (reason:: so)\n"


NOTES = {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "[[a]]\n", "l.md": LINE}


def _effect_of_text(folder: Path, name: str, text: str) -> ChangeEffect:
    """The effect if one of `NOTES` gets another text."""
    write(folder, NOTES)
    change = Change("", {name: NOTES[name].encode()}, {name: text.encode()})
    return effect_of(load_corpus(folder), change, NotesFolder.from_path(folder))


def test_a_change_of_nothing_has_no_effect(tmp_path: Path) -> None:
    assert _effect_of_text(tmp_path, "b.md", NOTES["b.md"]) == ChangeEffect()


def test_an_effect_has_the_new_problems_and_the_moved_answers(tmp_path: Path) -> None:
    text = NOTES["a.md"].replace("claim\n", "claim\ncolour: red\n") + SEEN
    effect = _effect_of_text(tmp_path, "a.md", text)
    assert [each.rule for each in effect.problems] == ["unknown-key", "unsourced-evidence"]
    assert [(each.line, (each.strength_after or 0) > 0.5) for each in effect.verdicts] == [
        ("l", True)
    ]


def test_errors_of_notes_that_were_changed_meanwhile_are_not_the_change_s(tmp_path: Path) -> None:
    write(tmp_path, NOTES)
    before, text = load_corpus(tmp_path), NOTES["a.md"].encode()
    write(tmp_path, {"b.md": NOTES["b.md"].replace("[[a]]", "- supports:: [[gone]] — so")})
    with pytest.raises(NotesChanged, match="since they were read: try again"):
        effect_of(
            before, Change("", {"a.md": text}, {"a.md": text}), NotesFolder.from_path(tmp_path)
        )


@every_row("lost", ["[[gone]]", "- supports:: [[gone]] — so"])
def test_a_change_that_loses_a_link_is_refused(tmp_path: Path, lost: str) -> None:
    with pytest.raises(RefusedChange, match=r"nothing was written:\n  .*b\.md:\d+:\d+: .*gone"):
        _effect_of_text(tmp_path, "b.md", f"{CLAIM.format('b')}{lost}\n")


@every_row(
    ("keys_before", "keys_after", "new_keys"),
    [
        (["colour"], ["colour"], []),
        (["colour"], ["hue"], []),  # as often as before: the message differs by a name alone
        (["colour"], ["colour", "hue"], ["hue"]),
        (["colour", "hue"], ["shade"], []),
        ([], ["hue"], ["hue"]),
    ],
)
def test_problems_are_new_if_their_rule_is_violated_more_often_in_other_words(
    keys_before: list[str], keys_after: list[str], new_keys: list[str]
) -> None:
    def corpus_with(keys: list[str]) -> Corpus:
        lines = "".join(f"{key}: red\n" for key in keys)
        return corpus_of_notes(a=CLAIM.format("a").replace("claim\n", f"claim\n{lines}"))

    problems = new_diagnostics(corpus_with(keys_before), corpus_with(keys_after))
    assert [each.rule for each in problems] == ["unknown-key"] * len(new_keys)
    assert all(key in each.message for key, each in zip(new_keys, problems, strict=True))
