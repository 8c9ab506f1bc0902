"""How sure an answer is called, and what keeps it from being surer."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, pairwise

import pytest

from kg.reasoning import independence, reading_of, robustness, sureness, verdict
from kg.reasoning.answers.verdict import list_remarks
from kg.reasoning.sensitivity.setting_draws import DRAWS, Trials
from kg.reasoning.strength_words import StrengthWord
from kg.reasoning.sureness import (
    FIRST_DRAWS,
    FIRST_DRAWS_NEEDED,
    bound_of_fraction_kept,
    certain_sureness,
    side_of_answer,
    sureness_of,
)
from kg.reasoning.sureness_words import FRAGILE_BELOW, SurenessLimit, sureness_after_trials
from kg.reasoning.word_and_side import side_by_strength
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    evidence,
    require_verdict,
    source,
)
from tests.support.shorthand import corpus_of_shorthand


def test_one_paper_in_three_notes_is_no_surer_than_in_one() -> None:
    text_apart = "claim q\n" + "".join(
        f"evidence e{n} .6 @{work}\ne{n} supports q\n" for n, work in enumerate("stu")
    )
    together = text_apart.replace("@t", "@s").replace("@u", "@s")
    joined_verdict = require_verdict(verdict(corpus_of_shorthand(together), "q"))
    assert (
        joined_verdict.sureness,
        joined_verdict.sureness_basis.limit,
        joined_verdict.sureness_basis.hangs_on,
    ) == (
        "perhaps",
        "depends on one source",
        ("s",),
    )
    assert "It is called no more than “perhaps”, as it depends on one source: @s." in list_remarks(
        joined_verdict
    )
    assert require_verdict(robustness(corpus_of_shorthand(together), "q")).smallest_loss == 1
    several = require_verdict(verdict(corpus_of_shorthand(text_apart), "q"))
    assert (several.sureness, several.sureness_basis.hangs_on) == ("probably", ())


def test_the_source_it_hangs_on_is_named_by_the_work_that_carries_it() -> None:
    text = (
        "claim q\nevidence e .9 @young lab:x\nevidence f .9 @first lab:x\ne supports q\n"
        "f contradicts q weak\n"
    )
    answer = require_verdict(verdict(corpus_of_shorthand(text), "q"))
    assert answer.sureness_basis.hangs_on == ("young",)
    assert "without @young (and 1 more that shares its team or data)" in (
        require_verdict(independence(corpus_of_shorthand(text), "q")).sentence
    )


def test_the_source_it_hangs_on_is_named_before_trials_that_turn_it() -> None:
    text = (
        "claim q\nevidence e .6 @s\nevidence f .4 @t\nevidence g .1 @u\ne supports q\n"
        "f contradicts q moderate\ng supports q moderate\n"
    )
    answer = require_verdict(verdict(corpus_of_shorthand(text), "q"))
    assert require_verdict(robustness(corpus_of_shorthand(text), "q")).fraction_kept < 0.8
    assert (answer.sureness, answer.sureness_basis.limit) == ("perhaps", "depends on one source")
    assert "depends on the exact weights" in answer.sureness_basis.other_limits


def test_an_answer_with_which_no_other_rule_agrees_only_leans() -> None:
    weak = "".join(f"evidence f{k} .21 @s{k}\nf{k} supports q\n" for k in range(6))
    strong = "".join(f"evidence c{k} .4 @t{k}\nc{k} contradicts q\n" for k in range(2))
    reading = reading_of(corpus_of_shorthand(f"claim q\n{weak}{strong}"))
    robust = require_verdict(robustness(reading, "q"))
    assert (robust.fraction_kept, robust.other_rules.grounded) == (0.6, "out")
    answer = require_verdict(verdict(reading, "q"))
    assert (answer.word, answer.sureness, answer.sureness_basis.limit) == (
        "leans supported",
        "undecided, leaning towards",
        "no other rule agrees",
    )


@pytest.mark.parametrize(
    ("word", "label", "limit"),
    [
        ("supported", "in", ""),
        ("supported", "undecided", ""),
        ("supported", "out", "a stricter check disagrees"),
        ("evenly balanced", "undecided", "no other rule agrees"),
        ("evenly balanced", "in", "another rule leaves it undecided"),
        ("refuted", "out", "no other rule agrees"),
        ("refuted", "in", "another rule says the opposite"),
    ],
)
def test_the_label_of_dung_counts_as_one_of_the_other_rules(
    monkeypatch: pytest.MonkeyPatch, word: str, label: str, limit: str
) -> None:
    words = dict.fromkeys(("qe", "dfquad"), StrengthWord(word))
    monkeypatch.setattr(sureness, "words_by_other_rules", lambda _: words)
    monkeypatch.setattr(sureness, "grounded_label", lambda *_: label)
    reading = reading_of(corpus_of_shorthand("claim q\nevidence e .9 @s\ne supports q\n"))
    assert sureness.limit_by_rules(reading.question("q")) == limit


@pytest.mark.parametrize(
    ("first", "second", "limit"),
    [
        (["lab:x"], ["lab:x", "lab:y"], "depends on one team"),
        (["lab:x", "data:d"], ["lab:y", "data:d"], "depends on sources that count as one"),
        (["data:d"], ["data:d"], "depends on sources that count as one"),
    ],
)
def test_works_that_count_as_one_source_are_a_team_only_if_one_signed_all(
    first: list[str], second: list[str], limit: str
) -> None:
    notes = corpus_of_parts(
        claim("q"),
        evidence("e", ["s"], quality=0.6),
        evidence("f", ["t"], quality=0.6),
        "e supports q",
        "f supports q",
        source("s", independence=tuple(first)),
        source("t", independence=tuple(second)),
    )
    basis = require_verdict(verdict(reading_of(notes), "q")).sureness_basis
    assert (basis.limit, sorted(basis.hangs_on)) == (limit, ["s", "t"])


FIRM = "".join(f"evidence {{0}}{n} .6 @w{{0}}{n}\n{{0}}{n} supports {{0}}\n" for n in range(3))


def test_a_claim_is_no_surer_than_what_it_depends_on() -> None:
    text = "claim a\nclaim b\nclaim c\na depends-on b\nb depends-on c\n"
    firm = text + FIRM.format("a") + FIRM.format("b")
    answer = require_verdict(verdict(corpus_of_shorthand(firm + FIRM.format("c")), "a"))
    assert (answer.sureness, answer.sureness_basis.depends_on) == ("probably", "")
    thin = corpus_of_shorthand(firm + "evidence e .6 @w\ne supports c\n")
    for id in "ab":
        thin_answer = require_verdict(verdict(thin, id))
        assert (thin_answer.sureness, thin_answer.side, thin_answer.sureness_basis.depends_on) == (
            "perhaps",
            1,
            "c",
        )
        assert thin_answer.sureness_basis.limit == "no surer than what it depends on"
        message = (
            "It is called no more than “perhaps”, as it is no surer than what it depends on: c."
        )
        assert message in list_remarks(thin_answer)
    bare = require_verdict(verdict(corpus_of_shorthand(firm), "a"))
    assert (bare.word, bare.sureness, bare.side) == ("supported", "undecided", 0)
    assert bare.sentence.startswith(
        "Undecided: by the weights alone this corpus backs “Claim a” at 0.86"
    )


@pytest.mark.parametrize("dependencies", ["bc", "cb"])
def test_of_several_claims_that_it_depends_on_the_least_sure_counts(dependencies: str) -> None:
    surest = "".join(f"evidence x{n} .9 @y{n}\nx{n} supports a\n" for n in range(9))
    text = "claim a\nclaim b\nclaim c\nevidence e .6 @w\ne supports c\n" + surest + FIRM.format("b")
    assert require_verdict(verdict(corpus_of_shorthand(text), "a")).sureness == "very probably"
    text += "".join(f"a depends-on {id}\n" for id in dependencies)
    answer = require_verdict(verdict(corpus_of_shorthand(text), "a"))
    assert (answer.sureness, answer.sureness_basis.depends_on) == ("perhaps", "c")


def test_a_claim_on_a_chain_too_long_to_try_is_no_more_than_perhaps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sureness, "MAX_DEPENDENCIES_TRIED", 6)
    chain = [f"p{n}x" for n in range(sureness.MAX_DEPENDENCIES_TRIED + 2)]
    text = "".join(f"claim {id}\n" for id in chain)
    text += "".join(map(FIRM.format, chain))
    text += "".join(f"{id} depends-on {on}\n" for id, on in pairwise(chain))
    answer, far = (
        require_verdict(verdict(corpus_of_shorthand(text), id)) for id in (chain[1], chain[0])
    )
    assert (answer.sureness, answer.sureness_basis.depends_on) == ("probably", "")
    assert (far.sureness, far.sureness_basis.limit) == (
        "perhaps",
        "depends on more claims than are tried",
    )
    bare = require_verdict(
        verdict(corpus_of_shorthand(text.replace(FIRM.format(chain[-1]), "")), chain[0])
    )
    assert (bare.sureness, bare.sureness_basis.depends_on) == ("undecided", chain[-1])


def test_an_answer_that_depends_on_a_refuted_claim_has_no_side() -> None:
    text = "claim a\nclaim b\na depends-on b\n" + FIRM.format("a") + FIRM.format("b")
    for verb, side in (("supports", 1), ("contradicts", 0)):
        corpus = corpus_of_shorthand(text.replace("supports b", f"{verb} b"))
        question = reading_of(corpus).question("a")
        assert (side_by_strength(question), side_of_answer(question)) == (1, side)


def test_a_refuted_claim_is_not_limited_by_its_premises() -> None:
    against = FIRM.format("a").replace("supports", "contradicts")
    answer = require_verdict(
        verdict(corpus_of_shorthand("claim a\nclaim b\na depends-on b\n" + against), "a")
    )
    assert (answer.sureness, answer.side, answer.sureness_basis.depends_on) == ("probably", -1, "")


def test_claims_that_depend_on_each_other_are_as_sure_as_the_least_sure() -> None:
    text = "claim a\nclaim b\na depends-on b\nb depends-on a\n" + FIRM.format("a")
    corpus = corpus_of_shorthand(text + "evidence e .6 @w\ne supports b\n")
    assert {require_verdict(verdict(corpus, id)).sureness for id in "ab"} == {"perhaps"}


@pytest.mark.parametrize(("bound", "fraction"), FIRST_DRAWS_NEEDED.items())
def test_the_first_draws_mislead_in_less_than_one_case_of_a_thousand(
    bound: float, fraction: float
) -> None:
    """The worst case: in all draws one too few is on the answer's side."""
    on_side = math.ceil(bound * DRAWS) - 1
    fewest = math.ceil(fraction * FIRST_DRAWS)
    ways = sum(
        math.comb(on_side, n) * math.comb(DRAWS - on_side, FIRST_DRAWS - n)
        for n in range(fewest, FIRST_DRAWS + 1)
    )
    assert ways / math.comb(DRAWS, FIRST_DRAWS) < 1 / 1000


