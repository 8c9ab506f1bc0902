"""An answer weighed again in the reader's browser, beside what the program says, and by hand."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from kg.loader import load_corpus
from kg.model import Integrity
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.build.site import build_site
from kg.publish.context.weighing import weighing
from kg.publish.graphics.dial import place_on_scale, steps_of_scale
from kg.reasoning import reading_of
from kg.reasoning.answers.verdict import verdict
from kg.reasoning.reading import Reading
from kg.reasoning.strength_words import StrengthWord, render_strength, side_of
from kg.reasoning.sureness_words import SURENESS_MEANINGS, held_strength, reach_of_words
from tests.browser.sample_notes import write_sample
from tests.publish.weighing import (
    entangled_corpus,
    program_answer,
    random_corpus,
    random_judgements,
    random_scenario,
)
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    debate_corpus,
    edge,
    evidence,
    line,
    source,
)
from tests.support.effort import TIMES
from tests.support.note_texts import claim_text, evidence_text, line_text
from tests.support.own import new_reading, own_corpus

Open = Callable[[str], Page]
TREE = Path(__file__).parents[2]
SCRIPTS = [TREE / "site/assets" / name for name in ("weigh-graph.js", "weigh-plan.js", "weigh.js")]
NOTES = (TREE / "kg/starter/notes", TREE / "tests/publish/golden/notes")
ALL = "([data, scenarios]) => scenarios.map((one) => window.kgWeigh.weigh(data, one))"
EQUAL = {"abs": 1e-9, "rel": 0}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """An empty page with the scripts that weigh."""
    page = browser.new_page()
    for script in SCRIPTS:
        page.add_script_tag(path=script)
    yield page
    page.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """The corpus of the site that is opened."""
    return reading_of(load_corpus(write_sample(tmp_path_factory.mktemp("sample"))))


def agree(
    page: Page,
    reading: Reading,
    name: str,
    random: Random,
    count: int,
    more: Sequence[dict[str, Any]] = (),
) -> int:
    """The browser and the program say the same of a line in `count` scenarios and some `more`; how
    many the random ones were: none where nothing is to be weighed.
    """
    data = weighing(reading, name)
    if data is None:
        return 0
    ids = [each.id for each in data.statements]
    scenarios = [random_scenario(reading.corpus, ids, random) for _ in range(count)]
    scenarios += more
    answers = page.evaluate(ALL, [msgspec.to_builtins(data), scenarios])
    for scenario, answer in zip(scenarios, answers, strict=True):
        expected = program_answer(reading, name, scenario, ids)
        assert answer.pop("word") == expected.pop("word"), scenario
        for part in ("strengths", "moves", "shares", "camps"):
            assert answer.pop(part) == pytest.approx(expected.pop(part), **EQUAL), scenario
        assert answer == pytest.approx(expected, **EQUAL), scenario
    return count


DOUBTS = ({"only": ["people"]}, {"only": ["read"]}, {"only": ["reviewed"]}, {"since": 2025})


@pytest.mark.parametrize("name", sorted(own_corpus().lines))
def test_our_own_lines_come_out_the_same(page: Page, name: str) -> None:
    """By chance, and by the doubts that the scales offer."""
    assert agree(page, new_reading(), name, Random(name), 2, DOUBTS)


def test_sample_corpora_come_out_the_same(page: Page, sample: Reading) -> None:
    random = Random(1)
    for reading in (sample, *map(reading_of, (debate_corpus(), *map(load_corpus, NOTES)))):
        assert sum(agree(page, reading, name, random, 10) for name in reading.corpus.lines)


GONE = source("w0", integrity=Integrity.RETRACTED)
CORNERS = {
    "of equally good findings that are the same, the one that stands counts": (
        *(evidence("e0", ["w0"], quality=0.8), evidence("e1", quality=0.8), GONE),
        *("e0 same-as e1", "e0 supports c0"),
    ),
    "of joint undercutters the one of the least force, and none that a camp does not hear": (
        *(claim("c1", camp="optimist"), evidence("e1", quality=0.5, camp="skeptic")),
        *(evidence(f"e{k}", quality=0.9 - k / 10, camp="optimist") for k in (0, 2)),
        *("e0 supports c1", "e2 supports c0"),
        edge("c1 undercuts e2 supports c0", together=("e1",)),
    ),
    "premises that fall count each for itself": (
        *(claim("c1"), claim("c2"), evidence("e1", quality=0.7), evidence("e2", quality=0.4)),
        *("c0 depends-on c1", "c0 depends-on c2", "e1 contradicts c1", "e2 contradicts c2"),
    ),
    "a line may ask about evidence": (
        *(line("l", "e0"), evidence("e0", ["w1"], quality=0.7), evidence("e1", quality=0.4)),
        *("e1 contradicts e0", "c0 supports e0", evidence("e2", ["w1"]), "e2 supports e0"),
    ),
}


@pytest.mark.parametrize("parts", CORNERS.values(), ids=CORNERS)
def test_corners_come_out_the_same(page: Page, parts: tuple[Any, ...]) -> None:
    reading = reading_of(corpus_of_parts(line("l", "c0"), claim("c0"), *parts))
    assert agree(page, reading, "l", Random(1), 20)


EDGES = (
    *(
        "e0 supports c0",
        "e1 contradicts c0",
        "c1 supports c0",
        "e1 supports c1",
        "e2 contradicts c1",
    ),
    *("c0 depends-on c2", "e3 contradicts c2", "c2 supports c1"),
)


@pytest.mark.parametrize("cut", [(0,), (1, 3), (2,), (5,), (4, 7), (0, 1, 2)])
def test_an_edge_that_is_cut_is_as_if_it_were_not_recorded(
    page: Page, cut: tuple[int, ...]
) -> None:
    """A walk through an answer counts its reasons one by one: so it says what the notes would."""
    evidence_parts = (
        evidence(f"e{k}", ["w0" if k < 2 else f"w{k}"], quality=0.5 + k / 10) for k in range(4)
    )
    parts = (line("l", "c0"), *(claim(f"c{k}") for k in range(3)), *evidence_parts)
    undercut = "e3 undercuts e0 supports c0"
    whole = reading_of(corpus_of_parts(*parts, *EDGES, undercut))
    data = weighing(whole, "l")
    assert data is not None
    ids = [each.id for each in data.statements]
    numbers = {f"{ids[e.origin]} {e.relation} {ids[e.target]}": k for k, e in enumerate(data.edges)
               if e.relation != "undercuts"}  # fmt: skip
    kept_edges = [each for k, each in enumerate(EDGES) if k not in cut]
    without = reading_of(corpus_of_parts(*parts, *kept_edges, *([] if 0 in cut else [undercut])))
    strength = page.evaluate(
        "([data, cut]) => window.kgWeigh.weigh(data, { cut: new Set(cut) }).strength",
        [msgspec.to_builtins(data), [numbers[EDGES[k]] for k in cut]],
    )
    expected = verdict(without, "l").strength
    assert strength == pytest.approx(expected, **EQUAL)
    assert strength != verdict(whole, "l").strength


@pytest.mark.parametrize("seed", range(5))
def test_random_corpora_come_out_the_same(page: Page, seed: int) -> None:
    random = Random(seed)
    for _ in range(int(10 * TIMES)):
        corpus = random_corpus(random, random.choice((3, 5, 8)))
        reading = reading_of(corpus, judgements=random_judgements(corpus, random))
        assert agree(page, reading, "l", random, 3)


def test_a_scenario_with_circles_too_large_has_a_certificate_that_says_so(page: Page) -> None:
    data = weighing(reading_of(entangled_corpus(12, weak=0.0)), "l")
    scenarios = [{}, {"settings": {"weak": 0.5}}, {"settings": {"weak": 0.5}, "mute": ["c1", "c2"]}]
    first, large, smaller = page.evaluate(ALL, [msgspec.to_builtins(data), scenarios])
    assert large is None
    assert first["strength"] == smaller["strength"] == 0.5


IN_WORDS = "([settings, all]) => all.map((one) => window.kgWeigh.strengthInWords({settings}, one))"


def test_the_scales_word_a_strength_near_a_bound_as_the_program_does(page: Page) -> None:
    settings = Reasoning()
    strengths = [0.5996, 0.6, 0.402, 0.7461, 0.953, 0.5, *(k / 997 for k in range(998))]
    names = ("even_within", "contested_below", "leaning_below", "strong_from")
    words = page.evaluate(IN_WORDS, [{n: getattr(settings, n) for n in names}, strengths])
    assert words == [render_strength(each, settings) for each in strengths]
    assert "just under 0.60" in words


HELD = "([reach, all]) => all.map((one) => window.kgWeigh.heldStrength(reach, ...one))"


def test_the_scales_hold_an_answer_where_its_word_reaches_as_the_program_does(page: Page) -> None:
    settings = Reasoning()
    cases = [
        (sureness, word, k / 50)
        for sureness in SURENESS_MEANINGS
        for word in StrengthWord
        for k in range(51)
    ]
    rows = [(sureness, side_of(word), strength) for sureness, word, strength in cases]
    held_values = page.evaluate(HELD, [reach_of_words(settings), rows])
    assert held_values == pytest.approx([held_strength(*row, settings) for row in rows], **EQUAL)
    assert held_strength("perhaps", 1, 0.89, settings) == pytest.approx(0.6)


PLACES = "([steps, all]) => all.map((one) => window.kgWeigh.placeOnScale(steps, one))"
STEPS = steps_of_scale(Reasoning())


def test_the_scales_place_a_strength_as_the_program_does(page: Page) -> None:
    strengths = [0.0, 1.0, 0.53, 0.6, 0.4, *(k / 997 for k in range(998))]
    places = page.evaluate(PLACES, [STEPS, strengths])
    assert places == pytest.approx([place_on_scale(STEPS, each) for each in strengths], **EQUAL)


def open_weighing(open_page: Open, address: str, chosen_text: str = "") -> Page:
    """The page of the sample's line with its panel open."""
    page = open_page(f"{address}lines/line.html{chosen_text}")
    if not chosen_text:
        open_scales(page)
    expect(page.locator(".kg-weigh-now-words")).not_to_be_empty()
    return page


