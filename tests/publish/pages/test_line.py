"""A line's page: its answer at a glance, and counts that are the same wherever they stand.

Of `kg/publish/pages/overview.py`, too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import group_of_same
from kg.loader import load_corpus
from kg.publish.components.clashes import group_by_pair
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.line import line_page
from kg.publish.pages.overview import overview_pages
from kg.queries.line_scope import LineScope, view_line
from tests.support.note_texts import claim, evidence, visible_text
from tests.support.own import own_corpus, own_pages


def html_of(corpus: Corpus, id: str) -> str:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines[id]).html


@pytest.mark.integration
def test_a_line_counts_what_its_scope_holds():
    corpus, html = own_corpus(), {page.url: page.html for page in own_pages()}
    assert corpus.lines
    for id, found in corpus.lines.items():
        scope = LineScope(corpus, found)
        for said in (
            "independent sources</a>, together worth as much as ",
            f">{len(scope.statements_by_source)} sources</a> on which",
        ):
            assert said in html[f"lines/{id}.html"]


@pytest.mark.integration
def test_a_line_counts_the_same_on_its_page_and_as_an_answer():
    corpus, pages = own_corpus(), {page.url: page.html for page in own_pages()}
    for id in corpus.lines:
        view, html = view_line(corpus, id), pages[f"lines/{id}.html"]
        assert f">{len(view.sources)} sources</a> on which" in html
        sides = html[html.index('id="sides"') : html.index('id="turns"')]
        weighed = {*group_of_same(corpus, corpus.lines[id].proposition or "")}
        pairs = group_by_pair(corpus, view.clashes)
        others = [pair for pair in pairs if weighed.isdisjoint({pair.left, pair.right})]
        # a reason against what is weighed stands beside the best reply to it
        assert len(pairs) > sides.count('class="kg-versus-words"') >= len(others) > 0


@pytest.mark.integration
def test_a_line_is_found_by_its_answers():
    pages = [page for page in own_pages() if page.kind == "line"]
    assert len(pages) == len(own_corpus().lines) > 0
    for page in pages:
        answers = own_corpus().lines[Path(page.url).stem].answers
        assert answers.holds in page.search_text
        assert answers.fails in page.search_text


LINE = """---
type: line
topics: [rem-sleep]
---

# Should one nap?

An SJT, and AI models, say yes.

## Camps

- skeptic:: [[dreams]]
"""
GLOSSARY = """---
type: glossary
---

- **REM sleep**: A phase with dreams.
- **model**, **LLM**: A program.
- **situational judgment test**, **SJT**: A test.
- **nappe**, **thrust sheet**: A rock.
"""


def test_a_line_is_found_by_what_its_words_are_called_elsewhere(tmp_path: Path) -> None:
    notes = {"nap": LINE, "dreams": "---\ntype: claim\n---\n\n# Dreams tire\n", "words": GLOSSARY}
    for name, text in notes.items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    corpus = load_corpus(tmp_path)
    page = line_page(SiteContext(Addresses(corpus)), corpus.lines["nap"])
    found = page.keywords.splitlines()
    assert {"A phase with dreams.", "Dreams tire"} <= set(found)
    assert {"LLM", "situational judgment test"} <= set(found)
    assert "thrust sheet" not in found


def test_what_notes_call_unsettled_stands_on_the_page_of_their_line(corpus_of):
    ask = "---\ntype: line\nproposition: a\n---\n\n# A?\n"
    asked = claim("A", "optimist"), claim("A", "optimist", head="open: nobody *looked*\n")
    without, said = (html_of(corpus_of(a=text, l=ask), "l") for text in asked)
    assert "caution" not in without
    assert "<summary>1 caution in the notes about what is unsettled</summary>" in said
    assert "nobody <em>looked</em>" in said


def test_home_says_which_answers_rest_on_one_another(corpus_of):
    ask = "---\ntype: line\nproposition: {}\n---\n\n# {}?\n\nAsked.\n"
    claims = {
        "first": "- supports:: [[second]]\n",
        "second": "- supports:: [[third]]\n",
        "third": "",
        "apart": "",
    }
    notes = {id: f"---\ntype: claim\n---\n\n# {id}\n\n{said}" for id, said in claims.items()}
    notes |= {
        "study": evidence("Study", 0.9, "supports:: [[first]]"),
        "other": evidence("Other", 0.9, "supports:: [[apart]]"),
        "a": ask.format("third", "Third"),
        "b": ask.format("second", "Second"),
        "c": ask.format("first", "First"),
        "d": ask.format("apart", "Apart"),
    }
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus_of(**notes)))))
    asked = re.findall(r"(\w+)\?</a></h3>", home.html)
    assert asked == ["Third", "Second", "First", "Apart"]
    names = "The answers to “Third?”, “Second?” and “First?” share strong reasons"
    assert names in visible_text(home.html)
    assert home.html.count("Its best reason is the answer to: ") == 2


def test_home_says_how_many_answers_share_heavy_reasons_or_lean_on_one_another(corpus_of):
    ask = "---\ntype: line\nproposition: {}\n---\n\n# {}?\n\nAsked.\n"
    claim = "---\ntype: claim\n---\n\n# {}\n\n{}"

    def home_of(*targets: str, quality: float = 0.8) -> str:
        edges = [f"supports:: [[{target}]]" for target in targets]
        notes = {id: claim.format(id, "") for id in ("one", "two", "three")}
        notes |= {f"ask-{id}": ask.format(id, id.title()) for id in ("one", "two", "three")}
        notes |= {f"own-{id}": evidence(f"Own {id}", 0.9, f"supports:: [[{id}]]") for id in notes}
        notes["common"] = evidence("Common", quality, *edges)
        corpus = corpus_of(**{id: text for id, text in notes.items() if "own-ask" not in id})
        home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
        return home.html

    two = visible_text(home_of("one", "two"))
    assert "The answers to “One?” and “Two?” share strong reasons or lean on one another" in two
    three = visible_text(home_of("one", "two", "three"))
    assert "The answers to “One?”, “Two?” and “Three?” share strong reasons" in three
    assert "share strong reasons" not in home_of("one")
    assert "share strong reasons" not in home_of("one", "two", quality=0.2)


def test_home_says_how_many_claims_rest_on_little(corpus_of):
    corpus = corpus_of(
        references="@book{s, title={S}, author={Ann Doe}}\n"
        "@book{t, title={Not cited}, author={Bo Li}}",
        asked="---\ntype: claim\n---\n\n# Asked\n",
        between="---\ntype: claim\n---\n\n# Between\n\n- supports:: [[asked]] — so\n",
        reason="---\ntype: evidence\nmethod: argument\n---\n\n# Reason\n\n[@s]\n\n"
        "- supports:: [[between]] — so\n",
        here="---\ntype: line\nproposition: asked\n---\n\n# Here?\n",
    )
    home, *_ = map(make_page, overview_pages(SiteContext(Addresses(corpus))))
    told = visible_text(home.html)
    assert "The notes hold 1 piece of evidence from 1 of 2 works." in told
    assert "that makes 1 independent source, and 50% of the claims rest on hardly" in told
