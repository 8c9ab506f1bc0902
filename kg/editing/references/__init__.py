"""Every place in the corpus's files where something is named, and what it names there."""

from kg.editing.references.find_references import find_references
from kg.editing.references.reference import DEFINITIONS, LINKS, Form, Reference, ReferenceKind
from kg.editing.references.resolve import is_placement, resolve

__all__ = [
    "DEFINITIONS",
    "LINKS",
    "Form",
    "Reference",
    "ReferenceKind",
    "find_references",
    "is_placement",
    "resolve",
]
