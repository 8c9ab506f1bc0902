"""What each narrowing finds, each beside the notes it is asked of.

Of `kg/queries/language/builders.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import UnknownId
from kg.queries.conditions.fields import UnknownWord
from kg.queries.conditions.value_ranges import BadRange
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import (
    claims,
    counter_claims,
    edges,
    evidence,
    lines,
    sources,
    statements,
)
from kg.queries.language.selection import Selection, ids_that_may_be_kinds
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\ncamp: {camp}\ntopics: [{topic}]\n---\n\n# {title}\n\n{body}\n"
NOTES = {
    "a": CLAIM.format(camp="optimist", topic="grounding", title="Talk grounds", body="")
    + "\n> [!evidence] It was tried ^tried\n> In a lab. [@early]\n"
    + "> (method:: experiment) (sample:: 120)\n",
    "b": CLAIM.format(camp="skeptic", topic="grounding", title="Talk does not ground", body="")
    + "\n- contradicts:: [[a]] — it imitates ^imitates\n",
    "c": CLAIM.format(camp="skeptic", topic="norms", title="Norms are shown", body="next turn")
    + "\n- supports:: [[b]]\n- qualifies:: [[a]]\n",
    "d": CLAIM.format(camp="optimist", topic="norms", title="Imitation is enough", body="")
    + "\n- undercuts:: [[b#^imitates]]\n- supports:: [[c]]\n",
    "e": "---\ntype: evidence\nmethod: survey\nsample: 40\n---\n\n# People said so [@late]\n\n"
    + "- supports:: [[c]]\n",
    "line": "---\ntype: line\nproposition: a\n---\n\n# Is it so?\n\nAn essay [@late].\n\n"
    + "- optimist:: [[a]]\n- skeptic:: [[b]]\n- skeptic:: [[d]]\n",
}
BOOKS = (
    "@article{early, author={Brown, Ann and Smith, Bo}, title={Early work}, year={2019}}\n"
    "@article{late, author={Smith, Cy}, title={Late work}, year={2025}, journal={Letters}}\n"
)


@pytest.fixture
def ids() -> Callable[[Selection], list[str]]:
    memory = MemoryEngine(corpus_of_notes(references=BOOKS, **NOTES))
    return lambda selection: list(find(memory, selection).ids)


@pytest.fixture
def engine() -> MemoryEngine:
    return MemoryEngine(corpus_of_notes(references=BOOKS, **NOTES))


FOUND = [
    (claims(), "a b c d"),
    (counter_claims(), ""),
    (evidence(), "a#tried e"),
    (claims().camp("skeptic"), "b c"),
    (claims().camp("skeptic", line="line"), "b d"),
    (statements().line("line"), "a a#tried b d"),
    (statements().line("line").directly(), "a b d"),
    (statements().topic("norms", "grounding"), "a a#tried b c d e"),
    (statements().topic("norms", "grounding").directly(), "a b c d"),
    (evidence().camp("optimist", line="line"), "a#tried"),
    (evidence().camp("skeptic"), "e"),
    (evidence().topic("norms"), "e"),
    (claims().method("experiment"), "a"),
    (claims().method("experiment").sample(over=100), "a"),
    (claims().method("survey").sample(over=100), ""),
    (claims().without(method="survey"), "a b d"),
    (claims().citing("early"), "a"),
    (claims().citing("early").directly(), ""),
    (claims().year(2025), "c"),
    (claims().supported_by(evidence().topic("norms")), "c"),
    (claims().supported_by(evidence().topic("norms").directly()), ""),
    (claims().directly().supported_by(evidence().topic("norms")), "c"),
    (evidence().method("experiment").sample(over=100), "a#tried"),
    (evidence().sample(over=120), ""),
    (evidence().sample(under=120), "e"),
    (evidence().sample(40, 120), "a#tried e"),
    (statements().text('"next turn"'), "c"),
    (statements().text("TALK ground"), "a b"),
    (statements().year(2019), "a#tried"),
    (statements().year(2020, 2026), "e"),
    (statements().citing("late"), "e"),
    (statements().citing(), "a#tried e"),
    (statements().contradicting("a"), "b"),
    (statements().contradicted_by("b"), "a"),
    (statements().qualifying(), "c"),
    (statements().undercutting("b"), "d"),
    (statements().undercut_by("d"), "b"),
    (claims().answering("a"), "b c"),
    (claims().answered_by(claims().camp("optimist")), "b"),
    (claims().supported_by(evidence().method("survey")), "c"),
    (claims().without(answered_by=claims()), "c d"),
    (claims() - claims().camp("skeptic"), "a d"),
    (claims().camp("skeptic") & claims().topic("norms"), "c"),
    (claims().topic("norms") | claims().camp("optimist"), "a c d"),
    (statements().reachable_from("e"), "a b c"),
    (statements().reachable_from("e", relation="supports"), "b c"),
    (statements().reachable_from("e", relation="supports", depth=1), "c"),
    (statements().reaching("b", relation="supports"), "c d e"),
    (statements().between("e", "b", relation="supports"), "c"),
    (statements().part_of("a"), "a#tried"),
    (claims().studies(1), "a b c"),
    (claims().studies(max=0), "d"),
    (claims().supporters(2), "c"),
    (claims().opponents(min=2), "a"),
    (claims().order_by("-title"), "a b c d"),
    (claims().order_by("title").limit(2) & claims().camp("optimist"), "d"),
    (claims().limit(3).limit(2), "a b"),
    (sources().year(2025), "late"),
    (sources().author("smith"), "early late"),
    (sources().author("Brown, Ann"), "early"),
    (sources().cited_by("e"), "late"),
    (sources().cited_by(lines()), "late"),
    (sources().text("letters"), "late"),
    (lines().placing("b", camp="skeptic"), "line"),
    (lines().placing("b", camp="optimist"), ""),
    (lines().weighing("a"), "line"),
    (lines().citing("late"), "line"),
    (edges().relation("undercuts"), "d--undercuts--b#imitates"),
    (edges().origin("b").target("a"), "b#imitates"),
    (edges().target(edges().relation("contradicts")), "d--undercuts--b#imitates"),
    (edges().between("a", "c"), "c--qualifies--a"),
]


@pytest.mark.parametrize(("selection", "expected"), FOUND, ids=lambda value: repr(value)[:70])
def test_a_selection_finds_its_records(
    ids: Callable[[Selection], list[str]], selection: Selection, expected: str
) -> None:
    assert ids(selection) == expected.split()


STUDY = "---\ntype: evidence\nasserted_by: Lee\n{}\n---\n\n# {}\n\n"
MORE_NOTES = {
    "a": "---\ntype: claim\nopen: argued\nupdated: 2026-01-02\nabout: [GPT]\n---\n\n# A\n",
    "b": "---\ntype: claim\nstatus: retired\nupdated: 2025-06-01\n---\n\n# B\n\n"
    "- depends-on:: [[a]]\n- same-as:: [[c]]\n- qualifies:: [[c]] (strength:: weak)\n",
    "c": "---\ntype: claim\n---\n\n# C\n\n- depends-on:: [[d]]\n",
    "d": "---\ntype: counter-claim\n---\n\n# D\n",
    "e": STUDY.format(
        "sample: 30 people\nreplications: 2\npreregistered: true\npeer_reviewed: true", "E [@s]"
    )
    + "- supports:: [[d]]\n",
    "f": STUDY.format("sample: 9 essays\npeer_reviewed: false\npreregistered: false", "F [@t]")
    + "- contradicts:: [[d]]\n",
    "l": "---\ntype: line\ntopics: [x]\n---\n\n# L?\n\n- optimist:: [[d]]\n",
    "m": "---\ntype: line\nstatus: retired\nproposition: d\n---\n\n# M?\n",
    "s": "---\ntype: source\nintegrity: corrected\npeer_reviewed: true\ntopics: [x]\n---\n\nS.\n",
}
MORE_BOOKS = (
    "@article{s, title={S}, author={Roe, Ann}, year={2019}, journal={Science}}\n"
    "@misc{t, title={T}, author={Poe, Bo}, year={2021}}\n"
)


def test_each_way_of_narrowing_finds_what_it_says() -> None:
    memory = MemoryEngine(corpus_of_notes(references=MORE_BOOKS, **MORE_NOTES))
    expected_ids: list[tuple[Selection, str]] = [
        (claims().depending_on(), "b c"),
        (claims().depending_on("a"), "b"),
        (claims().needed_by(), "a d"),
        (claims().needed_by("c"), "d"),
        (statements().linked("depends-on", "d"), "c"),
        (statements().linked("needed-by", "c"), "d"),
        (statements().same_as(), "b c"),
        (statements().same_as("b"), "c"),
        (statements().same_as("c"), "b"),
        (statements().qualifying("c"), "b"),
        (statements().qualified_by(), "c"),
        (statements().supporting(), "e"),
        (statements().supported_by("e"), "d"),
        (statements().contradicting(), "f"),
        (statements().contradicted_by("f"), "d"),
        (statements().undercutting(), ""),
        (statements().answering(), "b f"),
        (statements().open(), "a"),
        (claims().open(False), "b c d"),
        (claims().status("retired"), "b"),
        (claims().about("GPT"), "a"),
        (claims().updated("2026-01-02"), "a"),
        (claims().updated("2025-01-01", "2025-12-31"), "b"),
        (claims().kind("counter-claim"), "d"),
        (evidence().participants(over=20), "e"),
        (evidence().participants(over=30), ""),
        (evidence().sample(under=10, unit="essays"), "f"),
        (evidence().unit("people"), "e"),
        (evidence().sample_class("items"), "f"),
        (evidence().replications(min=2), "e"),
        (evidence().peer_reviewed(), "e"),
        (evidence().peer_reviewed(False), "f"),
        (evidence().preregistered(), "e"),
        (evidence().preregistered(False), "f"),
        (evidence().integrity("corrected"), "e"),
        (evidence().author("Poe"), "f"),
        (evidence().venue("Science"), "e"),
        (claims().directly(False).venue("Science"), "d"),
        (claims().directly().venue("Science"), ""),
        (claims().strength(0.5), "a b c"),
        (statements().reachable_from("e", "supports"), "d"),
        (statements().reaching("d"), "b c e f"),
        (statements().reaching("d", depth=1), "c e f"),
        (sources().integrity("corrected"), "s"),
        (sources().venue("Science"), "s"),
        (sources().topic("x"), "s"),
        (sources().peer_reviewed(), "s"),
        (sources().cited_by(), "t s"),
        (lines().topic("x"), "l"),
        (lines().status("retired"), "m"),
        (lines().placing("d"), "l"),
        (lines().placing(), "l"),
        (lines().weighing(), "m"),
        (edges().strength("weak"), "b--qualifies--c"),
        (edges().origin("e"), "e--supports--d"),
        (edges().target("a"), "b--depends-on--a"),
        (edges().of("a"), "b--depends-on--a"),
        (edges().of("b"), "b--depends-on--a b--same-as--c b--qualifies--c"),
    ]
    for selection, expected in expected_ids:
        assert list(find(memory, selection).ids) == expected.split(), selection


def test_a_chain_has_one_step_at_least() -> None:
    with pytest.raises(ValueError, match="a depth is at least 1"):
        statements().reaching("a", depth=0)


def test_keyword_arguments_give_the_same_selection_as_methods(
    ids: Callable[[Selection], list[str]],
) -> None:
    by_words = statements(camp="skeptic", line="line", contradicts="a")
    assert by_words == statements().camp("skeptic", "line").contradicting("a")
    assert ids(evidence(method="experiment", sample=(100, None))) == ["a#tried"]
    assert ids(claims(supported_by=evidence(method="survey"))) == ["c"]


def test_what_is_found_is_counted_and_grouped(engine: MemoryEngine) -> None:
    assert find(engine, claims().camp("skeptic").count()) == 2
    assert dict(find(engine, claims().group_by("topic").count())) == {"grounding": 2, "norms": 2}
    groups = find(engine, evidence().group_by("method"))
    assert {value: answer.ids for value, answer in groups.items()} == {
        "experiment": ("a#tried",),
        "survey": ("e",),
    }


def test_equal_selections_are_equal_and_can_be_keys() -> None:
    narrow = claims().camp("skeptic")
    assert narrow.topic("norms") != narrow
    assert claims().camp("skeptic") == narrow
    assert len({narrow, claims().camp("skeptic")}) == 1


@pytest.mark.parametrize(
    ("selection", "hint"),
    [
        (claims().camp("sceptik"), "no camp 'sceptik' in the corpus; did you mean skeptic?"),
        (claims().topic("groundin"), "did you mean grounding?"),
        (claims().camp("skeptic", line="lin"), "no inquiry line 'lin'"),
        (claims().contradicting("bb"), "no statement 'bb'"),
        (claims().citing("lat"), "did you mean late?"),
        (edges().origin("b").target("z"), "no statement 'z'"),
    ],
)
def test_unknown_names_are_refused_with_a_suggestion(
    engine: MemoryEngine, selection: Selection, hint: str
) -> None:
    with pytest.raises(UnknownId) as caught:
        find(engine, selection)
    assert hint in str(caught.value)


def test_unknown_words_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownWord, match="did you mean experiment"):
        evidence().method("experimnt")
    with pytest.raises(UnknownWord, match="did you mean contradicts"):
        statements(contradict="a")
    with pytest.raises(UnknownWord, match="did you mean year"):
        sources().order_by("yeer")
    with pytest.raises(TypeError, match="statements and sources cannot be joined"):
        _ = claims() & sources()  # type: ignore[operator]
    with pytest.raises(TypeError, match="statements are expected here"):
        claims().supported_by(sources())


def test_aliases_and_other_spellings_lead_to_the_same(engine: MemoryEngine) -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\naliases: [old]\ntopics: [Norms]\n---\n\n# A\n\n- supports:: [[b]]\n",
        b="---\ntype: claim\n---\n\n# B\n",
    )
    assert find(MemoryEngine(corpus), statements().supported_by("old")).ids == ("b",)
    assert find(MemoryEngine(corpus), statements().topic("norms")).ids == ("a",)


def test_a_mutual_contradiction_leads_both_ways() -> None:
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n\n# A\n\n- contradicts:: [[b]] (mutual:: yes)\n",
        b="---\ntype: claim\n---\n\n# B\n",
    )
    assert find(MemoryEngine(corpus), statements().contradicting("a")).ids == ("b",)
    assert find(MemoryEngine(corpus), statements().contradicting("b")).ids == ("a",)


def test_a_selection_describes_itself() -> None:
    limit = claims().camp("skeptic").without(answered_by=claims().camp("optimist")).limit(3)
    assert repr(limit) == (
        "the first 3 of statements whose kind is claim or counter-claim, whose camp is skeptic, "
        "not contradicted by or qualified by or undercut by "
        "(statements whose kind is claim or counter-claim, whose camp is optimist)"
    )


@every_row(
    ("narrowed", "same"),
    [
        (evidence().sample(100), evidence().sample("100")),
        (evidence().sample(min=100), evidence().sample("100..")),
        (evidence().sample(over=100), evidence().sample(">100")),
        (evidence().sample(under=100), evidence().sample("<100")),
        (evidence().sample(5, 9), evidence().sample("5..9")),
        (evidence().has("quality", 0.5, None), evidence().has("quality", ">=0.5")),
        (sources().year(2024), sources(year=2024)),
        (statements().updated("2026-01-31"), statements().has("updated", "2026-01-31..")),
    ],
)
def test_ranges_are_read_alike_in_text_and_in_python(narrowed: Selection, same: Selection) -> None:
    assert narrowed == same


@every_row("wrong", ["", "many", "1..x", "nan", "2024-01-01", ">", "1 2"])
def test_what_is_no_range_says_how_to_write_one(wrong: str) -> None:
    with pytest.raises(BadRange, match="write 100, >100"):
        evidence().sample(wrong)
    with pytest.raises(BadRange):
        evidence().sample(1, min=2)
    with pytest.raises(BadRange):
        statements().has("updated", 5)


@every_row(("low", "high"), [(1.01, None), (None, -0.01), (0.6, 0.5)])
def test_a_range_in_which_nothing_can_lie_is_refused(low: float | None, high: float | None) -> None:
    with pytest.raises(BadRange):
        evidence().has("quality", low, high)
    assert evidence().has("quality", 1, 1)
    assert evidence().has("quality", 0, 0)


def test_a_limit_is_a_whole_number_that_may_be_nought() -> None:
    for selection in (claims(), claims().group_by("topic")):
        with pytest.raises(TypeError, match="a limit is a whole number, not '3'"):
            selection.limit("3")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="cannot be negative"):
            selection.limit(-1)
    assert claims().limit(0).query.limit == 0


def test_a_word_that_may_be_a_kind_is_found_wherever_it_stands_in_a_question() -> None:
    def names(selection: Selection) -> list[tuple[str, ...]]:
        return [each.ids for each in ids_that_may_be_kinds(selection.query)]

    assert names(claims().supported_by("evidence")) == [("evidence",)]
    assert names(claims().without(supported_by=statements().contradicting("claims"))) == [
        ("claims",)
    ]
    assert names(claims().supported_by("b")) == names(sources().cited_by(lines())) == []