def open_scales(page: Page) -> None:
    """Open the panel, and in it what is folded."""
    page.get_by_role("button", name="Open the scales").click()
    page.get_by_text("More: other studies").click()


def answer_words(page: Page) -> Locator:
    return page.locator(".kg-weigh-now-words")


def numbers(page: Page) -> Locator:
    """The sentence that tells its numbers on hovering."""
    return answer_words(page).locator("strong")


def reason(page: Page) -> Locator:
    """What stands beneath the bar: the answer, why it is no surer, and how its reasons fare."""
    return page.locator(".kg-weigh > p[role=status]")


def test_what_is_chosen_moves_the_answer_and_stands_in_the_address(
    open_page: Open, address: str, sample: Reading
) -> None:
    page = open_weighing(open_page, address)
    expect(answer_words(page)).to_contain_text("As on this page")
    page.get_by_label("Count Pro", exact=True).uncheck()
    muted = answer_of(sample, {"mute": ["pro"]})
    expect(numbers(page)).to_have_attribute("title", muted)
    page.wait_for_url("**#weigh?mute=pro")
    page.get_by_label("Count Pro", exact=True).check()
    row = page.get_by_role("listitem").filter(has=page.get_by_role("slider", name="Quality"))
    row.get_by_role("checkbox").uncheck()
    expect(row.get_by_role("slider")).to_be_disabled()
    row.get_by_role("checkbox").check()
    page.get_by_role("slider", name="Quality").fill("0.9")
    page.get_by_text("Other settings", exact=True).click()
    page.get_by_label("What one top-quality study adds").fill("2")
    better = answer_of(sample, {"base": {"pro#found": 0.9}, "settings": {"gain": 2.0}})
    assert better != muted
    expect(numbers(page)).to_have_attribute("title", better)
    page.wait_for_url("**#weigh?quality=0.9+pro%23found&gain=2")
    again = open_weighing(open_page, address, page.url.partition("/lines/line.html")[2])
    expect(numbers(again)).to_have_attribute("title", better)
    expect(again.get_by_role("slider", name="Quality", exact=True)).to_have_value("0.9")
    again.get_by_role("button", name="Undo all").click()
    expect(answer_words(again)).to_contain_text("As on this page")
    again.wait_for_url("**/lines/line.html")


