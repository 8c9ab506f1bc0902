"""What is a value of a datatype, and what only says so.

Of `kg/rdf/shacl/node_text.py`, too.
"""

from __future__ import annotations

from kg.rdf.shacl.node_text import XSD, plain_nodes
from kg.rdf.shacl.value_components import failing_language, is_well_formed
from tests.support.every_row import every_row

GOOD = {
    "integer": ["0", "-05", "+7", "9" * 5000],
    "byte": ["127", "-128"],
    "unsignedByte": ["255", "-0"],
    "positiveInteger": ["1", "9" * 5000],
    "nonPositiveInteger": ["0", "-1"],
    "decimal": ["1", "1.", ".5", "-0.0"],
    "double": ["1", "1e3", "-INF", "NaN", ".5E-2"],
    "boolean": ["true", "0"],
    "date": ["2024-02-29", "2000-02-29Z", "-0044-03-15", "12024-01-01+14:00"],
    "dateTime": ["2024-01-01T00:00:00", "2024-01-01T24:00:00Z", "2024-01-01T23:59:59.5-05:00"],
    "time": ["12:00:00", "24:00:00"],
    "gYear": ["2024", "-0001"],
    "gMonthDay": ["--02-29"],
    "duration": ["P1Y", "PT0.5S", "-P1DT2H"],
    "dayTimeDuration": ["P1DT1M"],
    "hexBinary": ["", "0fB7"],
    "base64Binary": ["", "aGk="],
    "language": ["de-AT"],
    "token": ["a b", ""],
    "string": ["anything\n"],
}
BAD = {
    "integer": ["", "1.0", "one", "٣", "1 ", "--1"],
    "byte": ["128", "-129", "9" * 5000],
    "unsignedByte": ["256", "-1"],
    "positiveInteger": ["0", "-" + "9" * 5000],
    "nonPositiveInteger": ["1"],
    "decimal": ["1e3", ".", ""],
    "double": ["inf", "1e", "e3"],
    "boolean": ["True", "yes"],
    "date": ["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1", "2024-01-01+15:00"],
    "dateTime": ["2024-01-01", "2024-01-01T24:00:01", "2024-02-30T00:00:00"],
    "time": ["24:00:01", "12:00"],
    "gYear": ["24", "02024"],
    "gMonthDay": ["02-29"],
    "duration": ["P", "PT", "P1S", "1Y"],
    "dayTimeDuration": ["P1Y"],
    "hexBinary": ["f", "xy"],
    "base64Binary": ["a", "%%%%"],
    "language": ["muchtoolong-x"],
    "token": [" a", "a  b", "a\n"],
}


@every_row("name", sorted(GOOD))
def test_a_value_is_well_formed(name: str) -> None:
    assert [text for text in GOOD[name] if not is_well_formed(text, XSD + name)] == []


@every_row("name", sorted(BAD))
def test_what_is_no_value_is_not(name: str) -> None:
    assert [text for text in BAD[name] if is_well_formed(text, XSD + name)] == []


def test_an_unknown_datatype_takes_any_text() -> None:
    assert is_well_formed("?", "urn:mine")


def test_a_text_without_a_language_or_in_another_fails() -> None:
    values = {'"x"', '"x"@de', '"x"@en-gb', '"x"@eng', "<http://x.test/en>"}
    assert failing_language(["EN"])(None, values) == values - {'"x"@en-gb'}  # type: ignore[arg-type]
    assert failing_language(["*"])(None, values) == {'"x"', "<http://x.test/en>"}  # type: ignore[arg-type]


@every_row(
    ("cell", "kind"),
    [
        ("true", "boolean"),
        ("false", "boolean"),
        ("1", "integer"),
        ("1.5", "decimal"),
        ("1e3", "double"),
        ("1.5E3", "double"),
        ("<http://x.test/a>", None),
        ('"1"', None),
        ("_:b", None),
        ("", None),
    ],
)
def test_a_bare_cell_is_a_literal_of_its_kind(cell: str, kind: str | None) -> None:
    assert [*plain_nodes([cell])] == [f'"{cell}"^^<{XSD}{kind}>' if kind else cell]
