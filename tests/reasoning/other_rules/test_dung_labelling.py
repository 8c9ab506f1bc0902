"""Labellings of attacks are those of an independent program: formal-argumentation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from argumentation.core.dung import (
    ArgumentationFramework,
    complete_extensions,
    grounded_extension,
    preferred_extensions,
    stable_extensions,
)
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.answers.positions import labellings
from kg.reasoning.other_rules.dung_labelling import IN, framework_of, grounded_labelling
from tests.support.effort import examples
from tests.support.graphs import graph_of

quick = examples(10, derandomize=True)


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12, unique=True)


def names(members: Iterable[int]) -> frozenset[str]:
    return frozenset(str(i) for i in members)


@quick
@given(st.integers(1, 6), PAIRS)
def test_labels_are_those_of_another_library(size: int, pairs: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for a, b in pairs if a < size and b < size]
    theirs = ArgumentationFramework(
        arguments=names(range(size)), defeats=frozenset((str(a), str(b)) for a, b in pairs)
    )
    graph = graph_of(
        {str(i): 0.5 for i in range(size)}, [(str(a), str(b), -1.0) for a, b in pairs], claims=[]
    )
    ours = framework_of(graph)
    assert names(np.flatnonzero(grounded_labelling(ours) == IN)) == grounded_extension(theirs)
    for semantics, expected in (
        ("complete", complete_extensions(theirs)),
        ("preferred", preferred_extensions(theirs)),
        ("stable", stable_extensions(theirs)),
    ):
        result, whole = labellings(ours, semantics)  # type: ignore[arg-type]
        assert whole
        assert {names(i for i, x in enumerate(label) if x == IN) for label in result} == set(
            expected
        )