def test_each_step_can_be_taken_back_and_what_a_link_brought_too(
    open_page: Open, address: str, sample: Reading
) -> None:
    page = open_weighing(open_page, address, "#weigh?mute=pro")
    undo = page.get_by_role("button", name="Undo", exact=True)
    muted = answer_of(sample, {"mute": ["pro"]})
    expect(numbers(page)).to_have_attribute("title", muted)
    page.get_by_text("Other settings", exact=True).click()
    page.get_by_label("What one top-quality study adds").fill("2")
    page.wait_for_url("**#weigh?mute=pro&gain=2")
    undo.click()
    page.wait_for_url("**#weigh?mute=pro")
    expect(numbers(page)).to_have_attribute("title", muted)
    undo.click()
    expect(answer_words(page)).to_contain_text("As on this page")
    expect(page.get_by_label("Count Pro", exact=True)).to_be_checked()
    expect(undo).to_be_disabled()


def answer_of(reading: Reading, scenario: dict[str, Any]) -> str:
    """The strength of the sample's answer, as the panel writes it."""
    ids = [*reading.corpus.statements]
    answer = program_answer(reading, "line", scenario, ids)
    before = program_answer(reading, "line", {}, ids)
    return f"strength {before['strength']:.2f} → {answer['strength']:.2f}"


def test_the_scales_say_no_more_than_the_one_scale_of_sureness(
    open_page: Open, address: str, site: Path
) -> None:
    """By one filter alone what the card says, else what it is at most: the program alone tries
    what else bears on the word.
    """
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    assert '"read":["undecided",' in data
    card = data.replace('"read":["undecided"', '"read":["undecided, leaning towards"')
    read = card.replace('"quality":', '"read":true,"quality":')
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=read))
    open_scales(page)
    page.get_by_label(f"findings {FILTER}").check()
    row = page.locator(".kg-weigh li", has_text=FILTER)
    effect = row.locator(".kg-weigh-alone")
    expect(effect).to_have_text("counting only these, we would say “undecided, leaning towards”")
    expect(effect).to_have_attribute("title", re.compile(r"^strength 0\.\d\d → 0\.50$"))
    expect(answer_words(page)).to_have_text(
        re.compile("^Undecided, leaning towards instead of perhaps")
    )
    untried = reason(page).get_by_text("Some checks may make the word less sure")
    expect(untried).to_be_hidden()
    page.get_by_role("slider", name="Quality").fill("0.9")
    expect(answer_words(page)).to_have_text(
        re.compile(
            r"^At most \w+, (a little |much )?stronger \(not fully tested\)[.]$"
            r"|^[\w, ]+ or [\w ]+: not worked out for this choice[.]$"
        )
    )
    expect(untried).to_be_visible()


def test_the_bar_ends_with_the_word_and_a_line_goes_on_to_what_the_weights_give(
    open_page: Open, address: str, site: Path
) -> None:
    """Each word is made to reach no farther than “perhaps”, so that it holds back every answer with
    a side, whose bar ends in the middle of that part.
    """
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    near = re.sub(
        r'(?<="reach":){[^}]*}',
        lambda found_match: re.sub(r":[\d.]+", ":0.1", found_match[0]),
        data,
    )
    assert near != data
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=near))
    open_scales(page)
    for quality in ("0.7", "0.9"):
        page.get_by_role("slider", name="Quality").fill(quality)
        page.wait_for_url(f"**quality={quality}**")
        key = page.locator(".kg-dial-key > [title]", has_text="the reasons added up")
        title = key.last.get_attribute("title") or ""
        match = re.search(r"^strength (0\.\d+)$", title)
        assert match, title
        places, weights = (100 * place_on_scale(STEPS, each) for each in (0.565, float(match[1])))
        assert place_of(page, "now") == pytest.approx((50, places), abs=0.01)
        assert place_of(page, "beyond") == pytest.approx((places, weights), abs=0.5)
        assert place_of(page, "by-weights")[0] == pytest.approx(weights, abs=0.5)
        expect(page.locator(".kg-weigh .kg-reached")).to_have_text("probably")
        expect(page.locator(".kg-weigh .kg-weigh-scale")).to_contain_class("kg-untested")
    assert place_of(page, "before")[0] != place_of(page, "by-weights")[0]


