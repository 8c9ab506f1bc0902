from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kg.publish.build.search.stems import find_words, stem
from kg.publish.build.site import build_site
from kg.publish.page import Page as SitePage
from kg.publish.page import Passage
from tests.browser.conftest import watch
from tests.support.corpora import corpus_of_notes

HOSTILE = '<img src=x onerror="document.title=1"> </script> grounding'
TEXTS = {
    "grounding": ("Grounding needs repair", "Speakers repair what failed. " * 3 + "Café talk."),
    "hallucination": ("Models hallucinate", "They hallucinated sources and figures."),
    "hostile": (HOSTILE, f"{HOSTILE} in the text"),
    "slow": ("Slowly", "All of it is learned slowly. [@doe2020] as [[long|a page]] says."),
    "learn": ("Slower", "All of it can be learning slowly [@roe2021] as **they** said."),
    "long": ("A long page", "filler " * 300 + "zither in the hay " + "filler " * 300),
}
GLOSSARY = """---
type: glossary
---

- **wolfram**, **tungsten**, **heavy stone**: A metal.
- **tarn**, **loch**: A lake.
- **WLT**, **willow leaf tea**: A drink.
- **law of gas**, **gas law**: How it spreads.
- **salutation**, **wave with one tail**: A greeting.
- **masked ball**, **talk to a mummer**: A feast.
- **swaying**, **turn someone's head**: To win over.
- **fawning**, **blandishment**, **nod along**: To please.
"""
LINE = {"kind": ("Question",)}
BURROWS = {"line": ("burrows",)}
ASKED: dict[str, dict[str, Any]] = {
    "Octopus": {"search_text": f"So wrote Bender of a beast. {'sea ' * 100}"},
    "Benderly": {"search_text": "Another person."},
    "Bend": {"search_text": "Nobody."},
    "Strachan 2024": {"search_text": "Stories."},
    "Start": {"search_text": "Stretched strategies start."},
    "GPT-4": {"search_text": "Large."},
    "GPT-5": {"search_text": "GPT-5 has 4 parts, and 4 more of GPT."},
    "Sycophancy": {"search_text": "Applause."},
    "Gemma": {"search_text": "Gemma-2.5 scored 9.1."},
    "Scores": {"search_text": "Gemma 3 went from 2.1 to 9.5%, Gemma 4 from 2.3 to 5.9."},
    "Minds": {"search_text": "Of others.", "names": ("ToM",)},
    "Tom and tom": {"search_text": "Tom."},
    "Commonly": {"search_text": "Rarely."},
    "One fish": {"search_text": "A red herring."},
    "Another": {"search_text": "A herring, red."},
    "Often what": {"search_text": "Often they offer what oblong things are."},
    "Does praise help?": {
        "search_text": f"{'essay ' * 300} flattery",
        "facets": {**LINE, "topic": ("fawning",)},
        "aliases": ("Do geese nod along?",),
    },
    "Is anybody there?": {"search_text": f"{'essay ' * 300} people", "facets": LINE},
    "Flattery of people": {"search_text": "Flattery, flattery, which people like."},
    "Marsupials": {
        "search_text": f"{'essay ' * 300} dig wombat quaver frolic",
        "facets": BURROWS | LINE,
        "aliases": ("Can marsupials dig?",),
    },
    "Quaver": {"search_text": "It may frolic. " * 3},
    "Wombat": {"search_text": "It can dig. " * 3 + "Frolic.", "facets": BURROWS},
    "Badgers": {"search_text": f"{'essay ' * 280} dig wombat", "facets": LINE},
    "Of islands": {"search_text": "Hop, quokka, quokka, quokka.", "facets": {"kind": ("Source",)}},
    "Of shores": {"search_text": "Hop, quokka.", "facets": {"kind": ("Claim",)}},
    "Of this site": {"search_text": "Kangaroos, carved.", "facets": {"kind": ("Guide",)}},
    "Of habits": {"search_text": "Tea rituals, odd rituals.", "facets": LINE},
    "Of ceremonies": {
        "search_text": "Odd tea. Rituals.",
        "facets": {**LINE, "topic": ("Rituals",)},
    },
    "Behaviour": {"search_text": "Nothing."},
    "Sure of you": {"search_text": "Sure, sure. Trust, trust."},
    "Optimization": {"search_text": "Nothing."},
    "Vapour": {"search_text": "It spreads by the law of gas."},
    "Masked ball": {"search_text": "They dance."},
    "Is a mummer sad?": {
        "search_text": "A mummer may talk.",
        "facets": LINE,
        "aliases": ("Who talks?",),
    },
    "Ore": {"search_text": "Much wolfram."},
    "Of winning over": {"search_text": "Swaying voters."},
    "Of quiet dens": {
        "search_text": "Numbats snore. Numbats rest.",
        "facets": {"kind": ("Finding",)},
    },
    "Numbats snore less in dens": {"search_text": "Dens.", "facets": {"kind": ("Claim",)}},
    "Numbats snoring": {"search_text": "Numbats snore.", "facets": {"kind": ("Topic",)}},
    "Saffron dishes": {"search_text": "Saffron, saffron, saffron, saffron. Rice."},
    "Saffron meals": {"search_text": "Saffron. Why would anyone use it? Better than none."},
    "Of gliders": {
        "search_text": "They sail.",
        "aliases": ("Can possums fly?", "Are possums birds?"),
    },
    "Of lemurs": {
        "search_text": "Lemurs live in trees.\n\nIn 2020, Doe et al. Roe saw a lemur wave with one "
        "tail, one of two. It was glad.\n\nwave of a lemur",
        "keywords": "",
    },
    "Smiling axolotls": {"search_text": "Axolotl, axolotl. Smiling axolotl.", "keywords": ""},
    **{
        f"Of little {number}": {"search_text": f"{'more ' * 300} smiled", "keywords": ""}
        for number in range(9)
    },
    "Of leading": {
        "search_text": "Induction in practice.",
        "facets": {"kind": ("Claim",), "topic": ("Induction",)},
        "keywords": "ubiquitous frequent",
    },
    "Rituals": {"search_text": "Rites.", "facets": {"kind": ("Topic",)}, "keywords": ""},
    "Of willows": {"search_text": "Tea of a willow leaf. WLT.", "keywords": ""},
    "Fawning": {
        "search_text": "Applauding.",
        "facets": {"kind": ("Topic",), "topic": ("fawning",)},
        "names": ("blandishment", "nod along"),
    },
    "Geese nod along": {"search_text": "Fast.", "facets": {"topic": ("fawning",)}},
    "Herons nod along": {"search_text": "Slow.", "facets": {"topic": ("Rituals",)}},
    "A glossary": {
        "passages": (
            Passage(
                "term-g", "Term", ("gadget", "gizmo"), "A tool.", (("lines/kelp.html", "kelp"),)
            ),
        )
    },
}


