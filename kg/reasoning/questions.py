"""The questions one can ask of a corpus, or of a reading of it under other settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from kg.corpus import Corpus
from kg.model import StatementId
from kg.reasoning.answer import number
from kg.reasoning.answers.case import case as _case
from kg.reasoning.answers.crux import crux as _crux
from kg.reasoning.answers.flips import flips as _flips
from kg.reasoning.answers.gaps import circles as _circles
from kg.reasoning.answers.gaps import gaps as _gaps
from kg.reasoning.answers.impact import impact as _impact
from kg.reasoning.answers.robustness import robustness as _robustness
from kg.reasoning.answers.tensions import tensions as _tensions
from kg.reasoning.answers.verdict import verdict as _verdict
from kg.reasoning.answers.whatif import whatif as _whatif
from kg.reasoning.attribution.effects import contributions as _contributions
from kg.reasoning.attribution.independence import sources as _sources
from kg.reasoning.builder import assemble
from kg.reasoning.dung.positions import labels as _labels
from kg.reasoning.dung.positions import positions as _positions
from kg.reasoning.network.quality import Grade
from kg.reasoning.session import Reading

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


verdict = of_corpus(_verdict)
case = of_corpus(_case)
crux = of_corpus(_crux)
flips = of_corpus(_flips)
robustness = of_corpus(_robustness)
sources = independence = of_corpus(_sources)
contributions = of_corpus(_contributions)
tensions = of_corpus(_tensions)
gaps = of_corpus(_gaps)
circles = of_corpus(_circles)
impact = of_corpus(_impact)
whatif = of_corpus(_whatif)
labels = of_corpus(_labels)
positions = of_corpus(_positions)
