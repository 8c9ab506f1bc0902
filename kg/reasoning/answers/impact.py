"""The effect on all answers if sources or statements fall: are retracted, or false."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np
from msgspec import structs

from kg.model import Integrity, SourceKey, StatementId
from kg.model.errors import require_type
from kg.reasoning.asked_question import asked_about_corpus
from kg.reasoning.graph.graph import mark_reached_by_support
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.sensitivity.changed_readings import (
    RESTORED,
    statement_with_same,
    statements_no_longer_superseded,
    with_other_records,
)
from kg.reasoning.sensitivity.supposition_effects import (
    SolvedScenario,
    StrengthChange,
    VerdictChange,
    change_table,
    count_changes,
    describe_verdict_changes,
    solved_scenario,
    strength_changes,
    verdict_change_table,
    verdict_changes,
)
from kg.reasoning.sureness import sureness_of
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, list_names
from kg.text.plurals import join_with_and, pluralize


class Impact(WeighedAnswer, frozen=True, kw_only=True):
    """The changes of the answers if `sources` and `statements` fall.

    `falls` and `rises` are the statements whose strength moves, the farthest first; `verdicts` the
    lines whose sureness or side changes; `bereft` the claims that lose their last support from
    evidence; `citing` the statements that cite one of the sources. `already` are sources that are
    retracted already: the comparison is with the corpus as if they were not. `restored` are
    statements that count again, as what superseded them has fallen.
    """

    sources: tuple[SourceKey, ...]
    statements: tuple[StatementId, ...]
    already: tuple[SourceKey, ...]
    restored: tuple[StatementId, ...]
    falls: tuple[StrengthChange, ...]
    rises: tuple[StrengthChange, ...]
    verdicts: tuple[VerdictChange, ...]
    bereft: tuple[StatementId, ...]
    citing: tuple[StatementId, ...]

    def report(self) -> Report:
        """Report what falls; in the past tense if all that is asked about is retracted already."""
        is_past = self.already == (*self.sources, *self.statements)
        comparison = "than they would be if it stood"
        fall, lose = ("fell", "lost") if is_past else ("fall", "lose")
        return self.as_report(
            {},
            *list_names(f"works that {fall}", self.sources),
            *list_names("statements", self.statements),
            *list_names("retracted already", self.already),
            *list_names(RESTORED, self.restored),
            change_table(f"weaker {comparison}" if is_past else "falls", self.falls),
            change_table(f"stronger {comparison}" if is_past else "rises", self.rises),
            verdict_change_table(self.verdicts),
            *list_names(f"claims that {lose} the last support", self.bereft),
            *list_names("citing", self.citing),
        )


@accepts_corpus
def impact(reading: Reading, ids: str | Iterable[str]) -> Impact:
    """Find what falls if all of `ids` (sources, statements, or both) fall together.

    A source takes with it its part of the base of all evidence that cites it; works that share
    its team or data stay. A statement, with those declared the same, is held false: it has
    strength 0, so that what depends on it loses too (muting it would not do that). Raises
    `UnknownId`.

    `corpus.impact("shaikh2024")`
    """
    require_type(ids, Iterable, "impact takes an id, or several")
    names = [ids] if isinstance(ids, str) else list(ids)
    sources, statements = _sources_and_statements(reading, names)
    number_of = reading.graph.number_of
    false_nodes = {number_of[name]: 0.0 for name in statements}
    # compared with the sources standing, so that a retracted one can be asked about too
    standing_reading, fallen_reading = (
        _reading_with_integrity(reading, sources, each) for each in (None, Integrity.RETRACTED)
    )
    scenario_before = solved_scenario(standing_reading.graph)
    scenario_after = solved_scenario(fallen_reading.graph, hold=false_nodes)
    changes = [
        c
        for c in strength_changes(reading, scenario_before, scenario_after)
        if number_of[c.statement] not in false_nodes
    ]
    # a statement that is held false is no part of a graph in which trials could be made
    reading_after = None if statements else fallen_reading
    return _impact_of_changes(
        reading,
        sources,
        statements,
        changes=changes,
        verdicts=tuple(
            verdict_changes(
                standing_reading, scenario_before, scenario_after, sureness_of, reading_after
            )
        ),
        unsupported=_claims_without_support(scenario_before, scenario_after, false_nodes.keys()),
        restored=statements_no_longer_superseded(standing_reading, fallen_reading),
    )


def _impact_of_changes(
    reading: Reading,
    sources: tuple[SourceKey, ...],
    statements: tuple[StatementId, ...],
    *,
    changes: Sequence[StrengthChange],
    verdicts: tuple[VerdictChange, ...],
    unsupported: tuple[StatementId, ...],
    restored: tuple[StatementId, ...],
) -> Impact:
    """The answer, with its sentence, from what was found."""
    corpus = reading.corpus
    falls = tuple(c for c in changes if c.change < 0.0)
    retracted_keys = tuple(key for key in sources if corpus.sources[key].retracted)
    citing = (s.id for key in sources for s in corpus.statements_citing.get(key, ()))
    return Impact(
        sentence=_impact_sentence(
            [_describe_source_and_group(reading, key, sources) for key in sources],
            [statement_with_same(reading, name) for name in statements],
            retracted_keys,
            falls,
            verdicts,
            unsupported,
        ),
        asked=asked_about_corpus(reading),
        sources=sources,
        statements=statements,
        already=retracted_keys,
        restored=restored,
        falls=falls,
        rises=tuple(c for c in changes if c.change > 0.0),
        verdicts=verdicts,
        bereft=unsupported,
        citing=tuple(dict.fromkeys(citing)),
    )


def _sources_and_statements(
    reading: Reading, names: Iterable[str]
) -> tuple[tuple[SourceKey, ...], tuple[StatementId, ...]]:
    corpus = reading.corpus
    sources: list[SourceKey] = []
    statements: list[StatementId] = []
    for name in names:
        id = corpus.look_up(name) or ""
        if id in corpus.statements:
            statements.append(id)
        elif id in corpus.sources:
            sources.append(id)
        else:
            candidates = [*corpus.sources, *corpus.statements]
            raise corpus.unknown_id_error(name, candidates, "source or statement")
    return tuple(dict.fromkeys(sources)), tuple(dict.fromkeys(statements))


def _reading_with_integrity(
    reading: Reading, keys: Iterable[SourceKey], integrity: Integrity | None
) -> Reading:
    """The corpus read with the sources `keys` retracted, or with none of them retracted."""
    sources = dict(reading.corpus.sources)
    for key in keys:
        if sources[key].retracted is (integrity is None):
            sources[key] = structs.replace(sources[key], integrity=integrity)
    return with_other_records(reading, sources=sources)


def _claims_without_support(
    scenario_before: SolvedScenario, scenario_after: SolvedScenario, false_nodes: Set[int]
) -> tuple[StatementId, ...]:
    """Claims that a chain from evidence supports before, but not after."""
    graph = scenario_after.graph
    is_false = np.isin(np.arange(graph.size), list(false_nodes))
    without_false = graph.with_values(
        arc_weight=np.where(is_false[graph.arc_premise], 0.0, graph.arc_weight)
    )
    is_supported_after = mark_reached_by_support(without_false, np.where(is_false, 0.0, graph.base))
    has_lost_support = (
        mark_reached_by_support(scenario_before.graph, scenario_before.graph.base)
        & ~is_supported_after
        & graph.is_claim
        & ~is_false
    )
    return tuple(
        name for node in np.flatnonzero(has_lost_support).tolist() for name in graph.ids_of[node]
    )


# -- in words --------------------------------------------------------------------------------------


def _describe_source_and_group(
    reading: Reading, key: SourceKey, fallen: Sequence[SourceKey]
) -> str:
    """A source by its key, with a remark if others that share its team or data do not fall."""
    source_groups = reading.source_groups
    for keys in source_groups.sources.values():
        if key in keys and not {*keys} <= {*fallen}:
            unaffected = len({*keys} - {*fallen})
            stand = "still stands" if unaffected == 1 else "still stand"
            return f"{key} alone (of the works that share its team or data {unaffected} {stand})"
    return key


def _impact_sentence(
    sources: Sequence[str],
    statements: Sequence[str],
    retracted_keys: Sequence[SourceKey],
    falls: Sequence[StrengthChange],
    verdicts: Sequence[VerdictChange],
    unsupported: Sequence[StatementId],
) -> str:
    weaker, claims = count_changes(falls), pluralize(len(unsupported), "claim")
    is_moved = bool(falls or verdicts)
    if sources and len(retracted_keys) == len(sources) and not statements:
        fallen = f"{_subject_and_verb(sources, 'has', 'have')} fallen already, being retracted"
        if not is_moved:
            return f"{fallen}; nothing else is weaker for it."
        return (
            f"{fallen}: {weaker} {'is' if len(falls) == 1 else 'are'} weaker for it, "
            f"{describe_verdict_changes(verdicts, is_done=True)}, and {claims} "
            f"{'has' if len(unsupported) == 1 else 'have'} lost the last support."
        )
    clauses = [_subject_and_verb(sources, "falls", "fall")] if sources else []
    clauses += [f"{_subject_and_verb(statements, 'is', 'are')} false"] if statements else []
    falling = " and ".join(clauses) or "nothing falls"
    if not is_moved:
        return f"Nothing else weakens if {falling}."
    retracted = join_with_and(retracted_keys)
    beside = f" ({retracted} already did, being retracted)" if retracted else ""
    than = f" than if {retracted} stood" if retracted else ""
    return (
        f"If {falling}{beside}, {weaker} would be weaker{than}, "
        f"{describe_verdict_changes(verdicts)}, and {claims} would lose the last support."
    )


def _subject_and_verb(names: Sequence[str], verb_of_one: str, verb_of_several: str) -> str:
    return f"{join_with_and(names)} {verb_of_one if len(names) == 1 else verb_of_several}"
