"""The shapes and the rules of `kg check` say the same of the same notes."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from click.testing import CliRunner
from hypothesis import given

from kg.checks import check
from kg.checks.check_shapes import BrokenShapes, check_shapes, validate
from kg.cli.checking import check_command
from kg.corpus import Corpus
from kg.model import Severity, Span
from tests.checks.broken_rules import ANSWERS, BROKEN, CLAIM, SHARED, arguments
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.plain_rdflib_graph import as_rdflib_graph


def test_every_shared_rule_is_shown_broken() -> None:
    assert set(BROKEN) == SHARED


ProblemPlace = tuple[str, Severity, Span | None]


def found_by_rules(corpus: Corpus) -> set[ProblemPlace]:
    return {(p.rule, p.severity, p.span) for p in check(corpus) if p.rule in SHARED}


def found_by_shapes(corpus: Corpus) -> set[ProblemPlace]:
    return {(p.rule, p.severity, p.span) for p in check_shapes(corpus)}


@every_row("rule", sorted(BROKEN.keys() - {"circular-support"}))
def test_shapes_and_rules_give_the_same_verdict(rule: str) -> None:
    by_rules = found_by_rules(BROKEN[rule])
    assert rule in {name for name, _, _ in by_rules}
    assert found_by_shapes(BROKEN[rule]) == by_rules


def test_a_circle_is_one_finding_of_the_rule_and_one_of_the_shape_for_each_edge() -> None:
    corpus = BROKEN["circular-support"]
    [by_rule], by_shapes = found_by_rules(corpus), found_by_shapes(corpus)
    assert by_rule in by_shapes
    assert [name for name, _, _ in by_shapes] == ["circular-support"] * 2


@given(arguments())
@examples(3)
def test_shapes_and_rules_agree_on_any_argument(corpus: Corpus) -> None:
    both = check(corpus), check_shapes(corpus)
    ours, theirs = (
        {(p.rule, p.severity, p.span) for p in problems if p.rule in SHARED - {"circular-support"}}
        for problems in both
    )
    assert theirs == ours
    ends, circles = (
        {p.span for p in problems if p.rule == "circular-support"} for problems in both
    )
    assert ends <= circles
    assert bool(ends) == bool(circles)


def test_a_mutual_contradiction_contradicts_in_both_directions() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("A") + "\n- supports:: [[b]]\n",
        b=CLAIM.format("B") + "\n- contradicts:: [[a]] (mutual:: yes)\n",
    )
    for problems in (check(corpus), check_shapes(corpus)):
        (problem,) = (p for p in problems if p.rule == "supports-and-contradicts")
        assert str(problem.span) == "b.md:7:1"


def test_a_sound_corpus_breaks_no_shape() -> None:
    sound = corpus_of_notes(
        a="---\ntype: claim\ncamp: optimist\n---\n# A\n\n> [!evidence] Seen ^e\n> Counted. [@s]\n\n"
        "> > Quoted words.\n> [@s]\n",
        b="---\ntype: counter-claim\ncamp: skeptic\nopen: yes\n---\n# B\n\n"
        "- contradicts:: [[a]] ^no\n",
        c="---\ntype: counter-claim\nstatus: retired\n---\n# C\n\n- undercuts:: [[b#^no]]\n",
        l=f"---\ntype: line\nproposition: a\n{ANSWERS}---\n# L?\n\nNow.\n\n## Camps\n\n"
        "- optimist:: [[a]]\n- skeptic:: [[b]]\n\n## Next\n\n- next:: Why?\n",
        references="@book{s, title={T}}",
    )
    assert check_shapes(sound) == []


def test_a_graph_made_elsewhere_is_held_to_the_ontology() -> None:
    graph = as_rdflib_graph(corpus_of_notes(a=CLAIM.format("A")))
    graph.update(
        "PREFIX kg: <https://example.org/inquiry-lines/ontology#> "
        "INSERT { ?s a kg:Evidence ; kg:sample -5 ; kg:method <urn:guess> } WHERE { ?s a kg:Claim }"
    )
    rows = {(problem.rule, problem.severity) for problem in validate(graph)}
    assert rows == {("broken-graph", Severity.ERROR), ("bad-value", Severity.ERROR)}
    assert {problem.span for problem in validate(graph)} == {Span("a.md", 5, 1)}


def test_shapes_of_ones_own_may_be_given() -> None:
    shapes = rdflib.Graph().parse(
        format="turtle",
        data="""@prefix sh: <http://www.w3.org/ns/shacl#> .
        @prefix kg: <https://example.org/inquiry-lines/ontology#> .
        <urn:shape> a sh:NodeShape ; sh:targetClass kg:Claim ;
            sh:property [ sh:path kg:topic ; sh:minCount 1 ; sh:message "name a topic" ] .""",
    )
    (problem,) = validate(as_rdflib_graph(corpus_of_notes(a=CLAIM.format("A"))), shapes)
    assert (problem.rule, problem.message, problem.span.path) == ("shape", "name a topic", "a.md")


def test_a_long_line_of_support_is_followed_to_its_end() -> None:
    """Without recursion: Python allows a thousand calls within each other."""
    length = 1200
    notes = {
        f"n{number}": CLAIM.format("A") + f"\n- supports:: [[n{(number + 1) % length}]]\n"
        for number in range(length)
    }
    problems = check_shapes(corpus_of_notes(**notes))
    assert [problem.rule for problem in problems] == ["circular-support"] * length
    del notes["n0"]
    assert "circular-support" not in {
        problem.rule for problem in check_shapes(corpus_of_notes(**notes))
    }


def test_an_empty_corpus_is_valid() -> None:
    assert check_shapes(Corpus(statements={})) == []


def test_shapes_that_are_no_shapes_are_refused() -> None:
    shapes = rdflib.Graph().parse(
        format="turtle",
        data="""@prefix sh: <http://www.w3.org/ns/shacl#> .
        <urn:shape> a sh:NodeShape ; sh:targetSubjectsOf <http://purl.org/dc/terms/title> ;
            sh:sparql [ sh:select "SELECT $this WHERE { VALUES ?x { 1 } }" ] .""",
    )
    with pytest.raises(BrokenShapes):
        validate(as_rdflib_graph(corpus_of_notes(a=CLAIM.format("A"))), shapes)


def test_a_shape_without_a_message_says_what_it_asks() -> None:
    shapes = rdflib.Graph().parse(
        format="turtle",
        data="""@prefix sh: <http://www.w3.org/ns/shacl#> .
        @prefix kg: <https://example.org/inquiry-lines/ontology#> .
        <urn:shape> sh:targetClass kg:Claim ;
            sh:property [ sh:path kg:topic ; sh:minCount 2 ] .""",
    )
    (problem,) = validate(as_rdflib_graph(corpus_of_notes(a=CLAIM.format("A"))), shapes)
    assert problem.message == "at least 2 values are required"


def test_places_are_found_in_a_graph_that_goes_in_circles() -> None:
    graph = rdflib.Graph().parse(
        format="turtle",
        data="""@prefix kg: <https://example.org/inquiry-lines/ontology#> .
        <urn:a> a kg:Citation ; kg:origin <urn:b> . <urn:b> kg:origin <urn:a> .""",
    )
    (problem,) = validate(graph)
    assert problem.span == Span("", 1, 1)


def test_the_command_shows_what_shapes_find(tmp_path: Path) -> None:
    tmp_path.joinpath("a.md").write_text("---\ntype: claim\n---\n# A\n")
    result = CliRunner().invoke(check_command, ["--shacl", "--strict", "--notes", str(tmp_path)])
    assert "a.md:4:1: warning[unsupported-claim] nothing supports this claim" in result.output
    assert result.exit_code == 1


def test_same_as_is_followed_in_both_directions() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("A") + "\n- same-as:: [[b]]\n",
        b=CLAIM.format("B") + "\n- contradicts:: [[a]]\n",
    )
    for problems in (check(corpus), check_shapes(corpus)):
        (problem,) = (p for p in problems if p.rule == "supports-and-contradicts")
        assert (problem.span.path, problem.span.line) == ("b.md", 7)
