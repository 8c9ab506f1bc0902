"""A corpus read again: what statements join and supersede is taken back."""

from __future__ import annotations

from kg.reasoning.reading import reading_of
from kg.reasoning.sensitivity.changed_readings import (
    statements_no_longer_superseded,
    with_muted_statements,
    without_supersession_and_keys,
)
from tests.support.corpus_parts import claim, corpus_of_parts, evidence


def test_without_a_statement_the_sources_that_it_joins_stand_alone() -> None:
    team_keys = ("team:t",)
    notes = corpus_of_parts(
        claim("q"), evidence("e", independence=team_keys), evidence("f", independence=team_keys)
    )
    statements = without_supersession_and_keys(reading_of(notes), ["e"]).corpus.statements
    assert (statements["e"].independence, statements["f"].independence) == ((), team_keys)


def test_a_muted_statement_also_supports_nothing() -> None:
    notes = corpus_of_parts(claim("q"), evidence("e", ["a"]), "e supports q", "e supersedes q")
    reading = reading_of(notes)
    arcs_by_reading = {
        change: change(reading, ["e"]).graph.arc_weight.any()
        for change in (without_supersession_and_keys, with_muted_statements)
    }
    assert arcs_by_reading == {without_supersession_and_keys: True, with_muted_statements: False}


def test_a_statement_superseded_only_before_the_change_is_listed() -> None:
    claims = [claim(name) for name in "abc"]
    superseded = reading_of(corpus_of_parts(*claims, "a supersedes b", "a supersedes c"))
    partly_superseded = reading_of(corpus_of_parts(*claims, "a supersedes c"))
    assert statements_no_longer_superseded(superseded, partly_superseded) == ("b",)
    assert statements_no_longer_superseded(partly_superseded, superseded) == ()
