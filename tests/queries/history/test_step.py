"""What readers are told of a change."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.queries.history.step import summarize_step

CLAIM = "---\ntype: claim\n---\n\n# {}\n"
LINE = "---\ntype: line\n{}---\n\n# Q?\n"


@pytest.mark.parametrize(
    ("was", "now", "recast"),
    [
        ("proposition: nothing\n", "proposition: p\n", True),
        ("proposition: p\n", "proposition: nothing\n", True),
        ("", "proposition: p\n", False),
        ("proposition: p\n", "", False),
        ("proposition: p\n", "proposition: p\n", False),
    ],
)
def test_a_line_is_recast_where_it_weighed_a_claim_and_weighs_another(
    corpus_of: Callable[..., Corpus], was: str, now: str, recast: bool
) -> None:
    claims = {"p": CLAIM.format("P"), "nothing": CLAIM.format("Nothing comes of nothing")}
    told = summarize_step(
        corpus_of(**claims, line=LINE.format(was)), corpus_of(**claims, line=LINE.format(now))
    )
    assert (("line", "recast") in [(group.sort, group.fate) for group in told.groups]) is recast
