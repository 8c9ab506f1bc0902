"""Pages as they are read: from the file system, without scripts, on narrow screens, on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.loader import load_corpus
from kg.publish.build.site import build_site
from tests.support.note_texts import claim_text, evidence_text, line_text

Open = Callable[[str], Page]
OVERLAPS = """all => {
  const first = ({ firstChild }) => {
    const range = document.createRange();
    range.selectNode(firstChild);
    return range.getClientRects()[0]; // of its first line
  };
  const rows = all.map(first);
  return rows.some((one, at) => rows.slice(at + 1).some((other) =>
    one.left < other.right && other.left < one.right &&
    one.top < other.bottom && other.top < one.bottom));
}"""


def test_previews_come_from_the_file_system_too(site: Path, open_page: Open) -> None:
    page = open_page((site / "lines/line.html").as_uri())
    page.locator(".kg-essay > p a.kg-chip").first.hover()
    card = page.locator(".kg-preview")
    expect(card).to_contain_text("Pro")
    expect(card).to_contain_text("Strongest objection")
    expect(page.locator("iframe")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator(".kg-verdict a.kg-chip").first.hover()
    expect(card).to_contain_text("onerror")
    assert page.evaluate("window.ran") is None


def test_the_card_of_a_claim_names_its_own_study_and_not_that_of_its_objection(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    notes = {
        "first": claim_text("First", "optimist", "supports:: [[asked]]"),
        "strong": evidence_text("Strong", 0.9, "supports:: [[first]]"),
        "own": evidence_text("Own", 0.2, "supports:: [[asked]]") + "[@roe2020]\n",
        "against": evidence_text("Against", 0.8, "contradicts:: [[asked]]") + "[@doe2021]\n",
        "asked": claim_text("Asked", "optimist"),
        "line": line_text("So?", "optimist:: [[first]]", essay="On [[asked]] and [[first]]."),
        "references": "@book{roe2020, title={R}, author={Ann Roe}, year={2020}}\n"
        "@book{doe2021, title={D}, author={Bo Doe}, year={2021}}",
    }
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in notes.items():
        ending = "bib" if name == "references" else "md"
        folder.joinpath(f"{name}.{ending}").write_text(text, "utf-8")
    site = build_site(load_corpus(folder), tmp_path / "site").index.parent
    page = open_page(serve(site) + "lines/line.html")
    links, card = page.locator(".kg-essay > p a.kg-chip"), page.locator(".kg-preview")
    links.first.hover()
    label = card.get_by_text("Strongest study for it")
    expect(label.locator("xpath=following-sibling::*[1]")).to_contain_text("Own")
    expect(card).to_contain_text("Roe 2020")
    objection = card.get_by_text("Strongest objection").locator("xpath=following-sibling::*[1]")
    expect(objection).to_contain_text("Against")
    expect(card).not_to_contain_text("Doe 2021")
    expect(card.locator(".kg-verdict-words")).not_to_be_empty()


def test_the_card_of_a_question_ends_with_its_lead(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    essay = "## What else?\n\nWhat answers the heading.\n\n## Next\n\n- next:: Why?"
    folder = tmp_path / "notes"
    folder.mkdir()
    folder.joinpath("asked.md").write_text(claim_text("Asked", "optimist"), "utf-8")
    text = line_text("So?", "optimist:: [[asked]]", essay=essay)
    folder.joinpath("line.md").write_text(text, "utf-8")
    site = build_site(load_corpus(folder), tmp_path / "site").index.parent
    page = open_page(serve(site) + "gaps.html")
    page.get_by_role("link", name="So?").first.hover()
    card = page.locator(".kg-preview")
    expect(card).to_contain_text("Asked.")
    expect(card).not_to_contain_text("What answers the heading.")


def test_the_card_of_a_study_says_which_it_is_and_how_good_before_what_is_said_against_it(
    open_page: Open, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    """In words alone, and also where a note beside the essay says it."""
    essay = "See [[study|what was found]]. " + "And so on. " * 200
    notes = {
        "study": evidence_text("Found", 0.6, "supports:: [[asked]]") + "[@roe2020]\n",
        "doubt": claim_text("Doubt", "skeptic", "contradicts:: [[study]]"),
        "asked": claim_text("Asked", "optimist"),
        "line": line_text("So?", "optimist:: [[asked]]", essay=essay),
        "references": "@book{roe2020, title={R}, author={Ann Roe}, year={2020}}",
    }
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in notes.items():
        ending = "bib" if name == "references" else "md"
        folder.joinpath(f"{name}.{ending}").write_text(text, "utf-8")
    site = build_site(load_corpus(folder), tmp_path / "site").index.parent
    page = open_page(serve(site) + "lines/line.html")
    link = page.locator(".kg-essay > p a.kg-chip").first
    link.evaluate("link => link.scrollIntoView({ block: 'center' })")
    link.hover()
    card = page.locator(".kg-preview")
    expect(card).to_be_visible()
    expect(page.locator(".kg-margin-note").first).to_be_visible()
    expect(card).to_have_text(re.compile("^Found.*Roe 2020.*Fair: .*Strongest objection.*Doubt"))
    expect(card.locator(".kg-bar:visible")).to_have_count(0)
    row, box = link.bounding_box(), card.bounding_box()
    assert row is not None
    assert box is not None
    assert box["y"] + box["height"] <= row["y"], "what follows in a long paragraph stays in sight"


def test_a_preview_leaves_the_paragraph_or_row_of_its_link_in_sight(
    open_page: Open, address: str
) -> None:
    for url, links in (
        ("lines/line.html", "p:not(.kg-margin-title) > a.kg-chip"),
        ("statements/index.html", "td a, th a"),
    ):
        page = open_page(address + url)
        chips = page.locator(f"main :is({links}):is(.kg-chip:not(.kg-chip-camp)):visible").all()
        assert chips
        for link in chips[:6]:
            link.hover()
            card = page.locator(".kg-preview")
            expect(card).to_be_visible()
            row = link.evaluate(
                "link => (({top, bottom}) => [top, bottom])"
                "((link.closest('tr, p') ?? link).getBoundingClientRect())"
            )
            box = card.bounding_box()
            assert box is not None
            assert box["y"] >= row[1] + 4 or box["y"] + box["height"] <= row[0] - 4, url
            page.keyboard.press("Escape")
            expect(card).to_have_count(0)


def test_the_page_for_lost_readers_is_styled_and_leads_on_from_the_file_system(
    site: Path, browser: Browser
) -> None:
    page = browser.new_page()
    page.goto((site / "404.html").as_uri())
    heading = page.get_by_role("heading", name="There is no page here")
    expect(heading).to_have_css("font-weight", "650")
    page.get_by_role("link", name="All statements").click()
    page.wait_for_url("**/statements/index.html")
    page.close()


def test_a_missing_page_says_what_its_address_may_have_meant(
    browser: Browser, address: str
) -> None:
    page = browser.new_page()
    page.goto(address + "statements/more-100.html")
    expect(page.locator("[data-kg-suggestions]")).to_contain_text("More 100")
    page.close()


def test_everything_can_be_read_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "lines/line.html")
    for words in ("Both sides", "What would change the answer", "Sources"):
        expect(page.get_by_role("heading", name=words, exact=True)).to_be_visible()
    expect(page.locator(".kg-scale")).to_be_visible()
    for part in ("Best reason towards “", "What would shake it most:"):
        expect(page.locator(".kg-verdict").get_by_text(part).first).to_be_visible()
    page.get_by_text("and other checks").click()
    page.get_by_text("How is this computed?").click()
    expect(page.get_by_role("region", name="Reasons that add up to the verdict")).to_be_visible()
    page.goto(address + "statements/index.html")
    expect(page.locator(".kg-rows tbody tr").first).to_be_visible()
    context.close()


def test_rows_become_cards_on_a_narrow_screen(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 700})
    page.goto(address + "sources/doe2020.html")
    cell = page.locator(".kg-rests td[data-label='What it speaks for and against']").first
    before = cell.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert before == '"What it speaks for and against"'
    area = page.locator(".kg-rests").locator("xpath=..")
    assert area.evaluate("area => area.scrollWidth <= area.clientWidth")
    page.close()


def test_the_glossary_is_open_on_a_narrow_screen_with_letters_to_jump_to(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 700})
    page.goto(address + "glossary.html")
    first, last = page.get_by_text("It is 7.").first, page.get_by_text("It is 10.").last
    expect(first).to_be_visible()
    expect(last).not_to_be_in_viewport()
    page.locator(".kg-letters").get_by_role("link", name="Z", exact=True).click()
    expect(page.get_by_role("heading", name="Z", exact=True)).to_be_in_viewport()
    page.get_by_label("Filter").fill("z10")
    expect(last).to_be_visible()
    expect(first).to_be_hidden()
    page.get_by_label("Filter").fill("")
    expect(first).to_be_visible()
    page.goto(address + "glossary.html#term-z10")
    expect(last).to_be_in_viewport()
    page.close()


def test_what_is_cut_off_of_a_long_table_is_found_on_a_narrow_screen(
    browser: Browser, address: str, site: Path
) -> None:
    text = (site / "sources/index.html").read_text("utf-8")
    row = text[text.rindex("<tr>") : text.index("</tbody>")]
    page = browser.new_page(viewport={"width": 320, "height": 700})
    long_page = text.replace(row, row * 40)
    page.route("**/sources/index.html", lambda route: route.fulfill(body=long_page))
    page.goto(address + "sources/index.html")
    rows = page.locator("tbody tr:not(:has([data-kg-group]))")
    cut = page.locator("tbody tr[hidden=until-found]")
    expect(cut).to_have_count(20)
    output = "row => [row.offsetHeight, getComputedStyle(row).contentVisibility]"
    assert cut.first.evaluate(output) == [0, "hidden"], "not drawn, but open to a search"
    cut.first.evaluate("row => row.removeAttribute('hidden')")  # as the browser does
    expect(rows.nth(20)).to_be_visible()
    page.get_by_role("button", name="Show all 40").click()
    expect(cut).to_have_count(0)
    page.close()


def test_on_paper_both_sides_are_whole_and_tools_are_away(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "lines/line.html")
    page.emulate_media(media="print")
    away = [page.locator(gone).first for gone in (".kg-reading", ".kg-onward")]
    texts = ("How is this computed?",)
    for gone in (*away, *(page.get_by_text(text).first for text in texts)):
        expect(gone).to_be_attached()
        expect(gone).to_be_hidden()
    expect(page.locator(".kg-printed")).to_be_visible()
    for fold in page.locator(".kg-section > details:visible > summary").all():
        expect(fold).to_be_visible()
    expect(page.locator("#sides").locator("xpath=..").locator("a").first).to_be_visible()
    expect(page.locator(".kg-answer-words").first).to_be_visible()
    page.close()


def test_on_paper_there_is_no_margin_and_nothing_stands_for_a_reply_that_is_missing(
    browser: Browser, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    (notes := tmp_path / "notes").mkdir()
    texts = {"study": evidence_text("S", 0.9, "supports:: [[asked]]")}
    texts |= {"other": evidence_text("O", 0.5), "asked": claim_text("Asked", "optimist")}
    head = "proposition: asked\n"
    texts["line"] = line_text("Here?", "optimist:: [[asked]]", essay="See [[other]].", head=head)
    for name, text in texts.items():
        notes.joinpath(f"{name}.md").write_text(text, "utf-8")
    page = browser.new_page()
    page.goto(
        serve(build_site(load_corpus(notes), tmp_path / "out").index.parent) + "lines/line.html"
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    parts = (page.get_by_text("No reply recorded."), page.locator(".kg-margin"))
    for part in parts:
        expect(part).to_be_visible()
    page.emulate_media(media="print")
    for part in parts:
        expect(part).to_be_hidden()
    page.close()


def test_on_phones_the_scale_has_the_words_with_room_and_that_of_the_answer_leads_to_its_reasons(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(address + "index.html")
    expect(page.locator(".kg-teaser")).to_be_hidden()
    page.goto(address + "lines/line.html")
    words = page.locator(".kg-verdict .kg-dial-words > span")
    expect(page.locator(".kg-verdict .kg-dial-words > .kg-reached")).to_have_text("perhaps")
    for width, count in ((390, 4), (1280, 7)):
        page.set_viewport_size({"width": width, "height": 844})
        expect(words.locator("visible=true")).to_have_count(count)
        expect(page.locator(".kg-verdict .kg-scale text")).to_have_count(4)
        expect(page.locator(".kg-verdict .kg-scale text").locator("visible=true")).to_have_count(0)
        size = "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        assert min(words.evaluate_all(size)) >= 11, "letters that can be read"
        assert not words.locator("visible=true").evaluate_all(OVERLAPS)
    weight = "end => getComputedStyle(end).fontWeight"
    ends = page.locator(".kg-verdict .kg-two-ends > *").all()
    assert sorted(end.evaluate(weight) for end in ends) == ["400", "650"], "the answer's end"
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_text("Parts of the evidence, and the figures")).to_be_hidden()
    page.locator(".kg-answer-words a").first.click()
    expect(page.get_by_text("Parts of the evidence, and the figures")).to_be_visible()
    page.close()


def test_on_paper_a_work_has_its_address(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "lines/line.html")
    title = page.locator("cite > a[href^=http]").first
    after = "link => getComputedStyle(link, '::after').content"
    assert title.evaluate(after) == "none"
    page.emulate_media(media="print")
    assert title.evaluate("link => link.getAttribute('href')") in title.evaluate(after)
    page.close()


def test_the_questions_show_their_answers_until_somebody_wants_to_guess(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address + "lines/index.html")
    answer = page.locator(".kg-answer")
    expect(answer).to_be_visible()
    page.get_by_role("button", name="Guess first").click()
    page.wait_for_url("**/lines/index.html#guess")
    expect(answer).to_be_hidden()
    page.get_by_role("button", name="Show all answers").click()
    page.wait_for_url(re.compile("lines/index.html$"))
    expect(answer).to_be_visible()


def test_who_wants_to_guess_first_sees_no_answer_until_then(
    open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address + "lines/index.html#guess")
    answer, scale = page.locator(".kg-answer"), page.locator(".kg-questions .kg-scale")
    expect(answer).to_be_hidden()
    expect(scale).to_be_hidden()
    expect(page.locator("[data-kg-guess] .kg-dial-key")).to_be_hidden()
    title = page.locator(".kg-questions .kg-card-title").bounding_box()
    assert title is not None
    assert title["width"] > 300, "the question is not squeezed beside its guess"
    ends = page.locator(".kg-two-ends > *")
    weights = ends.evaluate_all("all => all.map(one => getComputedStyle(one).fontWeight)")
    assert len(weights) == 2
    assert len(set(weights)) == 1  # neither stands out before the answer is seen
    group = page.get_by_role("group", name="Your guess")
    _, high = ends.all_text_contents()
    guessed = f"very probably {high[0].lower()}{high[1:]}"
    group.get_by_role("button", name=guessed).press("Enter")
    expect(answer).to_be_visible()
    element = page.locator(".kg-guess-told")
    expect(element).to_be_focused()
    notes = page.locator(".kg-answer-words").text_content() or ""
    notes = notes[0].lower() + notes[1:].partition(":")[0]
    expect(element).to_have_text(
        f"You guessed “{guessed}” (△ on the scale); we say “{notes}”, two steps nearer the middle."
    )
    expect(scale.locator(".kg-guessed")).to_have_attribute("points", re.compile(r" 290\.5,"))
    page.get_by_role("button", name="Show all answers").click()
    expect(page.locator(".kg-guessed, .kg-guess-told")).to_have_count(0)


def test_the_main_doubt_is_seen_with_an_answer_that_was_guessed(
    open_page: Callable[[str], Page], serve: Callable[[Path], str], tmp_path: Path
) -> None:
    notes = load_corpus(Path(__file__).parents[1] / "publish/golden/notes")
    page = open_page(serve(build_site(notes, tmp_path).index.parent) + "lines/index.html#guess")
    doubt = page.locator(".kg-doubt")
    expect(doubt).to_be_hidden()
    page.get_by_role("button", name="See the answer").first.click()
    expect(doubt).to_be_visible()
    page.get_by_role("button", name="Show all answers").click()
    expect(doubt).to_be_hidden()


@pytest.mark.parametrize(
    ("guessed", "message"),
    [
        (None, "^We say “perhaps.*”[.]$"),
        (3, "You guessed “undecided” .*, one step farther from the middle[.]$"),
        (4, "You guessed “perhaps .*, as you guessed[.]$"),
        (1, "You guessed “probably .*, three steps away, on the other side[.]$"),
    ],
)
def test_any_word_can_be_guessed_and_a_sentence_says_how_far_off_it_is(
    guessed: int | None, message: str, open_page: Callable[[str], Page], address: str
) -> None:
    page = open_page(address + "lines/index.html#guess")
    assert page.locator(".kg-questions .kg-scale-word").text_content() == "perhaps"
    if guessed is None:
        page.get_by_role("button", name="See the answer").click()
    else:
        page.locator(".kg-guess-word").nth(guessed).click()
    expect(page.locator(".kg-guess-told")).to_have_text(re.compile(message))
    expect(page.locator(".kg-guessed")).to_have_count(0 if guessed is None else 1)


def test_without_scripts_nobody_is_asked_to_guess(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "lines/index.html")
    expect(page.get_by_text("Guess first")).to_be_hidden()
    expect(page.locator(".kg-answer")).to_be_visible()
    context.close()
