"""A corpus in which each of hundreds of claims bears on twenty others."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.reasoning.default_rule.circle_copies import MAX_COPIES
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.reading import reading_of
from tests.hostile.hostile_arguments import dense
from tests.hostile.hostile_case import Case
from tests.support.command import kg

CLAIMS, EDGES = 662, 20
LINE = "---\ntype: line\nproposition: n0\n---\n\n# Is it so?\n\nSo.\n"


@pytest.mark.integration
def test_circles_too_large_to_follow_are_cut_short_and_that_is_said(tmp_path: Path) -> None:
    files = {**dict(dense(CLAIMS, EDGES)), "notes/line.md": LINE}
    Case("dense", files).write(tmp_path)
    graph = reading_of(load_corpus(tmp_path / "notes")).graph
    circles = unfold_circles(graph)
    assert circles.depth is not None
    assert len(circles.origin) - graph.node_count <= max(MAX_COPIES, CLAIMS * EDGES)
    result = kg(tmp_path, "verdict", "line", "--detail")
    assert "too large to follow to the end; they were followed only some" in " ".join(
        result.stdout.split()
    )
