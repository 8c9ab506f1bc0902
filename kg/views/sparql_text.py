"""Terms as SPARQL text that every engine reads as the same terms."""

from __future__ import annotations

import re

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.views.terms import scalar

_STRING = "http://www.w3.org/2001/XMLSchema#string"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(r"[\\\"\n\r\t]|(?<=\\)[uU]")


def render_term(term: NamedNode | Literal | BlankNode | Triple) -> str:
    """An IRI or literal as SPARQL writes it; raises `ValueError` for what a query cannot name."""
    if isinstance(term, NamedNode):
        return f"<{term.value}>"
    if not isinstance(term, Literal):
        raise ValueError("only IRIs and literals can stand in a query")
    quoted = f'"{_SPECIAL.sub(_escape, term.value)}"'
    if term.language:
        return f"{quoted}@{term.language}"
    kind = term.datatype.value
    return quoted if kind == _STRING else f"{quoted}^^<{kind}>"


def render_text(value: str) -> str:
    """A plain string as SPARQL writes it; half of a surrogate pair becomes U+FFFD."""
    return render_term(Literal(scalar(value)))


def _escape(found: re.Match[str]) -> str:
    """Some engines read `\\u0022` as a quotation mark even behind a backslash: break it up."""
    char = found[0]
    return _ESCAPES.get(char) or f"\\u{ord(char):04X}"
