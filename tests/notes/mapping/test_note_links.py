"""Links of other programs keep their length, so that nothing moves."""

from __future__ import annotations

from kg.notes.mapping.note_links import restore_links, simplify_links
from kg.notes.markdown.inline_syntax import find_citations
from tests.support.every_row import every_row


@every_row(
    ("text", "plain"),
    [
        ("so [[@doe2020]].", "so [@doe2020  ]."),
        ("so [[@doe2020|Doe]].", "so [@doe2020      ]."),
        ("[[[[CLM]] - it [[holds]]]]", "[[CLM - it holds        ]]"),
        ("[[@two words]] [[plain]]", "[[@two words]] [[plain]]"),
        ("`[[@doe2020]]`\n```\n[[@doe2020]]\n```\n", "`[[@doe2020]]`\n```\n[[@doe2020]]\n```\n"),
    ],
)
def test_a_link_is_rewritten_in_its_place(text: str, plain: str) -> None:
    assert simplify_links(text) == plain
    assert len(plain) == len(text)


def test_a_wiki_link_to_a_citation_key_becomes_a_citation() -> None:
    [cited_sources] = find_citations(simplify_links("so [[@doe2020|Doe and others]]"))
    assert (cited_sources.key, cited_sources.locator) == ("doe2020", "")


def test_what_was_rewritten_is_shown_as_it_was() -> None:
    text = "so [[@doe2020]], and [@roe2021, p. 3], [[a b]]"
    assert restore_links(simplify_links(text)) == text
    assert restore_links(simplify_links("[[[[CLM]] - it holds]]")) == "[[CLM - it holds]]"
