"""How an answer moved over time, in a picture whose words say the same."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from kg.history import past_answers
from kg.loader import load_corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.answer_history import SPARK_BREADTH, answer_history, earlier_word
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import Html
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import LineAnswer
from tests.support.page_checks import PageElements
from tests.support.repository import CLAIM, LINE, commit, experiment_text, git, moving_corpus_folder

pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: a busy machine weighs as many days as an idle one."""
    still = SimpleNamespace(monotonic=lambda: 0.0, process_time=lambda: 0.0)
    monkeypatch.setattr(past_answers, "time", still)


def history_html(notes: Path) -> Html | None:
    context = SiteContext(Addresses(load_corpus(notes)))
    return answer_history(PageBuilder(context, "lines/it.html", "it"), context.corpus.lines["it"])


def test_points_stand_in_order_and_are_said_in_words(tmp_path: Path) -> None:
    html = history_html(moving_corpus_folder(tmp_path)) or ""
    assert PageElements(html).wrong == []
    assert (
        "<title>The answer over time. 2 January 2026: 0.50 (undecided); "
        "5 January 2026: 0.65; 9 January 2026: 0.14</title>"
    ) in html
    assert "It was undecided on 2 January 2026. See " in html
    assert 'title="Strength 0.50 (undecided) on 2 January 2026, 0.14 now"' in html
    marks = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', html)
    places = [(float(x), float(y)) for x, y in marks]
    assert places[0] == (4, 18), "what is undecided lies in the middle"
    assert places == sorted(places), "from left to right"
    assert places[-1][0] == SPARK_BREADTH - 4, "as far as there is room"
    assert places[1][1] < places[0][1] < places[2][1], "what is backed lies above it"


