"""A line's page: its answer at a glance, and counts that are the same wherever they stand."""

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
from kg.publish.pages.line import line_page
from kg.queries.line_scope import LineScope, view_line
from kg.reasoning.answers.verdict import verdict
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text
from tests.support.own import own_corpus, own_pages


def html_of(corpus: Corpus, id: str) -> str:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines[id]).html


@pytest.mark.integration
def test_a_line_counts_what_its_scope_holds():
    corpus, html = own_corpus(), {page.url: page.html for page in own_pages()}
    assert corpus.lines
    for id, result in corpus.lines.items():
        scope = LineScope(corpus, result)
        for text in (
            "independent sources</a>, together worth as much as ",
            f">{len(scope.statements_by_source)} sources</a> on which",
        ):
            assert text in html[f"lines/{id}.html"]


@pytest.mark.integration
def test_a_line_counts_the_same_on_its_page_and_as_an_answer():
    corpus, pages = own_corpus(), {page.url: page.html for page in own_pages()}
    for id in corpus.lines:
        view, html = view_line(corpus, id), pages[f"lines/{id}.html"]
        assert f">{len(view.sources)} sources</a> on which" in html
        sides = html[html.index('id="sides"') : html.index('id="turns"')]
        groups = {*group_of_same(corpus, corpus.lines[id].proposition or "")}
        pairs = group_by_pair(corpus, view.clashes)
        reasons = {each.statement for each in verdict(corpus, id).reasons}
        ends = [{pair.left, pair.right} for pair in pairs]
        others = [each for each in ends if groups.isdisjoint(each) and reasons & each]
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
    text_lines = page.keywords.splitlines()
    assert {"A phase with dreams.", "Dreams tire"} <= set(text_lines)
    assert {"LLM", "situational judgment test"} <= set(text_lines)
    assert "thrust sheet" not in text_lines


def test_what_notes_call_unsettled_stands_on_the_page_of_their_line():
    ask = "---\ntype: line\nproposition: a\n---\n\n# A?\n"
    note_texts = (
        claim_text("A", "optimist"),
        claim_text("A", "optimist", head="open: nobody *looked*\n"),
    )
    without, html = (html_of(corpus_of_notes(a=text, l=ask), "l") for text in note_texts)
    assert "caution" not in without
    assert "<summary>1 caution in the notes about what is unsettled</summary>" in html
    assert "nobody <em>looked</em>" in html


def test_a_line_links_to_its_sections_below_its_answer():
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        here="---\ntype: line\nproposition: asked\n---\n\n# Here?\n\n- optimist:: [[asked]]\n",
    )
    html = html_of(corpus, "here")
    sections = re.findall(r'<h2 id="([^"]+)"', html)
    before, _, links = html.partition("kg-jumps")
    assert before.count("<h2 id=") == 0
    assert re.findall(r'href="#([^"]+)"', links.partition("</details>")[0]) == sections
