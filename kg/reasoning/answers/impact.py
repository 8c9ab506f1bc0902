"""If sources or statements fall, what falls with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np

from kg.corpus.units import joined_parts
from kg.model import SourceKey, StatementId
from kg.model.wording import many
from kg.reasoning.answers.scenario_diff import (
    CHANGE,
    TURN,
    Change,
    SolvedScenario,
    Turn,
    changes,
    solved_scenario,
    turning,
    turns,
    with_same,
)
from kg.reasoning.network.graph import reached_by_support
from kg.reasoning.report import Answer, asked_of_all, joined
from kg.reasoning.session import Reading
from kg.report import Report, listed, table


class Impact(Answer, frozen=True, kw_only=True):
    """What falls if `sources` and `statements` do.

    `falls` and `rises` are the statements whose strength moves, the farthest first; `verdicts`
    the lines whose word or side changes; `bereft` the claims that lose their last support from
    evidence; `citing` the statements that cite one of the sources. `already` are sources that
    are retracted now: what they held up is compared with a world in which they stood.
    """

    sources: tuple[SourceKey, ...]
    statements: tuple[StatementId, ...]
    already: tuple[SourceKey, ...]
    falls: tuple[Change, ...]
    rises: tuple[Change, ...]
    verdicts: tuple[Turn, ...]
    bereft: tuple[StatementId, ...]
    citing: tuple[StatementId, ...]

    def report(self) -> Report:
        """What falls; what a retraction did is told as done."""
        done = self.already == (*self.sources, *self.statements)
        stood = "than they would be if it stood"
        fall, lose = ("fell", "lost") if done else ("fall", "lose")
        return self.told(
            {},
            *listed(f"sources that {fall}", self.sources),
            *listed("statements", self.statements),
            *listed("retracted already", self.already),
            table(f"weaker {stood}" if done else "falls", self.falls, CHANGE),
            table(f"stronger {stood}" if done else "rises", self.rises, CHANGE),
            table("verdicts", self.verdicts, TURN),
            *listed(f"claims that {lose} the last support", self.bereft),
            *listed("citing", self.citing),
        )


def impact(reading: Reading, ids: str | Iterable[str]) -> Impact:
    """What falls if all of `ids` (sources, statements, or both) fall together.

    A source takes its part of the base of all evidence that cites it; works that share its data
    stay. A statement, with all that are the same as it, is false: it has strength 0, so that what
    depends on it loses too (muted, it would pass nothing on). Raises `UnknownId`.
    """
    names = [ids] if isinstance(ids, str) else list(ids)
    sources, statements = _sorted(reading, names)
    places = reading.graph.names
    before, after = _worlds(reading, sources, statements)
    false = {places[name] for name in statements}
    moved = [c for c in changes(reading, before, after) if places[c.statement] not in false]
    verdicts = tuple(turns(reading, before, after))
    falls = tuple(c for c in moved if c.change < 0.0)
    bereft = _bereft(reading, before, after)
    corpus = reading.corpus
    already = tuple(key for key in sources if corpus.sources[key].retracted)
    return Impact(
        sentence=_sentence(
            [_of_group(reading, key, sources) for key in sources],
            [with_same(reading, name) for name in statements],
            already,
            falls,
            verdicts,
            bereft,
        ),
        asked=asked_of_all(reading),
        sources=sources,
        statements=statements,
        already=already,
        falls=falls,
        rises=tuple(c for c in moved if c.change > 0.0),
        verdicts=verdicts,
        bereft=bereft,
        citing=tuple(dict.fromkeys(s.id for key in sources for s in corpus.citing.get(key, ()))),
    )


def _sorted(
    reading: Reading, names: Iterable[str]
) -> tuple[tuple[SourceKey, ...], tuple[StatementId, ...]]:
    corpus = reading.corpus
    sources: list[SourceKey] = []
    statements: list[StatementId] = []
    for name in names:
        found = corpus.find_id(name.removeprefix("@")) or ""
        if found in corpus.statements:
            statements.append(found)
        elif found in corpus.sources:
            sources.append(found)
        else:
            among = [*corpus.sources, *corpus.statements]
            raise corpus.unknown(name, among, "source or statement")
    return tuple(dict.fromkeys(sources)), tuple(dict.fromkeys(statements))


def _worlds(
    reading: Reading, sources: tuple[SourceKey, ...], statements: tuple[StatementId, ...]
) -> tuple[SolvedScenario, SolvedScenario]:
    graph, fallen = reading.graph, frozenset(sources)
    base = np.repeat(graph.base[:, None], 2, axis=1)
    touched = {s.id for key in sources for s in reading.corpus.citing.get(key, ())}
    part = np.repeat(graph.unit_part[:, None], 2, axis=1)
    retracted = {key for key, source in reading.corpus.sources.items() if source.retracted}
    for node in {graph.names[name] for name in touched}:
        base[node] = _bases(reading, node, fallen)
        if not graph.claim[node]:
            places = slice(int(graph.unit_start[node]), int(graph.unit_start[node + 1]))
            part[places, 0] = _parts(reading, node, retracted - fallen)
            part[places, 1] = _parts(reading, node, retracted | fallen)
    held = {graph.names[name]: 0.0 for name in statements}
    return (
        solved_scenario(graph, base[:, 0], part=part[:, 0]),
        solved_scenario(graph, base[:, 1], held, part=part[:, 1]),
    )


def _parts(reading: Reading, node: int, lost: Set[SourceKey]) -> list[float]:
    """The parts that its sources have of a piece of evidence when those in `lost` fell."""
    units, statements = reading.units, reading.corpus.statements
    unit = {key: name for name, keys in units.sources.items() for key in keys}
    group = reading.graph.same[node]
    left: dict[str, dict[str, float]] = {}
    for name in group:
        keys = [key for key in statements[name].sources if key not in lost]
        if not statements[name].sources or (keys and name in units.keyed):
            left[name] = dict(units.of.get(name, {}))
            continue
        for key in keys:
            held = left.setdefault(name, {})
            held[unit[key]] = held.get(unit[key], 0.0) + 1.0 / len(keys)
    found = joined_parts(group, left)
    return [found.get(name, 0.0) for name in joined_parts(group, units.of)]


def _bases(reading: Reading, node: int, fallen: frozenset[SourceKey]) -> tuple[float, float]:
    """The base of a statement with the fallen sources standing, and without them."""
    corpus, grades = reading.corpus, reading.grades
    same = reading.graph.same[node]
    best = max(same, key=lambda name: (grades[name].standing, grades[name].base))
    grade = grades[best]
    cited = [key for key in corpus.statements[best].sources if key in corpus.sources]
    if reading.graph.claim[node] or not cited:
        return grade.base, grade.base
    gone = {key for key in cited if corpus.sources[key].retracted}
    parts = [1.0 - len(lost) / len(cited) for lost in (gone - fallen, gone | fallen & set(cited))]
    return grade.standing * parts[0], grade.standing * parts[1]


def _bereft(
    reading: Reading, before: SolvedScenario, after: SolvedScenario
) -> tuple[StatementId, ...]:
    """Claims that a chain from evidence supports before, and none after."""
    graph = reading.graph
    bases = [w.columns.base[:, 0] for w in (before, after) if w.columns.base is not None]
    held = graph.base < 0.0 if after.columns.fixed is None else after.columns.fixed[:, 0]
    heard = graph.having(w=np.where(held[graph.src], 0.0, graph.w))
    then = reached_by_support(heard, np.where(held, 0.0, bases[1]))
    lost = reached_by_support(graph, bases[0]) & ~then & graph.claim & ~held
    return tuple(name for node in np.flatnonzero(lost).tolist() for name in graph.same[node])


def _of_group(reading: Reading, key: SourceKey, fallen: Sequence[SourceKey]) -> str:
    """A source; where others share its data and do not fall with it, of which group it is."""
    units = reading.units
    for keys in units.sources.values():
        if key in keys and not {*keys} <= {*fallen}:
            left = len({*keys} - {*fallen})
            stand = "still stands" if left == 1 else "still stand"
            return f"{key} alone (of the works that share its data {left} {stand})"
    return key


def _sentence(
    sources: Sequence[str],
    statements: Sequence[str],
    already: Sequence[SourceKey],
    falls: Sequence[Change],
    verdicts: Sequence[Turn],
    bereft: Sequence[StatementId],
) -> str:
    some, fallen = joined(sources), sources and len(already) == len(sources) and not statements
    one = len(sources) == 1
    weaker, claims = many(len(falls), "statement"), many(len(bereft), "claim")
    if fallen:
        first = f"{some} {'has' if one else 'have'} fallen already, being retracted"
        if not falls and not verdicts:
            return f"{first}; nothing else is weaker for it."
        return (
            f"{first}: {weaker} {'is' if len(falls) == 1 else 'are'} weaker for it, "
            f"{turning(verdicts, already=True)}, and {claims} "
            f"{'has' if len(bereft) == 1 else 'have'} lost the last support."
        )
    parts = [f"{some} {'falls' if one else 'fall'}"] if sources else []
    if statements:
        parts.append(f"{joined(statements)} {'is' if len(statements) == 1 else 'are'} false")
    falling = " and ".join(parts) or "nothing falls"
    if not falls and not verdicts:
        return f"Nothing else weakens if {falling}."
    beside = f" ({joined(already)} already did, being retracted)" if already else ""
    than = f" than if {joined(already)} stood" if already else ""
    return (
        f"If {falling}{beside}, {weaker} would be weaker{than}, "
        f"{turning(verdicts)}, and {claims} would lose the last support."
    )