def pages(context: object) -> Iterator[SitePage]:
    for name, (title, text) in TEXTS.items():
        yield SitePage(
            url=f"statements/{name}.html",
            kind="statement",
            title=title,
            html=f"<h1>{name}</h1>",
            search_text=text,
            facets={"kind": ("Claim" if len(name) > 6 else "Finding",), "camp": ("Skeptic",)},
        )
    for number in range(18):
        yield SitePage(
            url=f"many/{number}.html",
            kind="x",
            title=f"Common thing {number}",
            html="<h1>x</h1>",
            search_text="common words " * (number + 1),
            keywords="ubiquitous frequent",
            facets={"kind": ("Thing",)},
        )
    for kind in ("Finding", "Claim", "Question"):
        yield SitePage(
            url=f"alternates/{kind.lower().replace(' ', '-')}.html",
            kind="x",
            title=f"Quince {kind.split()[-1].lower()}",
            html="<h1>x</h1>",
            search_text="nothing more",
            facets={"kind": (kind,)},
        )
    yield from (
        SitePage(
            url=f"asked/{number}.html",
            kind="x",
            title=title,
            html="<h1>x</h1>",
            **{"keywords": "ubiquitous frequent" if number < 16 else "ubiquitous", **more},
        )
        for number, (title, more) in enumerate(ASKED.items())
    )
    yield SitePage(
        url="lines/kelp.html",
        kind="line",
        title="Does kelp sing?",
        aliases=("Is it inductive?",),
        html="<h1>x</h1>",
        description="Perhaps no: it hums.",
        search_text="Kelp was recorded, in a loch.",
        best_reason=("many/1.html", "Kelp has no lungs"),
        facets={**LINE, "answer": ("Perhaps",)},
    )
    yield SitePage(url="index.html", kind="home", title="Home", html="<h1>Home</h1>")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    report = build_site(
        corpus_of_notes(glossary=GLOSSARY), tmp_path_factory.mktemp("site"), pages=(pages,)
    )
    return report.index.parent


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    return serve(site)


