"""A line's page: its answer in words, clashes as pairs, next lines with why, links with signs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given

from kg.corpus import Corpus
from kg.publish.components.essay import neighbours
from kg.publish.components.reasons import Clash, is_answered, pair_up
from kg.publish.components.strength_bar import (
    WIDE,
    draw_bar,
    quality_words,
    signs_of,
    standing_line,
    standing_words,
)
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import Html
from kg.publish.markup.words import verdict_sentence
from kg.publish.page_builder import PageBuilder
from kg.publish.pages.gaps import unsupported
from kg.publish.pages.line import line_page
from kg.publish.site_context import SiteContext
from kg.queries.relations.compare import LineScope, view_line
from kg.reasoning import gaps, reading_of
from tests.support.corpora import corpora
from tests.support.effort import examples
from tests.support.own import own_corpus, own_pages


def claim(title: str, camp: str, *edges: str, head: str = "") -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: claim\ncamp: {camp}\n{head}---\n\n# {title}\n\n{below}\n"


def evidence(title: str, quality: float, *edges: str) -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# {title}\n\n{below}\n"


def line(title: str, *rows: str, essay: str = "", head: str = "") -> str:
    camps = "\n".join(f"- {row}" for row in rows)
    return f"---\ntype: line\n{head}---\n\n# {title}\n\nAsked.\n\n{essay}\n\n## Camps\n\n{camps}\n"


def html_of(corpus: Corpus, id: str) -> str:
    return line_page(SiteContext(Addresses(corpus)), corpus.lines[id]).html


# -- bars ----------------------------------------------------------------------------------


def bars_of(corpus: Corpus, id: str) -> tuple[Html, Html]:
    """The bar of a statement, and its gauge in running text."""
    context = SiteContext(Addresses(corpus))
    return draw_bar(context.strengths.of(id)), signs_of(PageBuilder(context, "index.html"), id)


def test_weak_evidence_is_short_from_the_left_and_not_refuted(corpus_of):
    corpus = corpus_of(p=claim("P", "optimist"), weak=evidence("Weak", 0.25, "supports:: [[p]]"))
    for drawn in bars_of(corpus, "weak"):
        assert "<title>quality 0.25</title>" in drawn
        assert re.search(r'<rect x="0" [^>]*class="kg-bar-quality"', drawn)
        assert "kg-bar-against" not in drawn
        assert "kg-bar-for" not in drawn
    assert 'width="15.0"' in bars_of(corpus, "weak")[0]


def test_a_bar_shows_what_objections_leave_of_evidence(corpus_of):
    corpus = corpus_of(
        attacked=evidence("Attacked", 0.55),
        con=evidence("Con", 0.9, "contradicts:: [[attacked]]"),
    )
    whole, gauge = bars_of(corpus, "attacked")
    left = SiteContext(Addresses(corpus)).strengths.of("attacked").strength
    assert left is not None
    for drawn in (whole, gauge):
        assert f"<title>quality 0.55, {left:.2f} after objections</title>" in drawn
    assert f'width="{round(left, 2) * WIDE:.1f}"' in whole
    assert 'class="kg-gauge"' in whole
    assert 'class="kg-gauge"' not in bars_of(corpus, "con")[0]


def test_lists_and_the_page_of_evidence_say_its_quality_alike(corpus_of):
    corpus = corpus_of(
        attacked=evidence("Attacked", 0.55),
        con=evidence("Con", 0.9, "contradicts:: [[attacked]]"),
        alone=evidence("Alone", 0.3),
    )
    context = SiteContext(Addresses(corpus))
    builder = PageBuilder(context, "index.html")
    for id, said in (
        ("attacked", context.strengths.of("attacked").word),
        ("alone", "quality 0.30"),
    ):
        for text in (standing_words(builder, id), standing_line(builder, id)):
            assert said.capitalize() in text
            assert f"<title>{said}</title>" in text
        assert said.removeprefix("quality ") in quality_words(builder, id)


# -- the answer ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "pro", "con", "said"),
    [
        ("evenly balanced", 1.0, 0.98, "As much speaks against it as for it, or nearly."),
        ("contested", 1.85, 1.5, "Both sides carry weight, and neither decides it."),
        ("thinly supported", 0.3, 0.0, "A little speaks for it, and nothing of weight against it."),
        ("thinly refuted", 0.1, 0.4, "A little speaks against it, and nothing of weight for it."),
        ("leans refuted", 0.5, 1.0, "against it weigh 2.0 times as much as those for it."),
        ("supported", 2.69, 0.74, "The reasons for it weigh 4 times as much as those against it."),
        ("strongly supported", 4.0, 0.0, "hardly anything speaks against it."),
        ("leans supported", 0.5, 0.5, "The reasons for it weigh 0.50, those against it 0.50."),
        ("quality 0.25", 0.0, 0.0, "a piece of evidence: this is how much it can carry."),
        ("open", 0.2, 0.0, "Too little here bears on it to say anything."),
        ("not settled", 0.0, 0.0, "No stable strength was found."),
    ],
)
def test_an_answer_says_in_words_how_the_reasons_weigh(word, pro, con, said):
    assert said in verdict_sentence(word, pro, con)


def turns_of(corpus: Corpus, id: str) -> str:
    html = html_of(corpus, id)
    return html[html.index('id="turns"') : html.index('id="cite"')]


def weighed(corpus_of: Callable[..., Corpus], **more: str) -> Corpus:
    here = line("Here?", "optimist:: [[asked]]", head="proposition: asked\n")
    return corpus_of(asked=claim("Asked", "optimist"), here=here, **more)


def test_losses_that_would_decide_an_even_answer_are_not_said_to_turn_it(corpus_of):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.5, "supports:: [[asked]]") for n in range(5)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.5, "contradicts:: [[asked]]") for n in range(5)}
    turns = turns_of(weighed(corpus_of, **pros, **cons), "here")
    assert "evenly balanced, on neither side; losing any one of 10 pieces of evidence" in turns
    shown, _, folded = turns.partition("7 more that would decide it</summary>")
    assert (shown.count("leans"), folded.count("leans")) == (3, 7)
    assert "turn" not in shown.partition("on neither side")[2]


def test_what_would_only_leave_it_undecided_is_listed_apart_from_what_turns_it(corpus_of):
    corpus = weighed(
        corpus_of,
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.2, "contradicts:: [[asked]]"),
    )
    turns = turns_of(corpus, "here")
    assert "would turn the answer to the other side:" not in turns
    assert "It would be left undecided by losing this one:" in turns


def test_the_smallest_set_that_only_undoes_the_answer_stands_beside_the_one_that_turns_it(
    corpus_of,
):
    pros = {f"pro{n}": evidence(f"Pro {n}", 0.6, "supports:: [[asked]]") for n in range(4)}
    cons = {f"con{n}": evidence(f"Con {n}", 0.6, "contradicts:: [[asked]]") for n in range(2)}
    turns = turns_of(weighed(corpus_of, **pros, **cons), "here")
    turning, _, undoing = turns.partition("It would be left undecided by losing these 2 together")
    assert "3 together would:" in turning, "all smaller sets were tried, as by the command"
    assert undoing.partition("</ul>")[0].count("statements/pro") == 2


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
    corpus = weighed(corpus_of, pro=evidence("Pro", 0.35, "supports:: [[asked]]"))
    html = html_of(corpus, "here")
    answer = html[html.index("The answer so far") : html.index('id="camps"')]
    assert ">Thinly supported</a></strong>" in answer
    assert "Contested" not in html
    for drawn in bars_of(corpus, "asked"):
        assert "kg-bar-for" in drawn


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


# -- gaps ----------------------------------------------------------------------------------


@examples(8, suppress_health_check=list(HealthCheck))
@given(corpora())
def test_pages_and_answers_agree_on_what_no_evidence_supports(corpus: Corpus):
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {statement.id for statement in unsupported(SiteContext(Addresses(corpus)))} == answered


def test_on_this_corpus_too():
    corpus = own_corpus()
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {statement.id for statement in unsupported(SiteContext(Addresses(corpus)))} == answered


# -- clashes -------------------------------------------------------------------------------


def clashing(corpus_of: Callable[..., Corpus], **more: str) -> tuple[Corpus, list[Clash]]:
    corpus = corpus_of(
        pro=claim("Pro", "optimist", "contradicts:: [[con]] — a reason"),
        con=claim("Con", "skeptic", "contradicts:: [[pro]] — another"),
        other=claim("Other", "skeptic", "contradicts:: [[pro]]"),
        asked=line("Q?", "skeptic:: [[con]]", "skeptic:: [[other]]", "optimist:: [[pro]]"),
        **more,
    )
    return corpus, pair_up(corpus, LineScope(corpus, corpus.lines["asked"]).clashes)


def test_two_that_contradict_each_other_are_one_pair_with_the_first_camp_on_the_left(corpus_of):
    _, found = clashing(corpus_of)
    assert {(c.left, c.right, c.is_mutual) for c in found} == {
        ("pro", "con", True),
        ("pro", "other", False),
    }


def test_only_somebody_else_answers_an_attack(corpus_of):
    corpus, found = clashing(corpus_of)
    assert {clash.right: is_answered(corpus, clash) for clash in found} == {
        "con": False,
        "other": False,
    }
    helper = claim("Helper", "optimist", "contradicts:: [[other]]")
    corpus, found = clashing(corpus_of, helper=helper)
    assert {clash.right: is_answered(corpus, clash) for clash in found} == {
        "con": False,
        "other": True,
    }


# -- where the inquiry goes on -------------------------------------------------------------


def test_lines_that_share_statements_come_first_then_those_that_contradict(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        b=claim("B", "optimist"),
        c=claim("C", "skeptic", "contradicts:: [[a]]"),
        d=claim("D", "skeptic"),
        here=line("Here?", "optimist:: [[a]]", "optimist:: [[b]]"),
        shares=line("Shares?", "optimist:: [[b]]"),
        opposes=line("Opposes?", "skeptic:: [[c]]"),
        far=line("Far?", "skeptic:: [[d]]"),
    )
    found = neighbours(corpus, corpus.lines["here"])
    assert [(n.line, n.shared, [(t.left, t.right) for t in n.tensions]) for n in found] == [
        ("opposes", [], [("a", "c")]),
        ("shares", ["b"], []),
    ]


def test_an_answered_contradiction_is_no_open_tension(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        c=claim("C", "skeptic", "contradicts:: [[a]]"),
        e=claim("E", "optimist", "contradicts:: [[c]]"),
        here=line("Here?", "optimist:: [[a]]"),
        opposes=line("Opposes?", "skeptic:: [[c]]"),
    )
    assert neighbours(corpus, corpus.lines["here"]) == []


def test_next_lines_say_why(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        here=line("Here?", "optimist:: [[a]]"),
        there=line("There?", "skeptic:: [[a]]"),
    )
    html = html_of(corpus, "here")
    near = html[html.index('id="next-computed"') :]
    assert near.index("lines/there.html") < near.index("<summary>1 statement in both</summary>")


def test_a_line_that_is_named_already_is_not_listed_again(corpus_of):
    corpus = corpus_of(
        a=claim("A", "optimist"),
        here=line("Here?", "optimist:: [[a]]") + "\n## Next\n\n- next:: [[there]] — for a reason\n",
        there=line("There?", "skeptic:: [[a]]"),
    )
    html = html_of(corpus, "here")
    assert "next-computed" not in html
    written = html[html.index('id="next-written"') :]
    assert written.index("for a reason") < written.index("1 statement in both")


# -- links in an essay ---------------------------------------------------------------------


def essay_of(corpus_of: Callable[..., Corpus], updated: str) -> str:
    corpus = corpus_of(
        calm=claim("Calm", "optimist"),
        disputed=claim("Disputed", "optimist", head=f"updated: {updated}\n"),
        pro=claim("Pro", "optimist", "supports:: [[disputed]]"),
        con=claim("Con", "skeptic", "contradicts:: [[disputed]]"),
        here=line(
            "Here?",
            "optimist:: [[calm]]",
            essay="It leans on [[calm|one thing]] and [[disputed|another]].",
            head="reviewed: 2026-05-01\n",
        ),
    )
    html = html_of(corpus, "here")
    return html[html.index("It leans on") :]


def test_a_link_shows_camp_strength_and_dispute_without_colour(corpus_of):
    html = essay_of(corpus_of, "2026-04-01")
    calm, disputed = (html[html.index(f"statements/{id}.html") :] for id in ("calm", "disputed"))
    calm, disputed = calm[: calm.index("</a>")], disputed[: disputed.index("</a>")]
    for link in (calm, disputed):
        assert "kg-circle" in link
        assert "strength 0." in link
        assert "Optimist claim" in link
    assert ", disputed</title>" in disputed
    assert "disputed)" in disputed
    assert "disputed" not in calm
    shapes = [link[link.index("<path") :].partition("</path>")[0] for link in (calm, disputed)]
    assert shapes[0] != shapes[1]


@pytest.mark.parametrize(("updated", "marked"), [("2026-05-01", False), ("2026-05-02", True)])
def test_a_link_is_marked_where_its_statement_changed_after_the_review(corpus_of, updated, marked):
    assert ("Changed since the essay was reviewed" in essay_of(corpus_of, updated)) is marked


def test_a_paragraph_has_as_many_notes_beside_it_as_it_has_room_for(corpus_of):
    links = "[[a|One]] and [[b|two]]"
    for essay, beside in ((links, 1), (f"{links} {'and more words ' * 60}", 2)):
        corpus = corpus_of(
            a=claim("A", "optimist"),
            b=claim("B", "optimist"),
            here=line("Here?", "optimist:: [[a]]", essay=essay),
        )
        assert html_of(corpus, "here").count('class="kg-margin-note') == beside
