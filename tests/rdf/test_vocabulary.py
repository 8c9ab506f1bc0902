"""Each value as it is written and read back, and the tables of fields."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from kg.model import Citation, Quotation
from kg.rdf import vocabulary
from kg.rdf.vocabulary import (
    CITATION,
    DAY,
    FLAG,
    GYEAR,
    INT,
    METHOD,
    NUMBER,
    QUOTATION,
    STATEMENT,
    TEXT,
    XSD,
    Codec,
    method_iri,
    quoted_term,
)
from tests.support.corpus_parts import SPAN, claim
from tests.support.every_row import every_row


@every_row(
    ("codec", "value", "text"),
    [
        (TEXT, 'one "two" \\\n', '"one \\"two\\" \\\\\\n"'),
        (INT, -(10**20), f'"-100000000000000000000"^^<{XSD}integer>'),
        (NUMBER, 0.25, f'"0.25"^^<{XSD}double>'),
        (FLAG, True, f'"true"^^<{XSD}boolean>'),
        (FLAG, False, f'"false"^^<{XSD}boolean>'),
        (DAY, dt.date(2026, 1, 2), f'"2026-01-02"^^<{XSD}date>'),
        (GYEAR, 2026, f'"2026"^^<{XSD}gYear>'),
        (GYEAR, 0, f'"0000"^^<{XSD}gYear>'),
        (GYEAR, -44, f'"-0044"^^<{XSD}gYear>'),
    ],
)
def test_a_value_is_written_in_its_type_and_read_back(codec: Codec, value: Any, text: str) -> None:
    assert codec.write(value) == text
    read = value if codec is TEXT else text.split('"')[1]
    assert codec.read(read) == value


@every_row(
    ("codec", "text", "value"),
    [(DAY, "2026-01-02Z", dt.date(2026, 1, 2)), (GYEAR, "2026Z", 2026), (GYEAR, "-0044Z", -44)],
)
def test_a_time_zone_that_another_program_wrote_is_left_aside(
    codec: Codec, text: str, value: object
) -> None:
    assert codec.read(text) == value


def test_a_method_of_ones_own_has_an_address_that_is_read_back() -> None:
    iri = method_iri("card sorting/2")
    assert iri.endswith("method-card%20sorting%2F2")
    assert METHOD.write("card sorting/2") == f"<{iri}>"
    assert METHOD.read(iri) == "card sorting/2"


@pytest.mark.parametrize("maximum", [5, 6])
def test_what_json_would_make_long_is_escaped_where_it_must_be_alone(
    maximum: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabulary, "LONG_TEXT", maximum)
    short = maximum == 6
    assert quoted_term('\x01"\\\n\ra') == ('"\\u0001' if short else '"\x01') + '\\"\\\\\\n\\ra"'
    assert quoted_term("\x01\ud800abcd") == ('"\\u0001' if short else '"\x01') + '\ufffdabcd"'


def test_a_table_reads_what_a_record_has_one_of_and_tells_the_rest_apart() -> None:
    assert {each.name for each in STATEMENT.multi_valued} == {
        *("aliases", "topics", "about", "asserted_by", "concerns", "independence")
    }
    names = [each.name for each in STATEMENT.single_valued]
    read = dict(zip(names, STATEMENT.read_values(claim("a", sample=3)), strict=True))
    assert (read["title"], read["sample"], read["quality"]) == ("Claim a", 3, None)
    assert [term for term, _, _ in STATEMENT.writers] == [
        STATEMENT.properties[name].term for name in names
    ]
    assert {each.default for each in STATEMENT.multi_valued} == {()}


def test_a_table_of_one_field_reads_as_any_other() -> None:
    assert CITATION.read_values(Citation(key="k", span=SPAN, locator="p. 3")) == ("p. 3", "")
    assert QUOTATION.read_values(Quotation("words", "k", SPAN, "p. 3")) == ("p. 3",)
