"""The page of disputes begins with how much is in dispute, and how much nothing answers."""

from __future__ import annotations

import re

import pytest

from kg.corpus import Corpus
from kg.publish.page import make_page
from kg.publish.pages.disputes import contradictions, dispute_pages
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text


def page(corpus: Corpus) -> str:
    (draft,) = dispute_pages(builder_of(corpus).context)
    return make_page(draft).html


def head(corpus: Corpus) -> str:
    return visible_text(page(corpus))


def test_the_page_begins_with_how_many_objections_nothing_answers() -> None:
    note_text = claim_text("Asked", "optimist")
    objecting = claim_text("Not so", "skeptic", "contradicts:: [[asked]]")
    answer = claim_text("But so", "optimist", "contradicts:: [[no]]")
    assert "No claim of this corpus contradicts another yet." in head(
        corpus_of_notes(asked=note_text)
    )
    finding = "One claim contradicts another; the objection has no reply yet."
    assert finding in head(corpus_of_notes(asked=note_text, no=objecting))
    finding = "Two pairs of claims contradict each other; one has no reply yet."
    assert finding in head(corpus_of_notes(asked=note_text, no=objecting, yes=answer))


def test_a_claim_with_weight_on_both_sides_is_counted_and_says_the_heaviest_on_each() -> None:
    corpus = corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=evidence_text("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence_text("Con", 0.9, "contradicts:: [[asked]]"),
        con_too=evidence_text("Con too", 0.1, "contradicts:: [[asked]]"),
        idle=claim_text("Idle", "skeptic", "contradicts:: [[asked]]"),
    )
    words = head(corpus)
    assert "On 1 claim much is said on both sides." in words
    assert "1 for: Pro (Finding)2 against, the strongest: Con (Finding)" in words


def corpus_with_tensions(count: int) -> Corpus:
    notes = {}
    for n in range(count):
        notes |= {
            f"asked{n}": claim_text(f"Asked {n}", "optimist"),
            f"pro{n}": evidence_text(f"Pro {n}", 0.9, f"supports:: [[asked{n}]]"),
            f"con{n}": evidence_text(f"Con {n}", 0.9, f"contradicts:: [[asked{n}]]"),
        }
    return corpus_of_notes(**notes)


@every_row(("count", "fold"), [(9, None), (10, "2 more statements"), (11, "3 more statements")])
def test_statements_beyond_the_first_eight_are_folded_and_counted_if_there_are_several(
    count: int, fold: str | None
) -> None:
    html = (
        page(corpus_with_tensions(count)).partition('id="tensions"')[2].partition("</section>")[0]
    )
    unfolded, _, folded = html.partition("<summary>")
    assert unfolded.count('<th scope="row"') == (8 if fold else count)
    assert folded.count('<th scope="row"') == (count - 8 if fold else 0)
    assert not fold or folded.startswith(f"{fold}</summary>")


def test_reasons_at_either_end_make_a_contradiction_more_disputed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist", "contradicts:: [[b]]"),
        b=claim_text("B", "skeptic"),
        c=claim_text("C", "optimist", "contradicts:: [[d]]"),
        d=claim_text("D", "skeptic"),
        pro=evidence_text("Pro", 0.9, "supports:: [[c]]"),
        con=evidence_text("Con", 0.1, "contradicts:: [[d]]"),
    )
    assert [edge.origin for edge in contradictions(corpus)] == ["c", "a"]
    require_remarks_on_omitted(corpus, monkeypatch)


def test_statements_that_are_not_listed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    require_remarks_on_omitted(corpus_with_tensions(2), monkeypatch)


def require_remarks_on_omitted(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of two, those beyond a limit of none, one and two are counted."""
    for limit, expected_starts in ((0, ["2 more are"]), (1, ["1 more is"]), (2, [])):
        monkeypatch.setattr("kg.publish.pages.disputes.ROWS_SHOWN", limit)
        starts = re.findall(r"(\d+ more \w+) on the pages of their statements\.", head(corpus))
        assert starts == expected_starts
