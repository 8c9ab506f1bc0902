"""Rules about figures: what is recorded of one study must fit together."""

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
