"""Conflicts of git's are settled on the lines where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.config import ConfigError, parse_config
from kg.text.merge_conflicts import keep_first_versions
from tests.support.every_row import every_row

OURS, MIDDLE, THEIRS, BASE = "<<<<<<< HEAD", "=======", ">>>>>>> other", "||||||| base"


@every_row(
    ("note_text", "settled"),
    [
        ((OURS, "a", MIDDLE, "b", THEIRS, "c"), ("", "a", "", "", "", "c")),
        ((OURS, "a", BASE, "o", MIDDLE, "b", THEIRS), ("", "a", "", "", "", "", "")),
        (
            ("> a", OURS, "> b", MIDDLE, "> c", THEIRS, "> d"),
            ("> a", ">", "> b", *[">"] * 3, "> d"),
        ),
        (
            ("", "> b", THEIRS, OURS, OURS, OURS, "> b", BASE),
            ("", "> b", *[">"] * 4, "> b", ""),
        ),
        (("> a", OURS, THEIRS, "> [!claim] d"), ("> a", "", "", "> [!claim] d")),
        ((OURS, THEIRS, "> a"), ("", "", "> a")),
        (("a", OURS, "b"), ("a", "", "b")),
        (("a", MIDDLE, "b", THEIRS), ("a", "", "b", "")),
        (("a", THEIRS, "b"), ("a", "", "b")),
        (("Title", MIDDLE, OURS, "a", MIDDLE, THEIRS), ("Title", MIDDLE, "", "a", "", "")),
        ((OURS, "a", OURS, "b", MIDDLE, THEIRS), ("", "a", "", "b", "", "")),
        (
            ("```", OURS, "a", MIDDLE, "b", THEIRS, "```"),
            ("```", "", "a", "", "", "", "```"),
        ),
        (
            (OURS, "```", "a", MIDDLE, "```py", "b", THEIRS, "```"),
            ("", "```", "a", "", "", "", "", "```"),
        ),
        (("```", f" {OURS}", "a", "```"), ("```", f" {OURS}", "a", "```")),
    ],
)
def test_the_first_version_stays_where_it_was(
    note_text: tuple[str, ...], settled: tuple[str, ...]
) -> None:
    text, conflicts = keep_first_versions("\n".join(note_text), markdown=True)
    assert text == "\n".join(settled)
    assert bool(conflicts) == (note_text != settled)


@every_row(
    "text", ["Title\n=======\n", ">>>>>>>\n", ">>>>>>>> a\n", "a <<<<<<< b\n", "||||||| |\n"]
)
def test_a_text_without_conflict_lines_stays(text: str) -> None:
    assert keep_first_versions(text, markdown=True) == (text, ())


@given(st.lists(st.sampled_from([OURS, MIDDLE, THEIRS, BASE, "a", "> b", "```", ""])))
def test_no_line_moves_and_none_is_left_to_settle(lines: list[str]) -> None:
    text, _ = keep_first_versions("\n".join(lines))
    settled = text.split("\n")
    assert len(settled) == max(len(lines), 1)
    assert all(after in (was, "", ">") for after, was in zip(settled, lines, strict=False))
    assert OURS not in settled
    assert THEIRS not in settled


def test_settings_in_conflict_are_named_as_that() -> None:
    with pytest.raises(ConfigError, match=r"kg\.toml:2: unresolved merge conflict"):
        parse_config(f"name = 'x'\n{OURS}\nbase_iri = 'a'\n{MIDDLE}\n{THEIRS}\n", "kg.toml")
