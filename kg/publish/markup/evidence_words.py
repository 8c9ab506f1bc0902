"""What a piece of evidence is, in a few words."""

from __future__ import annotations

from kg.model import Method, Statement
from kg.model.grade import Grade
from kg.publish.markup.html import BLANK
from kg.publish.markup.phrases import method_name


def render_sample(evidence: Statement) -> str:
    """`555 scenarios`, or a dash if no size is recorded."""
    if evidence.sample is None:
        return BLANK
    return f"{evidence.sample:,} {evidence.sample_unit}".strip()


def quality_in_words(evidence: Statement, grade: Grade, quality: str) -> str:
    """`Benchmark, peer reviewed, sample not recorded: quality 0.55`: what most decides the
    grade comes before the number, as that is an estimate. `quality` is that of the standing. An
    argument has no sample.
    """
    if grade.given:
        method = f"{method_name(evidence, '')}, graded by its note" if evidence.method else ""
        return f"{method or 'Graded by its note'}: {quality}"
    is_reviewed = any(term.field == "peer_reviewed" for term in grade.terms)
    unknown = "" if evidence.method == Method.ARGUMENT else "sample not recorded"
    facts = [
        method_name(evidence, "Method not recorded"),
        "peer reviewed" if is_reviewed else "",
        unknown if evidence.sample is None else render_sample(evidence),
    ]
    return f"{', '.join(filter(None, facts))}: {quality}"