@pytest.fixture(scope="module")
def home(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    """The front page, opened once for all that is asked there, and every error in it."""
    page, trouble = browser.new_page(viewport={"width": 1280, "height": 900}), list[str]()
    watch(page, trouble)
    yield page, trouble
    page.close()


@pytest.fixture
def open_page(
    open_page: Callable[[str], Page], home: tuple[Page, list[str]], address: str
) -> Iterator[Callable[[str], Page]]:
    """Gives the front page, with nothing asked yet, or opens another address anew."""
    page, trouble = home

    def open(url: str) -> Page:
        if url != address:
            return open_page(url)
        if page.url != address:
            page.goto(address)
        return page

    yield open
    assert trouble == []


def ask(page: Page, words: str) -> list[str]:
    """The titles of what is found."""
    box = page.get_by_role("textbox", name="Search", exact=True)
    box.fill(words)
    expect(page.locator(".kg-search-result__list")).to_have_attribute("data-kg-answers", words)
    return page.locator(".kg-search-result__link h2").all_inner_texts()


def expect_found(page: Page, words: str, titles: list[str]) -> None:
    """Ask, and wait until these titles are what is found."""
    ask(page, words)
    expect(page.locator(".kg-search-result__link h2")).to_have_text(titles)


@pytest.mark.parametrize("from_disk", [False, True])
def test_words_are_found_by_stem_beginning_and_with_a_slip(
    from_disk: bool, open_page: Callable[[str], Page], site: Path, address: str
) -> None:
    page = open_page((site / "index.html").as_uri() if from_disk else address)
    expect_found(page, "hallucinating", ["Models hallucinate"])
    expect_found(page, "hallucin", ["Models hallucinate"])
    expect_found(page, "halucinatoin ", ["Models hallucinate"])
    expect_found(page, "slowhazard", [])
    expect_found(page, "repairing ground", ["Grounding needs repair"])
    expect_found(page, "CAFE", ["Grounding needs repair"])
    expect_found(page, "zzzzzz", [])


def test_nothing_is_loaded_until_search_is_used(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(f"{address}index.html")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.wait_for_load_state("networkidle")
    assert [url for url in requests if "/search/" in url] == []
    ask(page, "grounding")
    assert any("/search/t-" in url for url in requests)


def test_the_words_stand_out_where_they_stand(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "zithers ")
    assert page.locator(".kg-search-result mark").all_inner_texts() == ["zither"]
    text = page.locator(".kg-search-result__article p").last.inner_text()
    assert text.startswith("…")
    assert len(text.split()) < 40


def test_titles_and_texts_are_shown_and_never_obeyed(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert HOSTILE in ask(page, "onerror")
    assert page.locator(".kg-search-result img").count() == 0
    assert "1" not in page.title()


def test_keys_open_move_follow_and_close(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(f"{address}index.html")
    page.keyboard.press("/")
    page.keyboard.type("common", delay=5)
    expect(page.locator(".kg-search-result__link")).to_have_count(8)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    links = page.locator(".kg-search-result__link")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("textbox", name="Search", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    assert not page.locator("#__search").is_checked()
    page.keyboard.press("s")
    page.keyboard.press("ArrowDown")
    with page.expect_navigation(url="**/many/*.html"):
        page.keyboard.press("Enter")


def test_facets_narrow_and_more_can_be_shown(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "common")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".kg-search-result__link")).to_have_count(16)
    ask(page, "grounding")
    page.get_by_text("Narrow down").click()
    claim = page.get_by_role("button", name="Claim 2")
    claim.click()
    expect(claim).to_have_attribute("aria-pressed", "true")
    assert page.locator(".kg-search-label").all_inner_texts() == ["Claim · Skeptic"] * 2
    claim.click()
    expect(claim).to_have_attribute("aria-pressed", "false")


def test_the_best_page_comes_first(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    assert ask(page, "grounding repair")[0] == "Grounding needs repair"


def test_words_as_typed_come_before_their_stems_and_lines_before_evidence(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "learned ") == ["Slowly", "Slower"]
    assert ask(page, "learning ") == ["Slower", "Slowly"]
    assert ask(page, "quince ") == ["Quince question", "Quince claim", "Quince finding"]


def test_a_slip_is_named_with_what_was_found_instead(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "halucinatoin ")
    element = page.locator(".kg-search-result__meta")
    expect(element).to_have_text(
        "Nothing here on “halucinatoin”. Nearest: 1 page with “hallucinate”"
    )
    ask(page, "quinec evidnece ")
    expect(element).to_have_text(
        "Nothing here on “quinec” or “evidnece”. Nearest: 3 pages with “quince”"
    )
    page.get_by_role("button", name="Did you mean “quince evidnece”?").click()
    expect(element).to_have_text(
        "Nothing here on “evidnece”. Nearest: 3 pages with the other words"
    )
    expect(page.locator(".kg-search-meant")).to_be_hidden()


def test_of_a_word_that_no_page_has_other_ways_are_offered(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    offers = page.locator(".kg-search-facets")
    page.locator("[name=query]").fill("")
    expect(offers.get_by_role("link", name="Does kelp sing?")).to_be_visible()  # nothing is asked
    expect(offers.get_by_role("button", name="Rituals")).to_be_visible()
    assert ask(page, "Einstein") == []
    expect(page.locator(".kg-search-result__meta")).to_have_text(
        "Nothing here on “Einstein”. What the site asks:"
    )
    line = offers.get_by_role("link", name="Does kelp sing?")
    assert (line.get_attribute("href") or "").endswith("lines/kelp.html")
    assert ask(page, "sixg") == []
    expect(page.locator(".kg-search-result__meta")).to_have_text("Nothing here on “sixg”. Nearest:")
    expect(offers.get_by_role("link").first).to_have_text("Does kelp sing?")
    offers.get_by_role("button", name="sing", exact=True).click()
    expect(page.locator(".kg-search-result__link h2").first).to_have_text("Does kelp sing?")
    assert ask(page, "Einstein") == []
    offers.get_by_role("button", name="Rituals").click()
    expect(page.locator(".kg-search-result__link", has_text="Of ceremonies")).to_be_visible()


def test_a_word_that_is_mistyped_where_it_begins_is_found(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "ycophancy ") == ask(page, "rycophancy ") == ["Sycophancy"]
    assert ask(page, "marsupiall") == ["Marsupials"]


def test_a_word_on_most_pages_decides_nothing(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "ubiquitous wombat") == ask(page, "wombat")
    assert len(ask(page, "ubiquitous ")) == 8
    expect(page.locator(".kg-search-result__meta")).to_have_text("65 pages, best first")


def test_a_page_about_the_site_leads_where_it_holds_all_of_a_question(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "who carved these kangaroos?")[0] == "Of this site"
    assert ask(page, "does a carved wombat dig?")[0] == "Wombat", "and no line holds all of it"


@pytest.mark.parametrize("words", ["how sure are you", "can I trust this", "how to read"])
def test_a_question_about_the_site_itself_brings_the_page_that_answers_it(
    open_page: Callable[[str], Page], address: str, words: str
) -> None:
    assert ask(open_page(address), words)[0].startswith("How to read this site")


def test_a_question_that_names_a_topic_brings_its_line(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "how odd are tea rituals?")
    page.get_by_role("button", name="Show more").click()
    titles = page.locator(".kg-search-result__link h2")
    expect(titles.filter(has_text="Of habits")).to_be_visible()
    answer = titles.all_inner_texts()
    assert answer.index("Of ceremonies") < answer.index("Of habits")


def test_a_topic_is_named_by_another_form_of_its_word(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert "Of leading" in ask(page, "how inductive is it?")
    expect(page.locator(".kg-search-answer")).to_have_count(0)


def test_a_word_in_the_title_of_a_question_brings_its_answer_first(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "kelp")[0] == "Does kelp sing?"
    expect(page.locator(".kg-search-answer")).to_contain_text("Perhaps no: it hums.")


def test_the_name_of_a_topic_brings_its_page_and_then_a_question_on_it(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "rituals")[:2] == ["Rituals", "Of ceremonies"]
    expect(page.locator(".kg-search-answer")).to_have_count(0)


def test_where_many_pages_hold_a_word_those_with_another_form_are_left_out(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert "Commonly" in ask(page, "commonly")
    ask(page, "common ")
    expect(page.locator(".kg-search-result__meta")).to_have_text("18 pages, best first")


def test_the_initials_of_a_name_of_the_glossary_find_what_the_name_finds(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "WLT") == ask(page, "wlt") == ask(page, "willow leaf tea") == ["Of willows"]


def test_a_question_answers_only_what_it_holds_all_words_of(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    answer = page.locator(".kg-search-answer")
    assert ask(page, "can kelp sing recorded?")[0] == "Does kelp sing?"
    expect(answer).to_have_count(1)
    for words in ("can kelp sing of lemurs?", "can kelp sing in a tarn?"):
        assert "Does kelp sing?" in ask(page, words)
        expect(answer).to_have_count(0)


def test_the_word_itself_comes_before_words_that_are_only_near(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "bender") == ["Octopus", "Benderly"]
    assert ask(page, "benderl") == ["Benderly", "Bend", "Octopus"]
    assert ask(page, "Stratchan") == ["Strachan 2024"]
    assert ask(page, "Stratchan ") == ["Strachan 2024"]


def test_a_guess_narrows_nothing(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    assert ask(page, "bender stratchan") == ["Octopus", "Strachan 2024"]
    answer = ask(page, "quinec claim ")
    assert answer[0] == "Quince claim"
    assert {"Quince finding", "Quince question"} <= set(answer)


def test_what_sounds_like_a_word_is_that_word(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "sycofancy ") == ["Sycophancy"]


def test_a_name_with_numbers_is_sought_whole(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "Gemma-2.5") == ask(page, "gemma2.5") == ["Gemma"]
    assert ask(page, "Gemma-9.5") == ["Scores", "Gemma"], "parts, where no page has the whole"


def test_a_name_and_its_number_may_be_written_in_one(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "gpt4") == ["GPT-4", "GPT-5"]
    expect(page.locator(".kg-search-result__meta")).to_have_text("2 pages")


def test_a_page_that_is_called_so_leads(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    assert ask(page, "ToM") == ["Minds · ToM", "Tom and tom"]
    assert ask(page, "what is ToM?") == ["Minds · ToM", "Tom and tom"]


def test_a_passage_is_found_by_its_other_names(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "gizmo") == ["gadget · gizmo"]
    link = page.locator(".kg-search-result__link")
    assert (link.get_attribute("href") or "").endswith(".html#term-g")


def test_words_that_stand_everywhere_are_neither_sought_nor_marked(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "what are oblong of")
    assert page.locator(".kg-search-result mark").all_inner_texts() == ["oblong"]
    ask(page, "what")
    marked_texts = page.locator(".kg-search-result mark").all_inner_texts()
    assert {"what"} <= {word.lower() for word in marked_texts} <= {"what", "whatif"}


def test_a_question_that_has_but_begun_brings_what_the_site_asks(
    open_page: Callable[[str], Page], address: str
) -> None:
    page, selector = open_page(address), ".kg-search-result__meta"
    for words in ("of the ", "Do ", "it is "):
        assert "Does kelp sing?" in ask(page, words)
        expect(page.locator(selector)).to_contain_text(
            "stand on nearly every page. What the site asks"
        )
    answer = ask(page, "Do kelp")
    assert answer == ["Does kelp sing?"]
    expect(page.locator(selector)).to_have_text("1 page")


def test_a_question_is_found_by_other_wordings_of_a_title_or_brings_what_the_site_asks(
    open_page: Callable[[str], Page], address: str, site: Path
) -> None:
    page, selector = open_page(address), ".kg-search-result__meta"
    assert ask(page, "are possums flying birds?") == ["Of gliders"]
    assert ask(page, "can possums fly") == ["Of gliders"]
    assert not list((site / "asked").glob("*possums*"))  # a question was no address
    assert "Does kelp sing?" in ask(page, "is jealousy a burden?")
    expect(page.locator(selector)).to_have_text(
        "Nothing here on “jealousy” or “burden”. What the site asks:"
    )
    assert "Does kelp sing?" in ask(page, "is it gudget?")  # a short word that may be no slip
    assert ask(page, "is it gagdet?") == ["gadget · gizmo"], "neighbours that changed places"


def test_a_short_word_that_no_page_has_is_not_taken_for_another(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert set(ask(page, "does a mombat dig?")) == set(ask(page, "does it dig?"))
    ask(page, "wombat doggy dig ")
    expect(page.locator(".kg-search-result__meta")).to_contain_text("Nothing here on “doggy”")
    expect(page.locator(".kg-search-meant")).to_be_hidden()
    ask(page, "xallucination ")
    expect(page.get_by_role("button", name="Did you mean “hallucinate”?")).to_be_visible()
    assert ask(page, "xommon ") == []


def test_the_common_words_of_a_question_decide_between_pages_that_hold_the_others(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "saffron") == ["Saffron dishes", "Saffron meals"]
    assert ask(page, "why would anyone use saffron?") == ["Saffron meals", "Saffron dishes"]


def test_a_line_leads_only_where_its_title_says_most_of_a_question(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    answer = ask(page, "can flattery ever harm people?")
    assert answer[0] == "Flattery of people"
    assert "Does praise help?" in answer
    assert ask(page, "does praise flatter?")[0] == "Does praise help?"
    assert ask(page, "flattery people") == ["Flattery of people", "Does praise help?"]


def test_the_line_whose_claims_answer_a_question_leads(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "does a wombat dig?") == ["Marsupials", "Wombat", "Badgers"]
    assert ask(page, "does a wombat dig a gadget?")[0] == "gadget · gizmo", "no line speaks of it"
    assert ask(page, "does a wombat frolic?")[0] == "Wombat", "the line is not called so"
    # a page that is called as is asked is the answer, and what is no question names no line
    assert ask(page, "is there a wombat?")[0] == "Wombat"
    assert ask(page, "wombat dig")[0] == "Wombat"


def test_a_line_that_holds_a_word_by_the_way_follows_the_page_that_is_called_so(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "does a quaver frolic?")[0] == "Quaver"


def test_of_a_question_a_claim_comes_before_a_source_that_says_as_much(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "quokka hop") == ["Of islands", "Of shores"]
    assert ask(page, "can a quokka hop?") == ["Of shores", "Of islands"]


def test_a_claim_answers_a_question_before_evidence(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    answer = ask(page, "do numbats snore?")
    assert answer.index("Numbats snore less in dens") < answer.index("Of quiet dens")
    assert ask(page, "what is snoring of numbats?")[0] == "Numbats snoring"
    assert ask(page, "can snoring of numbats be cured?")[0] == "Numbats snore less in dens"


def test_where_no_title_says_anything_of_a_question_the_nearest_is_called_so(
    open_page: Callable[[str], Page], address: str
) -> None:
    page, selector = open_page(address), ".kg-search-result__meta"
    ask(page, "can it be oblong?")
    expect(page.locator(selector)).to_have_text("The site does not ask this. Nearest: 1 page")
    ask(page, "oblong")
    expect(page.locator(selector)).to_have_text("No page is about this. Nearest: 1 page")


def test_a_question_whose_one_word_only_a_claim_has_is_not_what_the_site_asks(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    meta = page.locator(".kg-search-result__meta")
    ask(page, "is there saffron?")
    expect(meta).to_have_text("The site does not ask this. Nearest: 2 pages")
    ask(page, "do axolotls smile?")
    expect(meta).not_to_contain_text("The site does not ask this")
    for words in ("can marsupials dig?", "what is a gizmo?", "does kelp sing?"):
        ask(page, words)
        expect(meta).not_to_contain_text("The site does not ask this")


def test_an_entry_of_the_glossary_leads_on_to_what_it_links(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "gizmo")
    link = page.locator(".kg-search-ways").get_by_role("link", name="kelp")
    assert (link.get_attribute("href") or "").endswith("lines/kelp.html")


def test_words_that_no_sentence_holds_together_are_said_to_be_apart(
    open_page: Callable[[str], Page], address: str
) -> None:
    page, meta = open_page(address), ".kg-search-result__meta"
    ask(page, "gemma applause")
    expect(page.locator(meta)).to_have_text("Nothing here says all of this. Nearest: 3 pages")
    ask(page, "kelp loch")
    expect(page.locator(meta)).to_have_text("1 page")


def test_words_of_one_root_and_both_spellings_are_one(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "sycophantic ") == ["Sycophancy"]
    assert ask(page, "behavior ") == ask(page, "behave ") == ["Behaviour"]
    assert ask(page, "optimise ") == ["Optimization"]
    assert ask(page, "practising ") == ["Of leading"]


def test_what_the_glossary_gives_several_names_is_found_by_each(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "tungsten") == ask(page, "heavy stone") == ["Ore"]
    marked_texts = page.locator(".kg-search-result mark").all_inner_texts()
    assert {"wolfram"} == {word.lower() for word in marked_texts}


def test_another_name_of_a_topic_means_it_only_on_its_pages(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    found = ask(page, "blandishment")
    assert "Geese nod along" in found
    assert "Herons nod along" not in found


def test_a_topic_precedes_a_question_that_says_only_other_names_of_it(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    topic = "Fawning · blandishment · nod along"
    assert ask(page, "blandishment")[:2] == [topic, "Does praise help?"]
    assert ask(page, "chatgpt blandishments")[:2] == [topic, "Does praise help?"]


def test_the_words_of_a_name_are_meant_together(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "can you tell if you are talking to a mummer?")[0] == "Masked ball"
    expect(page.locator(".kg-search-answer")).to_have_count(0)
    assert ask(page, "is a mummer sad?")[0] == "Is a mummer sad?"


def test_a_line_is_no_answer_by_what_is_not_asked_about(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "does kelp sing?")[0] == "Does kelp sing?"
    for words in ("does kelp sing of jealousy?", "does kelp matter to rituals?"):
        ask(page, words)
        expect(page.locator(".kg-search-answer")).to_have_count(0)
    ask(page, "how many people use chatgpt")
    expect(page.locator(".kg-search-answer")).to_have_count(0)


def test_one_word_of_several_brings_no_answer(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    ask(page, "kelp")
    expect(page.locator(".kg-search-answer")).to_have_count(1)
    ask(page, "make the kelp common things")
    expect(page.locator(".kg-search-answer")).to_have_count(0)


def test_where_no_page_holds_all_of_many_words_those_that_say_most_come_first(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "numbats saffron quokka smiling axolotl")[0] == "Smiling axolotls"


def test_a_name_within_a_question_is_the_same_whoever_it_is_about(
    open_page: Callable[[str], Page], address: str
) -> None:
    assert ask(open_page(address), "can it turn my head")[0] == "Of winning over"


def test_a_line_is_shown_with_its_answer_and_other_pages_with_the_words(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "kelp zydeco") == ["Does kelp sing?"]
    article = page.locator(".kg-search-result__article")
    expect(article).to_contain_text("Perhaps no: it hums.")
    expect(article).not_to_contain_text("recorded")
    expect(article.locator(".kg-search-label")).to_have_text("Question")


def test_a_line_that_asks_what_was_asked_answers_it(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    answer = page.locator(".kg-search-answer")
    assert ask(page, "can kelp sing?")[0] == "Does kelp sing?"
    expect(answer).to_contain_text("Perhaps no: it hums.")
    expect(answer.locator("strong")).to_have_text("Perhaps")
    reason = answer.get_by_role("link", name="Kelp has no lungs")
    assert (reason.get_attribute("href") or "").endswith("/many/1.html")
    line = answer.get_by_role("link", name="Read the essay")
    assert (line.get_attribute("href") or "").endswith("/lines/kelp.html")
    assert page.locator(".kg-search-result__item", has_text="Does kelp sing?").count() == 1
    for words in ("can kelp sing zydeco?", "are possums birds?"):
        ask(page, words)
        expect(answer).to_have_count(0)


def test_of_a_question_pages_with_but_a_little_of_it_are_left_out(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    element = page.locator(".kg-search-result__meta")
    assert ask(page, "is an axolotl smiling?")[0] == "Smiling axolotls"
    expect(element).to_have_text("3 pages")
    ask(page, "smiling")
    expect(element).to_have_text("10 pages, best first")


def test_what_only_common_words_find_is_no_match(
    open_page: Callable[[str], Page], address: str
) -> None:
    assert ask(open_page(address), "axolotl nought frequent") == ["Smiling axolotls"]


def test_a_snippet_is_the_sentence_that_tells_most_and_marks_names_whole(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert "Of lemurs" in ask(page, "salutation of a lemur")
    article = page.locator(".kg-search-result__article", has_text="Of lemurs")
    text = article.locator("p").last
    expect(text).to_have_text(
        "In 2020, Doe et al. Roe saw a lemur wave with one tail, one of two. It was glad."
    )
    assert text.locator("mark").all_inner_texts() == ["lemur", "wave with one tail"]


def test_a_word_mistyped_in_a_name_of_the_glossary_is_meant_by_the_name(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "law of gsa ")[0] == "Vapour"
    expect(page.get_by_role("button", name="Did you mean “law of gas”?")).to_be_visible()
    ask(page, "jaw of gsa ")
    expect(page.locator(".kg-search-meant")).to_be_hidden()


def test_a_rare_ending_makes_no_common_word_rare(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    line, best, *_ = ask(page, "is praise common")
    assert line == "Does praise help?"
    assert best.startswith("Common thing")


def test_words_count_for_more_in_the_order_that_they_were_typed_in(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    assert ask(page, "red herring") == ["One fish", "Another"]
    assert ask(page, "herring red") == ["Another", "One fish"]


def test_whoever_goes_on_by_tab_leaves_no_shade(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(f"{address}index.html")
    ask(page, "common")
    page.keyboard.press("Tab")
    expect(page.locator(".kg-search-result__link").first).to_be_visible()
    page.get_by_role("button", name="Show more").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".kg-search__overlay")).to_be_hidden()
    assert page.evaluate("!document.activeElement.closest('[data-kg-search]')")
    page.get_by_role("textbox", name="Search", exact=True).focus()
    expect(page.locator(".kg-search__overlay")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".kg-search__overlay")).to_be_hidden()


def test_excerpts_hold_no_markup(open_page: Callable[[str], Page], address: str) -> None:
    page = open_page(address)
    ask(page, "learned ")
    text = page.locator(".kg-search-result__article p").nth(1).inner_text()
    assert text == "All of it is learned slowly. as a page says."


def test_the_page_for_lost_readers_suggests(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}statements/halucination.html")
    expect(page.get_by_role("link", name="Models hallucinate")).to_be_visible()


def test_words_are_the_same_to_the_builder_and_the_browser(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address)
    text = (Path(__file__).parents[2] / "LICENSE").read_text("utf-8") + (
        " caresses ponies agreed plastered hopping conflated relational vietnamization hopefulness "
        "adjustment adoption controlling yes yearly sky theologies possibly Naïve Straße GPT-4 ﬁne "
        "triplicate formative formalize electrical goodness allowance inference airliner "
        "defensible irritant replacement dependent communism activate angularities homologous "
        f"cease {'long' * 30} {'𠀀' * 90}"
    )
    words = page.evaluate("async (text) => (await kg.loadSearch()).findWords(text)", text)
    assert words == find_words(text)
    stems = page.evaluate("words => words.map(kg.search.stem)", words)
    assert stems == [stem(word) for word in words]
