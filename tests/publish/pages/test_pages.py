"""Every page of any corpus: whole HTML, links that lead somewhere, nothing that acts.

Of `kg/publish/pages/__init__.py`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages import PAGES
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import TIMES, examples
from tests.support.every_row import every_row
from tests.support.own import own_pages
from tests.support.page_checks import all_pages, find_problems

EVIL = (  # what does not hide each other stands together: each makes all pages
    "<script>alert(1)</script> {{7*7}}${7*7}",
    "\" onmouseover=\"alert(1) ' onfocus='alert(1) \u2028\u2029",
    "<img src=x onerror=alert(1)>",
    "</title></textarea></style><svg/onload=alert(1)> \u202egnp.exe",
    "]]><!--",
    "--><b> &lt;script&gt;",
    "javascript:alert(1)",
)


def evil_corpus(words: str) -> Corpus:
    """A corpus with `words` wherever a note may hold words of its own."""
    quoted = (
        words.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    return corpus_of_notes(
        references=(
            f"@article{{k, title = {{T {words}}}, author = {{Doe, {words}}}, year = {{2020}}, "
            f"journal = {{{words}}}, url = {{javascript:alert(1)}}}}"
        ),
        one=(
            f'---\ntype: claim\ncamp: optimist\ntitle: "A {quoted}"\ntopics: ["{quoted}", '
            f't]\nabout: ["{quoted}"]\n'
            f'open: "{quoted}"\naliases: ["{quoted}"]\nasserted_by: ["{quoted}"]\n---\n\n'
            f"{words} [@k, p. {words}] [[two|{words}]] [x](javascript:alert(1)) "
            f"![{words}](javascript:alert(1)) [[nowhere {words}]]\n\n"
            f"## {words}\n\n> {words} [@k]\n\n| a | b |\n|---|---|\n| {words} | [^1] |\n\n[^1]: "
            f"{words}\n\n<div onclick=alert(1)>{words}</div>\n\n"
            f"> [!evidence] E {words} ^e\n> {words} 77% [@k] (method:: experiment) (sample:: 5) "
            f"(reason:: {words})\n\n"
            f"- contradicts:: [[two]] (scope:: {words}) — {words}\n"
        ),
        two=f"---\ntype: counter-claim\ncamp: skeptic\n---\n\n# B "
        f"{words}\n\n```{words}\n{words}\n```\n\n- contradicts:: [[one]] — {words}\n- "
        f"undercuts:: [[one#^e]] — {words}\n",
        line=(
            f"---\ntype: line\nproposition: one\n---\n\n# Q {words}\n\nStandfirst "
            f"{words}.\n\n## {words}\n\n[[one|{words}]] [[one]] {words}\n\n"
            f"## Camps\n\n- optimist:: [[one]] — {words}\n- skeptic:: [[two]]\n\n## Next\n\n- "
            f"next:: {words}\n"
        ),
    )


@pytest.mark.integration
@every_row("words", EVIL)
def test_hostile_words_are_inert_on_every_page(words: str) -> None:
    corpus = evil_corpus(words)
    assert len(corpus.statements) == 3
    assert find_problems(all_pages(corpus)) == []


def test_hostile_words_cannot_leave_the_scripts_of_graphs_and_tables() -> None:
    words = "</script><!--&lt;\u2028\u2029"
    scripts = [
        alternate.content
        for page in all_pages(evil_corpus(words))
        for alternate in page.alternates
        if alternate.media_type == "text/javascript"
    ]
    assert len(scripts) == 3  # a graph, the rows of a table, and what a browser weighs by
    for script in scripts:
        assert not set("<>&\u2028\u2029") & set(script)


@pytest.mark.integration
@examples(3, suppress_health_check=list(HealthCheck))
@given(random_corpora())
def test_pages_of_any_corpus_are_whole(corpus: Corpus) -> None:
    assert find_problems(all_pages(corpus)) == []


@pytest.mark.integration
def test_pages_of_this_corpus_are_whole() -> None:
    pages = own_pages()
    assert {page.kind for page in pages} >= {
        "home",
        "index",
        "line",
        "statement",
        "source",
        "topic",
        "camp",
    }
    long = [page for page in pages if page.kind not in ("statement", "source")]
    rest = [page for page in pages if page.kind in ("statement", "source")]
    some = rest[:: 1 if TIMES > 1 else 4]
    assert find_problems([*long, *some], beside=pages) == []


def test_a_camp_is_found_by_the_word_that_readers_see() -> None:
    pages = {page.url: page for page in all_pages(corpus_of_notes())}
    assert pages["camps/skeptic.html"].aliases == ("sceptic",)
    assert pages["camps/optimist.html"].aliases == ()


def test_pages_of_an_empty_corpus_are_whole() -> None:
    assert find_problems(all_pages(corpus_of_notes())) == []


@pytest.mark.integration
def test_pages_do_not_depend_on_the_order_in_which_they_are_made() -> None:
    in_order = {page.url: page for page in all_pages(evil_corpus("x"))}
    context = SiteContext(Addresses(evil_corpus("x")))
    drafts = [draft for make in PAGES for draft in make(context)]
    assert {draft.url: make_page(draft) for draft in reversed(drafts)} == in_order


@every_row(("integrity", "expected_output"), [("", False), ("integrity: retracted\n", True)])
def test_a_list_of_sources_marks_what_is_retracted(integrity: str, expected_output: bool) -> None:
    corpus = corpus_of_notes(k=f"---\ntype: source\n{integrity}---\n\n# A study\n")
    pages = {page.url: page.html for page in all_pages(corpus)}
    assert ("(retracted)" in pages["sources/index.html"]) is expected_output


def test_readers_see_topics_and_groups_in_words() -> None:
    note = "---\ntype: claim\ntopics: [social-grounding]\n---\n\n# A\n"
    text = "\n> [!evidence] E ^e{0}\n> It is. [@s{0}] (independence:: data:sleep-trial)\n"
    corpus = corpus_of_notes(
        references="@book{s1, title={S}, year=1}\n@book{s2, title={S}, year=2}",
        a=note + text.format(1) + text.format(2),
    )
    pages = {page.url: page for page in all_pages(corpus)}
    topic = pages["topics/social-grounding.html"]
    assert topic.title == "Social grounding"
    assert ">Social grounding</a>" in pages["statements/a.html"].html
    assert pages["statements/a.html"].facets["topic"] == ("Social grounding",)
    assert "all else with the same data<" in "".join(page.html for page in pages.values())
    assert not [page.url for page in pages.values() if "data:sleep" in page.html]
