"""What a page says of itself on paper."""

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
