"""What can exist: statements, edges, sources, inquiry lines, and problems with them."""

from kg.model.diagnostic import Diagnostic, Severity, Span
from kg.model.edge import CampPlacement, Edge, NextStep
from kg.model.figures import SampleClass
from kg.model.line import Answers, InquiryLine
from kg.model.relation import LINKABLE, OPPOSING, SIDES, LineStyle, Relation, RelationEnds, Strength
from kg.model.source import Integrity, Source
from kg.model.statement import Citation, Kind, Mention, Method, Quotation, SeenIn, Statement, Status
from kg.model.value import CampId, EdgeId, LineId, SourceKey, StatementId, Value

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
    "Strength",
    "Value",
]
