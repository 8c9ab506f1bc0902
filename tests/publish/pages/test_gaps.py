"""The page of gaps lists what `kg gaps` does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.gaps import gap_pages, sort_claims_without_evidence
from kg.reasoning import gaps, reading_of
from tests.support.corpora import corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text
from tests.support.own import own_corpus, own_pages

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"


def section(html: str, id: str) -> str:
    return html.partition(f'id="{id}"')[2].partition("</section>")[0]


@examples(4, suppress_health_check=list(HealthCheck))
@given(random_corpora())
def test_pages_and_answers_agree_on_what_no_evidence_supports(corpus: Corpus):
    answered = {
        gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "without evidence"
    }
    assert {
        statement.id for statement in sort_claims_without_evidence(SiteContext(Addresses(corpus)))
    } == answered


def test_the_page_lists_the_claims_without_evidence_that_gaps_finds():
    corpus = own_corpus()
    answered = {
        gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "without evidence"
    }
    assert {
        statement.id for statement in sort_claims_without_evidence(SiteContext(Addresses(corpus)))
    } == answered


@pytest.mark.integration
def test_what_would_change_an_answer_is_said_as_on_the_page_of_its_question():
    pages = {page.url: page.html for page in own_pages()}
    changes = section(pages["gaps.html"], "changes")
    boxes = [html for url, html in pages.items() if url.startswith("lines/") and "kg-cases" in html]
    changes_in_boxes = [re.findall(r'kg-settles">.*?</span>(.*?)</p>', html)[0] for html in boxes]
    # the page of gaps is no folder below
    assert all(each.replace('"../', '"') in changes for each in changes_in_boxes)
    assert changes_in_boxes


@pytest.mark.integration
def test_a_claim_that_rests_on_one_source_is_not_said_to_have_none():
    (own_html,) = (page.html for page in own_pages() if page.url == "gaps.html")
    assert 'class="kg-chip' in section(own_html, "thin")
    assert "no evidence beneath" not in section(own_html, "thin")


def test_a_claim_that_no_evidence_leads_to_is_said_to_have_none():
    sample = make_page(next(gap_pages(SiteContext(Addresses(load_corpus(GOLDEN_NOTES)))))).html
    assert "no evidence beneath" in section(sample, "without-evidence")


def test_the_head_counts_no_gap_that_is_not_there() -> None:
    def head(**notes: str) -> str:
        (draft,) = gap_pages(builder_of(corpus_of_notes(**notes)).context)
        return visible_text(make_page(draft).html)

    references = "\n".join(f"@book{{s{n}, title={{S{n}}}, author={{Doe{n}}}}}" for n in range(3))
    studies = {
        f"n{n}": evidence_text(f"Study {n}", 0.6, "supports:: [[asked]]") + f"\n[@s{n}]\n"
        for n in range(3)
    }
    note_text = claim_text("Asked", "optimist")
    assert "Of 1 claim, 1 has no evidence." in head(asked=note_text)
    assert "No claim lacks evidence" in head(references=references, asked=note_text, **studies)


@every_row(("limit", "words"), [(3, ""), (2, "and 1 more, on the pages of their topics")])
def test_a_long_list_is_cut_and_says_so(
    limit: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kg.publish.pages.gaps.GAPS_SHOWN", limit)
    corpus = corpus_of_notes(**{id: claim_text(id, "optimist") for id in ("one", "two", "three")})
    (draft,) = gap_pages(builder_of(corpus).context)
    listed = section(make_page(draft).html, "without-evidence")
    assert listed.count('class="kg-chip') == limit
    assert words in listed
    assert ("on the pages of their topics" in listed) is bool(words)


def test_each_gap_is_listed_in_one_section_and_the_most_linked_first():
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        b=claim_text("B", "optimist", "supports:: [[z]]", "relates:: [[a]]").replace(
            "camp:", "open: nobody looked\ncamp:"
        ),
        z=claim_text("Z", "optimist"),
        seen=evidence_text("Seen", 0.9, "supports:: [[a]]"),
    )
    context = builder_of(corpus).context
    assert [each.id for each in sort_claims_without_evidence(context)] == ["b", "z"]
    (draft,) = gap_pages(context)
    html = make_page(draft).html
    assert "statements/b.html" in section(html, "without-evidence")
    assert "statements/b.html" not in section(html, "unsettled")
    assert section(html, "unseen") == ""