def test_a_scale_whose_claim_holds_on_the_left_has_all_of_it_the_other_way_round(
    open_page: Open, address: str, site: Path
) -> None:
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    assert '"isMirrored":false' in data
    mirrored = data.replace('"isMirrored":false', '"isMirrored":true')
    places, ends = [], []
    for body in (data, mirrored):
        page = open_page(f"{address}lines/line.html")
        page.route("**/line.weigh.js", functools.partial(Route.fulfill, body=body))
        open_scales(page)
        places.append([place_of(page, "now"), *page.locator(".kg-weigh-mark").evaluate_all(LEFTS)])
        ends.append(page.locator(".kg-weigh .kg-two-ends > *").all_text_contents())
    (bar, *marks), (other_bar, *other_marks) = places
    assert other_bar == pytest.approx((100 - bar[1], 100 - bar[0]), abs=0.01)
    assert other_marks == pytest.approx([100 - each for each in marks], abs=0.01)
    assert marks
    assert ends[1] == ends[0][::-1]


LEFTS = "all => all.map(({ style }) => parseFloat(style.left))"


def place_of(page: Page, name: str) -> tuple[float, float]:
    """Where a part of the scale begins and ends, in hundredths."""
    part = page.locator(f".kg-weigh .kg-weigh-{name}")
    expect(part).to_be_visible()
    left, width = part.evaluate("({ style }) => [style.left, style.width].map(parseFloat)")
    return left, left + (width or 0)


UNDECIDED = "Undecided instead of perhaps."
FILTER = "seen in the paper or its abstract"


def test_what_is_left_out_or_changed_is_listed_and_can_be_put_back_one_by_one(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    chosen_text = "falls=doe2020&mute=pro&quality=0.3+pro%23found&without=unread&weak=0.2"
    page.goto(f"{address}lines/line.html#weigh?{chosen_text}")
    chips = page.get_by_role("group", name="Your choices").get_by_role("button")
    source = page.get_by_role("button", name="× without Doe")
    expect(chips).to_have_count(5)
    expect(source).to_have_attribute("title", re.compile("A Study"))
    for chip in chips.all():
        room = chip.bounding_box()
        assert room is not None
        assert room["height"] >= 44
        assert room["x"] + room["width"] <= 390
    source.press("Enter")
    for left in (4, 3, 2, 1):
        expect(chips).to_have_count(left)
        expect(chips.first).to_be_focused()
        page.keyboard.press("Enter")
    expect(chips).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_focused()
    expect(answer_words(page)).to_contain_text("As on this page")
    page.wait_for_url(re.compile(r"lines/line\.html$"))
    page.close()


@pytest.mark.parametrize("label", ["A Study", FILTER])
def test_a_source_that_falls_and_a_filter_take_its_evidence(
    label: str, open_page: Open, address: str
) -> None:
    page = open_weighing(open_page, address)
    element = page.locator(".kg-weigh").get_by_label(label)
    element.set_checked(not element.is_checked())
    expect(answer_words(page)).to_contain_text(UNDECIDED)
    source = page.locator(".kg-weigh").get_by_label("A Study")
    if label == FILTER:
        studies = page.get_by_role("group", name="Studies that matter much: untick to leave out")
        expect(studies).to_contain_text(re.compile("All left out by “only findings seen in .*”"))
        studies.get_by_role("button", name="Undo this").click()
        expect(source).to_be_checked()
    else:
        expect(source).not_to_be_checked()
        expect(source).to_be_enabled()


def test_what_was_published_before_a_year_is_left_out_and_the_address_says_so(
    open_page: Open, address: str, site: Path
) -> None:
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    dated = data.replace('"camps":[', '"years":[2024],"camps":[', 1)
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=dated))
    open_scales(page)
    page.get_by_label("Leave out what was published before").select_option("2024")
    expect(answer_words(page)).to_contain_text(UNDECIDED)
    expect(page).to_have_url(re.compile("#weigh.before=2024$"))
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(answer_words(page)).to_contain_text("As on this page")


def test_nothing_can_be_taken_back_before_something_was_done(open_page: Open, address: str) -> None:
    page = open_weighing(open_page, address)
    undo, undo_all = (
        page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Undo all")
    )
    expect(undo).to_be_disabled()
    expect(undo_all).to_be_disabled()
    page.get_by_label("Count Pro", exact=True).uncheck()
    expect(undo).to_be_enabled()
    expect(undo_all).to_be_enabled()
    undo.click()
    expect(undo).to_be_disabled()
    expect(undo_all).to_be_disabled()


