"""Names for the independent sources of a question: the works that carry them there."""

from __future__ import annotations

from kg.corpus.independent_sources import render_source_group
from kg.model import SourceKey
from kg.reasoning.attribution.shares import slopes_of
from kg.reasoning.attribution.source_groups import evidence_by_source_group
from kg.reasoning.graph.arrays import ROUNDING
from kg.reasoning.reading import Question

LEAST_PART_NAMED = 0.05
"""A work that carries less than this part of what the heaviest carries is not named."""


def works_of_source_group(question: Question, source_group: str) -> tuple[SourceKey, ...]:
    """The works of a source group that evidence bearing on the question cites."""
    graph = question.graph
    corpus = question.reading.corpus
    cited_keys = {
        key
        for node in evidence_by_source_group(question)[source_group].tolist()
        for name in graph.ids_of[node]
        for key in corpus.statements[name].sources
    }
    return tuple(
        k for k in question.reading.source_groups.sources.get(source_group, ()) if k in cited_keys
    )


def carrying_works(question: Question, source_group: str) -> tuple[SourceKey, ...]:
    """The works by which a source group moves the answer, the one that moves it most first, without
    those that only share its team or data. If none moves it, all its works that bear on the
    question.
    """
    graph = question.graph
    corpus = question.reading.corpus
    works = works_of_source_group(question, source_group)
    pull = slopes_of(question) * question.strengths
    nodes = evidence_by_source_group(question)[source_group]
    side = 1.0 if float(pull[nodes].sum()) >= 0.0 else -1.0
    pull_of_work = dict.fromkeys(works, 0.0)
    for node in nodes.tolist():
        cited_keys = [key for name in graph.ids_of[node] for key in corpus.statements[name].sources]
        works_of_node = [key for key in dict.fromkeys(cited_keys) if key in pull_of_work]
        for key in works_of_node:
            pull_of_work[key] += side * float(pull[node]) / len(works_of_node)
    threshold = LEAST_PART_NAMED * max(pull_of_work.values(), default=0.0)
    moving = [key for key in works if pull_of_work[key] > max(threshold, ROUNDING)]
    return tuple(sorted(moving, key=lambda key: -pull_of_work[key])) or works


def source_group_title(question: Question, source_group: str) -> str:
    """A name for a source group: the work that carries it in this question, and how many others it
    has.
    """
    works = carrying_works(question, source_group)
    sources = question.reading.source_groups.sources.get(source_group, ())
    return render_source_group(f"@{works[0]}", len(sources) - 1) if works else source_group
