"""Discs of the atlas never lie on each other, and its numbers survive being packed."""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.publish.pages.atlas import pack_discs, pack_numbers, place_statements

CLAIM = "---\ntype: claim\ncamp: {}\ntopics: [{}]\n---\n\n# {}\n"


@given(st.lists(st.floats(1, 400), max_size=40))
def test_discs_do_not_overlap(radii: list[float]) -> None:
    radii.sort(reverse=True)
    spots = pack_discs(radii)
    assert len(spots) == len(radii)
    placed = zip(spots, radii, strict=True)
    assert not [1 for (a, r), (b, s) in combinations(placed, 2) if abs(a - b) < r + s - 1e-3]


@given(st.lists(st.floats(10, 20), min_size=12, max_size=30))
def test_discs_stand_close_together(radii: list[float]) -> None:
    radii.sort(reverse=True)
    reach = max(abs(spot) + radius for spot, radius in zip(pack_discs(radii), radii, strict=True))
    assert sum(radius**2 for radius in radii) > 0.25 * reach**2


def test_a_topic_is_a_disc_with_the_camps_on_its_two_sides(
    corpus_of: Callable[..., Corpus],
) -> None:
    notes = {
        f"{camp}{n}": CLAIM.format(camp, "talk" if n else "sleep", n)
        for camp in ("optimist", "skeptic")
        for n in range(4)
    }
    atlas = place_statements(corpus_of(**notes))
    assert [(disc.name, disc.size) for disc in atlas.discs] == [("talk", 6), ("sleep", 2)]
    left = [atlas.places[f"optimist{n}"][0] for n in (1, 2, 3)]
    assert max(left) <= min(atlas.places[f"skeptic{n}"][0] for n in (1, 2, 3))


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_packed_numbers_are_the_numbers_that_were_packed(numbers: list[int]) -> None:
    text = pack_numbers(numbers)
    found = np.frombuffer(base64.b64decode(text[1:]), dtype=f"<u{text[0]}")
    assert found.tolist() == numbers
