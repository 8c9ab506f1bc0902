"""How good each piece of evidence is, by what was measured."""

from __future__ import annotations

from collections.abc import Mapping

from kg.corpus.corpus import Corpus
from kg.model import StatementId
from kg.model.grade import Grade, grade_statement


def grades_of(corpus: Corpus) -> Mapping[StatementId, Grade]:
    """The grade of each statement under the corpus's own settings, for `Corpus.derive`."""
    return {
        statement.id: grade_statement(corpus.sources, statement, corpus.config.quality)
        for statement in corpus.statements.values()
    }
