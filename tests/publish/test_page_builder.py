"""What a page says of itself on paper and to search."""

from __future__ import annotations

from kg.model.settings.config import Config, Site
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text


def test_a_sheet_of_paper_tells_the_whole_address_where_the_site_has_one() -> None:
    def html_for_paper(url: str) -> str:
        config = Config(site=Site(name="Naps", url=url))
        builder = builder_of(corpus_of_notes("", config, naps=claim_text("Naps", "optimist")))
        return builder.page("index", "Home", "Home").html

    assert 'class="kg-printed">Naps: https://naps.example/on/index.html' in html_for_paper(
        "https://naps.example/on/"
    )
    assert 'class="kg-printed">Naps</p>' in html_for_paper("")


def test_search_names_the_works_that_a_sentence_or_a_list_needs() -> None:
    builder = builder_of(corpus_of_notes("", naps=claim_text("Naps", "optimist")))
    text = "We read [@a2020], [@b2021] and [@c2022]. Naps help [@d2023]."
    page = builder.page("index", "Home", "Home", search_text=text.replace("read [", "read of ["))
    assert page.search_text == "We read of a2020, b2021 and c2022. Naps help [@d2023]."
