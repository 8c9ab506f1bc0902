"""The home page: what its answers rest on."""

from __future__ import annotations

import re

from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.overview import overview_pages
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import evidence_text, visible_text


def test_home_says_which_answers_rest_on_one_another():
    ask = "---\ntype: line\nproposition: {}\n---\n\n# {}?\n\nAsked.\n"
    claims = {
        "first": "- supports:: [[second]]\n",
        "second": "- supports:: [[third]]\n",
        "third": "",
        "apart": "",
    }
    notes = {id: f"---\ntype: claim\n---\n\n# {id}\n\n{text}" for id, text in claims.items()}
    notes |= {
        "study": evidence_text("Study", 0.9, "supports:: [[first]]"),
        "other": evidence_text("Other", 0.9, "supports:: [[apart]]"),
        "a": ask.format("third", "Third"),
        "b": ask.format("second", "Second"),
        "c": ask.format("first", "First"),
        "d": ask.format("apart", "Apart"),
    }
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus_of_notes(**notes)))))
    matches = re.findall(r"(\w+)\?</a></h3>", home.html)
    assert matches == ["Third", "Second", "First", "Apart"]
    names = "The answers to “Third?”, “Second?” and “First?” share evidence: if it is wrong,"
    assert names in visible_text(home.html)
    assert home.html.count("Its best reason is the answer to: ") == 2


def test_home_says_how_many_answers_share_heavy_reasons_or_lean_on_one_another():
    ask = "---\ntype: line\nproposition: {}\n---\n\n# {}?\n\nAsked.\n"
    claim = "---\ntype: claim\n---\n\n# {}\n\n{}"

    def home_of(*targets: str, quality: float = 0.8) -> str:
        edges = [f"supports:: [[{target}]]" for target in targets]
        notes = {id: claim.format(id, "") for id in ("one", "two", "three")}
        notes |= {f"ask-{id}": ask.format(id, id.title()) for id in ("one", "two", "three")}
        notes |= {
            f"own-{id}": evidence_text(f"Own {id}", 0.9, f"supports:: [[{id}]]") for id in notes
        }
        notes["common"] = evidence_text("Common", quality, *edges)
        corpus = corpus_of_notes(**{id: text for id, text in notes.items() if "own-ask" not in id})
        home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
        return home.html

    two = visible_text(home_of("one", "two"))
    assert "The answers to “One?” and “Two?” share evidence: if it is wrong, both may be." in two
    three = visible_text(home_of("one", "two", "three"))
    assert "The answers to “One?”, “Two?” and “Three?” share evidence: if it is wrong, all" in three
    assert "share evidence" not in home_of("one")
    assert "share evidence" not in home_of("one", "two", quality=0.2)


def test_home_says_beneath_its_answers_what_they_owe_to_tests_without_people_and_to_wording():
    finding = (
        "---\ntype: evidence\nquality: 0.9\nsample_class: {}\n---\n\n# {}\n\n- supports:: [[{}]]\n"
    )
    notes = {id: f"---\ntype: claim\n---\n\n# {id}\n" for id in ("one", "two")}
    for id, kind in (("one", "people"), ("two", "items")):
        notes[f"ask-{id}"] = (
            f"---\ntype: line\nproposition: {id}\n---\n\n# {id.title()}?\n\nAsked.\n"
        )
        notes |= {f"{id}-{n}": finding.format(kind, f"{id} {n}", id) for n in range(3)}
    notes["aside"] = finding.format("people", "Aside", "two").replace("0.9", "0.01")
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus_of_notes(**notes)))))
    assert (
        "If we counted only tests with people, one of the two answers would be undecided. Both "
        "answers came out on the side that we had written down first. That may be a fault of our "
        "method."
    ) in visible_text(home.html)
    objection = finding.format("items", "Not one", "one").replace("supports", "contradicts")
    objections = {f"against-{n}": objection for n in range(3)}
    home, *_ = map(
        make_page, overview_pages(SiteContext(Addresses(corpus_of_notes(**notes, **objections))))
    )
    assert (
        "one of the two answers would be undecided, and "
        "one that is undecided now would be “probably”."
    ) in visible_text(home.html)
    denial = notes["two-0"].replace("supports", "contradicts").replace("0.9", "1.0")
    notes |= {f"no-{n}": denial for n in range(9)}
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus_of_notes(**notes)))))
    assert "as we put it" not in home.html


