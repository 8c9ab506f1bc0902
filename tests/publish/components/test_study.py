"""A piece of evidence at a glance.

Of `kg/publish/components/evidence.py`.
"""

from __future__ import annotations

import re

from kg.publish.components.downloads_and_citation import copyable_sentence
from kg.publish.components.evidence import study_rows
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.statement import statement_page
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text

BIB = "@article{doe2020, title = {A Study}, author = {Doe, Ann}, year = {2020}, doi = {10.1/x}}\n"


def rows_of(head: str, title: str = "It helped") -> str:
    note = f"---\ntype: evidence\n{head}---\n\n# {title}\n\nIt did [@doe2020].\n"
    corpus = corpus_of_notes(references=BIB, it=note)
    return study_rows(builder_of(corpus), corpus.statements["it"])


def test_a_study_is_shown_in_rows() -> None:
    html = rows_of(
        "method: experiment\nsample: 120 nurses\neffect: d=0.4\np: 0.01\nreplications: 2\n"
        "failed_replications: 1\npeer_reviewed: true\nconcerns: [risk-of-bias!]\n"
        "seen_in: primary\n",
    )
    text = visible_text(html)
    for row in (
        "What was doneExperiment",
        "On120 nurses (people)",
        "d=0.4, p=0.01",
        "Replicated2 times; 1 failed",
        "What limits itvery serious risk of bias",
        "Its main figure was seen in the paper or its abstract.",
    ):
        assert row in text
    assert "raised for " in text
    assert "peer review" in text
    assert "lowered for " in text
    assert 'href="https://doi.org/10.1/x"' in html


@every_row(
    ("head", "of_source", "expected"),
    [
        ("", "", ""),
        ("", "peer_reviewed: true\n", "Peer reviewedyes, as its source says"),
        ("peer_reviewed: true\n", "", "Peer reviewedyes"),
        ("peer_reviewed: false\n", "peer_reviewed: true\n", "Peer reviewedno"),
    ],
)
def test_a_study_says_who_says_that_it_was_peer_reviewed(
    head: str, of_source: str, expected: str
) -> None:
    note = f"---\ntype: evidence\nmethod: survey\n{head}---\n\n# It\n\nIt did [@doe2020].\n"
    source = f"---\ntype: source\n{of_source}---\n\n# A Study\n"
    corpus = corpus_of_notes(doe2020=source, it=note)
    text = visible_text(study_rows(builder_of(corpus), corpus.statements["it"]))
    assert re.findall("Peer reviewed(?:no|yes(?:, as its source says)?)", text) == [
        *filter(None, [expected])
    ]


def test_a_study_says_where_its_figures_stand() -> None:
    note = "---\ntype: evidence\nsample: 120 nurses\np: 0.01\n---\n\n# It\n\nIt did [@doe2020].\n"
    references = BIB.replace("doi", "abstract = {We saw 120 nurses}, doi")
    corpus = corpus_of_notes(references=references, it=note)
    text = visible_text(study_rows(builder_of(corpus), corpus.statements["it"]))
    assert "Looked up120 nurses: seen in the abstract; p = 0.01: not seen in the abstract" in text
    assert "Looked up" not in visible_text(rows_of("sample: 120 nurses\n"))


@every_row(
    ("head", "text"),
    [
        ("", "method not recorded. Not recorded, and so not counted: the method, the size of the"),
        ("quality: 0.4\n", "0.40 of 1, given by the note; quality 0.40."),
        (
            "method: argument\nseen_in: primary\n",
            "argument. Not recorded, and so not counted: peer review.",
        ),
        ("method: argument\nseen_in: primary\n", "It was seen in the paper or its abstract."),
        ("method: survey\nseen_in: note-page\n", "survey, lowered for where it was seen."),
    ],
)
def test_a_grade_is_explained_in_a_sentence(head: str, text: str) -> None:
    assert text in visible_text(rows_of(head))


def test_a_notice_of_its_publisher_limits_a_study() -> None:
    bib = BIB.replace("doi", "integrity = {concern}, doi")
    corpus = corpus_of_notes(references=bib, it="---\ntype: evidence\n---\n\n# It\n\n[@doe2020].\n")
    html = study_rows(builder_of(corpus), corpus.statements["it"])
    assert "What limits itexpression of concern on Doe 2020" in visible_text(html)


@every_row(
    ("integrity", "mark"),
    [
        ("ok", ""),
        ("corrected", "corrected"),
        ("concern", "publisher’s concern"),
        ("retracted", "retracted"),
    ],
)
def test_what_a_publisher_says_heads_the_page_and_goes_with_every_link(
    integrity: str, mark: str
) -> None:
    bib = BIB.replace("doi", f"integrity = {{{integrity}}}, doi")
    corpus = corpus_of_notes(references=bib, it="---\ntype: evidence\n---\n\n# It\n\n[@doe2020].\n")
    context = SiteContext(Addresses(corpus))
    head, _, rest = statement_page(context, corpus.statements["it"]).html.partition("kg-facts")
    assert (f"kg-banner-{integrity}" in head) is bool(mark)
    plain = re.sub("</?strong[^>]*>", "", rest)
    assert f"Doe 2020{f' ({mark})' if mark else ''}</a>" in plain


def test_objections_limit_a_study_as_far_as_they_count() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        it=evidence_text("It helped", 0.5, "supports:: [[asked]] ^step"),
        judge=claim_text("A judge errs", "skeptic", "undercuts:: [[it#^step]]"),
        idle=claim_text("Nobody backs this", "skeptic", "undercuts:: [[it#^step]]"),
        ground=evidence_text("Judges err", 0.5, "supports:: [[judge]]"),
    )
    text = visible_text(study_rows(builder_of(corpus), corpus.statements["it"]))
    assert "What limits itobjections: A judge errs" in text
    assert "; objections not counted: Nobody backs this" in text
    assert "What limits it" not in rows_of("")


def test_a_quote_is_one_sentence_with_what_there_is() -> None:
    context = builder_of(corpus_of_notes(it="---\ntype: claim\n---\n\n# It helps\n")).context
    whole_text = visible_text(
        copyable_sentence(context, "statements/it.html", "It helps.", "open", "Doe 2020")
    )
    site = context.corpus.config.site.name
    assert whole_text == f"“It helps” (open; Doe 2020). {site}"
    assert (
        visible_text(copyable_sentence(context, "a.html", "Does it?", "")) == f"“Does it?”. {site}"
    )
