"""Words from notes in other formats: inert, and what they were when they are read back."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from kg.exchange.escaped_text import assign_safe_names, escape_tex, on_one_line
from kg.notes.entries.tex import tex_to_plain_text
from tests.support.corpora import words
from tests.support.effort import examples


@given(st.one_of(words, st.text("\\{}~^%$#_&'`-?! a\"@=,")))
@examples(75)
def test_any_text_is_inert_tex(text: str) -> None:
    """What TeX would do something on is escaped, braces match, and our reader reads it back."""
    written = escape_tex(text)
    bare = written.replace("\\{", "").replace("\\}", "").replace("{}", "")
    assert "{" not in bare
    assert "}" not in bare
    assert tex_to_plain_text(written) == on_one_line(text)


def test_names_that_differ_in_bad_characters_alone_stay_apart() -> None:
    found = assign_safe_names(["a b", "a.b", "a_b", "a/b"], re.compile(r"[^\w]"))
    assert found == {"a b": "a_b-2", "a.b": "a_b-3", "a_b": "a_b", "a/b": "a_b-4"}
