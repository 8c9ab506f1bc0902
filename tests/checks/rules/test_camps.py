"""Camps that a note or a line names."""

from __future__ import annotations

from tests.support.rule_problems import CLAIM, problems_of_rule

LINE = (
    "---\ntype: line\nproposition: c\nanswers: {holds: 'Yes', fails: 'No'}\n---\n\n# Does it?\n\n"
)


def test_a_line_and_a_note_are_told_which_words_they_may_have() -> None:
    (in_line,) = problems_of_rule("unknown-camp", l=f"{LINE}- nobody:: [[c]]\n")
    (in_note,) = problems_of_rule("unknown-camp", c=CLAIM.replace("open", "camp: nobody\nopen"))
    assert in_line.help == in_note.help + "; a line also has `next`"
