"""What a site keeps of the one before: where, and only where, it would come out the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.site_context import record_addresses
from kg.publish.context.weighing_basis import (
    OF_STATEMENTS,
    OF_THE_BASIS,
    digest_of_basis,
    keep_results,
)
from tests.support.every_row import every_row
from tests.support.note_texts import claim, evidence, line

CorpusOf = Callable[..., Corpus]

CLAIM = claim("A", "optimist")
STUDY = evidence("Study", 0.8, "supports:: [[a]] — so") + "\n[@s]\n"
NOTES = {
    "a": CLAIM,
    "study": STUDY,
    "asks": line("Asks?", "optimist:: [[a]]"),
    "references": "@book{s, title={S}, author={Ann Doe}, year={2020}}",
}
MADE = (record_addresses, *OF_STATEMENTS, *OF_THE_BASIS)


def kept(corpus_of: CorpusOf, edited: dict[str, str]) -> set[str]:
    """What was kept after an edit; each is what would be made without it."""
    before, (now, alone) = corpus_of(**NOTES), [corpus_of(**NOTES | edited) for _ in range(2)]
    for make in MADE:
        before.derive(make)
    keep_results(before, now, (record_addresses,))
    found = {make.__name__ for make in MADE if now.derive(make) is before.derive(make)}
    assert [now.derive(make) for make in MADE] == [alone.derive(make) for make in MADE]
    return found


ALL = {make.__name__ for make in MADE}
OF_EDGES = {make.__name__ for make in OF_THE_BASIS}


@every_row(
    ("edited", "lost"),
    [
        ({"a": CLAIM + "\nAnd more.\n"}, set()),
        ({"study": "\n" + STUDY}, set()),
        ({"study": STUDY.replace("[@s]", "More text, as in [@s, p. 3].")}, set()),
        ({"study": STUDY.replace("supports", "contradicts")}, OF_EDGES),
        ({"study": STUDY.replace("— so", "— since")}, OF_EDGES),
        ({"asks": line("Asks?", "skeptic:: [[a]]")}, OF_EDGES),
        ({"study": STUDY.replace("0.8", "0.7")}, ALL - {"record_addresses"}),
        ({"study": STUDY.replace("[@s]", "Said.")}, ALL - {"record_addresses"}),
        ({"references": NOTES["references"].replace("2020", "2021")}, ALL - {"record_addresses"}),
        ({"b": claim("B", "optimist")}, ALL),
    ],
)
def test_what_may_be_otherwise_is_made_again(
    corpus_of: CorpusOf, edited: dict[str, str], lost: set[str]
) -> None:
    assert kept(corpus_of, edited) == ALL - lost


def test_settings_are_part_of_the_basis(corpus_of: CorpusOf) -> None:
    plain = corpus_of(**NOTES)
    settings = Config(reasoning=Reasoning(gain=2.0))
    other = dataclasses.replace(plain, config=settings)
    assert plain.derive(digest_of_basis) != other.derive(digest_of_basis)
