"""What RDF formats do with values that their readers might not read as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox

from kg.exchange.rdf_formats import write_jsonld
from tests.support.every_row import every_row


@every_row(
    ("integer", "is_number"),
    [
        (2**53 - 1, True),
        (2**53, False),
        (-(2**53) + 1, True),
        (-(2**53), False),
    ],
)
def test_integers_that_a_double_may_round_are_text_in_json_ld(
    integer: int, is_number: bool, tmp_path: Path
) -> None:
    count = ox.NamedNode("https://example.org/count")
    write_jsonld([ox.Quad(count, count, ox.Literal(integer))], tmp_path / "a.jsonld")
    (node,) = json.loads((tmp_path / "a.jsonld").read_text("utf-8"))["@graph"]
    kind = "http://www.w3.org/2001/XMLSchema#integer"
    written_as_text = {"@value": str(integer), "@type": kind}
    assert node[count.value] == (integer if is_number else written_as_text)
