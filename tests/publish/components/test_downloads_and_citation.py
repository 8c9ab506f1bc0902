"""A page for machines says what the page says, and how to cite it.

Of `kg/publish/markup/linked_data.py`, too.
"""

from __future__ import annotations

import json

from msgspec.structs import replace

from kg.model.settings.config import Config, Site, parse_config
from kg.publish.components.downloads_and_citation import cite_page, line_picture
from kg.publish.markup.linked_data import line_data, source_data, statement_data
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text, visible_text


def test_a_page_is_cited_by_its_address_and_else_by_its_identifier() -> None:
    published = Config(site=Site(url="https://example.org/notes/"))
    at_address = Config(base_iri="https://notes.test/")
    for config, report in (
        (published, "Permanent address: https://example.org/notes/a.html"),
        (at_address, "Identifier: https://notes.test/"),
        (Config(base_iri="https://www.example.org/notes/"), "@misc"),
        (Config(base_iri="http://localhost:8000/"), "@misc"),
    ):
        context = builder_of(corpus_of_notes(config=config, a=claim_text("A", "optimist"))).context
        text = visible_text(cite_page(context, "a.html", context.corpus.statements["a"]))
        assert text.startswith(report)
        assert ("note =" in text) is (config is at_address)


def test_no_title_closes_its_field() -> None:
    corpus = corpus_of_notes(a=claim_text("A", "optimist"))
    statement = replace(corpus.statements["a"], id="a#b", title="A} \\\n{title")
    text = visible_text(cite_page(builder_of(corpus).context, "a.html", statement))
    title = r"A\textbraceright{} \textbackslash{} \textbraceleft{}title"
    assert f"title = {{{{{title}}}}}" in text
    assert "@misc{a_b," in text
    assert "year" not in text


DESCRIBED = corpus_of_notes(
    config=Config(base_iri="https://notes.test/"),
    asked=claim_text("Asked", "optimist", "contradicts:: [[other]]"),
    other=claim_text("Other", "skeptic"),
    study=evidence_text("Study", 0.8) + "\n[@s]\n",
    here=line_text("Here?", "optimist:: [[asked]]", head="created: 2026-05-01\n"),
    references="@article{s, title={S}, author={Ann Doe and others}, year={2024}, doi={10.1/x}}"
    "@misc{p, title={P}, eprint={2401.00001}, archiveprefix={arXiv}}",
)
BASE = DESCRIBED.config.base_iri


def test_search_engines_read_what_a_claim_opposes() -> None:
    data = json.loads(statement_data(DESCRIBED, DESCRIBED.statements["asked"]))
    assert data["@id"] == f"{BASE}statements/asked"
    assert data["@type"] == ["Claim", "kg:Claim"]
    assert data["kg:contradicts"] == [{"@id": f"{BASE}statements/other"}]
    assert "citation" not in data, "what is empty is left out"


def test_search_engines_read_what_evidence_cites() -> None:
    data = json.loads(statement_data(DESCRIBED, DESCRIBED.statements["study"]))
    assert data["@type"] == ["CreativeWork", "kg:Evidence"]
    assert data["citation"] == [{"@id": f"{BASE}sources/s", "name": "S"}]


def test_search_engines_read_what_a_line_mentions_and_its_day() -> None:
    data = json.loads(line_data(DESCRIBED, DESCRIBED.lines["here"], ["asked"]))
    assert data["mentions"] == [{"@id": f"{BASE}statements/asked"}]
    assert data["dateCreated"] == "2026-05-01"


def test_search_engines_read_who_wrote_a_source_and_where_else_it_is() -> None:
    data = json.loads(source_data(DESCRIBED, DESCRIBED.sources["s"]))
    assert (data["@type"], data["datePublished"]) == ("ScholarlyArticle", "2024")
    assert data["author"] == [{"@type": "Person", "name": "Ann Doe"}], "nobody is called et al."
    assert data["sameAs"] == ["https://doi.org/10.1/x"]
    preprint = json.loads(source_data(DESCRIBED, DESCRIBED.sources["p"]))
    assert preprint["sameAs"] == ["https://arxiv.org/abs/2401.00001"]


def test_a_site_with_an_address_has_a_picture_of_each_question_with_its_camps() -> None:
    notes = {
        "asked": claim_text("Asked", "optimist"),
        "good": claim_text("Good", "optimist", "supports:: [[asked]]"),
        "pro": evidence_text("Pro", 0.6, "supports:: [[good]]"),
        "no": claim_text("Not so", "skeptic", "contradicts:: [[asked]]"),
        "here": line_text(
            "Here?", "optimist:: [[good]]", "skeptic:: [[no]]", head="proposition: asked\n"
        ),
    }

    def pictures_of(config: str) -> list[bytes]:
        corpus = corpus_of_notes(config=parse_config(config, "kg.toml"), **notes)
        pictures = line_picture(builder_of(corpus).context, corpus.lines["here"])
        return [each.content for each in pictures]

    site = '[site]\nurl = "https://example.org/notes/"\n'
    site += '[[camps]]\nid = "skeptic"\nlabel = "Sceptic"\n'
    camp = '[[camps]]\nid = "optimist"\nlabel = "Optimist"\ncolour = "{}"\n'
    (red,), (blue,) = (pictures_of(site + camp.format(each)) for each in ("#aa0000", "#0000aa"))
    assert red != blue
    assert pictures_of("") == []
