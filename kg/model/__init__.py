"""The records of a corpus: statements, edges, sources, inquiry lines, and problems with them."""

from kg.model.diagnostic import Diagnostic, Edit, Fix, Severity
from kg.model.edge import Bearing, Edge
from kg.model.figures import SampleClass
from kg.model.inquiry_line import AnswerWords, CampPlacement, InquiryLine, NextStep
from kg.model.relation import (
    LINKABLE,
    OPPOSING,
    SIDES,
    EdgeStrength,
    EdgeStroke,
    Relation,
    RelationEnds,
)
from kg.model.source import Integrity, Source
from kg.model.statement import Citation, Kind, Mention, Method, Quotation, SeenIn, Statement, Status
from kg.model.value import CampId, EdgeId, LineId, RecordId, SourceKey, Span, StatementId, Value

__all__ = [
    "LINKABLE",
    "OPPOSING",
    "SIDES",
    "AnswerWords",
    "Bearing",
    "CampId",
    "CampPlacement",
    "Citation",
    "Diagnostic",
    "Edge",
    "EdgeId",
    "EdgeStrength",
    "EdgeStroke",
    "Edit",
    "Fix",
    "InquiryLine",
    "Integrity",
    "Kind",
    "LineId",
    "Mention",
    "Method",
    "NextStep",
    "Quotation",
    "RecordId",
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
