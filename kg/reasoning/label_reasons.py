"""Explain in plain words why a statement has its label under Dung's semantics."""

from __future__ import annotations

import enum
from dataclasses import replace

import numpy as np

from kg.reasoning.graph.arrays import Ints
from kg.reasoning.graph.graph import Graph
from kg.reasoning.other_rules.dung_labelling import (
    IN,
    LABEL_WORDS,
    OUT,
    Framework,
    framework_of,
    grounded_labelling,
)
from kg.reasoning.reading import Question
from kg.reasoning.sureness_words import NOT_REFUTED
from kg.text.sentences import quote_title


def describe_grounded_label(question: Question) -> tuple[str, str]:
    """The grounded label of the statement asked about, and what it means in plain words."""
    framework = framework_of(question.graph)
    labelling = grounded_labelling(framework)
    argument = int(framework.member[question.node])
    word = LABEL_WORDS[int(labelling[argument])]
    if word == "in":
        return word, "every clear objection to it is denied in turn"
    if word == "undecided":
        return word, "objections to it are neither denied nor upheld"
    why = _why_out(question.graph, framework, labelling, argument)
    if why is _Out.OBJECTION:
        objection = _name_standing_objection(question, framework, labelling)
        return word, f"{objection} {NOT_REFUTED}"
    if why is _Out.NEED:
        return word, _remark_on_premise(question, framework, labelling)
    return word, _WHY_OUT[why].format("it")


def _name_standing_objection(question: Question, framework: Framework, labelling: Ints) -> str:
    """The strongest objection that is in, by its title if it is a single statement."""
    attacker, attacked = framework.attacks
    attackers = attacker[attacked == framework.member[question.node]]
    upheld = np.isin(framework.member[: question.graph.size], attackers[labelling[attackers] == IN])
    nodes = np.flatnonzero(upheld).tolist()
    if not nodes:
        return "an objection to it"
    strongest = max(nodes, key=lambda node: float(question.strengths[node]))
    return f"the objection {quote_title(question.statement_at(strongest).title)}"


class _Out(enum.Enum):
    """The reason why a statement is out."""

    OBJECTION = enum.auto()
    NEED = enum.auto()
    NO_LINE = enum.auto()
    CUT = enum.auto()


_WHY_OUT = {
    _Out.OBJECTION: f"an objection to {{}} {NOT_REFUTED}",
    _Out.NEED: "{} depends in turn on what does not stand",
    _Out.NO_LINE: "every chain of reasons from evidence to {} has a weak link",
    _Out.CUT: "every chain of reasons from evidence to {} meets an unrefuted objection",
}


def _why_out(graph: Graph, framework: Framework, labelling: Ints, argument: int) -> _Out:
    """Find why a statement is out: an objection, a premise that it or evidence for it needs, or
    another reason.
    """
    attacker, attacked = framework.attacks
    needed, needs = framework.needs
    if (labelling[attacker[attacked == argument]] == IN).any():
        return _Out.OBJECTION
    link = needs >= graph.size  # a reason that needs its premise stays one
    framework_without_needs = replace(framework, needs=(needed[link], needs[link]))
    nobody = np.zeros(0, dtype=np.int64)
    if (
        grounded_labelling(replace(framework_without_needs, attacks=(nobody, nobody)))[argument]
        == OUT
    ):
        return _Out.NO_LINE
    if (labelling[needed[needs == argument]] == OUT).any():
        return _Out.NEED
    is_cut = grounded_labelling(framework_without_needs)[argument] == OUT
    return _Out.CUT if is_cut else _Out.NEED


def _remark_on_premise(question: Question, framework: Framework, labelling: Ints) -> str:
    """A remark on the premise that is out, on which the statement or evidence for it depends."""
    graph = question.graph
    is_out = labelling[framework.member[: graph.size]] == OUT
    arcs = np.flatnonzero(
        graph.fallen & is_out[graph.arc_premise] & (graph.arc_target < graph.size)
    ).tolist()
    # its own premise before one of those below it, then the first by id
    arcs.sort(
        key=lambda arc: (graph.arc_target[arc] != question.node, graph.ids[graph.arc_premise[arc]])
    )
    if not arcs:
        return "what it depends on does not stand"
    premise = int(graph.arc_premise[arcs[0]])
    why = _why_out(graph, framework, labelling, int(framework.member[premise]))
    whose = (
        "it depends" if graph.arc_target[arcs[0]] == question.node else "evidence for it depends"
    )
    title = quote_title(question.statement_at(premise).title)
    return f"{whose} on {title}, but {_WHY_OUT[why].format('that')}"
