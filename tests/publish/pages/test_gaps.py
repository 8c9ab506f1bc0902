"""The page of gaps lists what `kg gaps` does."""

from __future__ import annotations

from hypothesis import HealthCheck, given

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.gaps import gap_pages, unsupported
from kg.reasoning import gaps, reading_of
from tests.support.corpora import corpora
from tests.support.effort import examples
from tests.support.own import own_corpus


@examples(8, suppress_health_check=list(HealthCheck))
@given(corpora())
def test_pages_and_answers_agree_on_what_no_evidence_supports(corpus: Corpus):
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {statement.id for statement in unsupported(SiteContext(Addresses(corpus)))} == answered


def test_on_this_corpus_too():
    corpus = own_corpus()
    answered = {gap.statement for gap in gaps(reading_of(corpus)).gaps if gap.kind == "unsupported"}
    assert {statement.id for statement in unsupported(SiteContext(Addresses(corpus)))} == answered


def test_what_would_move_an_answer_by_nothing_that_shows_says_hardly():
    (draft,) = gap_pages(SiteContext(Addresses(own_corpus())))
    html = make_page(draft).html
    assert 'on its scale from 0 to 1">hardly</span>' in html
    assert "0.00</td>" not in html
