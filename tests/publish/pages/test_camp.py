"""The page of all camps, and what the page of one says of an answer."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.publish.page import make_page
from kg.publish.pages.camp import camp_page, camp_pages
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text, visible_text


def head(corpus: Corpus) -> str:
    page = make_page(next(iter(camp_pages(builder_of(corpus).context))))
    assert ("data-kg-sort" in page.html) is (len(corpus.lines) > 10)
    return visible_text(page.html)


def test_the_page_of_camps_begins_with_the_sides_of_the_answers() -> None:
    notes = {
        "asked": claim_text("Asked", "optimist"),
        "here": line_text(
            "Here?", "optimist:: [[good]]", "skeptic:: [[no]]", head="proposition: asked\n"
        ),
        "good": claim_text("Good", "optimist", "supports:: [[asked]]"),
        "no": claim_text("Not so", "skeptic", "contradicts:: [[asked]]"),
        "pro": evidence_text("It helped", 0.6, "supports:: [[good]]"),
    }
    text = head(corpus_of_notes(**notes))
    assert "One answer agrees with “Optimist”, none with “Sceptic”." in text
    assert "Here?Best reason: Good (Optimist claim)1 statement" in text.replace("? B", "?B")
    assert "What is said directly for “It does not hold” is not counted." in text
    other = line_text("There?", "optimist:: [[both]]")
    here = line_text("Here?", "skeptic:: [[both]]")
    split = corpus_of_notes(both="---\ntype: claim\n---\n\n# Both\n", here=here, there=other)
    assert "1 claim whose camp depends on the question" in head(split)
    unheard = head(corpus_of_notes(here=line_text("Here?"), asked=claim_text("Asked", "optimist")))
    assert "with “Optimist”" not in unheard
    assert "Optimist" in head(corpus_of_notes(**{f"n{n}": line_text(f"N{n}?") for n in range(11)}))


def test_a_camp_is_said_to_have_an_answer_that_only_leans_towards_it() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        good=claim_text("Good", "optimist", "supports:: [[asked]]"),
        no=claim_text("Not so", "skeptic", "contradicts:: [[asked]]"),
        here=line_text(
            "Here?", "optimist:: [[good]]", "skeptic:: [[no]]", head="proposition: asked\n"
        ),
        pro=evidence_text("It helped", 0.35, "supports:: [[good]]"),
        con=evidence_text("It did not", 0.2, "supports:: [[no]]"),
    )
    context = builder_of(corpus).context
    for camp in corpus.config.camps:
        words = visible_text(camp_page(context, camp).html)
        assert "With the reasons of all sides: undecided, leaning towards “it holds”." in words
    assert ("No answers agree with “Optimist”, none with “Sceptic”; one is undecided.") in head(
        corpus
    )