def test_uncommitted_changes_are_the_last_point(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    (notes / "con0.md").unlink()
    (notes / "con1.md").unlink()
    assert re.search(r"; now: 0.35</title>", history_html(notes) or "")


def test_two_points_are_said_and_not_drawn(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    texts = {"it-helps": CLAIM.format("It helps"), "it": LINE.format("it-helps")}
    commit(notes, "2026-01-01", **texts)
    commit(notes, "2026-01-02", pro=experiment_text("It helped", "supports"))
    html = history_html(notes) or ""
    assert "It was undecided on 1 January 2026. See " in html
    assert "<svg" not in html


def test_a_small_move_is_shown_with_both_strengths(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    pros = {f"pro{n}": experiment_text(f"It helped {n}", "supports") for n in range(3)}
    texts = {"it-helps": CLAIM.format("It helps"), "it": LINE.format("it-helps")}
    commit(notes, "2026-01-01", **texts, **pros)
    commit(notes, "2026-01-02", pro3=experiment_text("It helped 3", "supports"))
    assert re.search(
        r"It stood lower, at 0\.\d\d on 1 January 2026, and stands at 0", history_html(notes) or ""
    )


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (None, 0.5, "It had no stable strength on 1 January 2026. See "),
        (0.02, None, "It had a stable strength on 1 January 2026. See "),
        (0.0, 0.5, "It stood lower, at 0.00 on 1 January 2026, and stands at 0.50 now. See "),
        (
            0.5,
            0.54,
            "It stood a little lower, at 0.50 on 1 January 2026, and stands at 0.54 now. See ",
        ),
    ],
)
def test_an_answer_without_a_stable_strength_is_not_taken_for_nothing(
    tmp_path: Path, before: float | None, after: float | None, text: str
) -> None:
    notes = tmp_path / "repository" / "notes"
    commit(notes, "2026-01-01", it=LINE.format("it-helps"), **{"it-helps": CLAIM.format("It")})
    corpus = load_corpus(notes)
    days = [
        (dt.date(2026, 1, day), LineAnswer(proposition="it-helps", strength=strength, word="open"))
        for day, strength in enumerate((before, after), 1)
    ]
    builder: Any = SimpleNamespace(
        root="",
        settings=Reasoning(),
        context=SimpleNamespace(
            past=SimpleNamespace(of=lambda _: days, steps=()),
            answers=SimpleNamespace(verdict=lambda _: None),
        ),
    )
    assert text in (answer_history(builder, corpus.lines["it"]) or "")


@pytest.mark.parametrize(
    ("strengths", "text"),
    [
        ((0.61, 0.92, 0.89), "It stood at 0.61 on 1 January 2026, 0.92 on 2 January 2026, and"),
        ((0.39, 0.08, 0.2), "It stood at 0.39 on 1 January 2026, 0.08 on 2 January 2026, and"),
        (
            (0.61, 0.7, 0.89),
            "It stood lower, at 0.61 on 1 January 2026 and 0.70 on 2 January 2026, and",
        ),
        ((0.61, 0.9, 0.89), "It stood lower, at 0.61 on 1 January 2026, and"),
    ],
)
def test_an_answer_that_rose_and_fell_is_described_with_its_turn(
    tmp_path: Path, strengths: tuple[float, ...], text: str
) -> None:
    """And that the question was once another."""
    notes = tmp_path / "repository" / "notes"
    commit(notes, "2026-01-01", it=LINE.format("it-helps"), **{"it-helps": CLAIM.format("It")})
    line = load_corpus(notes).lines["it"]
    word = "supported" if strengths[0] > 0.5 else "refuted"
    days = [
        (dt.date(2026, 1, day), LineAnswer(proposition="it-helps", strength=each, word=word))
        for day, each in enumerate(strengths, 1)
    ]
    rewording = SimpleNamespace(rewordings={"it": (("question", "Was it?", "Is it?"),)})
    for steps in ((), (SimpleNamespace(summary=rewording),)):
        builder: Any = SimpleNamespace(
            root="",
            settings=Reasoning(),
            context=SimpleNamespace(
                past=SimpleNamespace(of=lambda _: days, steps=steps),
                answers=SimpleNamespace(verdict=lambda _: None),
            ),
        )
        html = answer_history(builder, line) or ""
        assert f"{text} stands at {strengths[-1]:.2f} now" in html
        assert ("its question was worded otherwise" in html) is bool(steps)


def test_the_word_before_is_told_with_the_day_until_which_it_stood(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    texts = {"it-helps": CLAIM.format("It helps"), "it": LINE.format("it-helps")}
    for day, word in enumerate((None, "undecided", "perhaps"), 1):
        pros = {f"pro{n}": experiment_text(f"It helped {n}", "supports") for n in range(day - 1)}
        commit(notes, f"2026-01-0{day}", **texts, **pros)
        context = SiteContext(Addresses(load_corpus(notes)))
        builder = PageBuilder(context, "lines/it.html", "it")
        line = context.corpus.lines["it"]
        html = earlier_word(builder, line) or ""
        link = f'<a href="../recent.html#day-2026-01-0{day}">changed on {day} January 2026</a>'
        assert html == (f"{link} from “{word}”" if word else "")
        reviewed = structs.replace(line, reviewed=dt.date(2026, 1, day))
        assert ("changed that day" in (earlier_word(builder, reviewed) or "")) is bool(word)


def test_an_answer_that_never_moved_has_no_picture(tmp_path: Path) -> None:
    notes = tmp_path / "repository" / "notes"
    texts = {"it-helps": CLAIM.format("It helps"), "pro": experiment_text("It helped", "supports")}
    commit(notes, "2026-01-01", it=LINE.format("it-helps"), **texts)
    assert history_html(notes) is None
    commit(notes, "2026-01-02", other=CLAIM.format("Something else"))
    assert history_html(notes) is None


def test_without_git_no_history_is_shown(tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    git(notes.parent, "checkout", "-q", "HEAD~1")
    assert history_html(notes) is not None
    (notes.parent / ".git").rename(tmp_path / "gone")
    assert history_html(notes) is None
