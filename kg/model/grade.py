"""Grade evidence: its base strength from what its note records, with every term shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import NormalDist

from kg.model import Kind, SampleClass, Source, Statement, Value
from kg.model.figures import NO_EFFECT, RATIO_KINDS, SIGNIFICANCE_LEVEL, sample_class_of
from kg.model.settings.quality_settings import Quality
from kg.text.plurals import pluralize

REFERENCE_SAMPLE = 100
"""Number of observations assumed if none is recorded."""
MAX_DECADES = 3.0
"""A factor of 1000 in the odds: no single study counts for more, however small its p is."""
_NORMAL = NormalDist()
_INTERVAL_WIDTH = 2 * _NORMAL.inv_cdf(0.975)  # of a 95 % interval, in standard errors
_LEAST_P = 1e-300  # so that its logarithm is finite


class PValue(Value, frozen=True):
    """A two-sided p, and what it was computed from if the note does not record it."""

    p: float
    origin: str = ""
    sign: str = ""


def as_correlation(kind: str, effect: float) -> float | None:
    """An effect as a correlation; None for kinds that cannot be converted.

    d and g by r = d / √(d² + 4), for two groups of one size (Borenstein et al. 2009, ch. 7); an
    odds ratio by d = ln(OR)·√3/π first (Hasselblad & Hedges 1995; Chinn 2000).
    """
    if kind == "r":
        return effect
    if kind == "OR":
        kind = "d"
        effect = math.log(effect) * math.sqrt(3) / math.pi if effect > 0 else math.nan
    if kind in ("d", "g") and math.isfinite(effect):
        return effect / math.sqrt(effect * effect + 4.0)
    return None


def find_p_value(statement: Statement) -> PValue | None:
    """The p of `statement`: as recorded, else from the interval, else from effect and sample.

    An interval is taken as one of 95 %; a correlation's standard error is that of Fisher's z,
    1/√(n − 3). None if none of these is possible, or the recorded p is not above 0 and up to 1.
    """
    if statement.p is not None:
        is_valid = 0.0 < statement.p <= 1.0
        return PValue(p=statement.p, sign=statement.p_sign) if is_valid else None
    if statement.effect is None:
        return None
    z = _z_of_interval(statement)
    if z is not None and math.isfinite(z):
        return PValue(p=two_sided_p(z), origin="interval")
    r = as_correlation(statement.effect_kind, statement.effect)
    if r is None or abs(r) >= 1.0 or statement.sample is None or statement.sample <= 3:
        return None
    return PValue(
        p=two_sided_p(math.atanh(r) * math.sqrt(statement.sample - 3)), origin="effect and n"
    )


def _z_of_interval(statement: Statement) -> float | None:
    """The distance of the effect from no effect, in standard errors."""
    null = NO_EFFECT.get(statement.effect_kind)
    low = statement.effect_low
    high = statement.effect_high
    if null is None or low is None or high is None or statement.effect is None:
        return None
    try:
        scaled = [
            _on_symmetric_scale(statement.effect_kind, each)
            for each in (statement.effect, low, high)
        ]
        error = (scaled[2] - scaled[1]) / _INTERVAL_WIDTH
        return (scaled[0] - _on_symmetric_scale(statement.effect_kind, null)) / error
    except (ValueError, ZeroDivisionError):
        return None


def _on_symmetric_scale(kind: str, value: float) -> float:
    """`value` on the scale on which intervals are symmetric."""
    if kind in RATIO_KINDS:
        return math.log(value)
    return math.atanh(value) if kind in ("r", "ρ") else value


def two_sided_p(z: float) -> float:
    """The two-sided p of a standard normal deviate."""
    return max(math.erfc(abs(z) / math.sqrt(2)), _LEAST_P)


def z_score(p: float) -> float:
    """The standard normal deviate of a two-sided p."""
    return -_NORMAL.inv_cdf(max(p, _LEAST_P) / 2)


def decades_of_odds(p: float, sample: int | None) -> float:
    """The decimal logarithm of the odds by which p favours an effect over none, from 0 to 3.

    The unit-information Bayes factor, log₁₀ B = (z² − ln n) / (2 ln 10) (Wagenmakers 2007); n is
    100 if no sample is recorded. The same p says less in a large sample than in a small one.
    """
    n = max(REFERENCE_SAMPLE if sample is None else sample, 1)
    decades = (z_score(p) ** 2 - math.log(n)) / (2 * math.log(10))
    return min(max(decades, 0.0), MAX_DECADES)


CLAIM_BASE = 0.5
"""The base of a claim, which has no weight of its own: neither true nor false."""
BASE_BOUNDS = (0.01, 0.99)
"""Bounds of the base of evidence, as no reason could move it from 0 or 1."""
MAX_REPLICATIONS_COUNTED = 2.0
"""Most replications that a grade counts, and most failed ones."""
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


class GradeContribution(Value, frozen=True):
    """What one recorded field adds to the grade, in rungs of the ladder."""

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


class Grade(Value, frozen=True):
    """A base strength from 0 to 1, the terms it is the sum of, and the fields not recorded.

    `base_unretracted` is what the base would be if none of the cited sources were retracted.
    """

    base: float
    base_unretracted: float
    terms: tuple[GradeContribution, ...] = ()
    unknown: tuple[str, ...] = ()
    given: bool = False
    retracted: tuple[str, ...] = ()

    def __str__(self) -> str:
        terms = "; ".join(f"{term.text} {term.points:+.2f}" for term in self.terms)
        note = " (given by the author)" if self.given else ""
        lost = f"; retracted: {', '.join(self.retracted)}" if self.retracted else ""
        return f"{terms or 'no terms'}{note}{lost} ⇒ {self.base:.2f}"


def grade_design(design: StudyDesign, table: Quality) -> Grade:
    """The grade that `table` gives to `design`: rungs added, clipped, divided by the top.

    An additive reading of GRADE's starting level and its reasons to rate up or down
    (Guyatt et al., BMJ 2008); the numbers are the table's, not GRADE's.
    """
    terms = [*_design_terms(design, table)]
    terms += _terms_for_kinds_seen(design, table, sum(term.points for term in terms))
    level = sum(term.points for term in terms)
    base = min(max(level, table.lowest), table.highest) / table.top
    missing = tuple(name for name in _GRADED_FIELDS if getattr(design, name) is None)
    return Grade(base=base, base_unretracted=base, terms=tuple(terms), unknown=missing)


def _term(field: str, text: str, points: float) -> GradeContribution:
    return GradeContribution(field=field, text=text, points=points)


def _design_terms(design: StudyDesign, table: Quality) -> Iterable[GradeContribution]:
    rung = table.kinds.get(design.method or "", table.unrecorded)
    yield _term("method", design.method or "method not recorded", rung)
    yield from _p_or_sample_terms(design, table)
    for field, text, amount, each in (
        ("replications", "replications", design.replications, table.replication),
        ("failed_replications", "failed", design.failed_replications, table.failed_replication),
    ):
        if amount:
            yield _term(field, text, each * min(amount, MAX_REPLICATIONS_COUNTED))
    if design.peer_reviewed:
        yield _term("peer_reviewed", "peer reviewed", table.peer_reviewed)
    if design.preregistered:
        yield _term("preregistered", "preregistered", table.preregistered)
    for text, number, each in (
        ("serious concern", design.serious, table.serious_concern),
        ("very serious concern", design.very_serious, table.very_serious_concern),
    ):
        if number:
            yield _term("concerns", pluralize(number, text), each * number)


def _p_or_sample_terms(design: StudyDesign, table: Quality) -> Iterable[GradeContribution]:
    """The term for p, which includes the sample size, or else that for the sample alone."""
    # an interval that ends at no effect gives .05 up to rounding
    significant = (
        design.p is not None and design.p <= SIGNIFICANCE_LEVEL + 1e-9 and design.p_sign != ">"
    )
    if design.p is not None and significant:
        points = table.p * (decades_of_odds(design.p, design.sample) - TYPICAL_DECADES)
        yield _term("p", _p_text(design), points)
        return
    if design.p is not None:
        yield _term("p", f"{_p_text(design)}, not significant", 0.0)
    if design.sample is not None:
        tens = min(max(math.log10(max(design.sample, 1) / REFERENCE_SAMPLE), -1.0), 1.0)
        points = table.sample.get(design.sample_class, 0.0) * tens
        yield _term("sample", _sample_text(design), points)


def _p_text(design: StudyDesign) -> str:
    p = f"p{design.p_sign or '='}{design.p:.2g}"
    size = "" if design.sample is None else f", n={design.sample}"
    return f"{p}{size}" + (f" (from {design.p_origin})" if design.p_origin else "")


def _sample_text(design: StudyDesign) -> str:
    is_known = design.sample_class != SampleClass.UNKNOWN
    return f"n={design.sample} {design.sample_class if is_known else 'of an unknown kind'}"


def _terms_for_kinds_seen(
    design: StudyDesign, table: Quality, points_so_far: float
) -> Iterable[GradeContribution]:
    """The cost of not having read the source itself: a step down, and an upper limit."""
    step = table.seen.get(design.seen_in or "", 0.0)
    ceiling = table.seen_at_most.get(design.seen_in or "", 1.0)
    text = SEEN_IN_TEXT.get(design.seen_in or "", "")
    if points_so_far + step > ceiling * table.top and ceiling < 1.0:
        step = ceiling * table.top - points_so_far
        text = f"{text}: at most {ceiling:.2f}"
    if step:
        yield _term("seen_in", text, step)


def design_of(statement: Statement, sources: Iterable[Source] = ()) -> StudyDesign:
    """What the note of `statement` records, with peer review from its sources if not recorded.

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


