"""Words set against fact-checked claims (CLIMATE-FEVER, Diggelmann et al. 2020), through notes.

By construction a claim's label follows from which sides have evidence: this tries words and
defaults, never truth. `python -m bench.claims` prints every count.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import kg
from bench.claims import (
    LABELS,
    CheckedClaim,
    agreement_rate,
    load_claims,
    load_notes,
    notes_by_article,
    notes_by_majority,
    notes_by_votes,
    tally,
    words_of,
)
from kg.reasoning import reading_of

pytestmark = pytest.mark.integration  # what takes longest, the corpus, is made once for all

Counts = dict[str, Counter[str]]


@pytest.fixture(scope="module")
def claims() -> list[CheckedClaim]:
    return load_claims()


@pytest.fixture(scope="module")
def majority(claims: list[CheckedClaim], tmp_path_factory: pytest.TempPathFactory) -> Counts:
    corpus = load_notes(tmp_path_factory.mktemp("majority"), notes_by_majority(claims))
    assert [each for each in corpus.diagnostics if each.severity == "error"] == []
    words = words_of(reading_of(corpus), claims)
    for claim in claims[::60]:
        assert kg.verdict(corpus, f"c{claim.number}").word == words[claim.number]
    return tally(claims, words)


def test_nine_in_ten_words_agree_with_the_labels_of_people(majority: Counts) -> None:
    assert sum(sum(counts.values()) for counts in majority.values()) == 535
    assert agreement_rate(majority) >= 0.9


@pytest.mark.parametrize(
    ("label", "minimum"),
    [("SUPPORTS", 1.0), ("REFUTES", 1.0), ("DISPUTED", 40 / 45), ("NOT_ENOUGH_INFO", 1.0)],
)
def test_words_agree_with_each_label(majority: Counts, label: str, minimum: float) -> None:
    assert agreement_rate(majority, label) >= minimum


def test_disputed_claims_called_decided_have_at_least_three_to_one_on_a_side(
    claims: list[CheckedClaim], majority: Counts
) -> None:
    """A word that says on which side most stands is no worse there."""
    lopsided = 0
    for claim in claims:
        sides = [
            len({p.article for p in claim.passages if p.label == side})
            for side in ("SUPPORTS", "REFUTES")
        ]
        lopsided += claim.label == "DISPUTED" and max(sides) >= 3 * min(sides)
    missed = Counter({w: n for w, n in majority["DISPUTED"].items() if w.startswith("leans")})
    assert missed.total() == lopsided == 5


def test_filing_each_article_at_its_own_claim_changes_no_word(
    claims: list[CheckedClaim], majority: Counts, tmp_path: Path
) -> None:
    """What an article says is filed at a claim of its own here."""
    reading = reading_of(load_notes(tmp_path, notes_by_article(claims)))
    assert tally(claims, words_of(reading, claims)) == majority


def test_fewer_words_agree_if_single_votes_are_judgements(
    claims: list[CheckedClaim], tmp_path: Path
) -> None:
    """Here single dissenting votes speak, which majority labels leave out: fewer words agree."""
    corpus = load_notes(tmp_path, notes_by_votes(claims))
    reading = reading_of(corpus)
    assert len(reading.judgements) == sum(sum(p.votes) for c in claims for p in c.passages)
    counts = tally(claims, words_of(reading, claims))
    rates = {label: round(agreement_rate(counts, label), 3) for label in LABELS}
    assert rates == {
        "SUPPORTS": 0.915,
        "REFUTES": 0.907,
        "DISPUTED": 0.667,
        "NOT_ENOUGH_INFO": 0.612,
    }
    assert agreement_rate(counts) == pytest.approx(0.796, abs=5e-4)
