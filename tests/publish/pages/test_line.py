"""A line's page: its answer at a glance, and counts that are the same wherever they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import same_statements
from kg.loader import load_corpus
from kg.publish.components.clashes import group_by_pair
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.queries.line_scope import LineScope, view_line
from kg.reasoning.answers.verdict import verdict
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, evidence_text, line_text
from tests.support.own import LINES, own_corpus, own_page


def html_of(corpus: Corpus, id: str) -> str:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines[id]).html


@pytest.mark.integration
@pytest.mark.parametrize("id", LINES)
def test_a_line_counts_the_same_on_its_page_and_as_an_answer(id: str) -> None:
    corpus, html = own_corpus(), own_page(f"lines/{id}.html").html
    view, scope = view_line(corpus, id), LineScope(corpus, corpus.lines[id])
    assert "independent sources</a> count. Of " in html
    assert len(view.sources) == len(scope.statements_by_source)
    sides = html[html.index('id="sides"') : html.index('id="turns"')]
    weighed_ids = {*same_statements(corpus, corpus.lines[id].proposition or "")}
    pairs = group_by_pair(corpus, view.clashes)
    reasons = {each.statement for each in verdict(corpus, id).reasons}
    ends = [{pair.left, pair.right} for pair in pairs]
    others = [each for each in ends if weighed_ids.isdisjoint(each) and reasons & each]
    # a reason against what is weighed stands beside the best reply to it
    assert len(pairs) > sides.count('class="kg-versus-words"') >= len(others) > 0


def test_a_line_is_found_by_its_answers() -> None:
    answers = "answers:\n  holds: Indeed, it is so\n  fails: By no means\n"
    line_here = line_text("Here?", "optimist:: [[asked]]", head=f"proposition: asked\n{answers}")
    corpus = corpus_of_notes(asked=claim_text("Asked", "optimist"), here=line_here)
    search_text = line_page(SiteContext(Addresses(corpus)), corpus.lines["here"]).search_text
    assert "Indeed, it is so" in search_text
    assert "By no means" in search_text


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
    keywords = page.keywords.splitlines()
    assert {"A phase with dreams.", "Dreams tire"} <= set(keywords)
    assert {"LLM", "situational judgment test"} <= set(keywords)
    assert "thrust sheet" not in keywords


def test_what_notes_call_unsettled_stands_on_the_page_of_their_line():
    ask = "---\ntype: line\nproposition: a\n---\n\n# A?\n"
    claims = (
        claim_text("A", "optimist"),
        claim_text("A", "optimist", head="open: nobody *looked*\n"),
    )
    without, html = (html_of(corpus_of_notes(a=text, l=ask), "l") for text in claims)
    assert "caution" not in without
    assert "<summary>What the authors of the notes call unsettled</summary>" in html
    assert "nobody <em>looked</em>" in html


def test_a_line_lists_the_sources_that_it_cites() -> None:
    study = evidence_text("Study", 0.9, "supports:: [[asked]]") + "\nSeen [@s].\n"
    corpus = corpus_of_notes(
        references="@article{s, title={A night in the laboratory}}",
        asked=claim_text("Asked", "optimist"),
        study=study,
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    section = html_of(corpus, "here").partition('<h2 id="sources"')[2].partition("</section>")[0]
    assert "A night in the laboratory" in section


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


def test_the_sources_that_count_stand_before_those_of_the_essay_and_behind_replies() -> None:
    keys = ("count", "essay", "behind")
    corpus = corpus_of_notes(
        references="\n".join(f"@book{{{key}, title={{{key}}}}}" for key in keys),
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.8, "supports:: [[asked]]") + "\n[@count]\n",
        aside=claim_text("Aside", "skeptic") + "\n[@behind]\n",
        here=line_text("Here?", "skeptic:: [[aside]]", head="proposition: asked\n")
        + "\nSaid long ago [@essay].\n",
    )
    sources = html_of(corpus, "here").partition('id="sources"')[2]
    folds = re.findall(r"<details( class=\"kg-on-paper\")?[^>]*><summary>([^<]*)", sources)
    on_paper = ' class="kg-on-paper"'
    assert folds[:3] == [
        (on_paper, "Counted in the answer (1)"),
        (on_paper, "Named in the essay (1)"),
        ("", "Behind the replies (1)"),
    ]