def grade_evidence(statement: Statement, sources: Iterable[Source], table: Quality) -> Grade:
    """The base strength of a piece of evidence that cites `sources`.

    A `quality` written in the note overrides the ladder and is marked as given. Each source
    carries an equal part of the base, so a retracted one takes its part away: all of it if it
    is the only one.
    """
    cited_sources = tuple(sources)
    ladder_grade = grade_design(design_of(statement, cited_sources), table)
    unbounded = ladder_grade.base if statement.quality is None else statement.quality
    base_unretracted = min(max(unbounded, BASE_BOUNDS[0]), BASE_BOUNDS[1])
    retracted_keys = tuple(source.key for source in cited_sources if source.retracted)
    part_left = 1.0 - len(retracted_keys) / len(cited_sources) if cited_sources else 1.0
    return Grade(
        base=base_unretracted * part_left,
        base_unretracted=base_unretracted,
        terms=ladder_grade.terms
        if statement.quality is None
        else (GradeContribution(field="quality", text="given", points=statement.quality),),
        unknown=ladder_grade.unknown,
        given=statement.quality is not None,
        retracted=retracted_keys,
    )


NOT_GRADED = Grade(base=CLAIM_BASE, base_unretracted=CLAIM_BASE)


def grade_statement(sources: Mapping[str, Source], statement: Statement, table: Quality) -> Grade:
    """The base strength of any statement of a corpus with these `sources` by key.

    A claim is not graded: its strength comes from its reasons, whatever number its note gives.
    """
    if statement.kind is not Kind.EVIDENCE:
        return NOT_GRADED
    return grade_evidence(
        statement, (sources[key] for key in statement.sources if key in sources), table
    )
