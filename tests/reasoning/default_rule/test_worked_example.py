"""The examples in the docstring of `kg.reasoning.default_rule` come out as they are printed.

Of `kg/reasoning/default_rule/__init__.py`.
"""

from __future__ import annotations

import doctest

from kg.reasoning import default_rule, reading_of
from kg.reasoning.default_rule.strengths_by_voices import solve_by_voices
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.default_rule.voice_pass import VoicePass
from kg.reasoning.default_rule.voice_planner import plan_voices
from tests.support.corpus_parts import claim, corpus_of_parts, edge, evidence
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
JOINT = corpus_of_parts(
    *(evidence("e", ["s"], quality=0.8), evidence("f", ["t"], quality=0.5)),
    *(evidence("g", ["u"], quality=0.6), claim("q")),
    *(edge("e supports q", together=("f",)), "g undercuts e supports q"),
)


def test_the_examples_of_the_default_rule_come_out_as_printed() -> None:
    names = {
        "twice": TWICE,
        "circle": CIRCLE,
        "joint": reading_of(JOINT).graph,
        **{
            each.__name__: each
            for each in (plan_voices, solve_by_voices, unfold_circles, VoicePass)
        },
    }
    examples = doctest.DocTestParser().get_doctest(
        default_rule.__doc__ or "", names, "default_rule", None, 0
    )
    assert len(examples.examples) > 20
    assert doctest.DocTestRunner().run(examples).failed == 0
