"""Nodes as text: the parts of literals, and back."""

from __future__ import annotations

import pyoxigraph as ox

from kg.rdf.shacl.node_text import (
    RDF,
    XSD,
    as_integer,
    as_term,
    is_blank,
    plain_nodes,
    read_literal,
    read_string,
    string_text,
)
from tests.support.corpora import HOSTILE
from tests.support.every_row import every_row


@every_row(
    ("node", "parts"),
    [
        ('"a"', ("a", XSD + "string", "")),
        ('"a"@en-gb', ("a", RDF + "langString", "en-gb")),
        (f'"1"^^<{XSD}integer>', ("1", XSD + "integer", "")),
        (r'"a\"b\n\u00e9\\n"', ('a"b\né\\n', XSD + "string", "")),
        ("<urn:a>", None),
        ("_:a", None),
    ],
)
def test_a_literal_has_a_form_a_datatype_and_a_language(
    node: str, parts: tuple[str, ...] | None
) -> None:
    assert read_literal(node) == parts
    assert read_string(node) == (parts[0] if parts else node.strip("<>"))
    assert is_blank(node) == (node == "_:a")
    if node != r'"a\"b\n\u00e9\\n"':
        assert str(as_term(node)) == node


@every_row("word", HOSTILE)
def test_any_string_comes_back(word: str) -> None:
    assert read_string(string_text(word)) == word
    assert as_term(string_text(word)) == ox.Literal(word)


@every_row(
    ("text", "kind", "number"),
    [
        ("-12", "integer", -12),
        ("+7", "integer", 7),
        ("9" * 18, "integer", int("9" * 18)),
        ("9" * 19, "integer", None),
        ("1", "decimal", None),
        ("٣", "integer", None),
    ],
)
def test_an_integer_has_up_to_eighteen_digits(text: str, kind: str, number: int | None) -> None:
    assert as_integer(f'"{text}"^^<{XSD}{kind}>') == number
    assert as_integer("<urn:1>") is None


def test_bare_numbers_of_a_table_get_their_datatypes() -> None:
    result = list(plain_nodes(["1", "1.5", "1e3", "true", "<urn:a>", ""]))
    kinds = ("integer", "decimal", "double", "boolean")
    cells = ("1", "1.5", "1e3", "true")
    typed = [f'"{cell}"^^<{XSD}{kind}>' for cell, kind in zip(cells, kinds, strict=True)]
    assert result == [*typed, "<urn:a>", ""]
