"""The questions one can ask of a corpus, or of a reading of it under other settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from kg.corpus import Corpus
from kg.model import StatementId
from kg.reasoning import (
    acceptability,
    effects,
    independence,
)
from kg.reasoning import (
    case as case_,
)
from kg.reasoning import (
    crux as crux_,
)
from kg.reasoning import (
    flips as flips_,
)
from kg.reasoning import (
    gaps as gaps_,
)
from kg.reasoning import (
    impact as impact_,
)
from kg.reasoning import (
    robustness as robustness_,
)
from kg.reasoning import (
    tensions as tensions_,
)
from kg.reasoning import (
    verdict as verdict_,
)
from kg.reasoning import (
    whatif as whatif_,
)
from kg.reasoning.answer import number
from kg.reasoning.assemble import assemble
from kg.reasoning.quality import Grade
from kg.reasoning.reading import Reading

Rest = ParamSpec("Rest")
Found = TypeVar("Found")


def of_corpus(
    function: Callable[Concatenate[Reading, Rest], Found],
) -> Callable[Concatenate[Corpus | Reading, Rest], Found]:
    """`function`, which may be asked of a corpus too: that is read under its own settings."""

    @wraps(function)
    def asked(corpus: Corpus | Reading, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Found:
        return function(reading_of(corpus), *args, **kwargs)

    return asked


def reading_of(corpus: Corpus | Reading) -> Reading:
    """The reading of a corpus under its own settings; a reading as it is."""
    return corpus if isinstance(corpus, Reading) else assemble(corpus)


def strengths(corpus: Corpus | Reading) -> Mapping[StatementId, float | None]:
    """How far the corpus backs each statement, 0 to 1; `None` where nothing stable was found."""
    reading = reading_of(corpus)
    found = reading.solution.strength
    return {name: number(found[node]) for name, node in reading.graph.names.items()}


def quality(corpus: Corpus | Reading, name: str) -> Grade:
    """The base strength of a statement, every term shown. Raises `UnknownId`."""
    reading = reading_of(corpus)
    return reading.grades[reading.corpus.statement(name).id]


verdict = of_corpus(verdict_.verdict)
case = of_corpus(case_.case)
crux = of_corpus(crux_.crux)
flips = of_corpus(flips_.flips)
robustness = of_corpus(robustness_.robustness)
sources = of_corpus(independence.sources)
contributions = of_corpus(effects.contributions)
tensions = of_corpus(tensions_.tensions)
gaps = of_corpus(gaps_.gaps)
circles = of_corpus(gaps_.circles)
impact = of_corpus(impact_.impact)
whatif = of_corpus(whatif_.whatif)
labels = of_corpus(acceptability.labels)
positions = of_corpus(acceptability.positions)
