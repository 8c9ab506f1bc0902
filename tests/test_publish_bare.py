"""What search reads of a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.bare import as_bare


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is so [@doe2020, p. 3].", "It is so."),
        ("Some say [see @doe2020; @roe2021] no", "Some say no"),
        ("as [[grounding-grows|they said]], or [[two-words#^it]]", "as they said, or two words"),
        ("read [the largest models](large-models.md) here", "read the largest models here"),
        ("> [!evidence] Found 77% ^found\n> In a trial. (sample:: 40)", "Found 77% In a trial. 40"),
        ("- supports:: [[asked]] — a reason", "asked — a reason"),
        ("## A *very* `plain` __head__\n\n1. first", "A very plain head first"),
        ("a footnote[^1]\n\n[^1]: below", "a footnote below"),
        ("snake_case, 3 > 2, [so] and me@home.org stay",) * 2,
        ("```python\ncode\n```", "code"),
    ],
)
def test_only_the_words_are_left(text: str, said: str) -> None:
    assert as_bare(text) == said


@given(st.text(alphabet="ab [](){}@^|#>*_`-:!\n.1", max_size=60))
def test_any_text_becomes_one_line_and_nothing_is_invented(text: str) -> None:
    found = as_bare(text)
    assert "\n" not in found
    rest = iter(text)
    assert all(letter in rest for letter in found.replace(" ", ""))


@given(st.text(alphabet="abc äé ,.", max_size=60))
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert as_bare(text).replace(" ", "") == text.replace(" ", "")
