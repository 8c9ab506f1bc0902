"""Triples as Turtle, in the order in which they come: a subject of a note after another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.rdf.note_triples import RDF_TYPE, SubjectTriples
from kg.rdf.ontology import PREFIXES

_HEADER = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
_PREFIX_OF = {iri: name for name, iri in PREFIXES.items()}
_KNOWN_NAMESPACES = tuple(f"<{iri}" for iri in _PREFIX_OF)
_PREFIXED_IRI = re.compile(
    f"<({'|'.join(map(re.escape, _PREFIX_OF))})([A-Za-z][A-Za-z0-9_-]*)>"
).fullmatch
_BARE_IN_TURTLE = re.compile(
    r'"([+-]?[0-9]+)"\^\^xsd:integer|"(true|false)"\^\^xsd:boolean'
).fullmatch


# The rest of an IRI that may be written relative to the base: at least two parts, none only dots.
_match_relative_iri = re.compile(r"[a-z]+/[^/.:>][^/>]*(?:/[^/.>][^/>]*)*>").fullmatch


def render_turtle(subjects: Iterable[SubjectTriples], base: str = "") -> str:
    """Triples as Turtle, in order, with the ontology's prefixes and IRIs relative to `base`."""
    base = base if base.endswith("/") else "\0"  # no IRI begins with this
    iri_start = f"<{base}"
    start = len(base)
    parts = [_HEADER, f"@base <{base}> .\n" if start > 1 else ""]
    last_subject = last_predicate = ""
    for subject, pairs in subjects:
        for predicate, value in pairs:
            if value.startswith(_KNOWN_NAMESPACES):
                value = _turtle_term(value)
            elif value.startswith(iri_start) and _match_relative_iri(value, start + 1):
                value = f"<{value[start + 1 :]}"
            elif value[-1] == ">" and value[0] == '"':
                value = _render_typed(value)
            if subject != last_subject:
                end = " .\n" if last_subject else ""
                is_relative = subject.startswith(base) and _match_relative_iri(f"{subject}>", start)
                subject_text = subject[start:] if is_relative else subject
                parts.append(f"{end}<{subject_text}> {_turtle_predicate(predicate)} {value}")
            elif predicate != last_predicate:
                parts.append(f" ;\n\t{_turtle_predicate(predicate)} {value}")
            else:
                parts.append(f" , {value}")
            last_subject = subject
            last_predicate = predicate
    return "".join(parts) + " .\n"


def _turtle_predicate(predicate: str) -> str:
    return "a" if predicate == RDF_TYPE else _turtle_term(predicate)


def _turtle_term(iri: str) -> str:
    match = _PREFIXED_IRI(iri)
    return f"{_PREFIX_OF[match[1]]}:{match[2]}" if match else iri


def _render_typed(literal: str) -> str:
    """A literal with a datatype; integers and booleans are written bare."""
    text, mark, datatype = literal.rpartition("^^")
    term = text + mark + _turtle_term(datatype)
    match = _BARE_IN_TURTLE(term)
    return match[1] or match[2] if match else term