def test_studies_and_kinds_come_first_and_tell_what_they_do_only_once_they_are_ticked(
    open_page: Open, address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    page.get_by_role("button", name="Open the scales").click()
    studies = page.get_by_role("group", name="Studies that matter much: untick to leave out")
    kinds = page.get_by_role("group", name="Count only…")
    expect(page.locator(".kg-weigh fieldset").first.get_by_role("checkbox")).to_have_count(1)
    expect(kinds.get_by_role("checkbox")).to_have_count(3)
    effect = studies.get_by_text("without this alone, we would say “undecided”")
    expect(effect).to_be_hidden()
    studies.get_by_label("A Study").uncheck()
    expect(effect).to_be_visible()
    studies.get_by_label("A Study").check()
    expect(effect).to_be_hidden()
    expect(kinds.locator(".kg-weigh-alone").first).to_be_hidden()
    folded = page.locator(".kg-weigh-more")
    expect(folded.locator("ul").first).to_be_hidden()
    expect(page.locator(".kg-weigh input:visible")).to_have_count(4)
    folded.locator("summary").first.click()
    names = folded.locator("input[type=checkbox]").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert names
    assert all(name.startswith("Count ") for name in names)
    effects = page.locator(".kg-weigh-alone")
    texts = effects.all_text_contents()
    kinds.get_by_label(FILTER).check()
    expect(page).to_have_url(re.compile("#weigh.without=unread$"))
    expect(kinds.get_by_label(FILTER)).to_be_focused()
    expect(
        kinds.get_by_text("counting only these, we would say “undecided").locator("visible=true")
    ).to_have_count(1)
    expect(folded.get_by_text("All left out by “only findings seen in ")).to_have_count(1)
    expect(page.locator(".kg-weigh input[type=checkbox]:disabled")).to_have_count(0)
    assert 0 < effects.count() < len(texts)
    expect(folded.locator("ul").first).to_be_visible()


def test_what_is_chosen_by_hand_is_not_folded(open_page: Open, address: str) -> None:
    page = open_weighing(open_page, address, "#weigh?mute=pro")
    expect(page.get_by_label("Count Pro", exact=True)).to_be_visible()


def test_a_link_on_the_page_opens_the_scales_with_what_it_leaves_out(
    open_page: Open, address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    for key in ("doe2020", ""):
        page.evaluate("hash => { location.hash = hash; }", f"#weigh?falls={key}")
        expect(answer_words(page)).to_contain_text(UNDECIDED if key else "As on this")


def test_an_address_that_says_nonsense_moves_nothing(open_page: Open, address: str) -> None:
    nonsense = "mute=nobody&falls=&quality=9+pro%23found&gain=-1&only=me&__proto__=1&weak=x"
    page = open_weighing(open_page, address, f"#weigh?{nonsense}")
    expect(answer_words(page)).to_contain_text("As on this page")


def test_the_panel_works_without_a_server_and_shows_titles_as_text(
    open_page: Open, site: Path
) -> None:
    page = open_weighing(open_page, f"{site.as_uri()}/")
    page.get_by_role("button", name="Show the others").click()
    expect(page.locator(".kg-weigh li").filter(has_text="More 7")).not_to_have_count(0)
    assert page.evaluate("window.ran") is None


CHOSEN = ".kg-glance > .kg-chosen:has(strong)"  # the answer in the box, with the choices
HELD_BACK = (
    "Added up, the reasons give “probably”. But it depends on one source. So we say “perhaps”."
)


def test_every_sureness_on_the_scales_comes_from_a_trial(
    open_page: Open, address: str, site: Path
) -> None:
    """The notes say perhaps, though the strength would allow more."""
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    assert '"sureness":"perhaps"' in data
    full = re.sub(r'"ends":\[.*?\]', r'"ends":["No","Yes"]', data)
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=full))
    open_scales(page)
    expect(answer_words(page)).to_have_text("As on this page: perhaps.")
    expect(reason(page)).to_have_text(HELD_BACK)
    expect(page.locator(".kg-weigh .kg-weigh-scale")).not_to_contain_class("kg-untested")
    expect(page.get_by_text("not fully tested")).to_have_count(0)
    page.get_by_role("slider", name="Quality").fill("0.5")
    fate = "The reason for it is"
    expect(answer_words(page)).to_have_text("Perhaps or probably: not worked out for this choice.")
    expect(page.locator(CHOSEN)).to_contain_text("Perhaps or probably yes")
    expect(page.locator(".kg-weigh .kg-weigh-scale")).to_contain_class("kg-untested")
    expect(reason(page)).to_have_text(
        re.compile(
            rf"^Yes\. .* only added up: a little weaker than on this page\. .* {fate} weaker\.$"
        )
    )
    page.get_by_role("slider", name="Quality").fill("0.9")
    expect(reason(page)).to_have_text(
        re.compile(
            rf"^Yes\. .* only added up: .*stronger than on this page\. .* {fate} stronger\.$"
        )
    )
    expect(answer_words(page)).to_have_text(
        re.compile(r"^At most (very )?probably, (a little |much )?stronger \(not fully tested\)\.$")
    )


def test_works_that_count_as_one_source_have_one_switch(
    open_page: Open, address: str, site: Path
) -> None:
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    start, works, rest = re.split(r'("works":\[\{.*?\}\])', data, maxsplit=1)
    second = works[:-1] + ',{"key":"roe2021","unit":0,"title":"Another Study"}]'
    byline = re.search(r'"bylines":\["(.*?)"\]', rest)
    assert byline is not None
    name = byline[1]
    rest = rest.replace(byline[0], f'"bylines":["{name}","Roe 2021"]')
    why = '". They count as one source: the same team (Doe)."'
    lost = f'"lost":[[0.5,["Roe 2021"],"undecided","u",{why}],[0.5,["{name}"],"undecided","u"]]'
    rest = re.sub(r'"lost":\[\[.*?"\]\]', lost, rest)
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=start + second + rest))
    open_scales(page)
    expect(page.get_by_label(re.compile("A Study; Roe 2021: Another Study"))).to_be_checked()
    page.get_by_text("Doe 2020; Roe 2021", exact=True).click()
    page.wait_for_url(re.compile(r"falls=doe2020&falls=roe2021$"))
    row = page.locator(".kg-weigh li", has_text="Roe 2021").first
    expect(row).to_contain_text("They count as one source: the same team (Doe).")


