"""Studies that nobody has made: what they would do (`whatif`), and which would settle most.

Of `kg/reasoning/sensitivity/proposed_studies.py`, `kg/reasoning/default_rule/appended_nodes.py`,
too.
"""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from kg import reasoning
from kg.cli import main
from kg.corpus import Corpus, UnknownId
from kg.corpus.quality.evidence_quality import grade_design
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.answers.crux import Cruxes
from kg.reasoning.answers.whatif import WhatIf
from kg.reasoning.hypothetical_study import UnreadableStudy, parse_study
from kg.reasoning.reading import reading_of
from kg.reasoning.sensitivity.proposed_studies import GOOD_STUDY
from kg.reasoning.solution import solve
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}"
FOUND = "> [!evidence] {0} ^{0}\n> (quality:: {1}) (reason:: why) [@{0}]\n"
BOOKS = "".join(f"@book{{{key}, title={{T}}, author={{A}}, year={{2000}}}}\n" for key in "pqr")
LINE = "---\ntype: line\nproposition: c\n---\n\n# Is it so?\n"


def corpus(more: str = "", rules: Reasoning | None = None) -> Corpus:
    """a supports c and b contradicts it, each on evidence; c contradicts b, and a is undercut."""
    notes = {
        "a": CLAIM.format("A", "- supports:: [[c]] ^why\n\n" + FOUND.format("p", 0.6)),
        "b": CLAIM.format("B", "- contradicts:: [[c]]\n\n" + FOUND.format("q", 0.5)),
        "c": CLAIM.format("C", "- contradicts:: [[b]] (strength:: weak)"),
        "u": CLAIM.format("U", "- undercuts:: [[a#^why]]\n\n" + FOUND.format("r", 0.3)),
        "line": LINE,
    }
    if more:
        notes["new"] = f"---\ntype: evidence\n{more}"
    config = Config(reasoning=rules or Reasoning())
    return corpus_of_notes(references=BOOKS, config=config, **notes)


CASES = [
    ("experiment, n=400, supports a", "method: experiment\nsample: 400 people", "supports:: [[a]]"),
    (
        "survey, n=90 teachers, p=.03, peer reviewed, preregistered, weak, contradicts c",
        "method: survey\nsample: 90 teachers\np: .03\npeer_reviewed: true\npreregistered: true",
        "contradicts:: [[c]] (strength:: weak)",
    ),
    (
        "effect d=0.42 [0.1, 0.7], Meta-Analysis, n=50 chat logs, moderate, qualifies b",
        "method: meta-analysis\nsample: 50 chat logs\neffect: d=0.42 [0.1, 0.7]",
        "qualifies:: [[b]] (strength:: moderate)",
    ),
    (
        "experiment, n=400 turns, supports a",
        "method: experiment\nsample: 400 turns",
        "supports:: [[a]]",
    ),
    ("quality=.8, contradicts line", "quality: 0.8", "contradicts:: [[c]]"),
    ("supports a#p", "topics: []", "supports:: [[a#^p]]"),
]
RULES = [
    Reasoning(),
    Reasoning(transfer="earned"),
    Reasoning(transfer="plain", semantics="qe"),
]


@every_row("rules", RULES)
@every_row(("words", "front", "edge"), CASES)
def test_a_study_supposed_is_a_study_noted(
    words: str, front: str, edge: str, rules: Reasoning
) -> None:
    before = corpus(rules=rules)
    effect = reasoning.whatif(before, add=[words])
    real = corpus(f"{front}\n---\n\n# New\n\n- {edge}", rules)
    noted, strengths = reasoning.strengths(real), reasoning.strengths(before)
    changed = {change.statement: change.strength_after for change in effect.changes}
    for name, strength in strengths.items():
        assert noted[name] == pytest.approx(changed.get(name, strength), abs=2e-6), name
    assert effect.changes
    assert "new" not in changed
    grade = reasoning.quality(real, "new")
    assert f"quality {grade.base:.2f}" in effect.sentence


def test_on_a_bare_claim_a_study_shifts_the_log_odds_of_its_base() -> None:
    new_corpus = corpus_of_notes(a=CLAIM.format("A", ""))
    (change,) = reasoning.whatif(new_corpus, add=["quality=.6, supports a"]).changes
    gain = reading_of(new_corpus).settings.gain
    assert change.strength_after == pytest.approx(1.0 / (1.0 + np.exp(-gain * 0.6)), abs=1e-6)


def test_studies_add_up_and_mix_with_other_suppositions() -> None:
    one = reasoning.whatif(corpus(), add=["quality=.5, supports c"])
    two = reasoning.whatif(corpus(), add=["quality=.5, supports c", "quality=.5, supports c"])
    assert two.changes[0].strength_after > one.changes[0].strength_after
    muted = reasoning.whatif(corpus(), mute=["b"], add="quality=.5, supports c")
    assert isinstance(muted, WhatIf)
    assert [t.line for t in muted.verdicts] == ["line"]
    assert len(muted.supposed) == 2


