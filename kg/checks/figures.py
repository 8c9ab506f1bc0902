"""Rules about figures and judgements: what is recorded fits together, and counts once."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import Severity, Statement
from kg.model.figures import NO_EFFECT

SIGNIFICANT = 0.05


@rule(Severity.WARNING)
def contradictory_figures(corpus: Corpus) -> Iterator[Finding]:
    """A p below .05 beside an interval that holds no effect at all, or the other way round.

    The interval is taken as one of 95 %. One of the two is a slip, or stands for something else.
    """
    for item in corpus.evidence:
        null = NO_EFFECT.get(item.effect_kind)
        if null is None or item.effect_low is None or item.effect_high is None:
            continue
        inside = item.effect_low < null < item.effect_high
        outside = null < item.effect_low or item.effect_high < null
        if (inside and _is_below(item)) or (outside and _is_above(item)):
            holds = "holds" if inside else "does not hold"
            message = (
                f"p {item.p_sign or '='} {item.p:g}, and the interval of `{item.effect_text}` "
                f"{holds} {null:g}"
            )
            help = "look both up again, or record the one of which you are sure"
            yield Finding(item.span, message, help)


def _is_below(item: Statement) -> bool:
    return item.p is not None and item.p_sign != ">" and item.p < SIGNIFICANT


def _is_above(item: Statement) -> bool:
    return item.p is not None and item.p_sign != "<" and item.p > SIGNIFICANT


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
