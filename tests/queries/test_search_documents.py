"""Markdown read as a reader hears it."""

from __future__ import annotations

from hypothesis import given

from kg.queries.conditions.field_types import RecordKind
from kg.queries.search_documents import Hit, Hits, as_prose, search_documents
from tests.support.any_text import any_text
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


@every_row(
    ("markdown", "prose"),
    [
        ("Some *words* and `code` are **plain**.", "Some words and code are plain."),
        ("So it is [@shaikh2024, p. 3; @wu2025].", "So it is."),
        (
            "See [[an-id]] or [[an-id|the claim]], [there](http://x).",
            "See an-id or the claim, there.",
        ),
        ("Measured twice. ^gap", "Measured twice."),
        ("- one\n- two ^b", "one\ntwo"),
        ("> [!evidence] Seen ^a\n> Told. (method:: survey)", "Seen ^a Told."),
        ("a <script>alert(1)</script> b", "a alert(1) b"),
        ("## Head\n\nText ![a picture](p.png)", "Head\nText a picture"),
        ("5 < 6, f(x) [sic] 2 ^ 3", "5 < 6, f(x) [sic] 2 ^ 3"),
    ],
)
def test_prose_is_what_a_reader_sees_of_markdown(markdown: str, prose: str) -> None:
    assert as_prose(markdown) == prose


@given(any_text(max_size=80))
def test_any_text_has_some_prose(text: str) -> None:
    assert "\n\n" not in as_prose(text.encode("utf-8", "replace").decode())


def test_a_statement_is_found_by_the_other_names_of_its_topics_and_of_what_it_is_about() -> None:
    corpus = corpus_of_notes(
        glossary="---\ntype: glossary\n---\n\n- **sleep**, **slumber**: Rest.\n"
        "- **Doe**, **Jane D**: A person.\n- **tea**, **chai**: A drink.\n",
        a="---\ntype: claim\ntopics: [sleep]\nabout: [Jane D]\n---\n\n# Naps help\n",
    )
    (keywords,) = [each.keywords for each in search_documents(corpus)]
    assert keywords.split() == ["a", "sleep", "Jane", "D", "slumber", "Doe"]


def test_hits_print_the_corrections_and_then_title_and_text_of_each() -> None:
    snippet = (("Naps ", False), ("help", True))
    hits = Hits([Hit("a", RecordKind.STATEMENT, "On <naps>", snippet, 2.0)], {"halp": "help"}, 5)
    assert repr(hits).split("\n") == [
        "nothing holds 'halp'; showing 'help'",
        "On <naps>  [statement a]",
        "  Naps help",
    ]
    assert "On &lt;naps&gt;" in hits._repr_html_()
    assert "Naps <mark>help</mark>" in hits._repr_html_()
    assert (hits.with_all_words, hits[:1].with_all_words, hits[1:].with_all_words) == (1, 1, 0)
    assert repr(hits[1:]) == "nothing found"
