"""What once went wrong in the rules of strength, each case written down as notes."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from tests.support.corpus_parts import strength_of_nats
from tests.support.every_row import every_row
from tests.support.shorthand import (
    BOTH_WAYS,
    corpus_of_shorthand,
    independent_studies,
    load_shorthand,
    strength_of,
)

# -- inside and outside a circle ----------------------------------------------------------


def test_a_source_quoted_twice_counts_once(tmp_path: Path) -> None:
    assert strength_of(load_shorthand(tmp_path, BOTH_WAYS)) == pytest.approx(strength_of_nats(0.6))


def test_a_bare_undercut_that_the_question_denies_does_not_raise_it(tmp_path: Path) -> None:
    both_ways = BOTH_WAYS + "claim u\nu undercuts e2>q\nq contradicts u\n"
    assert strength_of(load_shorthand(tmp_path, both_ways)) == pytest.approx(strength_of_nats(0.6))


def test_a_bare_undercut_of_everything_takes_nothing(tmp_path: Path) -> None:
    text = independent_studies(6) + "claim u\nq contradicts u\n"
    text += "".join(f"u undercuts e{k}>q\n" for k in range(6))
    assert strength_of(load_shorthand(tmp_path, text)) == pytest.approx(strength_of_nats(3.6))
    assert round(strength_of_nats(3.6), 3) == 0.973


def test_a_source_inside_and_outside_a_circle_counts_once(tmp_path: Path) -> None:
    strength = strength_of(load_shorthand(tmp_path, BOTH_WAYS + "q contradicts e1 weak\n"))
    assert strength <= strength_of_nats(0.6) + 1e-12
    assert strength == pytest.approx(strength_of_nats(0.6))


@every_row("end", ["", "q contradicts u\n", "q supports u\n", "u contradicts q\n"])
@every_row("backed", ["", "evidence f .8 @t\nf supports u\n"])
def test_an_undercut_never_raises_its_target(end: str, backed: str) -> None:
    """Whatever follows from it, and whether or not anything speaks for it."""
    text = independent_studies(2) + "claim u\n" + backed + end
    before, after = (
        strength_of(corpus_of_shorthand(text)),
        strength_of(corpus_of_shorthand(text + "u undercuts e1>q\n")),
    )
    assert after <= before + 1e-12
    assert after < before - 1e-3 if backed else after == pytest.approx(before, abs=1e-12)


# -- a source counts once -----------------------------------------------------------------


def test_a_source_counts_once_beside_an_undercut() -> None:
    cut = "claim u\nevidence f .5 @t\nf supports u\nu undercuts e1>q\n"
    assert strength_of(corpus_of_shorthand(BOTH_WAYS + cut)) == pytest.approx(strength_of_nats(0.6))
    both = strength_of(corpus_of_shorthand(BOTH_WAYS + cut + "u undercuts e2>q\n"))
    force = 2.0 * strength_of_nats(0.5) - 1.0
    assert both == pytest.approx(strength_of_nats(0.6 * (1.0 - force)))


def test_a_source_counts_once_beside_a_premise_that_fell() -> None:
    fallen = "claim p\nevidence f .9 @t\nf contradicts p\n"
    dropped = strength_of(corpus_of_shorthand(BOTH_WAYS + fallen + "e1 depends-on p\n"))
    assert dropped == pytest.approx(strength_of_nats(0.6))
    # both quotes lean on what fell: they are worth less, and still one
    both = corpus_of_shorthand(BOTH_WAYS + fallen + "e1 depends-on p\ne2 depends-on p\n")
    assert strength_of(both) == pytest.approx(strength_of_nats(strength_of(both, "e1")))
    assert strength_of(both) < strength_of_nats(0.6)


# -- a review fuses nothing ---------------------------------------------------------------


def test_a_review_of_five_studies_leaves_them_independent(tmp_path: Path) -> None:
    review = "evidence r .9 lab:me @s0 @s1 @s2 @s3 @s4\n"
    shorthand = load_shorthand(tmp_path, independent_studies(5) + review)
    assert strength_of(shorthand) == pytest.approx(strength_of_nats(3.0))
    assert round(strength_of_nats(3.0), 3) == 0.953
    assert len(kg.independence(shorthand, "q").effects) == 5


def test_a_review_that_speaks_adds_nothing_to_its_studies() -> None:
    review = "evidence r .6 lab:me @s0 @s1 @s2 @s3 @s4\nr supports q\n"
    assert strength_of(corpus_of_shorthand(independent_studies(5) + review)) == pytest.approx(
        strength_of_nats(3.0)
    )


def test_studies_of_one_laboratory_are_one_voice() -> None:
    same = "".join(f"evidence e{k} .6 lab:me @s{k}\ne{k} supports q\n" for k in range(5))
    assert strength_of(corpus_of_shorthand("claim q\n" + same)) == pytest.approx(
        strength_of_nats(0.6)
    )


def test_a_study_noted_beside_other_works_counts_once_where_its_notes_share_a_key() -> None:
    """Whatever is cited together with it, and whether or not it is ever noted alone."""
    each = "evidence e{0} .6 {1} @s @c{0}\ne{0} supports q\n"

    def studies_noted(key: str) -> str:
        return "claim q\n" + "".join(each.format(k, key) for k in range(10))

    text_alone = "evidence e .6 data:s @s\ne supports q\n"
    assert strength_of(corpus_of_shorthand(studies_noted("data:s"))) == pytest.approx(
        strength_of_nats(0.6)
    )
    assert strength_of(corpus_of_shorthand(studies_noted("data:s") + text_alone)) == pytest.approx(
        strength_of_nats(0.6)
    )
    assert strength_of(corpus_of_shorthand(studies_noted("") + text_alone)) == pytest.approx(
        strength_of_nats(0.6 + 10 * 0.3)
    )
    fell = kg.impact(corpus_of_shorthand(studies_noted("data:s") + text_alone), "s").falls
    assert {each.statement: each.strength_after for each in fell}["e0"] == pytest.approx(0.3)


# -- concerns -----------------------------------------------------------------------------


# -- muting -------------------------------------------------------------------------------

MUTED = independent_studies(2) + "claim c\nevidence f .5 @t\nf supports c\nc contradicts q\n"


def after_muting(text: str, name: str) -> float:
    corpus = corpus_of_shorthand(text)
    moved = {each.statement: each.strength_after for each in kg.whatif(corpus, mute=[name]).changes}
    return moved.get("q", strength_of(corpus)) or 0.0


def without(text: str, name: str) -> str:
    kept_lines = [line for line in text.splitlines() if name not in line.replace(">", " ").split()]
    return "\n".join(kept_lines)


def test_muting_mutes_what_is_the_same_too() -> None:
    twin = MUTED + "claim d\nd same-as c\n"
    assert after_muting(twin, "d") == pytest.approx(after_muting(MUTED, "c"))
    assert strength_of(corpus_of_shorthand(without(twin, "d"))) == pytest.approx(
        strength_of(corpus_of_shorthand(MUTED))
    )


def test_what_a_muted_statement_superseded_counts_again() -> None:
    later = MUTED + "claim d\nd supersedes c\nclaim z\nz same-as d\n"
    assert strength_of(corpus_of_shorthand(MUTED)) != pytest.approx(
        strength_of(corpus_of_shorthand(later))
    )
    assert after_muting(later, "d") == pytest.approx(strength_of(corpus_of_shorthand(MUTED)))
    effect = kg.whatif(corpus_of_shorthand(later), mute=["z"])
    assert effect.restored == ("c",)
    assert "is muted, so that c counts again, " in effect.sentence
    assert "count again, as what superseded them does not: c" in str(effect)
    assert (
        kg.whatif(corpus_of_shorthand(later + "claim y\ny supersedes c\n"), mute=["d"]).restored
        == ()
    )


def test_what_a_fallen_source_superseded_counts_again() -> None:
    text = "claim q\nevidence old .6 @s\nevidence new .7 @t\nold supports q\nnew supersedes old\n"
    fell = kg.impact(corpus_of_shorthand(text), "t")
    assert (fell.restored, fell.rises[0].strength_after) == (
        ("old",),
        pytest.approx(strength_of_nats(0.6)),
    )
    already = kg.impact(corpus_of_shorthand(text, retracted="t"), "t")
    assert (already.restored, already.rises[0].strength_before) == (("old",), 0.5)


def test_a_muted_statement_joins_no_sources() -> None:
    joined_text = MUTED.replace("@s0", "lab:x @s0").replace("@s1", "lab:y @s1")
    joined_text += "evidence j .1 lab:x lab:y\nj supports q\n"
    assert after_muting(joined_text, "j") == pytest.approx(
        strength_of(corpus_of_shorthand(without(joined_text, "j")))
    )
    assert after_muting(joined_text, "j") > strength_of(corpus_of_shorthand(joined_text)) + 0.1
