"""A statement's page: what is undercut, superseded or said twice reads as it counts."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import BACKWARD_MARK
from kg.publish.markup.address import Addresses
from kg.publish.markup.phrases import LEAST_NATS_COUNTED
from kg.publish.page import LazyPage
from kg.publish.pages.disputes import dispute_pages
from kg.publish.pages.line import line_page
from kg.publish.pages.sources.source import source_page
from kg.publish.pages.statement import statement_page
from tests.support.corpora import corpus_of_notes

STUDIES = "\n".join(f"@article{{s{n}, title = {{S{n}}}, author = {{A{n}}}}}" for n in range(4))


def claim(title: str, *edges: str) -> str:
    return f"---\ntype: claim\ncamp: optimist\n---\n\n# {title}\n\n" + "\n".join(
        f"- {edge}" for edge in edges
    )


def evidence(title: str, source: str, *edges: str, quality: float = 0.5) -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# {title}\n\n[@{source}]\n\n{below}\n"


def line(*ids: str) -> str:
    rows = "\n".join(f"- optimist:: [[{id}]]" for id in ids)
    return f"---\ntype: line\nproposition: asked\n---\n\n# Here?\n\nAsked.\n\n## Camps\n\n{rows}\n"


def site_of(corpus: Corpus) -> SiteContext:
    return SiteContext(Addresses(corpus))


def words_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", re.sub(r"<title>.*?</title>", "", html)))


def page_of(corpus: Corpus, id: str) -> str:
    return words_of(statement_page(site_of(corpus), corpus.statements[id]).html)


def section(html: str, id: str) -> str:
    """The section of a page, in words; nothing where there is none."""
    match = re.search(rf'<h2 id="{id}">.*?</section>', html, re.DOTALL)
    return words_of(match[0]) if match else ""


@pytest.fixture(scope="module")
def undercut() -> Corpus:
    """A step from a piece of evidence that a claim undercuts, which evidence supports."""
    return corpus_of_notes(
        references=STUDIES,
        asked=claim("Asked"),
        pro=evidence("Pro", "s0", "supports:: [[asked]] ^step"),
        denier=claim("Denier", "undercuts:: [[pro#^step]]"),
        behind=evidence("Behind", "s1", "supports:: [[denier]]", quality=0.9),
        here=line("asked", "pro"),
    )


def test_the_page_of_what_is_undercut_says_by_whom_and_what_is_left(undercut: Corpus) -> None:
    standings = site_of(undercut).standings
    left, force = standings.share("pro#step"), (standings.of("denier").strength or 0) * 2 - 1
    assert left == pytest.approx(0.5 * (1 - force), abs=1e-5)
    page = page_of(undercut, "pro")
    assert "What limits itobjections: Denier (Optimist claim)" in page
    assert f"objects to its use here: so it counts {1 - left / 0.5:.0%} less." in page
    assert "What limits itobjections: Denier" in page


def test_what_is_undercut_is_not_called_unanswered_on_the_page_of_a_line(undercut: Corpus) -> None:
    sides = section(line_page(site_of(undercut), undercut.lines["here"]).html, "sides")
    pairs = sides[: sides.index("camp by camp")]
    assert "Against this reasonDenier (Optimist claim)" in pairs
    assert "No reply to this reason itself" not in pairs


def test_a_source_names_the_objection_to_its_finding(undercut: Corpus) -> None:
    site = site_of(undercut)
    objected, calm = (
        section(source_page(site, undercut.sources[key]).html, "found") for key in ("s0", "s1")
    )
    assert "ProObjection: Denier (Optimist claim)" in objected.replace(" (Finding)", "")
    assert "Behind" in calm
    assert "Objection" not in calm


@pytest.fixture(scope="module")
def replaced() -> Corpus:
    """An objection that another statement has replaced."""
    return corpus_of_notes(
        references=STUDIES,
        asked=claim("Asked"),
        old=claim("Old view", "contradicts:: [[asked]] (mutual:: yes)"),
        new=claim("New view", "supersedes:: [[old]]"),
        behind=evidence("Behind", "s0", "supports:: [[old]]"),
        here=line("asked", "old"),
    )


def test_what_is_superseded_is_no_reason_but_is_named(replaced: Corpus) -> None:
    page = page_of(replaced, "asked")
    assert "Nothing recorded against it yet." in page
    assert "The reasons" not in page
    assert "Left out, as superseded: Old view" in page


def test_what_is_superseded_is_no_live_side_of_a_line(replaced: Corpus) -> None:
    html = line_page(site_of(replaced), replaced.lines["here"]).html
    clashes, _, camps = section(html, "sides").partition("camp by camp")
    assert camps.index("1 superseded statement") < camps.index("Old view")
    assert clashes.index("with a superseded statement") < clashes.index("Old view")


def test_what_is_superseded_is_no_live_side_of_the_corpus(replaced: Corpus) -> None:
    (draft,) = dispute_pages(site_of(replaced))
    assert isinstance(draft, LazyPage)
    html = draft.make().html
    assert "Old view" not in section(html, "open") + section(html, "answered")
    assert "Old view" in section(html, "superseded")


@pytest.fixture(scope="module")
def twins() -> Corpus:
    """A claim without reasons that says the same as one with reasons on both sides."""
    return corpus_of_notes(
        references=STUDIES,
        asked=claim("Asked"),
        again=claim("Asked again", "same-as:: [[asked]]"),
        pro=evidence("Pro", "s0", "supports:: [[asked]]"),
        con=evidence("Con", "s1", "contradicts:: [[asked]]"),
        here=line("again"),
    )


def test_twins_count_alike_wherever_they_are_shown(twins: Corpus) -> None:
    assert reasons_by_side(twins, "again") == reasons_by_side(twins, "asked")
    site = site_of(twins)
    assert all(map(site.link_maker.is_disputed, ("asked", "again")))
    sides = section(line_page(site, twins.lines["here"]).html, "sides")
    reasons_against = sides[sides.index("Towards “It does not hold”") :]
    assert reasons_against.startswith("Towards “It does not hold”The best reply to eachCon")


def test_a_mutual_contradiction_reads_alike_at_both_ends() -> None:
    corpus = corpus_of_notes(
        references=STUDIES,
        asked=claim(
            "Asked",
            "contradicts:: [[rival]] (mutual:: yes) ^no",
            "contradicts:: [[gone]] (mutual:: yes)",
        ),
        rival=claim("Rival"),
        new=claim("New", "supersedes:: [[gone]]"),
        gone=claim("Gone", "contradicts:: [[rival]]"),
        cut=claim("Cut", "undercuts:: [[asked#^no]]"),
        pro=evidence("Pro", "s0", "supports:: [[asked]]", quality=0.9),
        con=evidence("Con", "s1", "supports:: [[rival]]", quality=0.6),
        ground=evidence("Ground", "s2", "supports:: [[cut]]", quality=0.9),
    )
    site = site_of(corpus)
    (mutual,) = (
        edge.id for edge in corpus.edges if {edge.origin, edge.target} == {"asked", "rival"}
    )
    for id, other, key in (("asked", "Rival", mutual + BACKWARD_MARK), ("rival", "Asked", mutual)):
        html = statement_page(site, corpus.statements[id]).html
        assert f"contradicts {other}" in section(html, "bears-on")
        against = section(html, "for-and-against")
        assert abs(site.standings.share(key)) >= LEAST_NATS_COUNTED
        assert "adds nothing" not in html
        assert "Left out, as superseded: Gone" in against
        assert re.search(
            rf"contradicts {other} .*?Cut \([^)]*\) objects to its use here: so it counts",
            words_of(html),
        )


def test_a_claim_below_the_middle_that_speaks_is_explained() -> None:
    corpus = corpus_of_notes(
        references=STUDIES,
        asked=claim("Asked", "contradicts:: [[rival]] (mutual:: yes)"),
        rival=claim("Rival"),
        pro=evidence("Pro", "s0", "supports:: [[asked]]", quality=0.9),
        con=evidence("Con", "s1", "supports:: [[rival]]", quality=0.4),
        here=line("asked"),
    )
    site = site_of(corpus)
    rival = site.standings.of("rival").strength
    assert rival is not None
    assert rival < 0.5
    assert site.standings.share("asked--contradicts--rival<") < -0.1
    words = words_of(line_page(site, corpus.lines["here"]).html)
    assert "A claim at or below the middle may still have a share" in words
    assert "below the middle passes nothing on" not in words


def test_how_near_the_middle_counts_as_below_it_is_a_setting() -> None:
    corpus = corpus_of_notes(
        references=STUDIES,
        asked=claim("Asked"),
        reason=claim("Reason", "supports:: [[asked]]"),
        pro=evidence("Pro", "s0", "supports:: [[reason]] (strength:: weak)", quality=0.6),
        here=line("asked"),
    )
    strength = site_of(corpus).standings.of("reason").strength
    assert strength is not None
    assert 0.53 < strength < 0.59
    settings = corpus.config.reasoning.model_copy(update={"even_within": 0.09})
    wider = replace(corpus, config=corpus.config.model_copy(update={"reasoning": settings}))
    is_said = [
        "at or below the middle may still have a share" in line_page(site_of(each), line_of).html
        for each, line_of in ((corpus, corpus.lines["here"]), (wider, wider.lines["here"]))
    ]
    assert is_said == [False, True]


def test_the_word_for_an_answer_leads_to_the_table_of_words(twins: Corpus) -> None:
    site = site_of(twins)
    pages = (
        statement_page(site, twins.statements["asked"]).html,
        line_page(site, twins.lines["here"]).html,
    )
    word = site.standings.of("asked").answer_phrase
    for html in pages:
        links = re.findall(rf'<a href="([^"]*)"[^>]*class="kg-term">(?i:{word})</a>', html)
        assert links
        assert set(links) == {"../how-to-read.html#how-far-to-rely-on-an-answer"}


def test_evidence_that_contradicts_other_evidence_both_ways_is_listed_under_the_other() -> None:
    corpus = corpus_of_notes(
        references=STUDIES,
        one=evidence("One", "s0", "contradicts:: [[two]] (mutual:: yes)"),
        two=evidence("Two", "s1"),
    )
    site = site_of(corpus)
    html = section(statement_page(site, corpus.statements["one"]).html, "for-and-against")
    assert "Two" in html
    assert "One" not in html


def test_the_reasons_of_a_note_are_found_by_search() -> None:
    corpus = corpus_of_notes(
        asked=claim("Asked"),
        reason=claim("Reason", "supports:: [[asked]] — as a xylophone does"),
    )
    page = statement_page(site_of(corpus), corpus.statements["reason"])
    assert "as a xylophone does" in page.search_text


def test_a_camp_that_a_line_alone_names_is_said_to_be_of_that_line() -> None:
    def asking(title: str, camp: str) -> str:
        return (
            f"---\ntype: line\n---\n\n# {title}\n\nAsked.\n\n## Camps\n\n- {camp}:: [[both]] — so\n"
        )

    corpus = corpus_of_notes(
        both="---\ntype: claim\n---\n\n# Both\n",
        one=asking("One?", "optimist"),
        two=asking("Two?", "optimist"),
        three=asking("Three?", "skeptic"),
    )
    assert "ClaimOptimist for 2 questions, Sceptic for 1 question" in page_of(corpus, "both")
    context = site_of(corpus)
    on_line = context.link_maker.statement("both", "", "one")
    assert "(Optimist claim for this question)" in on_line
    assert "(Claim)" in context.link_maker.statement("both", "")


def test_what_a_note_calls_open_stands_on_the_page_of_its_claim() -> None:
    asked = claim("Asked")
    unsettled = asked.replace("claim\n", "claim\nopen: nobody looked\n")
    pages = [page_of(corpus_of_notes(asked=text), "asked") for text in (asked, unsettled)]
    assert ["Not settled here: nobody looked" in page for page in pages] == [False, True]
    assert "Not settled here" not in pages[0]