def test_where_no_study_changes_the_word_the_fewest_that_undo_the_answer_are_one_button(
    open_page: Open, address: str, site: Path
) -> None:
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    assert '"undoingCount":1' in data
    data = re.sub(r'"lost":\[\[.*?\]\]', '"lost":[[]]', data).replace(
        '"undoingCount":1', '"undoingCount":2'
    )
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=data))
    open_scales(page)
    page.get_by_role("button", name="Leave out these 2 together").click()
    expect(answer_words(page)).to_have_text(UNDECIDED)
    page.wait_for_url("**#weigh?falls=doe2020")


def test_on_a_phone_the_answer_stays_in_view_and_what_is_tapped_is_large(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(f"{address}lines/line.html")
    open_scales(page)
    small = page.locator(".kg-weigh").evaluate(
        "area => [...area.querySelectorAll('button, summary, label, select')]"
        ".filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)"
        ".map((one) => one.textContent)"
    )
    assert small == []
    head = page.locator(".kg-weigh-head")
    height = head.bounding_box()
    page.get_by_label("Count Pro", exact=True).tap()
    expect(reason(page)).to_contain_text("No reason is left on either side.")
    expect(answer_words(page)).to_be_in_viewport()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_in_viewport()
    after = head.bounding_box()
    assert height is not None
    assert after is not None
    assert after["height"] == height["height"] <= 115
    page.close()


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize(
    ("role", "name"), [("button", "Open the scales"), ("link", "Weigh it yourself")]
)
def test_opened_they_stand_in_one_screen_with_result_and_first_choice(
    width: int, role: Literal["button", "link"], name: str, browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(f"{address}lines/line.html")
    page.get_by_role(role, name=name).first.click()
    expect(answer_words(page)).to_be_in_viewport()
    heading = page.locator("h2#weigh")
    page.wait_for_function("document.querySelector('h2#weigh').getBoundingClientRect().top < 140")
    for part in (
        heading,
        answer_words(page),
        reason(page),
        page.locator(".kg-weigh input").first,
    ):
        expect(part).to_be_in_viewport(ratio=1)
    assert (page.evaluate("document.activeElement.type") == "checkbox") is (role == "button")
    page.close()


@pytest.mark.parametrize(
    ("word", "why", "message"),
    [
        ("perhaps", "it depends on one team", "But it depends on one team. So we say “perhaps”."),
        ("perhaps", "", "Added up, the reasons give “probably”. But other checks hold it back."),
        ("probably", "", "Not strong enough for “very probably”."),
    ],
)
def test_beneath_the_bar_stands_why_the_answer_is_no_surer(
    word: str, why: str, message: str, open_page: Open, address: str, site: Path
) -> None:
    """As the program found it for what is left out, or else as the strength shows."""
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    data = re.sub(r'"read":\["undecided",([\d.]+),""\]', rf'"read":["{word}",\1,"{why}"]', data)
    read = data.replace('"quality":', '"read":true,"quality":')
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=read))
    open_scales(page)
    page.get_by_label(f"findings {FILTER}").check()
    expect(reason(page)).to_contain_text(message)


def test_the_scales_stay_in_their_place_and_lead_back_to_the_answer(
    open_page: Open, address: str
) -> None:
    page = open_page(f"{address}lines/line.html")
    places = "[...document.querySelectorAll('h2[id]')].map(({ id }) => id)"
    before = page.evaluate(places)
    page.locator(".kg-verdict").get_by_role("link", name="Weigh it yourself").click()
    expect(answer_words(page)).to_contain_text("As on this page")
    expect(answer_words(page)).to_be_in_viewport()
    assert page.evaluate(places) == before
    page.get_by_role("link", name="Back to the answer").press("Enter")
    expect(page.locator(".kg-verdict")).to_be_focused()
    expect(page.locator(".kg-answer-words")).to_be_in_viewport()


def test_what_changes_the_word_is_offered_before_what_moves_the_number_most(
    open_page: Open, address: str, site: Path
) -> None:
    """And what changes neither is folded: here the study of the notes. Filters are not tried."""
    data = site.joinpath("lines/line.weigh.js").read_text("utf-8")
    data = re.sub(r'"doubts":.*?,\s*"camps"', '"doubts":{},"parts":{},"camps"', data)
    start, works, rest = re.split(r'("works":\[\{.*?\}\])', data, maxsplit=1)
    names = ("Number", "Nothing", "Word")
    works = works[:-1] + "".join(f',{{"key":"{n}","unit":0,"title":"{n}"}}' for n in names) + "]"
    rest = re.sub(r'("bylines":\[.*?)\]', r'\1,"","",""]', rest, count=1)
    lost = '[[null],[0.55,[],"perhaps","u"],[null,[],"perhaps","v"],[null,[],"probably","w"]]'
    rest = re.sub(r'(?<="lost":)\[\[.*?"\]\]', lost, rest)
    page = open_page(f"{address}lines/line.html")
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=start + works + rest))
    open_scales(page)
    first = page.get_by_role("group", name="Studies that matter much: untick to leave out")
    surer = (
        "without this alone, we would say “probably”, as then it no longer depends on one source"
    )
    expect(first.locator(".kg-weigh-alone")).to_have_text(
        [surer, "without this alone, the answer is weaker"]
    )
    sources = page.get_by_role("group", name="Other studies: untick to leave out")
    effects = sources.locator(".kg-weigh-alone")
    expect(effects).to_have_count(0)
    sources.get_by_role("button", name="Show the others").click()
    expect(effects).to_have_text(["without this alone, the answer hardly moves"] * 2)


