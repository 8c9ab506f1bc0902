"""How good each piece of evidence is, by what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kg.corpus.columns import fit_into_memory
from kg.corpus.corpus import Corpus
from kg.model import Statement, StatementId
from kg.model.grade import Grade, grade_statement


def grades_of(corpus: Corpus) -> Mapping[StatementId, Grade]:
    """The grade of each statement under the corpus's own settings, for `Corpus.derive`."""
    if not fit_into_memory(corpus.statements):
        return _GradesOnDemand(corpus)
    return {each.id: _grade_of(corpus, each) for each in corpus.statements.values()}


def _grade_of(corpus: Corpus, statement: Statement) -> Grade:
    return grade_statement(corpus.sources, statement, corpus.config.quality)


class _GradesOnDemand(Mapping[StatementId, Grade]):
    """Grades that are computed at each access, for a corpus that need not fit into memory."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def __getitem__(self, id: StatementId) -> Grade:
        return _grade_of(self._corpus, self._corpus.statements[id])

    def __iter__(self) -> Iterator[StatementId]:
        return iter(self._corpus.statements)

    def __len__(self) -> int:
        return len(self._corpus.statements)

    def values(self) -> Any:
        return (_grade_of(self._corpus, each) for each in self._corpus.statements.values())