def test_home_says_how_many_claims_rest_on_little():
    corpus = corpus_of_notes(
        references="@book{s, title={S}, author={Ann Doe}}\n"
        "@book{t, title={Not cited}, author={Bo Li}}",
        asked="---\ntype: claim\n---\n\n# Asked\n",
        between="---\ntype: claim\n---\n\n# Between\n\n- supports:: [[asked]] — so\n",
        reason="---\ntype: evidence\nmethod: argument\n---\n\n# Reason\n\n[@s]\n\n"
        "- supports:: [[between]] — so\n",
        here="---\ntype: line\nproposition: asked\n---\n\n# Here?\n",
    )
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
    words = visible_text(home.html)
    assert "Recorded here: 1 finding from 1 source." in words
    assert "1 of 2 claims has almost all its support from one source." in words


def test_home_gives_the_answer_of_each_question_that_weighs_a_claim():
    ask = "---\ntype: line\n{}---\n\n# {}?\n\nAsked.\n\n- optimist:: [[a]]\n"
    notes = {"a": "---\ntype: claim\n---\n\n# A\n", "none": ask.format("", "None")}

    def answers_of(**more: str) -> int:
        context = SiteContext(Addresses(corpus_of_notes(**notes, **more)))
        home, *_ = map(make_page, overview_pages(context))
        return home.html.count('class="kg-answer"')

    assert answers_of() == 0
    assert answers_of(here=ask.format("proposition: a\n", "Here")) == 1


def test_home_begins_with_the_finding_that_the_first_essay_names_first():
    ask = "---\ntype: line\nproposition: asked\n---\n\n# Asked?\n\nStandfirst.\n\n## {}\n\n{}\n"
    notes = {
        "asked": "---\ntype: claim\n---\n\n# Claim\n",
        "heavy": evidence_text("Heavy", 0.9, "supports:: [[asked]]"),
        "plain": evidence_text("Plain", 0.3, "supports:: [[asked]]"),
    }

    def finding_on_home(essay: str) -> str:
        corpus = corpus_of_notes(**notes, line=ask.format("Essay", essay))
        home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
        return visible_text(home.html.partition('class="kg-finding">')[2].partition("</p>")[0])

    assert finding_on_home("[[asked]] is what [[plain]] and [[heavy]] speak for.") == (
        "Plain (Finding)"
    )
    assert finding_on_home("Nothing is named.") == "Heavy (Finding)"


def test_home_leads_into_a_walk_whose_sum_is_the_answer_if_there_is_one():
    ask = "---\ntype: line\nproposition: {}\n---\n\n# {}?\n\nAsked.\n"

    def address_of_walk(second_studies: int) -> list[str]:
        notes = {id: f"---\ntype: claim\n---\n\n# {id}\n" for id in ("one", "two")}
        notes |= {f"ask-{id}": ask.format(id, id) for id in ("one", "two")}
        notes |= {"study": evidence_text("Study", 0.9, "supports:: [[one]]")}
        for n in range(second_studies):
            notes[f"other-{n}"] = evidence_text(f"Other {n}", 0.9, "supports:: [[two]]")
        home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus_of_notes(**notes)))))
        return re.findall(r'href="([^"]*)#walk"', home.html)

    assert address_of_walk(second_studies=6) == ["lines/ask-two.html"]
    assert address_of_walk(second_studies=1) == ["lines/ask-one.html"]


def test_home_shows_the_bars_of_the_first_essay_else_one_finding() -> None:
    table = "| Test | Kept (fair: 80%) |\n|---|---|\n| One | at most [40%](found.md) |\n"
    ask = "---\ntype: line\nproposition: claim\n---\n\n"
    notes = {
        "claim": "---\ntype: claim\n---\n\n# Kept\n",
        "found": evidence_text("Found", 0.9, "supports:: [[claim]]"),
    }

    def teaser(rows: str) -> str:
        line = f"{ask}# Kept?\n\nAsked of [it](found.md).\n\n{table}{rows}"
        corpus = corpus_of_notes(**notes, kept=line)
        home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
        return visible_text(home.html.partition("kg-teaser")[2])

    assert "fair: 80%" in teaser("| Two | 90% |\n")
    assert "One finding" in teaser("")
