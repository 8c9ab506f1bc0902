"""The examples in the docstring of `kg.reasoning.default_rule` come out as they are printed."""

from __future__ import annotations

import doctest

from kg.reasoning import default_rule
from kg.reasoning.default_rule.strengths_by_voices import solve_by_voices
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.default_rule.voice_planner import plan_voices
from tests.support.graphs import graph_of

TWICE = graph_of(
    {"e": 0.8, "c": 0.5, "q": 0.5},
    [("e", "c", 1.0), ("c", "q", 1.0), ("e", "q", 0.6)],
    source_groups={"e": ["s"]},
)
CIRCLE = graph_of(
    {"a": 0.5, "b": 0.5, "c": 0.5, "e": 0.8},
    [("c", "a", 1.0), ("a", "b", 1.0), ("b", "c", 1.0), ("e", "b", 1.0)],
    source_groups={"e": ["s"]},
)


def test_the_examples_of_the_default_rule_come_out_as_printed() -> None:
    names = {
        "twice": TWICE,
        "circle": CIRCLE,
        **{each.__name__: each for each in (plan_voices, solve_by_voices, unfold_circles)},
    }
    examples = doctest.DocTestParser().get_doctest(
        default_rule.__doc__ or "", names, "default_rule", None, 0
    )
    assert len(examples.examples) > 10
    assert doctest.DocTestRunner().run(examples).failed == 0