@pytest.mark.parametrize(
    ("fraction", "bound"), [(1.0, 0.8), (0.96, 0.8), (0.95, 0.5), (0.7, 0.5), (0.69, 0.0)]
)
def test_the_first_draws_show_which_bounds_all_of_them_reach(fraction: float, bound: float) -> None:
    assert bound_of_fraction_kept(fraction) == bound


@pytest.mark.parametrize("draws_kept", [79, 80])
def test_an_answer_is_fragile_below_four_fifths_of_the_trials_and_not_at_it(
    monkeypatch: pytest.MonkeyPatch, draws_kept: int
) -> None:
    trials = Trials(100, 0.4, 0.9, draws_kept / 100, complete=True)
    monkeypatch.setattr(sureness, "trials_of", lambda _: trials)
    items = "".join(f"evidence e{n} .6 @{work}\ne{n} supports q\n" for n, work in enumerate("stu"))
    limits = sureness_of(reading_of(corpus_of_shorthand(f"claim q\n{items}")).question("q"))
    assert (limits.limit is SurenessLimit.TRIALS) == (draws_kept < 80)


FRACTIONS = (0.0, 0.4, 0.5, 0.7, 0.8, 0.9, 1.0)


@pytest.mark.parametrize("word", StrengthWord)
@pytest.mark.parametrize("fragile", [True, False, None])
@pytest.mark.parametrize("does_rule_agree", [True, False])
def test_a_sureness_is_certain_if_all_that_may_turn_out_gives_the_same(
    word: StrengthWord, fragile: bool | None, does_rule_agree: bool
) -> None:
    for low, high in combinations_with_replacement(FRACTIONS, 2):
        possible = {
            sureness_after_trials(
                word,
                fraction,
                does_rule_agree=does_rule_agree,
                fragile=is_fragile or fraction < FRAGILE_BELOW,
                sturdy=is_sturdy,
            )
            for fraction in FRACTIONS
            if low <= fraction <= high
            for is_fragile in ([True, False] if fragile is None else [fragile])
            for is_sturdy in (True, False)
        }
        certain = certain_sureness(
            word, low, high, does_rule_agree=does_rule_agree, fragile=fragile
        )
        assert certain == (possible.pop() if len(possible) == 1 else None)
