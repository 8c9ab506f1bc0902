"""What statements record, and how they show it."""

from __future__ import annotations

from pathlib import Path

from kg.model import Citation, Kind, Span, Statement
from kg.model.statement import EVIDENCE_FIELDS, recorded_facts
from kg.notes.frontmatter.note_fields import StatementFields
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.rdf.vocabulary import STATEMENT

ROOT = Path(__file__).parents[2]
NAMES = {field.name for field in EVIDENCE_FIELDS}
WRITTEN = {  # what a note writes in one field
    "sample": {"sample", "sample_unit", "sample_class"},
    "effect": {"effect", "effect_kind", "effect_low", "effect_high"},
    "p": {"p", "p_sign"},
}


def keys() -> set[str]:
    """The fields of front matter for all that evidence records."""
    return {*WRITTEN} | (NAMES - {name for names in WRITTEN.values() for name in names})


def test_what_a_statement_records_is_in_the_table() -> None:
    fields = list(Statement.__struct_fields__)
    recorded = fields[fields.index("method") : fields.index("quality") + 1]
    assert {*recorded} == NAMES
    assert all(
        hasattr(Statement, field.text_attribute)
        for field in EVIDENCE_FIELDS
        if field.text_attribute
    )


def test_each_field_of_evidence_is_read_written_asked_and_explained() -> None:
    assert keys() - StatementFields.model_fields.keys() == set()
    assert NAMES - STATEMENT.properties.keys() == set()
    query_words = {field.query_word for field in EVIDENCE_FIELDS}
    assert query_words - FIELDS_BY_KIND[RecordKind.STATEMENT].keys() == set()
    guide = (ROOT / "docs" / "note-format.md").read_text("utf-8")
    assert [key for key in sorted(keys()) if f"`{key}`" not in guide] == []


def test_a_statement_is_shown_by_what_it_is_and_cites() -> None:
    span = Span("a.md")
    citations = (Citation("doe", span), Citation("roe", span), Citation("doe", span))
    statement = Statement(
        id="a",
        kind=Kind.CLAIM,
        title="A < B",
        body="So.",
        span=span,
        camp="left",
        citations=citations,
    )
    assert statement.sources == ("doe", "roe")
    assert recorded_facts(statement) == {}
    assert (str(statement), statement.path) == ("A < B  [a]", "a.md")
    card = statement._repr_html_()
    for part in ("A &lt; B", "claim", "left", "doe, roe", "So."):
        assert part in card


def test_facts_of_evidence_are_in_the_words_of_the_note() -> None:
    statement = Statement(
        id="a",
        kind=Kind.EVIDENCE,
        title="A",
        span=Span("a.md"),
        sample=0,
        sample_unit="people",
        effect=0.0,
        effect_kind="d",
        p=0.001,
        p_sign="<",
        preregistered=False,
        concerns=("small", "old"),
        open="why not",
    )
    assert recorded_facts(statement) == {
        "sample": 0,
        "sample_unit": "people",
        "effect": "d=0",
        "p": "<0.001",
        "preregistered": False,
        "concerns": "small, old",
        "open": "why not",
    }
    assert [field.query_word for field in EVIDENCE_FIELDS][:3] == ["method", "sample", "unit"]


def test_no_support_is_owed_by_what_says_why_or_only_reports() -> None:
    def owes_support(open: str, reported: bool) -> bool:
        span = Span("a.md")
        statement = Statement(
            id="a", kind=Kind.CLAIM, title="A", span=span, open=open, reported=reported
        )
        return statement.owes_support

    answers = [owes_support(*each) for each in (("", False), ("why", False), ("", True))]
    assert answers == [True, False, False]
