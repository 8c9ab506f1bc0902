"""The page of gaps lists what `kg gaps` does."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, given

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.publish.components.turning_points import turning_points
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.page_builder import PageBuilder
from kg.publish.pages.gaps import gap_pages, unsupported_claims
from kg.reasoning import gaps, reading_of
from tests.support.corpora import corpora
from tests.support.effort import examples
from tests.support.own import own_corpus

GOLDEN_NOTES = Path(__file__).parents[1] / "golden/notes"


@cache
def own_page() -> tuple[SiteContext, str]:
    """What the page of our own corpus is made from, and its text."""
    context = SiteContext(Addresses(own_corpus()))
    (draft,) = gap_pages(context)
    return context, make_page(draft).html


def section(html: str, id: str) -> str:
    return html.partition(f'id="{id}"')[2].partition("</section>")[0]


@examples(8, suppress_health_check=list(HealthCheck))
@given(corpora())
def test_pages_and_answers_agree_on_what_no_evidence_supports(corpus: Corpus):
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {
        statement.id for statement in unsupported_claims(SiteContext(Addresses(corpus)))
    } == answered


def test_the_page_lists_the_unsupported_claims_that_gaps_finds():
    corpus = own_corpus()
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {
        statement.id for statement in unsupported_claims(SiteContext(Addresses(corpus)))
    } == answered


def test_what_would_change_an_answer_is_said_as_on_the_page_of_its_question():
    context, page = own_page()
    said = section(page, "changes")
    builder = PageBuilder(context, "gaps.html")
    tables = [
        turning_points(builder, line).partition("<table")[2].partition("</table>")[0]
        for line in own_corpus().lines.values()
    ]
    assert all(table in said for table in tables)
    assert any(tables)  # an answer may have nothing that would change it


def test_only_claims_that_no_evidence_leads_to_are_said_to_have_none():
    _, own = own_page()
    golden = SiteContext(Addresses(load_corpus(GOLDEN_NOTES)))
    sample = make_page(next(gap_pages(golden))).html
    assert 'class="kg-chip' in section(own, "thin")
    assert "no evidence beneath" not in section(own, "thin")
    assert "no evidence beneath" in section(sample, "unsupported")
