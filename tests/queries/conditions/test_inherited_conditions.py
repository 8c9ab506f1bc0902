"""Claims are asked through their evidence, and evidence through its claims."""

from __future__ import annotations

from kg.queries.conditions.inherited_conditions import with_inherited_fields
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_request
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

NOTE = "---\ntype: claim\ncamp: {}\ntopics: [{}]\n---\n\n# N\n\n"
SEEN = "> [!evidence] Seen ^{}\n> {} (method:: {})\n\n"
NOTES = {
    "a": NOTE.format("optimist", "sleep")
    + SEEN.format("old", "[@old]", "experiment")
    + SEEN.format("new", "[@new]", "survey"),
    "b": NOTE.format("skeptic", "work")
    + SEEN.format("e", "[@new]", "experiment")
    + "- contradicts:: [[a]]\n",
    "other": "---\ntype: evidence\nmethod: model\n---\n\n# O\n\n- contradicts:: [[a]]\n",
}
BOOKS = "@misc{old, title={O}, year={1999}}\n@misc{new, title={N}, year={2020}}\n"


@every_row(
    ("text", "expected"),
    [
        ("claims method:experiment", "a b"),
        ("claims year:2020", "a b"),
        ("claims method:experiment year:2020", "b"),  # of one and the same piece of evidence
        ("claims method:survey OR year:1999", "a"),
        ("claims -method:survey", "b"),
        ("claims method:experiment directly:yes", ""),
        ("evidence topic:sleep", "a#new a#old other"),
        ("evidence topic:sleep directly:yes", ""),
        ("evidence camp:optimist", "a#new a#old"),  # not what speaks against it
        ("topic:work", "b b#e"),
        ("claims camp:optimist topic:sleep", "a"),
        ("claims contradicted_by:(claims method:experiment)", "a"),
        ("claims contradicted_by:(claims method:experiment) directly:yes", "a"),
        ("sources cited_by:(evidence topic:work)", "new"),
    ],
)
def test_claims_are_found_by_fields_of_their_evidence_unless_asked_directly(
    text: str, expected: str
) -> None:
    engine = MemoryEngine(corpus_of_notes(references=BOOKS, **NOTES))
    question = parse_request(text)
    assert sorted(find(engine, question).ids) == expected.split()
    twice = with_inherited_fields(with_inherited_fields(question.query))
    assert sorted(engine.find_ids(twice)) == expected.split()
