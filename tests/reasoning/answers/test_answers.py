"""Cases, sources, flips, cruxes, robustness, tensions, gaps, circles, impact, what-if."""

from __future__ import annotations

from math import exp
from typing import Any, TypeVar

import pytest

from kg.corpus import Corpus, UnknownId
from kg.model import Integrity, LineId, StatementId
from kg.model.config import Reasoning
from kg.reasoning import (
    EdgeLabel,
    Judgement,
    OpenQuestion,
    assemble,
    case,
    circles,
    contributions,
    crux,
    flips,
    gaps,
    impact,
    independence,
    robustness,
    tensions,
    verdict,
    whatif,
)
from kg.reasoning.answers.scenario_diff import Turn, turning
from tests.support.reasoning_corpus import (
    HERE,
    claim,
    corpus,
    debate,
    edge,
    evidence,
    line,
    source,
)
from tests.support.written import read

Found = TypeVar("Found")


def sure(answer: Found | OpenQuestion) -> Found:
    assert not isinstance(answer, OpenQuestion)
    return answer


def sigma(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def direct(**qualities: float) -> Corpus:
    """Evidence named p… for and c… against one claim, each from a source of its own."""
    names = list(qualities)
    return corpus(
        claim("q"),
        *(evidence(name, [f"src-{name}"], quality=x) for name, x in qualities.items()),
        *(source(f"src-{name}") for name in names),
        *(f"{name} {'supports' if name[0] == 'p' else 'contradicts'} q" for name in names),
    )


# -- the strongest case --------------------------------------------------------------------


def test_a_case_has_its_reasons_chains_and_rebuttals() -> None:
    found = sure(case(debate(), "talk", "optimist"))
    assert [(a.reason.statement, a.chain) for a in found.arguments] == [("helps", ("e2", "helps"))]
    assert found.arguments[0].alone == found.arguments[0].reason.share
    notes = corpus(
        line("l", "q", {"optimist": ["a"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "a", "b")),
        *(evidence("ea", quality=0.8), evidence("eb", quality=0.6)),
        *("ea supports a", "a supports q", "eb supports b", "b contradicts a"),
    )
    answered = sure(case(notes, "l", "optimist")).arguments[0]
    assert (answered.chain, answered.alone) == (("ea", "a"), pytest.approx(0.8))
    assert answered.reason.share == pytest.approx(0.2)
    assert answered.rebuttal is not None
    assert answered.rebuttal.statement == "b"


def test_the_chain_goes_by_the_firmest_steps() -> None:
    notes = corpus(
        *(claim(name) for name in ("q", "a", "b")),
        evidence("weak", quality=0.3),
        evidence("firm", quality=0.9),
        "weak supports a",
        "firm supports b",
        "b supports a",
        "a supports q",
    )
    assert sure(case(notes, "q", "for")).arguments[0].chain == ("firm", "b", "a")


def test_the_chain_is_that_of_the_source_that_the_reason_is_heard_for() -> None:
    said = "claim q\nclaim a\nclaim b\nevidence firm .9 @s\nevidence weak .3 @t\nb supports a\n"
    said += "firm supports a\nfirm supports q\nweak supports b\na supports q weak\n"
    first, second = sure(case(read(said), "q", "for")).arguments
    assert (first.chain, second.chain) == (("firm",), ("weak", "b", "a"))


def test_a_reason_by_two_edges_of_what_is_the_same_is_listed_once() -> None:
    said = "claim q\nevidence e .6 @s\nevidence f .6 @s\nf same-as e\ne supports q\nf supports q\n"
    (only,) = sure(case(read(said), "q", "for")).arguments
    assert (only.reason.statement, only.reason.share, only.alone) == ("e", 0.6, 0.6)


def test_a_reason_may_add_less_with_the_others_silent() -> None:
    said = "claim q\nclaim a\nclaim b\nclaim o\nevidence e .8 @s\nevidence f .7 @t\n"
    said += "e supports a\ne supports b\na supports q\nb supports q moderate\n"
    said += "f supports o\no contradicts a\n"
    heard = sure(case(read(said), "q", "for"))
    shares = {a.reason.statement: (a.reason.share, a.alone) for a in heard.arguments}
    assert shares["b"] == (pytest.approx(0.48), 0.0)
    assert "share, others silent" in str(heard)


def test_an_undercutter_of_the_other_side_is_named_as_a_rebuttal() -> None:
    notes = corpus(
        line("l", "q", {"optimist": ["u"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "u", "b")),
        *(evidence("eu", quality=0.5), evidence("eb", quality=0.6)),
        *("eb supports b", "b contradicts q", "eu supports u"),
        "u undercuts b contradicts q",
    )
    rebuttal = sure(case(notes, "l", "skeptic")).arguments[0].rebuttal
    assert rebuttal is not None
    assert rebuttal.edge == "u undercuts b contradicts q"


def test_those_who_only_weaken_the_others_are_undercutters() -> None:
    notes = corpus(
        claim("q"),
        claim("a"),
        evidence("e", quality=0.9),
        evidence("x", quality=0.5),
        "e supports a",
        "a contradicts q",
        "x contradicts a",
    )
    found = sure(case(notes, "q", "for"))
    assert (found.arguments, found.undercutters) == ((), ("x",))


def test_an_unknown_camp_is_refused() -> None:
    with pytest.raises(UnknownId, match="optimist"):
        case(debate(), "talk", "optimists")


# -- sources -------------------------------------------------------------------------------


def test_equal_sources_count_in_full_and_a_heavy_one_less() -> None:
    assert sure(independence(direct(pa=0.5, pb=0.5, pc=0.5), "q")).effective == pytest.approx(3.0)
    assert sure(independence(direct(pa=0.9, pb=0.1), "q")).effective == pytest.approx(1.0 / 0.82)


def test_one_source_by_two_routes_counts_once_and_both_are_told() -> None:
    notes = corpus(
        *(claim(name) for name in ("q", "a", "b")),
        evidence("e1", ["x"], quality=0.8),
        evidence("e2", ["x"], quality=0.6),
        source("x"),
        "e1 supports a",
        "e2 supports b",
        "a supports q",
        "b supports q",
    )
    found = sure(independence(notes, "q"))
    assert found.effects[0].sources == ("x",)
    assert found.strength == pytest.approx(sigma(0.8))
    assert found.discounted == found.strength
    assert found.effective == pytest.approx(1.0)


def test_the_parts_of_sources_add_up_to_the_bill() -> None:
    notes = corpus(
        *(claim("q"), claim("a"), claim("b")),
        evidence("e1", ["x", "y"], quality=0.8),
        evidence("e2", ["x"], quality=0.3),
        evidence("e3", ["z"], quality=0.4),
        *(source("x"), source("y"), source("z")),
        *("e1 supports a", "a supports q", "e2 contradicts q", "e3 contradicts a"),
        *("q depends-on b", "e3 contradicts b"),
    )
    found = sure(independence(notes, "q"))
    balance = sure(verdict(notes, "q")).balance
    parts = {effect.unit: (effect.pro, effect.con) for effect in found.effects}
    left = 1 - 0.4 / 0.8
    assert parts["@x"] == pytest.approx((0.4 * left, 0.3))
    assert parts["@y"] == pytest.approx((0.4 * left, 0.0))
    assert parts["@z"] == (0.0, 0.0)
    assert (found.pro, found.con) == (balance.pro, balance.con)
    whole = sum(map(sum, parts.values()))
    assert found.sourceless == pytest.approx(balance.volume - whole)
    assert "1 speaks for the other side" not in found.sentence
    assert "1 speaks on both sides and 1 moves it only through" in found.sentence


def test_a_verdict_on_one_source_says_so() -> None:
    found = sure(independence(direct(pa=0.9, pb=0.2, ca=0.3), "q"))
    assert found.single_source
    assert [effect.undoes for effect in found.effects] == [True, False, False]
    assert "@src-pa" in found.sentence


# -- flips ---------------------------------------------------------------------------------


def test_single_flips_are_exact() -> None:
    found = sure(flips(direct(pa=0.9, pb=0.2, ca=0.6), "q"))
    assert [flip.removed for flip in found.singles] == [("pa",)]
    assert found.singles[0].strength == pytest.approx(sigma(0.2 - 0.6))
    assert found.singles[0].word == "thinly refuted"
    assert (found.size, found.minimal_exact, found.complete) == (1, True, True)


def test_a_loss_that_leaves_the_middle_undoes_and_does_not_turn() -> None:
    found = sure(flips(direct(pa=0.9, pb=0.3, ca=0.35), "q"))
    assert found.singles == ()
    assert [(flip.removed, flip.word) for flip in found.undoing] == [(("pa",), "evenly balanced")]
    assert "1 piece of evidence alone would leave it undecided" in found.sentence


def test_the_smallest_set_is_found_where_no_single_loss_suffices() -> None:
    found = sure(flips(direct(pa=0.5, pb=0.5, pc=0.5, ca=0.95), "q"))
    assert found.singles == ()
    assert {flip.removed for flip in found.minimal} == {("pa", "pb"), ("pa", "pc"), ("pb", "pc")}
    assert found.size == 2


def test_sets_that_only_undo_the_answer_are_listed_with_what_they_do() -> None:
    found = sure(flips(direct(pa=0.6, pb=0.6, pc=0.6, pd=0.6, ca=0.6, cb=0.6), "q"))
    assert (found.singles, found.undoing, found.size) == ((), (), 3)
    assert {flip.does for flip in found.minimal} == {"turns"}
    assert {len(flip.removed) for flip in found.minimal_undoing} == {2}
    assert {flip.does for flip in found.minimal_undoing} == {"undoes"}
    assert found.minimal_undoing_exact
    assert found.sentence.endswith(
        "3 together do. The loss of 2 together would leave it undecided."
    )


def test_of_sets_that_undo_an_answer_those_that_turn_it_say_so() -> None:
    found = sure(flips(direct(pa=0.99, pb=0.99, ca=0.55), "q"))
    assert [flip.removed for flip in found.minimal_undoing] == [("pa", "pb")]
    assert {flip.does for flip in found.minimal_undoing} == {"turns"}
    assert "undecided" not in found.sentence


def test_what_flips_lists_is_as_many_as_the_verdict_says() -> None:
    notes = direct(pa=0.6, pb=0.6, pc=0.6, pd=0.6, ca=0.6, cb=0.6)
    assert sure(robustness(notes, "q")).smallest_loss == 2
    assert len(sure(flips(notes, "q")).minimal_undoing[0].removed) == 2


def test_a_set_that_may_not_be_the_smallest_says_so() -> None:
    notes = direct(pa=0.5, pb=0.5, pc=0.5, ca=0.5)
    said = sure(flips(notes, "q")).sentence
    assert "3 together do. " in said
    quick = sure(flips(notes, "q", max_size=1)).sentence
    assert "3 together do, and fewer may. " in quick


def test_the_protected_is_not_taken() -> None:
    notes = direct(pa=0.9, pb=0.2, ca=0.3)
    assert sure(flips(notes, "q", protect=["pa"])).minimal == ()


def test_evidence_of_one_source_hides_and_removing_the_source_turns() -> None:
    notes = corpus(
        claim("q"),
        evidence("p1", ["x"], quality=0.8),
        evidence("p2", ["x"], quality=0.7),
        evidence("c", ["y"], quality=0.3),
        source("x"),
        source("y"),
        "p1 supports q",
        "p2 supports q",
        "c contradicts q",
    )
    by_evidence = sure(flips(notes, "q"))
    assert by_evidence.singles == ()
    assert by_evidence.minimal[0].removed == ("p1", "p2")
    by_source = sure(flips(notes, "q", by="source"))
    assert [flip.removed for flip in by_source.singles] == [("@x",)]


def test_the_smallest_change_of_a_base_reaches_one_half() -> None:
    found = sure(flips(direct(pa=0.8, ca=0.5), "q"))
    assert {(c.statement, c.needed) for c in found.changes} == {("pa", 0.5), ("ca", 0.8)}


def test_losses_that_change_only_the_word_stand_apart() -> None:
    found = sure(flips(direct(pa=0.9, pb=0.9), "q"))
    assert found.singles == ()
    assert {flip.word for flip in found.words} == {"leans supported"}


def test_a_tie_has_no_side_to_turn() -> None:
    found = sure(flips(direct(pa=0.5, ca=0.5), "q"))
    assert (found.minimal, found.changes) == ((), ())
    assert {flip.word for flip in found.singles} == {"leans supported", "leans refuted"}
    assert "evenly balanced" in found.sentence


def test_a_search_over_budget_says_that_it_is_not_complete() -> None:
    notes = direct(**{f"p{k:02}": 0.1 + 0.01 * k for k in range(30)})
    found = sure(flips(assemble(notes, Reasoning(budget=300)), "q"))
    assert (found.complete, found.tried, found.minimal_exact) == (False, 16, False)


# -- cruxes --------------------------------------------------------------------------------


def test_a_crux_is_disputed_and_moves_the_answer() -> None:
    found = sure(crux(debate(), "talk"))
    first = found.cruxes[0]
    assert (found.kind, first.statement, first.turns) == ("crux", "grows", True)
    assert first.score == pytest.approx(abs(first.swing) * first.disagreement, abs=1e-8)
    held = whatif(debate(), hold={"grows": 1.0})
    after = next(change.after for change in held.changes if change.statement == "p")
    assert first.if_true == pytest.approx(after)


def test_without_declared_camps_it_is_a_claim_it_hangs_on() -> None:
    notes = corpus(
        claim("q"), claim("a"), evidence("e", quality=0.5), "e supports a", "a supports q"
    )
    found = sure(crux(notes, "q"))
    s = sigma(0.5)
    assert found.kind == "claim it hangs on"
    assert found.cruxes[0].score == pytest.approx((0.99 - 0.5) * 4 * s * (1 - s))


def test_the_crux_of_the_crux() -> None:
    notes = corpus(
        line("l", "q", {"optimist": ["a", "deep"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "a", "b", "deep")),
        evidence("e", quality=0.9),
        evidence("f", quality=0.9),
        "e supports deep",
        "deep supports a",
        "a supports q",
        "f supports b",
        "b contradicts deep",
        "b contradicts a",
    )
    found = sure(crux(notes, "l"))
    assert found.below is not None
    assert found.below.statement != found.cruxes[0].statement


# -- robustness ----------------------------------------------------------------------------


def test_headlines() -> None:
    fragile = sure(robustness(direct(pa=0.9, pb=0.2, ca=0.3), "q"))
    sturdy = sure(robustness(direct(**{f"p{k}": 0.8 for k in range(6)}, ca=0.4), "q"))
    assert fragile.headline == "fragile"
    assert (sturdy.headline, sturdy.kept) == ("moderate", 1.0)
    assert sturdy.depends_on_semantics, "one reason against is enough for Dung"
    agreed = sure(robustness(direct(**{f"p{k}": 0.8 for k in range(6)}), "q"))
    assert (agreed.headline, agreed.smallest_loss) == ("sturdy", 6)
    assert sure(robustness(corpus(claim("q")), "q")).headline == "no side"


def test_draws_are_the_same_for_the_same_seed() -> None:
    notes = direct(pa=0.9, ca=0.4)
    one, other = (sure(robustness(notes, "q", seed=s)) for s in (1, 2))
    assert one == sure(robustness(notes, "q", seed=1))
    assert one.low != other.low
    assert 0.5 < one.kept < 0.95


def test_an_evenly_split_panel_leaves_its_edge_open() -> None:
    notes = direct(pa=0.9)
    rows = [
        Judgement(edge="pa supports q", annotator=f"{k}", label=label, span=HERE)
        for k, label in enumerate([EdgeLabel.SUPPORTS, EdgeLabel.CONTRADICTS] * 2)
    ]
    found = sure(robustness(assemble(notes, judgements=rows), "q"))
    assert found.strength == 0.5
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.45 < 0.55 < found.high


# -- tensions, gaps, circles ---------------------------------------------------------------


def test_tensions() -> None:
    notes = corpus(
        line("l", "q"),
        *(claim(name) for name in ("q", "a", "b")),
        evidence("e1", ["x"], quality=0.9),
        evidence("e2", ["y"], quality=0.9),
        "e1 supports a",
        "e2 supports b",
        "a supports q",
        "b contradicts q",
        "a contradicts b",
        "e1 supports b",
    )
    found = sure(tensions(notes, "l"))
    assert {c.statement for c in found.conflicts} == {"b", "q"}
    assert [c.edge for c in found.contradictions] == ["a contradicts b"]
    twice = corpus(
        *(line("l", "q"), claim("q"), claim("b"), source("x")),
        *(evidence("for", ["x"], quality=0.9), evidence("against", ["x"], quality=0.5)),
        *("for supports q", "against supports b", "b contradicts q"),
    )
    assert [d.origin for d in sure(tensions(twice, "l")).double_talk] == ["@x"]
    believed = sure(tensions(direct(pa=0.99, pb=0.99, pc=0.99, ca=0.7)))
    assert [c.source for c in believed.contradictions] == ["ca"]
    assert believed.contradictions[0].score == pytest.approx(0.7)


def test_gaps_are_ranked_by_what_they_would_move() -> None:
    found = sure(gaps(debate(), "talk"))
    assert [(gap.statement, gap.kind) for gap in found.gaps] == [
        ("grows", "thin"),
        ("bare", "unsupported"),
        ("helps", "thin"),
        ("mimics", "thin"),
    ]
    everything = sure(gaps(corpus(claim("alone"), line("l", None))))
    assert [(gap.statement, gap.gain, gap.line) for gap in everything.gaps] == [
        ("alone", 0.0, None)
    ]


def test_a_source_against_a_claim_is_none_that_backs_it() -> None:
    found = gaps(direct(pa=0.5, ca=0.5), "q").sentence
    assert found.endswith("which rests on hardly more than one source.")
    undercut = corpus(
        *(claim("q"), evidence("e", quality=0.5), evidence("f", quality=0.5)),
        *("e supports q", "f undercuts e supports q"),
    )
    assert gaps(undercut, "q").sentence == found


def test_a_premise_matters_by_what_its_fall_would_do() -> None:
    notes = corpus(
        *(claim("q"), claim("b"), evidence("e", quality=0.9), evidence("f", quality=0.5)),
        *("e supports q", "f supports b", "q depends-on b"),
    )
    gap = sure(gaps(notes, "q")).gaps[0]
    assert (gap.statement, gap.settled) == ("b", "false")
    assert gap.gain == pytest.approx(sigma(0.9 - 1.0) - sigma(0.9))


def test_circles() -> None:
    notes = corpus(
        *(claim(name) for name in "abcd"),
        evidence("e", quality=0.5),
        "a supports b",
        "b supports a",
        "c supports d",
        "d supports c",
        "e supports c",
    )
    found = circles(notes)
    assert [(c.statements, c.grounded) for c in found.circles] == [
        (("a", "b"), False),
        (("c", "d"), True),
    ]
    assert found.circles[0].edges == ("a supports b", "b supports a")
    assert found.sentence == "2 circles of support, 1 without evidence from outside."
    opposed = circles(corpus(*map(claim, "ab"), "a contradicts b", "b contradicts a"))
    assert opposed.sentence == "No statements support each other in a circle."


# -- impact, what-if -----------------------------------------------------------------------


def test_if_a_source_falls() -> None:
    found = impact(debate(), "c2022")
    assert [change.statement for change in found.falls] == ["e3", "e4", "strips", "mimics"]
    assert [change.statement for change in found.rises] == ["p", "grows"]
    assert [(turn.line, turn.turns) for turn in found.verdicts] == [("talk", True)]
    assert found.bereft == ("mimics",)
    assert found.citing == ("e3", "e4")


def test_a_set_of_sources_may_fall_together() -> None:
    found = impact(debate(), ["@c2022", "a2020"])
    assert set(found.bereft) == {"mimics", "strips", "grows"}


def test_what_a_retracted_source_took_with_it() -> None:
    def notes(integrity: Integrity) -> Corpus:
        return corpus(
            claim("q"),
            evidence("e", ["x"], quality=0.8),
            source("x", integrity=integrity),
            "e supports q",
        )

    fallen, standing = impact(notes(Integrity.RETRACTED), "x"), impact(notes(Integrity.OK), "x")
    assert (fallen.already, standing.already) == (("x",), ())
    assert fallen.falls == standing.falls
    assert fallen.falls[1].before == pytest.approx(sigma(0.8))
    assert fallen.bereft == ("q",)
    both = impact(notes(Integrity.RETRACTED), ["x", "q"]).sentence
    assert "(x already did, being retracted), 1 statement would be weaker than if x stood" in both


def test_a_statement_that_falls_takes_what_depends_on_it() -> None:
    notes = corpus(
        claim("q"),
        claim("premise"),
        evidence("e", quality=0.8),
        "e supports q",
        "q depends-on premise",
    )
    found = impact(notes, "premise")
    assert {c.statement: c.after for c in found.falls} == pytest.approx({"q": sigma(0.8 - 1.0)})
    assert "premise" not in {c.statement for c in found.falls}


def test_impact_of_an_unknown_id() -> None:
    with pytest.raises(UnknownId, match="source or statement"):
        impact(debate(), "nothing")


def test_what_is_asked_is_not_the_crux_beneath() -> None:
    notes = corpus(
        *(claim(name) for name in ("p", "a", "b")),
        *(evidence(name, quality=0.6) for name in ("e", "f", "g")),
        *("e supports p", "f supports a", "g supports b"),
        edge("b contradicts a", strength="weak"),
        edge("a contradicts p", mutual=True),
    )
    below = sure(crux(notes, "p")).below
    assert below is not None
    assert below.statement == "b"


@pytest.mark.parametrize(
    ("supposed", "expected"),
    [
        ({"mute": ["pa"]}, sigma(-0.5)),
        ({"hold": {"pa": 1.0}}, sigma(0.5)),
        ({"base": {"pa": 0.6}}, sigma(0.1)),
        ({"weights": {"pa supports q": -1.0}}, sigma(-1.3)),
    ],
)
def test_what_if(supposed: dict[str, Any], expected: float) -> None:
    notes = direct(pa=0.8, ca=0.5)
    found = whatif(notes, **supposed)
    after = {change.statement: change.after for change in found.changes}
    assert after["q"] == pytest.approx(expected)
    assert sure(verdict(notes, "q")).strength == pytest.approx(sigma(0.3)), "nothing was touched"


def test_what_if_refuses_nonsense() -> None:
    notes = direct(pa=0.8)
    with pytest.raises(ValueError, match="from 0 to 1"):
        whatif(notes, hold={"pa": 2.0})
    with pytest.raises(ValueError, match="from -1 to 1"):
        whatif(notes, weights={"pa supports q": 3.0})
    with pytest.raises(UnknownId, match="did you mean pa supports q"):
        whatif(notes, weights={"pa support q": 0.0})


# -- contributions -------------------------------------------------------------------------


def test_contributions_in_three_ways() -> None:
    found = sure(contributions(direct(pa=0.8, ca=0.5), "q"))
    first, second = found.contributions
    assert (first.statement, second.statement) == ("pa", "ca")
    assert first.removal == pytest.approx(sigma(0.3) - sigma(-0.5))
    fair = [c.shapley for c in found.contributions]
    assert sum(x or 0.0 for x in fair) == pytest.approx(sigma(0.3) - 0.5)
    assert first.gradient == pytest.approx(sigma(0.3) * (1 - sigma(0.3)))


def test_too_many_for_exact_shapley_values_says_so() -> None:
    found = sure(contributions(direct(**{f"p{k:02}": 0.2 for k in range(15)}), "q"))
    assert not found.complete
    assert {c.shapley for c in found.contributions} == {None}


def test_shapley_values_of_many_are_sampled_when_asked_for_with_their_error() -> None:
    notes = direct(**{f"p{k:02}": 0.2 for k in range(15)})
    found = sure(contributions(notes, "q", orders=5))
    assert found.complete
    assert found.strength is not None
    values = [c.shapley or 0.0 for c in found.contributions]
    assert sum(values) == pytest.approx(found.strength - 0.5, abs=1e-8)
    assert values == pytest.approx([values[0]] * 15, abs=1e-3)
    assert all(c.error is not None and c.error < 1e-3 for c in found.contributions)


def test_answers_that_change_are_counted_in_words() -> None:
    def turn(turns: bool, undoes: bool) -> Turn:
        return Turn(
            line=LineId("l"),
            statement=StatementId("s"),
            before=0.6,
            after=0.4,
            word_before="leans supported",
            word_after="leans refuted",
            turns=turns,
            undoes=undoes,
            decides=False,
        )

    turned, undone, reworded = turn(True, True), turn(False, True), turn(False, False)
    assert turning(()) == "no answer would change"
    assert turning([reworded]) == "1 answer would change its word"
    assert turning([turned, turned]) == "2 answers would turn"
    assert turning([turned, undone]) == "1 answer would turn and 1 answer would be undecided"


def test_gaps_say_what_is_asked_lacks_and_praise_nothing_that_is_not_there() -> None:
    q, c = claim("q"), claim("c")
    both = evidence("e", ["a"], quality=0.8), evidence("f", ["b"], quality=0.8)

    def said(*parts: Any, name: str | None = "q") -> str:
        return gaps(assemble(corpus(*parts)), name).sentence

    bare = "lacks any support from evidence"
    assert said(q) == f"No other claim bears on “Claim q”, which {bare}."
    once = said(q, both[0], "e supports q")
    assert once == "No other claim bears on “Claim q”, which rests on hardly more than one source."
    twice = said(q, *both, "e supports q", "f supports q")
    assert twice.endswith("which is supported, and by more than one source.")
    over = said(q, c, *both, "e supports c", "f supports c", "c supports q")
    assert over == (
        "“Claim q” is supported, and by more than one source, "
        "and so is every claim that bears on it."
    )
    against = said(q, c, *both, "e supports c", "f supports c", "c contradicts q")
    assert against == (
        "Every claim that bears on “Claim q” is supported, and by more than one source; "
        f"it itself {bare}."
    )
    assert said(both[0], name=None) == "There are no claims."
    assert said(both[0], name="e") == "No claim bears on “Evidence e”."


SHARED = (
    *(source("zeta", independence=("data:x",)), source("alpha", independence=("data:x",))),
    *(claim("q"), evidence("e", ["zeta"], quality=0.6), evidence("f", ["alpha"], quality=0.5)),
    *("e supports q", "f supports q"),
)


def test_works_that_share_their_data_have_one_name() -> None:
    reading = assemble(corpus(*SHARED))
    group = "@alpha (and 1 more that shares its data)"
    assert f"without {group} alone" in sure(independence(reading, "q")).sentence
    lost = sure(flips(reading, "q", by="source"))
    assert [flip.removed for flip in (*lost.singles, *lost.undoing)] == [("@alpha",)]
    assert group in lost.sentence
    rest = "(of the works that share its data 1 still stands)"
    assert impact(reading, "zeta").sentence.startswith(f"If zeta alone {rest} falls, ")
    assert "alone" not in impact(reading, ["zeta", "alpha"]).sentence


def test_a_statement_that_falls_is_false_with_all_that_are_the_same() -> None:
    parts = (claim("q"), *(evidence(name, ["w"], quality=0.6) for name in ("e", "f")))
    reading = assemble(corpus(*parts, "e supports q", "f supports q", "e same-as f"))
    with_it = "e (and f, said to be the same)"
    assert impact(reading, "e").sentence.startswith(f"If {with_it} is false, ")
    assert whatif(reading, mute=["e"]).sentence.startswith(f"If {with_it} is muted, ")
    lost = sure(flips(reading, "q"))
    assert "and f, said to be the same" in lost.sentence


def test_independence_counts_what_bears_on_the_side_of_the_answer() -> None:
    parts = (
        *(claim("q"), claim("a")),
        *(evidence(name, [f"w{name}"], quality=0.9) for name in ("e", "f")),
        *(evidence("g", ["wg"], quality=0.3), evidence("h", ["wh"], quality=0.3)),
        *("e supports q", "f supports q", "g contradicts q", "a supports q", "h contradicts a"),
    )
    assert sure(independence(assemble(corpus(*parts)), "q")).sentence.startswith(
        "“Claim q” rests on 2 independent sources, together worth 2.0 of equal weight "
        "(1 speaks for the other side and 1 moves nothing)"
    )


def test_a_joint_contradiction_counts_once_by_its_weakest_premise() -> None:
    found = (
        *(claim("q"), claim("a"), claim("b")),
        *(evidence("e", quality=0.9), evidence("f", quality=0.9), evidence("g", quality=0.9)),
        *("e supports q", "f supports b", edge("b contradicts q", together=("a",))),
    )
    silent = assemble(corpus(*found))
    assert sure(tensions(silent, "q")).contradictions == ()
    verdict_ = sure(verdict(silent, "q"))
    assert [reason.statement for reason in verdict_.reasons if not reason.share] == ["a"]
    more = evidence("h", quality=0.9), "h supports q", "g supports a"
    heard = sure(tensions(assemble(corpus(*found, *more)), "q"))
    assert [each.source for each in heard.contradictions] == ["a"]
    assert "(by 0.02 or more each way)" in heard.sentence


def test_a_declared_camp_without_statements_has_no_case() -> None:
    bare = assemble(corpus(claim("q"), evidence("e", quality=0.9), "e supports q"))
    empty = sure(case(bare, "q", "optimist"))
    assert empty.sentence == (
        "No statement that bears on “Claim q” is in the camp optimist, so it has no case."
    )
    assert (empty.arguments, empty.own_view) == ((), None)