@every_row(
    ("words", "message"),
    [
        ("", "'' is not a known property of a study"),
        ("experiment, n=400", "does not say what it supports or contradicts"),
        ("experimnt, supports a", "'experimnt' is not a known property"),
        ("n=four, supports a", "'n=four' is not a known property"),
        ("n=1,000, supports a", "'000' is not a known property"),
        ("p=2, supports a", "'p=2' should be a number above 0"),
        ("effect 3, supports a", "'effect 3' should be a measure"),
        ("quality=8, supports a", "'quality=8' is not a known property"),
        ("survey, experiment, supports a", "gives its method twice"),
        ("supports a, contradicts b", "gives its relation twice"),
        ("undercuts a", "'undercuts a' is not a known property"),
    ],
)
def test_what_describes_no_study_is_one_clear_error(words: str, message: str) -> None:
    with pytest.raises(UnreadableStudy) as error:
        reasoning.whatif(corpus(), add=[words])
    assert message in str(error.value)
    assert "experiment, n=400, effect d=0.4, peer reviewed, supports ID" in str(error.value)


def test_a_study_bears_on_something_that_is_there() -> None:
    with pytest.raises(UnknownId):
        reasoning.whatif(corpus(), add=["experiment, supports nothing-here"])
    idle = corpus_of_notes(line="---\ntype: line\n---\n\n# Is it so?\n", a=CLAIM.format("A", ""))
    with pytest.raises(UnreadableStudy, match="weighs no proposition"):
        reasoning.whatif(idle, add=["experiment, supports line"])


def test_help_shows_examples() -> None:
    output = CliRunner().invoke(main, ["whatif", "--help"]).output
    assert '--add "experiment, n=400, peer reviewed' in output


@every_row("rules", RULES)
def test_studies_that_would_settle_most_are_those_that_do(rules: Reasoning) -> None:
    crux = reasoning.crux(corpus(rules=rules), "line", k=20)
    assert isinstance(crux, Cruxes)
    quality = grade_design(GOOD_STUDY, corpus().config.quality).base
    assert [s.quality for s in crux.studies] == pytest.approx([quality] * len(crux.studies))
    assert crux.studies
    strength = reading_of(corpus(rules=rules)).strength("c")
    assert strength is not None
    for study in crux.studies:
        words = f"experiment, n=400, peer reviewed, {study.relation} {study.statement}"
        changes = reasoning.whatif(corpus(rules=rules), add=[words]).changes
        (turn,) = (change for change in changes if change.statement == "c")
        assert study.strength == pytest.approx(turn.strength_after, abs=1e-6)
        assert study.gain > 0.0
    order = [(not study.decides, -study.gain) for study in crux.studies]
    assert order == sorted(order)


def test_the_sentence_names_the_study_that_decides() -> None:
    crux = reasoning.crux(corpus(), "line")
    assert isinstance(crux, Cruxes)
    first = crux.studies[0]
    assert first.decides
    way = "for" if first.relation == "supports" else "against"
    title = first.statement.upper()
    assert f"An experiment with 400 people, peer reviewed, {way} “{title}” would" in crux.sentence


def test_no_study_moves_the_answer_more_than_the_first_the_answer_itself_included() -> None:
    notes = {
        "a": CLAIM.format("A", "- supports:: [[c]]\n\n" + FOUND.format("p", 0.9)),
        "b": CLAIM.format("B", "- supports:: [[c]]\n\n" + FOUND.format("q", 0.9)),
        "c": CLAIM.format("C", ""),
    }
    new_corpus = corpus_of_notes(references=BOOKS, **notes)
    left = {}
    for target in "abc":
        for way in ("supports", "contradicts"):
            words = f"experiment, n=400, peer reviewed, {way} {target}"
            for change in reasoning.whatif(new_corpus, add=[words]).changes:
                if change.statement == "c":
                    left[target, way] = change.strength_after
    crux = reasoning.crux(new_corpus, "c")
    assert isinstance(crux, Cruxes)
    first = crux.studies[0]
    assert (first.statement, first.relation) == min(left, key=left.__getitem__)
    assert first.strength == pytest.approx(min(left.values()))


def test_no_study_decides_evidence_which_takes_no_side() -> None:
    crux = reasoning.crux(corpus(), "a#p")
    assert isinstance(crux, Cruxes)
    assert crux.studies == ()


def test_a_study_is_kept_apart_from_what_is_noted() -> None:
    reading = reading_of(corpus())
    study = parse_study("experiment, supports a", reading)
    assert (study.target, study.words) == ("a", "experiment")
    assert solve(reading.graph).strength_of("c") == reading.strength("c")
