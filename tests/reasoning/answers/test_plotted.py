"""Pictures of answers hold the numbers of the answers.

Of `kg/reasoning/answers/flips.py`, `kg/reasoning/answers/independence.py`,
`kg/reasoning/answers/robustness.py`, `kg/reasoning/answers/verdict.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from msgspec import structs

import kg
from kg.corpus import Corpus
from kg.model.settings.config import Camp, Config
from kg.reasoning import LineWithoutProposition
from kg.reasoning.answers.verdict import REASONS_PLOTTED_A_SIDE, Verdict
from kg.reporting.plots import CON, NOTHING_TO_SHOW, PRO
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    debate_corpus,
    edge,
    evidence,
    line,
    require_verdict,
    verdict_on,
)
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand, independent_studies


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    yield
    pyplot.close("all")


def labels(ax: Axes) -> list[str]:
    return [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]


def ends(ax: Axes) -> list[float]:
    return [bar.get_x() + bar.get_width() for bar in ax.patches]


def shares(ax: Axes) -> list[float]:
    return [bar.get_width() for bar in ax.figure.axes[1].patches]


def dots(ax: Axes) -> list[float]:
    return [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]


def test_a_verdict_is_its_strength_its_band_and_its_reasons() -> None:
    answer = verdict_on(debate_corpus(), "talk")
    ax = answer.plot()
    assert ax.get_title(loc="left") == answer.asked.title
    assert dots(ax) == [answer.held_strength, answer.strength] == [0.4, answer.strength]
    assert labels(ax)[0] == "0.40, perhaps not"
    assert labels(ax)[1].endswith(", by the weights alone: leans refuted")
    (band,) = ax.patches
    assert (band.get_x(), ends(ax)[0]) == pytest.approx(
        (answer.sureness_basis.low, answer.sureness_basis.high)
    )
    share_of = {
        reason.title: reason.share for reason in answer.reasons if abs(reason.share) >= 0.005
    }
    assert dict(zip(labels(ax)[2:], shares(ax), strict=True)) == pytest.approx(share_of)


def test_the_lighter_reasons_share_a_row() -> None:
    answer = verdict_on(corpus_of_shorthand(independent_studies(REASONS_PLOTTED_A_SIDE + 3)), "q")
    ax = answer.plot()
    assert labels(ax)[-1] == "3 lighter reasons"
    assert sum(shares(ax)) == pytest.approx(answer.balance.pro)


def test_a_claim_on_which_nothing_bears_is_a_strength_alone() -> None:
    ax = verdict_on(corpus_of_shorthand("claim q\n"), "q").plot()
    assert labels(ax) == ["0.50, open"]
    assert len(ax.figure.axes) == 1


def test_the_quality_of_evidence_is_plotted() -> None:
    answer = verdict_on(corpus_of_shorthand("claim q\nevidence e .6 @s\ne supports q\n"), "e")
    ax = answer.plot()
    assert labels(ax) == ["0.60, quality 0.60"]
    assert dots(ax) == [answer.strength]


@every_row("plot", [Verdict.plot, Verdict.plot_balance])
def test_a_plot_without_a_stable_strength_says_so(plot: Callable[[Verdict], Axes]) -> None:
    settled = verdict_on(debate_corpus(), "talk")
    no_band = structs.replace(settled.sureness_basis, low=None, high=None)
    answer = structs.replace(settled, strength=None, sureness_basis=no_band)
    ax = plot(answer)
    assert [text.get_text() for text in ax.texts] == [NOTHING_TO_SHOW]
    assert not ax.lines


def three_camps() -> Corpus:
    names = ("red", "green", "blue")
    camps = [Camp(id=name, label=name, colour=f"#{n}0{n}0{n}0") for n, name in enumerate(names)]
    return corpus_of_parts(
        line("l", "q", {name: [name[0]] for name in names}),
        *(claim(name) for name in "qrgb"),
        *(evidence(f"e{name}", quality=0.7) for name in "rgb"),
        *(f"e{name} supports {name}" for name in "rgb"),
        "r supports q",
        "g contradicts q",
        edge("b supports q", strength="weak"),
        config=Config(camps=tuple(camps)),
    )


def test_a_balance_shows_every_camp_in_its_colour() -> None:
    answer = verdict_on(three_camps(), "l")
    ax = answer.plot_balance()
    assert [label[6:].partition(" ")[0] for label in labels(ax)[1:4]] == ["red", "green", "blue"]
    assert dots(ax) == [answer.strength, *(view.strength for view in answer.camps)]
    assert [line.get_color() for line in ax.lines[1:4]] == ["#000000", "#101010", "#202020"]
    assert shares(ax) == [answer.balance.pro, -answer.balance.con]
    assert labels(ax)[4:] == ["for, in all", "against, in all"]


def test_without_camps_a_balance_shows_the_two_sides() -> None:
    answer = verdict_on(corpus_of_shorthand(independent_studies(2)), "q")
    ax = answer.plot_balance()
    assert [label[6:] for label in labels(ax)[1:3]] == ["for alone", "against alone"]
    assert [line.get_color() for line in ax.lines[1:3]] == [PRO, CON]
    assert labels(ax)[3:] == ["for, in all"]


def test_a_line_without_proposition_shows_its_candidates() -> None:
    answer = kg.verdict(debate_corpus(), "open")
    assert isinstance(answer, LineWithoutProposition)
    ax = answer.plot()
    assert dots(ax) == [each.strength for each in answer.candidates]
    first = answer.candidates[0]
    assert labels(ax)[0] == f"{first.strength:.2f}, {first.camp}: {first.title}"


def test_a_line_without_proposition_or_candidates_says_so() -> None:
    answer = kg.verdict(corpus_of_parts(line("l")), "l")
    assert isinstance(answer, LineWithoutProposition)
    assert answer.sentence.endswith("no verdict.")
    (text,) = answer.plot().texts
    assert text.get_text() == NOTHING_TO_SHOW


def test_the_losses_that_turn_an_answer_end_at_what_they_leave() -> None:
    answer = require_verdict(kg.flips(corpus_of_shorthand(independent_studies(1)), "q"))
    ax = answer.plot()
    (flip,) = {flip.removed: flip for flip in (*answer.singles, *answer.undoing)}.values()
    assert labels(ax) == [f"without {flip.removed[0]}"]
    assert ends(ax) == pytest.approx([flip.strength])
    assert ax.patches[0].get_x() == answer.strength


def test_an_answer_that_no_loss_moves_says_so() -> None:
    answer = require_verdict(kg.flips(corpus_of_shorthand("claim q\n"), "q"))
    (text,) = answer.plot().texts
    assert text.get_text().startswith("strength 0.50: nothing that was tried moves it")


def test_robustness_shows_settings_edges_and_the_worst_source() -> None:
    answer = require_verdict(kg.robustness(debate_corpus(), "talk"))
    ax = answer.plot()
    band, *bars = ax.patches
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx(
        (answer.low, answer.high)
    )
    assert answer.strength is not None
    strengths = {each.setting: each.strength for each in answer.other_settings}
    strengths |= {each.text: each.strength for each in answer.edges}
    for label, bar in zip(labels(ax), bars, strict=True):
        if not label.startswith("without "):
            assert bar.get_x() + bar.get_width() == pytest.approx(strengths[label])
            assert to_hex(bar.get_facecolor()) == (PRO if bar.get_width() > 0 else CON)
    sizes = [abs(bar.get_width()) for bar in bars]
    assert sizes == sorted(sizes, reverse=True)
    assert answer.worst_source is not None
    assert f"without {answer.worst_source.title}" in labels(ax)


def test_independence_shows_what_is_left_without_each_source() -> None:
    answer = require_verdict(kg.independence(debate_corpus(), "talk"))
    ax = answer.plot()
    left = {f"without {each.source_group}": each.strength for each in answer.effects}
    bars = dict(zip(labels(ax), ends(ax), strict=True))
    assert bars == pytest.approx({label: left[label] for label in bars})
    assert len(bars) > 1
