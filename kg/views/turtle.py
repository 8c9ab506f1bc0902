"""What a note says as Turtle, triple by triple, without the cost of a library."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kg.ontology import PREFIXES
from kg.views.graph import TYPE, Told

_HEADER = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
_NAMES = {iri: name for name, iri in PREFIXES.items()}
_KNOWN = tuple(f"<{iri}" for iri in _NAMES)
_TERM = re.compile(f"<({'|'.join(map(re.escape, _NAMES))})([A-Za-z][A-Za-z0-9_-]*)>").fullmatch
_BARE = re.compile(r'"([+-]?[0-9]+)"\^\^xsd:integer|"(true|false)"\^\^xsd:boolean').fullmatch


def render_turtle(told: Iterable[Told]) -> str:
    """The triples in their order, with the ontology's prefixes."""
    parts = [_HEADER]
    last_subject = last_predicate = ""
    for subject, said in told:
        for predicate, value in said:
            if value.startswith(_KNOWN):
                value = _term(value)
            elif value[-1] == ">" and value[0] == '"':
                value = _typed(value)
            if subject != last_subject:
                end = " .\n" if last_subject else ""
                parts.append(f"{end}<{subject}> {_verb(predicate)} {value}")
            elif predicate != last_predicate:
                parts.append(f" ;\n\t{_verb(predicate)} {value}")
            else:
                parts.append(f" , {value}")
            last_subject, last_predicate = subject, predicate
    return "".join(parts) + " .\n"


@lru_cache(1 << 12)
def _verb(predicate: str) -> str:
    return "a" if predicate == TYPE else _term(predicate)


@lru_cache(1 << 12)
def _term(iri: str) -> str:
    found = _TERM(iri)
    return f"{_NAMES[found[1]]}:{found[2]}" if found else iri


@lru_cache(1 << 12)
def _typed(written: str) -> str:
    """A literal with a datatype; whole numbers and truth values need none in Turtle."""
    text, mark, datatype = written.rpartition("^^")
    named = text + mark + _term(datatype)
    bare = _BARE(named)
    return bare[1] or bare[2] if bare else named