def test_the_answer_tells_what_it_is_with_the_choices_until_all_are_undone(
    open_page: Open, address: str
) -> None:
    page = open_weighing(open_page, address)
    sentence = page.locator(CHOSEN)
    expect(sentence).to_have_count(0)
    box = page.locator(".kg-verdict")
    height = box.evaluate("box => box.offsetHeight")
    page.get_by_label("Count Pro", exact=True).uncheck()
    expect(sentence).to_contain_text("Undecided(with your choice; ours: perhaps)")
    ours = box.locator(".kg-answer-words, .kg-sure, .kg-settles")
    expect(ours.locator("visible=true")).to_have_count(0)
    expect(box.locator(".kg-weigh-before")).to_be_visible()
    pro = box.locator(".kg-case").filter(has_text="Pro")
    expect(pro.get_by_text("With your choices nothing counts directly here.")).to_be_visible()
    expect(pro.get_by_role("link", name="Pro")).to_be_hidden()
    count = page.locator(".kg-facts").get_by_text("counted before your choice")
    expect(count).to_be_visible()
    assert box.evaluate("box => box.offsetHeight") == height
    page.get_by_role("slider", name="Quality").fill("0.9")
    expect(sentence).to_contain_text("Undecided(with your 2 choices; ours: perhaps)")
    chosen_text = "#weigh?mute=pro&quality=0.9+pro%23found"
    page.wait_for_url(f"**/lines/line.html{chosen_text}")
    shared = open_weighing(open_page, address, chosen_text)
    for each in (page, shared):
        each.get_by_role("link", name="Back to the answer").click()
        sentence = each.locator(CHOSEN)
        expect(sentence).to_be_in_viewport()
        sentence.get_by_role("link", name="with your 2 choices").click()
        expect(each.locator("h2#weigh")).to_be_in_viewport()
        assert each.url.endswith(chosen_text)
        undo = "Undo all" if each is page else "Undo the last choice"
        each.get_by_role("button", name=undo).click()
        expect(sentence).to_have_count(0)
        expect(each.locator(".kg-other-reason, .kg-verdict .kg-weigh-scale")).to_have_count(0)
        expect(each.get_by_text("counted before your choice")).to_have_count(0)
        expect(each.locator(".kg-verdict .kg-answer-words")).to_be_visible()


def test_of_what_was_not_tried_the_answer_says_no_more_than_the_scales(
    open_page: Open, address: str
) -> None:
    page = open_weighing(open_page, address)
    page.get_by_role("slider", name="Quality").fill("0.9")
    expect(page.locator(CHOSEN)).to_have_text(
        re.compile(r"^At most (very )?probably .*, .*stronger, not fully tested; ours: perhaps\)")
    )


TABLE = (
    "| Study | Found |\n|---|---|\n| A | [[for-it]] |\n| B | [[more-for-it]] |\n| C | [[no]] |\n"
)


@pytest.fixture
def page_with_table(open_page: Open, serve: Callable[[Path], str], tmp_path: Path) -> Page:
    """The page of a line whose essay has a table of three findings that count."""
    return open_table(open_page, serve, tmp_path, TABLE)


def open_table(
    open_page: Open, serve: Callable[[Path], str], folder: Path, table: str, **more: str
) -> Page:
    """The page of a line whose essay is a table, with three findings that count and `more`."""
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        line=line_text("Here?", "optimist:: [[asked]]", essay=table, head="proposition: asked\n"),
        no=evidence_text("No", 0.7, "contradicts:: [[asked]]"),
        **{
            "for-it": evidence_text("For it", 0.9, "supports:: [[asked]]"),
            "more-for-it": evidence_text("More for it", 0.8, "supports:: [[asked]]"),
        },
        **more,
    )
    address = serve(build_site(corpus, folder).index.parent)
    return open_page(address + "lines/line.html")


def test_a_row_of_a_table_that_is_not_ticked_is_left_out_on_the_scales_and_in_the_answer(
    page_with_table: Page,
) -> None:
    page = page_with_table
    foot = page.locator(".kg-counted")
    sentence = foot.get_by_role("status")
    whole = sentence.inner_text()
    assert whole.startswith("With all three: ")
    assert ". Untick one." in whole
    expect(foot.locator(".kg-weigh-now")).to_be_visible()
    height = foot.evaluate("foot => foot.offsetHeight")
    expect(page.get_by_role("button", name="Open the scales")).to_be_visible()
    page.get_by_label("Counts: No").uncheck()
    page.wait_for_url("**#weigh?mute=no")
    expect(sentence).to_have_text(re.compile("^With two of three: .*probably"))
    assert "not tested" not in sentence.inner_text()
    assert foot.evaluate("foot => foot.offsetHeight") == height
    expect(page.locator(CHOSEN)).to_contain_text("with your choice")
    done = page.locator(".kg-verdict > .kg-chosen")
    expect(done).to_have_text(re.compile("^You left out “No”[.] .*probably"))
    best = page.locator(".kg-case").get_by_role("link")
    expect(best.filter(has_text="For it")).to_be_visible()
    page.get_by_label("Counts: For it", exact=True).uncheck()
    expect(best.filter(has_text="More for it")).to_be_visible()
    share = re.compile(r"adds \d\.\d\d with your choices$")
    expect(page.locator(".kg-case").get_by_text(share).last).to_be_visible()
    page.get_by_label("Counts: For it", exact=True).check()
    page.get_by_role("button", name="× without “No”").click()
    expect(page.get_by_label("Counts: No")).to_be_checked()
    expect(sentence).to_have_text(whole)
    for name in ("For it", "More for it"):
        page.get_by_label(f"Counts: {name}", exact=True).uncheck()
    expect(sentence).to_have_text(re.compile("^With one of three: the answer turns round"))
    foot.get_by_role("button", name="Count all again").click()
    expect(sentence).to_have_text(whole)
    expect(page.locator(".kg-counts input:checked")).to_have_count(3)
    page.wait_for_url("**/lines/line.html")


