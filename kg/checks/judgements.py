"""Rules about judgements: each names an edge that there is, and counts once."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import Severity


@rule(Severity.WARNING)
def judgement_file(corpus: Corpus) -> Iterator[Finding]:
    """A file in `judgements` without the columns edge, annotator and label, or a column per judge.

    None of its judgements count.
    """
    return _problems(corpus, "judgement-file")


@rule(Severity.WARNING)
def judgement_column(corpus: Corpus) -> Iterator[Finding]:
    """A column of judgements that is none of ours, or stands there twice: it is not read.

    A model's labels stand in a column `model:NAME`, a person's in `annotator:NAME`.
    """
    return _problems(corpus, "judgement-column")


@rule(Severity.WARNING)
def judgement_row(corpus: Corpus) -> Iterator[Finding]:
    """A judgement without edge, annotator or label, or with a label or date that is none.

    The row does not count; of a row with a column per judge, the label does not.
    """
    return _problems(corpus, "judgement-row")


@rule(Severity.WARNING)
def judged_edge_unknown(corpus: Corpus) -> Iterator[Finding]:
    """A judgement of an edge that the notes do not have, or no longer have.

    The row does not count. `kg find edges --format ids` lists those there are.
    """
    return _problems(corpus, "judged-edge-unknown")


@rule(Severity.INFO)
def judged_twice(corpus: Corpus) -> Iterator[Finding]:
    """One annotator's second judgement of an edge: the later one counts."""
    return _problems(corpus, "judged-twice")


def _problems(corpus: Corpus, name: str) -> Iterator[Finding]:
    if corpus.folder is None or not (corpus.folder / "judgements").is_dir():
        return  # most corpora have none, and are checked without loading what reasons
    from kg.reasoning.network.judgements import judgements_of

    for problem in judgements_of(corpus).diagnostics:
        if problem.rule == name:
            yield Finding(problem.span, problem.message, problem.help, problem.related)
