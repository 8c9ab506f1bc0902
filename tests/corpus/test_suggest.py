"""Misspelled names find the ones that were meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import nearest
from kg.corpus.suggest import Spelling

NAMES = ["grounding-is-earned", "grounding-is-learned", "rewards", "x", "Ünicode-names"]


def test_the_closest_name_comes_first() -> None:
    for find in (lambda wanted: nearest(wanted, NAMES), Spelling(NAMES).nearest):
        assert find("grounding-is-earnd")[0] == "grounding-is-earned"
        assert find("unicode-names") == ("Ünicode-names",)
        assert find("learned") == ("grounding-is-learned",)
        assert find("quite different") == ()


@given(st.lists(st.text("abc-", min_size=1, max_size=12), max_size=8), st.text("abc-", max_size=12))
def test_the_index_suggests_known_names_only(names: list[str], wanted: str) -> None:
    found = Spelling(names).nearest(wanted)
    assert set(found) <= set(names)
    assert wanted not in names or len(wanted) == 0 or wanted in found
