"""The quality of each piece of evidence: its base strength by what its note records, term by term.

To *grade* is to work out a `Quality`; the points that each recorded field adds are those of a
`QualityLadder`, the ladder `[quality]` of `kg.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.corpus.columns import fit_into_memory
from kg.corpus.corpus import Corpus
from kg.corpus.quality.p_values import REFERENCE_SAMPLE, decades_of_odds, find_p_value
from kg.model import Kind, SampleClass, Source, Statement, StatementId, Value
from kg.model.figures import is_significant, sample_class_of
from kg.model.settings.quality_settings import QualityLadder
from kg.runtime.memoize import memoize
from kg.text.plurals import pluralize

CLAIM_BASE = 0.5  # the base of a claim, which has no weight of its own: neither true nor false
BASE_BOUNDS = (0.01, 0.99)  # bounds of the base of evidence, as no reason could move it from 0 or 1
MAX_REPLICATIONS_COUNTED = 2.0  # most replications that count, and most failed ones
TYPICAL_DECADES = 0.5  # at which a p neither adds nor takes away
SEEN_IN_TEXT = {
    "secondary": "seen only in another work",
    "note-page": "seen only in a note",
    "not-seen": "not seen, known by title or search",
}
_GRADED_FIELDS = (
    "method",
    "sample",
    "p",
    "replications",
    "failed_replications",
    "peer_reviewed",
    "preregistered",
    "seen_in",
)


class QualityTerm(Value, frozen=True):
    """The points that one recorded field adds."""

    field: str
    text: str
    points: float


class StudyDesign(Value, frozen=True):
    """The recorded fields that the ladder reads; `None` means not recorded.

    `p_origin` says what p was computed from if it is not recorded itself, `p_sign` whether it
    is only bounded.
    """

    method: str | None = None
    sample: int | None = None
    sample_class: str = SampleClass.UNKNOWN.value
    p: float | None = None
    p_sign: str = ""
    p_origin: str = ""
    replications: int | None = None
    failed_replications: int | None = None
    peer_reviewed: bool | None = None
    preregistered: bool | None = None
    serious: int = 0
    very_serious: int = 0
    seen_in: str | None = None


class Quality(Value, frozen=True):
    """The quality of a piece of evidence: its base strength from 0 to 1, the terms that add up to
    it, and the fields not recorded.

    `base_unretracted` is what the base would be if none of the cited sources were retracted.
    """

    base: float
    base_unretracted: float
    terms: tuple[QualityTerm, ...] = ()
    unknown: tuple[str, ...] = ()
    given: bool = False
    retracted: tuple[str, ...] = ()

    def __str__(self) -> str:
        terms = "; ".join(f"{term.text} {term.points:+.2f}" for term in self.terms)
        note = " (given by the author)" if self.given else ""
        lost = f"; retracted: {', '.join(self.retracted)}" if self.retracted else ""
        return f"{terms or 'no terms'}{note}{lost} ⇒ {self.base:.2f}"


def grade_design(design: StudyDesign, ladder: QualityLadder) -> Quality:
    """The quality that `ladder` gives to `design`: points added, clipped, divided by the top.

    An additive reading of GRADE's starting level and its reasons to rate up or down
    (Guyatt et al., BMJ 2008); the numbers are the ladder's, not GRADE's.
    """
    terms = [*_design_terms(design, ladder)]
    terms += _terms_for_kinds_seen(design, ladder, sum(term.points for term in terms))
    level = sum(term.points for term in terms)
    base = min(max(level, ladder.lowest), ladder.highest) / ladder.top
    missing = tuple(name for name in _GRADED_FIELDS if getattr(design, name) is None)
    return Quality(base=base, base_unretracted=base, terms=tuple(terms), unknown=missing)


def _term(field: str, text: str, points: float) -> QualityTerm:
    return QualityTerm(field=field, text=text, points=points)


def _design_terms(design: StudyDesign, ladder: QualityLadder) -> Iterable[QualityTerm]:
    points = ladder.methods.get(design.method or "", ladder.unrecorded)
    yield _term("method", design.method or "method not recorded", points)
    yield from _p_or_sample_terms(design, ladder)
    for field, text, amount, each in (
        ("replications", "replications", design.replications, ladder.replication),
        ("failed_replications", "failed", design.failed_replications, ladder.failed_replication),
    ):
        if amount:
            yield _term(field, text, each * min(amount, MAX_REPLICATIONS_COUNTED))
    if design.peer_reviewed:
        yield _term("peer_reviewed", "peer reviewed", ladder.peer_reviewed)
    if design.preregistered:
        yield _term("preregistered", "preregistered", ladder.preregistered)
    for text, number, each in (
        ("serious concern", design.serious, ladder.serious_concern),
        ("very serious concern", design.very_serious, ladder.very_serious_concern),
    ):
        if number:
            yield _term("concerns", pluralize(number, text), each * number)


def _p_or_sample_terms(design: StudyDesign, ladder: QualityLadder) -> Iterable[QualityTerm]:
    """The term for p, which includes the sample size, or else that for the sample alone."""
    if design.p is not None and is_significant(design.p, design.p_sign):
        points = ladder.p * (decades_of_odds(design.p, design.sample) - TYPICAL_DECADES)
        yield _term("p", _p_text(design), points)
        return
    if design.p is not None:
        yield _term("p", f"{_p_text(design)}, not significant", 0.0)
    if design.sample is not None:
        tens = min(max(math.log10(max(design.sample, 1) / REFERENCE_SAMPLE), -1.0), 1.0)
        points = ladder.sample.get(design.sample_class, 0.0) * tens
        yield _term("sample", _sample_text(design), points)


def _p_text(design: StudyDesign) -> str:
    p = f"p{design.p_sign or '='}{design.p:.2g}"
    size = "" if design.sample is None else f", n={design.sample}"
    return f"{p}{size}" + (f" (from {design.p_origin})" if design.p_origin else "")


def _sample_text(design: StudyDesign) -> str:
    is_known = design.sample_class != SampleClass.UNKNOWN
    return f"n={design.sample} {design.sample_class if is_known else 'of an unknown kind'}"


def _terms_for_kinds_seen(
    design: StudyDesign, ladder: QualityLadder, points_so_far: float
) -> Iterable[QualityTerm]:
    """The cost of not having read the source itself: a step down, and an upper limit."""
    step = ladder.seen.get(design.seen_in or "", 0.0)
    ceiling = ladder.seen_at_most.get(design.seen_in or "", 1.0)
    text = SEEN_IN_TEXT.get(design.seen_in or "", "")
    if points_so_far + step > ceiling * ladder.top and ceiling < 1.0:
        step = ceiling * ladder.top - points_so_far
        text = f"{text}: at most {ceiling:.2f}"
    if step:
        yield _term("seen_in", text, step)


def study_design_of(statement: Statement, sources: Iterable[Source]) -> StudyDesign:
    """Read the study design from the note of `statement`, or peer review from its sources if the
    note does not record it.

    A concern that ends with `!` counts as very serious, any other as serious.
    """
    peer_reviewed = statement.peer_reviewed
    if peer_reviewed is None:
        records_of_review = [s.peer_reviewed for s in sources if s.peer_reviewed is not None]
        peer_reviewed = any(records_of_review) if records_of_review else None
    grave = sum(concern.endswith("!") for concern in statement.concerns)
    p = find_p_value(statement)
    return StudyDesign(
        method=statement.method,
        sample=statement.sample,
        sample_class=(statement.sample_class or sample_class_of(statement.sample_unit)).value,
        p=p.p if p else None,
        p_sign=p.sign if p else "",
        p_origin=p.origin if p else "",
        replications=statement.replications,
        failed_replications=statement.failed_replications,
        peer_reviewed=peer_reviewed,
        preregistered=statement.preregistered,
        serious=len(statement.concerns) - grave,
        very_serious=grave,
        seen_in=statement.seen_in and statement.seen_in.value,
    )


def grade_evidence(
    statement: Statement, sources: Iterable[Source], ladder: QualityLadder
) -> Quality:
    """The base strength of a piece of evidence that cites `sources`.

    A `quality` written in the note overrides the ladder and is marked as given. Each source
    carries an equal part of the base, so a retracted one takes its part away: all of it if it
    is the only one.
    """
    cited_sources = tuple(sources)
    by_ladder = grade_design(study_design_of(statement, cited_sources), ladder)
    unbounded = by_ladder.base if statement.quality is None else statement.quality
    base_unretracted = min(max(unbounded, BASE_BOUNDS[0]), BASE_BOUNDS[1])
    retracted_keys = tuple(source.key for source in cited_sources if source.retracted)
    part_left = 1.0 - len(retracted_keys) / len(cited_sources) if cited_sources else 1.0
    return Quality(
        base=base_unretracted * part_left,
        base_unretracted=base_unretracted,
        terms=by_ladder.terms
        if statement.quality is None
        else (QualityTerm(field="quality", text="given", points=statement.quality),),
        unknown=by_ladder.unknown,
        given=statement.quality is not None,
        retracted=retracted_keys,
    )


NOT_GRADED = Quality(base=CLAIM_BASE, base_unretracted=CLAIM_BASE)


def grade_statement(
    sources: Mapping[str, Source], statement: Statement, ladder: QualityLadder
) -> Quality:
    """The base strength of any statement of a corpus with these `sources` by key.

    A claim is not graded: its strength comes from its reasons, whatever number its note gives.
    """
    if statement.kind is not Kind.EVIDENCE:
        return NOT_GRADED
    return grade_evidence(
        statement, (sources[key] for key in statement.sources if key in sources), ladder
    )


@memoize
def qualities_of(corpus: Corpus) -> Mapping[StatementId, Quality]:
    """The quality of each statement by the corpus's own ladder."""
    if not fit_into_memory(corpus.statements):
        return _QualitiesOnDemand(corpus)
    return {each.id: _grade_of(corpus, each) for each in corpus.statements.values()}


def _grade_of(corpus: Corpus, statement: Statement) -> Quality:
    return grade_statement(corpus.sources, statement, corpus.config.quality)


class _QualitiesOnDemand(Mapping[StatementId, Quality]):
    """Qualities that are computed at each access, for a corpus that need not fit into memory."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def __getitem__(self, id: StatementId) -> Quality:
        return _grade_of(self._corpus, self._corpus.statements[id])

    def __iter__(self) -> Iterator[StatementId]:
        return iter(self._corpus.statements)

    def __len__(self) -> int:
        return len(self._corpus.statements)

    def values(self) -> Any:
        return (_grade_of(self._corpus, each) for each in self._corpus.statements.values())
