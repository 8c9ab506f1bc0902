"""A line's page: its answer at a glance, and counts that are the same wherever they stand."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.publish.components.clashes import pair_up
from kg.publish.components.strength_bar import strength_bar
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.publish.site_context import SiteContext
from kg.queries.line_view import LineScope, view_line
from tests.support.note_texts import builder_of, claim, evidence, line
from tests.support.own import own_corpus, own_pages


def html_of(corpus: Corpus, id: str) -> str:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines[id]).html


def test_the_crux_is_called_so_and_not_what_moves_the_answer_most(corpus_of):
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        disputed=claim("Disputed", "optimist", "supports:: [[asked]] (weak) — because"),
        agreed=claim("Agreed", "optimist", "supports:: [[asked]] — because"),
        for_it=evidence("For", 0.8, "supports:: [[disputed]]", "supports:: [[agreed]]"),
        reply=claim("Reply", "skeptic", "contradicts:: [[disputed]] — not so"),
        against=evidence("Against", 0.8, "supports:: [[reply]]"),
        here=line(
            "Here?",
            "optimist:: [[disputed]]",
            "skeptic:: [[reply]]",
            head="proposition: asked\n",
        ),
    )
    cruxes = SiteContext(Addresses(corpus)).strengths.cruxes("here")
    assert cruxes is not None
    assert cruxes.cruxes[0].statement == "disputed"
    assert max(cruxes.cruxes, key=lambda each: abs(each.swing)).statement == "agreed"
    glance = html_of(corpus, "here").partition('id="camps"')[0]
    assert "The crux, on which the camps differ: " in glance
    assert "move it most" not in glance


def test_an_answer_with_nothing_on_the_other_side_is_not_called_contested(corpus_of):
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        pro=evidence("Pro", 0.35, "supports:: [[asked]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus, "here")
    answer = html[html.index("The answer so far") : html.index('id="camps"')]
    assert ">Thinly supported</a></strong>" in answer
    assert "Contested" not in html
    assert "kg-bar-for" in strength_bar(builder_of(corpus), "asked")


def test_beside_the_answer_each_camp_gives_the_reason_that_weighs_most_for_it(corpus_of):
    study = "\n\n> [!evidence] Seen ^seen\n> In a trial. (method:: experiment)\n"
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        strong=claim("Strong", "optimist", "supports:: [[asked]] — this shows it" + study),
        weak=claim("Weak", "optimist", "supports:: [[asked]] (weak) — this hints at it"),
        con=claim("Con", "skeptic", "contradicts:: [[asked]] — not so" + study),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    html = html_of(corpus, "here")
    cases = html[html.index('class="kg-cases"') : html.index('id="camps"')]
    optimist, skeptic = cases.split('<li class="kg-case ')[1:]
    assert "this shows it" in optimist
    assert "this hints at it" not in optimist
    assert "not so" in skeptic
    for case in (optimist, skeptic):
        assert ", its reasons alone: <strong>0." in case


def test_a_line_counts_the_same_on_its_page_and_on_its_card():
    corpus, html = own_corpus(), {page.url: page.html for page in own_pages()}
    cards = html["index.html"]
    for id, found in corpus.lines.items():
        scope = LineScope(corpus, found)
        for said in (f"{len(scope.evidence)} pieces of evidence", f">{len(scope.carried)} sources"):
            assert said in cards
            assert said in html[f"lines/{id}.html"]


def test_a_line_counts_the_same_on_its_page_and_as_an_answer():
    corpus, pages = own_corpus(), {page.url: page.html for page in own_pages()}
    for id in corpus.lines:
        view, html = view_line(corpus, id), pages[f"lines/{id}.html"]
        assert f">{len(view.sources)} sources" in html
        clashes = html[html.index('id="clashes"') : html.index('id="sources"')]
        assert clashes.count('class="kg-clash"') == len(pair_up(corpus, view.clashes))
        assert view.clashes