def test_where_no_row_counts_and_the_answer_stays_a_table_says_why(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    texts = {f"e{k}": evidence_text(f"E{k}", 0.9, "supports:: [[asked]]") for k in range(3)}
    page = open_table(open_page, serve, tmp_path, TABLE, **texts)
    sentence = page.locator(".kg-counted").get_by_role("status")
    for name in ("For it", "More for it", "No"):
        expect(sentence).not_to_contain_text("because")
        page.get_by_label(f"Counts: {name}", exact=True).uncheck()
    expect(sentence).to_have_text(
        re.compile("^With none of three: .*, because 3 other findings also count$")
    )


def test_a_row_with_two_findings_is_one_choice(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    """As it is for who follows the address; what one row has beside another is not counted."""
    table = TABLE.replace("[[no]]", "[[no]], [[nor]]").replace("[[for-it]]", "[[for-it]], [[no]]")
    nor = evidence_text("Nor", 0.6, "contradicts:: [[asked]]")
    page = open_table(open_page, serve, tmp_path, table, nor=nor)
    page.get_by_label("Counts: No; Nor").uncheck()
    sentence = page.locator(CHOSEN)
    expect(sentence).to_contain_text("with your choice")
    page.get_by_role("button", name="× without “No” and 1 more").click()
    expect(sentence).to_have_count(0)
    page.get_by_label("Counts: For it; No").uncheck()
    page.get_by_label("Counts: More for it").uncheck()
    page.get_by_label("Counts: No; Nor").uncheck()
    expect(sentence).to_contain_text("with your 3 choices")
    page.wait_for_url("**#weigh?mute=*")
    page.reload()
    expect(sentence).to_contain_text("with your 3 choices")


def test_boxes_in_a_table_follow_an_address_and_filters_and_no_scales_leave_them_ticked(
    page_with_table: Page,
) -> None:
    page = page_with_table
    page.evaluate("location.hash = '#weigh?mute=no&weak=0.2'")
    sentence = page.locator(".kg-counted").get_by_role("status")
    expect(sentence).to_have_text(re.compile("^With two of three and your other choices: "))
    expect(page.get_by_label("Counts: No")).not_to_be_checked()
    page.get_by_label(f"findings {FILTER}").check()
    expect(page.locator(".kg-counts input:disabled")).to_have_count(3)
    page.get_by_role("button", name="Walk through it").click()
    expect(sentence).to_have_text(re.compile("^With all three: "))
    page.route("**/line.weigh.js", lambda route: route.fulfill(body=""))
    page.get_by_label("Counts: No").click()
    expect(sentence).to_contain_text("could not be loaded")
    expect(page.get_by_label("Counts: No")).to_be_checked()


def test_bars_on_the_first_page_tell_the_answer_with_those_that_are_ticked(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    rows = "".join(f"| {name} | [{n}%]({name}.md) |\n" for n, name in ((40, "pro"), (90, "con")))
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        line=line_text(
            "Here?",
            "optimist:: [[asked]]",
            essay=f"| Test | Kept (fair: 80%) |\n|---|---|\n{rows}",
            head="proposition: asked\n",
        ),
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.9, "contradicts:: [[asked]]"),
    )
    page = open_page(serve(build_site(corpus, tmp_path).index.parent) + "index.html")
    figure = page.locator(".kg-bars")
    sentence, reached = figure.get_by_role("status"), figure.locator(".kg-reached")
    link, more = (figure.get_by_role("link", name=each) for each in ("Here?", "Read more"))

    def end_of_bar() -> float:
        return float(figure.locator(".kg-dial-answer").get_attribute("d").partition("H")[2])

    middle = end_of_bar()
    page.get_by_label("Counts: con, 90%").uncheck()
    expect(sentence).to_have_text(re.compile("^With one of two: *perhaps it holds *$"))
    expect(reached).to_have_text("perhaps")
    for each in (link, more):
        expect(each).to_have_attribute("href", re.compile("lines/line.html#weigh[?]mute=con$"))
    assert end_of_bar() > middle
    page.get_by_label("Counts: pro, 40%").uncheck()
    expect(sentence).to_have_text(re.compile("^With none: *still undecided"))
    expect(reached).to_have_text("undecided")
    page.get_by_label("Counts: con, 90%").check()
    expect(sentence).to_have_text(re.compile("^With one of two: *perhaps it does not hold *$"))
    assert end_of_bar() < middle
    page.get_by_label("Counts: pro, 40%").check()
    for each in (link, more):
        expect(each).to_have_attribute("href", re.compile("lines/line.html$"))
    expect(sentence).to_have_text(re.compile("^With both: *undecided"))
