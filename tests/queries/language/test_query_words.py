"""Words of queries: unknown ones, and those of parts, are put right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.queries.conditions.fields import UnknownWord
from kg.queries.engines.engine import Engine, MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.language.parse_query import BadQuestion, parse_question
from kg.queries.language.selection import ids_that_may_be_kinds
from kg.rdf.quad_store import as_store
from tests.support.every_row import every_row


def test_unknown_words_suggest() -> None:
    with pytest.raises(UnknownWord, match="did you mean topic"):
        parse_question("topik:norms")
    with pytest.raises(UnknownWord, match=r"did you mean source\.doi"):
        parse_question("doi:x")
    with pytest.raises(UnknownWord, match="did you mean experiment"):
        parse_question("evidence.method:experimental")


TRIED = {
    "a": "---\ntype: claim\n---\n\n# A\n\n> [!evidence] Tried ^t\n> (method:: experiment)\n",
    "b": "---\ntype: claim\n---\n\n# B\n\n> [!evidence] Asked ^t\n> (method:: survey)\n",
    "c": "---\ntype: claim\nopen: true\n---\n\n# C\n",
}


def test_a_wrong_question_about_a_part_says_the_right_form() -> None:
    with pytest.raises(BadQuestion, match=r"a word: evidence\.method:x"):
        parse_question("claims evidence:x")


@every_row("engine", [MemoryEngine, lambda corpus: engine_of_store(as_store(corpus))])
def test_a_note_is_meant_before_a_kind(
    corpus_of: Callable[..., Corpus], engine: Callable[[Corpus], Engine]
) -> None:
    reasons = "---\ntype: claim\n---\n\n# R\n\n- supports:: [[b]]\n"
    named = engine(corpus_of(**TRIED, evidence=reasons))
    bare, kind = parse_question("supported_by:evidence"), parse_question("supported_by:(evidence)")
    assert list(find(named, bare).ids) == ["b"]
    assert list(find(named, kind).ids) == ["a", "b"]
    assert list(find(engine(corpus_of(**TRIED)), bare).ids) == ["a", "b"]
    assert [each.ids for each in ids_that_may_be_kinds(bare.query)] == [("evidence",)]
    assert not ids_that_may_be_kinds(kind.query)
