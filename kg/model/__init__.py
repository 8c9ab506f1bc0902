"""What can exist: statements, edges, sources, inquiry lines, and problems with them."""

from kg.model.figures import SampleClass
from kg.model.records import Answers, CampPlacement, Edge, InquiryLine, Integrity, NextStep, Source
from kg.model.relation import (
    LINKABLE,
    OPPOSING,
    SIDES,
    EdgeStrength,
    LineStyle,
    Relation,
    RelationEnds,
)
from kg.model.statement import Citation, Kind, Mention, Method, Quotation, SeenIn, Statement, Status
from kg.model.value import (
    CampId,
    Diagnostic,
    EdgeId,
    LineId,
    Severity,
    SourceKey,
    Span,
    StatementId,
    Value,
)

__all__ = [
    "LINKABLE",
    "OPPOSING",
    "SIDES",
    "Answers",
    "CampId",
    "CampPlacement",
    "Citation",
    "Diagnostic",
    "Edge",
    "EdgeId",
    "EdgeStrength",
    "InquiryLine",
    "Integrity",
    "Kind",
    "LineId",
    "LineStyle",
    "Mention",
    "Method",
    "NextStep",
    "Quotation",
    "Relation",
    "RelationEnds",
    "SampleClass",
    "SeenIn",
    "Severity",
    "Source",
    "SourceKey",
    "Span",
    "Statement",
    "StatementId",
    "Status",
    "Value",
]
