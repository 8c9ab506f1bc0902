"""An empty answer says which condition emptied it, and what finds something."""

from __future__ import annotations

import pytest

from kg.queries.conditions.sparql_patterns import TooManyAlternatives
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, counter_claims, evidence, sources, statements
from kg.queries.language.parse_query import parse_request
from kg.queries.language.selection import Selection
from kg.queries.results.explain_empty import MAX_EXPLAINED
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\ntopics: [talk]\n---\n\n# Talk grounds\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\ntopics: [norms]\n---\n\n# It does not\n",
}
ELSEWHERE = "`kg search zebra` finds other forms of words, and misspelt ones."
EARLY = "@misc{early, title={Early}, year={2019}}"


@every_row(
    ("selection", "words"),
    [
        (counter_claims(), "The corpus holds no counter-claims."),
        (
            claims().method("experiment") - claims().method("experiment"),
            "There is 1 claim whose method is experiment; 1 claim whose method is not experiment: "
            "none meets all of it. Without “whose method is experiment”: 1. "
            "Without “whose method is not experiment”: 1.",
        ),
        (claims().text("zebra"), f"There is no claim saying 'zebra'. {ELSEWHERE}"),
        (
            sources().year("2024.."),
            "There is no source whose year is at least 2024. "
            "The values of year go from 2019 to 2019.",
        ),
        (
            statements().year("2024.."),
            "There is no statement citing (sources whose year is at least 2024). The values of "
            "year go from 2019 to 2019.",
        ),
        (
            claims().kind("evidence"),
            "Nothing is a claim and a piece of evidence at once: ask for a claim (2) or a piece of "
            "evidence (1). For claims that evidence supports: claims supported_by:(evidence).",
        ),
        (
            evidence().topic("talk").directly(),
            "There is no piece of evidence whose topic is talk. No piece of evidence has a topic. "
            "Not directly, but through evidence or claims: 1.",
        ),
        (
            claims().topic("norms").camp("optimist"),
            "There is 1 claim whose topic is norms; 1 claim whose camp is optimist: none meets "
            "all of it. Without “whose topic is norms”: 1. Without “whose camp is optimist”: 1.",
        ),
        (
            claims().topic("norms").text("zebra"),
            f"There is no claim saying 'zebra'. {ELSEWHERE} Without “saying 'zebra'”: 1.",
        ),
        (
            counter_claims().topic("talk"),
            "There is no counter-claim whose topic is talk. No counter-claim has a topic. "
            "Statements of another kind for which all of it holds: 2.",
        ),
        (
            sources().peer_reviewed(False),
            "There is no source whose peer_reviewed is False. "
            "1 does not record it: -peer_reviewed:yes finds it.",
        ),
        (statements().same_as("a"), "There is no statement same as a."),
        (
            statements().topic("norms").limit(0),
            "The first 0 were asked for; without the limit: 1.",
        ),
    ],
)
def test_an_empty_answer_says_why(selection: Selection, words: str) -> None:
    corpus = corpus_of_notes(references=EARLY, **NOTES)
    assert find(MemoryEngine(corpus), selection).why_empty == words
    assert connect_store(as_store(corpus)).find(selection).why_empty == words


def test_a_result_that_is_not_empty_has_no_explanation() -> None:
    assert find(MemoryEngine(corpus_of_notes(**NOTES)), claims()).why_empty == ""


def test_fields_that_only_sources_have_are_not_reported() -> None:
    corpus = corpus_of_notes(references=EARLY + "\n@misc{uncited, author={Roe, Ann}}", **NOTES)
    answer = find(MemoryEngine(corpus), statements().citing(sources().author("Roe")))
    assert answer.why_empty == "There is no statement citing (sources whose author is Roe)."


def test_an_empty_answer_to_very_many_conditions_only_counts_them() -> None:
    """Each was looked for alone, and all others without it: 3,000 words took 40 seconds."""
    question = parse_request(" ".join(f"w{number}" for number in range(MAX_EXPLAINED + 1)))
    why_empty = find(MemoryEngine(corpus_of_notes(**NOTES)), question).why_empty
    assert why_empty.startswith(
        f"No statement meets all conditions: there are {MAX_EXPLAINED + 1}, "
    )


def test_alternatives_may_be_very_many() -> None:
    """They stood within each other, and beyond some hundreds Python gave up."""
    corpus = corpus_of_notes(**NOTES)
    words = [*(f"w{number}" for number in range(1500)), "grounds"]
    assert list(find(MemoryEngine(corpus), parse_request(" OR ".join(words))).ids) == ["a"]
    store = connect_store(as_store(corpus))
    assert list(store.find(parse_request(" OR ".join(words[-100:]))).ids) == ["a"]
    with pytest.raises(TooManyAlternatives, match="more than 500 alternatives"):
        store.find(parse_request(" OR ".join(words)))


def test_what_is_said_twice_counts_once() -> None:
    twice = parse_request("claims topic:norms topic:norms (talk OR norms OR talk)")
    assert twice == parse_request("claims topic:norms (talk OR norms)")
