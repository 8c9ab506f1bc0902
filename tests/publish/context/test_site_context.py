"""What all pages of a corpus share."""

from __future__ import annotations

from pathlib import Path

from kg.loader import load_corpus
from kg.publish.context.site_context import (
    MAX_IN_FILE,
    README_PAGE,
    SiteContext,
    record_addresses,
    record_files,
)
from kg.publish.markup.address import Addresses
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text


@every_row(("count", "files"), [(MAX_IN_FILE, 1), (MAX_IN_FILE + 1, 2), (2 * MAX_IN_FILE + 1, 4)])
def test_there_are_twice_as_many_files_once_those_there_are_may_be_full(
    count: int, files: int
) -> None:
    corpus = corpus_of_parts(*(claim(f"c{number}") for number in range(count)))
    assert len(record_files(corpus)) == files


def test_the_address_of_a_record_is_a_json_pointer() -> None:
    (address,) = record_addresses(corpus_of_parts(claim("a~b/c#d"))).values()
    assert address.endswith(".json#/a~0b~1c%23d")


@every_row(
    ("readme", "page"), [(None, ""), ("# About\n\n%% a remark %%See [[gone]].\n", README_PAGE)]
)
def test_a_corpus_has_a_page_about_it_if_its_authors_wrote_one(
    tmp_path: Path, readme: str | None, page: str
) -> None:
    (tmp_path / "a.md").write_text(claim_text("A", "skeptic"))
    (tmp_path / "gone.md").write_text("---\ntype: claim\nstatus: draft\n---\n\n# G\n")
    if readme:
        (tmp_path / "README.md").write_text(readme)
    context = SiteContext(Addresses(load_corpus(tmp_path)))
    assert context.readme_page == page
    if readme:
        (text,) = context.texts_beside_notes.values()
        assert "remark" not in text
        assert "See a draft." in text


def test_lines_are_found_by_what_they_ask_and_by_their_topics() -> None:
    head = "---\ntype: line\nproposition: a\ntopics: [{}]\n---\n\n# {}?\n"
    notes = {name: head.format(topic, name) for name, topic in (("l", "x"), ("m", "x, y"))}
    notes["n"] = "---\ntype: line\n---\n\n# N?\n"
    context = SiteContext(Addresses(corpus_of_notes(a=claim_text("A", "skeptic"), **notes)))
    assert context.lines_by_proposition == {"a": ("l", "m")}
    assert context.lines_by_topic == {"x": ("l", "m"), "y": ("m",)}
