"""The page of all camps, and what the page of one says of an answer."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.publish.page import make_page
from kg.publish.pages.camp import camp_page, camp_pages
from tests.support.note_texts import builder_of, claim, evidence, line, visible_text


def head(corpus: Corpus) -> str:
    page = make_page(next(iter(camp_pages(builder_of(corpus).context))))
    assert "data-kg-sort" in page.html
    return visible_text(page.html)


def test_the_page_of_camps_begins_with_the_sides_of_the_answers(
    corpus_of: Callable[..., Corpus],
) -> None:
    notes = {
        "asked": claim("Asked", "optimist"),
        "here": line(
            "Here?", "optimist:: [[good]]", "skeptic:: [[no]]", head="proposition: asked\n"
        ),
        "good": claim("Good", "optimist", "supports:: [[asked]]"),
        "no": claim("Not so", "skeptic", "contradicts:: [[asked]]"),
        "pro": evidence("It helped", 0.6, "supports:: [[good]]"),
    }
    said = "Of 1 answer 1 sides with Optimist"
    assert said in head(corpus_of(**notes))
    unheard = head(corpus_of(here=line("Here?"), asked=claim("Asked", "optimist")))
    assert "sides with" not in unheard


def test_a_camp_is_said_to_have_an_answer_that_only_leans_towards_it(
    corpus_of: Callable[..., Corpus],
) -> None:
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        good=claim("Good", "optimist", "supports:: [[asked]]"),
        no=claim("Not so", "skeptic", "contradicts:: [[asked]]"),
        here=line("Here?", "optimist:: [[good]]", "skeptic:: [[no]]", head="proposition: asked\n"),
        pro=evidence("It helped", 0.35, "supports:: [[good]]"),
        con=evidence("It did not", 0.2, "supports:: [[no]]"),
    )
    context = builder_of(corpus).context
    for camp, side in zip(corpus.config.camps, ("its side", "the other side"), strict=True):
        words = visible_text(camp_page(context, camp).html)
        assert f"the answer is undecided, leaning towards {side}." in words
    assert ("Of 1 answer 0 side with Optimist, 0 side with Sceptic and 1 is undecided.") in head(
        corpus
    )
