"""A query that finds nothing is told what may be why.

Of `kg/rdf/run_query.py`, too.
"""

from __future__ import annotations

from kg.corpus import Corpus
from kg.rdf.run_query import SparqlResult, explain_empty_result, sparql
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

NOTES = {
    "a": "---\ntype: claim\ncamp: skeptic\n---\n\n# A\n\n> [!evidence] Tried ^t\n"
    "> [@early] (method:: experiment)\n",
    "b": "---\ntype: claim\n---\n\n# B\n",
}
EARLY = "@misc{early, title={Early}, year={2019}}"


def hints_for(corpus: Corpus, query: str) -> list[str]:
    def ask(text: str) -> SparqlResult:
        return sparql(corpus, text)

    return explain_empty_result(query, sparql(corpus, query), ask)


@every_row(
    ("query", "hint"),
    [
        (
            "SELECT (COUNT(*) AS ?n) { ?s dcterms:issued ?y FILTER(?y >= 2000) }",
            'write STR(?y) >= "2000"',
        ),
        ("SELECT ?s { ?s dcterms:date ?y }", "nothing here has dcterms:date; there are dcterms:"),
        ('ASK { ?s kg:sidesWith "skeptic" }', 'camps/skeptic>, never to the text "skeptic"'),
        ('SELECT ?s { ?s kg:method "experiment" }', "#method-experiment>, never to the text"),
        (
            "CONSTRUCT { ?s a ?w } WHERE { ?s kg:weighedStrength ?w }",
            "nothing here has kg:weighedStrength: ask with --strengths",
        ),
    ],
)
def test_an_empty_result_is_explained_by_a_likely_mistake(query: str, hint: str) -> None:
    (text,) = hints_for(corpus_of_notes(references=EARLY, **NOTES), query)
    assert hint in text


@every_row(
    "query",
    [
        'SELECT ?s { ?s dcterms:issued ?y FILTER(STR(?y) >= "2030") }',
        'SELECT ?s { ?s dcterms:title "Never" ; a kg:Claim }',
        "SELECT ?n { VALUES ?n { 0 0 } OPTIONAL { ?s kg:weighedStrength ?w } }",
        "SELECT ?s { ?s a kg:Claim OPTIONAL { ?s dcterms:date ?d } }",
        "PREFIX dcterms: <https://example.net/> SELECT ?s { ?s dcterms:date ?d }",
    ],
)
def test_no_hint_is_given_without_a_likely_mistake(query: str) -> None:
    assert hints_for(corpus_of_notes(references=EARLY, **NOTES), query) == []
