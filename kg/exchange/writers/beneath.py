"""What stands beneath statements: the reasons that are heard, and the sources cited there."""

from __future__ import annotations

from collections.abc import Iterator

from kg.corpus import Corpus
from kg.corpus.sides import is_silent
from kg.model import Bearing, Source, SourceKey, Statement


def heard_on(corpus: Corpus, id: str) -> Iterator[tuple[Bearing, Statement]]:
    """What bears on a statement, on either side, and who says so."""
    for bearing in corpus.bearings_on(id):
        speaker = corpus.statements.get(bearing.source)
        if speaker is not None and bearing.sign and not is_silent(corpus, bearing):
            yield bearing, speaker


def cited_sources(part: Corpus, whole: Corpus) -> dict[SourceKey, Source]:
    """The sources of a part, and those of the reasons right beneath its statements."""
    reasons = (each for id in part.statements for _, each in heard_on(whole, id))
    keys = {*part.sources, *(key for reason in reasons for key in reason.sources)}
    return {key: source for key, source in whole.sources.items() if key in keys}
