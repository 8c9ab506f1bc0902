"""What a site keeps of the one before: where, and only where, it would come out the same."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from kg.corpus import Corpus
from kg.files.read_files import NotesFolder
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.site_context import record_addresses
from kg.publish.context.weighing_inputs import (
    OF_STATEMENTS,
    OF_THE_INPUTS,
    digest_of_inputs,
    keep_results,
)
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text, evidence_text, line_text

CLAIM = claim_text("A", "optimist")
STUDY = evidence_text("Study", 0.8, "supports:: [[a]] — so") + "\n[@s]\n"
NOTES = {
    "a": CLAIM,
    "study": STUDY,
    "asks": line_text("Asks?", "optimist:: [[a]]"),
    "references": "@book{s, title={S}, author={Ann Doe}, year={2020}}",
}
MADE = (record_addresses, *OF_STATEMENTS, *OF_THE_INPUTS)


def names_kept(old: Corpus, new: Corpus, corpus_alone: Corpus) -> set[str]:
    """What `new` kept of `old`; each is what would be made without it, as in `alone`."""
    for make in MADE:
        make(old)
    has_same_inputs = keep_results(old, new, (record_addresses,))
    assert has_same_inputs == (digest_of_inputs(old) == digest_of_inputs(corpus_alone))
    names = {make.__name__ for make in MADE if make(new) is make(old)}
    assert [make(new) for make in MADE] == [make(corpus_alone) for make in MADE]
    return names


ALL = {make.__name__ for make in MADE}
OF_EDGES = {make.__name__ for make in OF_THE_INPUTS}


@every_row(
    ("edited", "lost"),
    [
        ({"a": CLAIM + "\nAnd more.\n"}, set()),
        ({"study": "\n" + STUDY}, set()),
        ({"study": STUDY.replace("[@s]", "More text, as in [@s, p. 3].")}, set()),
        ({"study": STUDY.replace("supports", "contradicts")}, OF_EDGES),
        ({"study": STUDY.replace("— so", "— since")}, OF_EDGES),
        ({"asks": line_text("Asks?", "skeptic:: [[a]]")}, OF_EDGES),
        ({"study": STUDY.replace("0.8", "0.7")}, ALL - {"record_addresses"}),
        ({"study": STUDY.replace("[@s]", "Said.")}, ALL - {"record_addresses"}),
        ({"references": NOTES["references"].replace("2020", "2021")}, ALL - {"record_addresses"}),
        ({"b": claim_text("B", "optimist")}, ALL),
    ],
)
def test_an_edit_loses_exactly_the_kept_numbers_that_it_may_change(
    edited: dict[str, str], lost: set[str]
) -> None:
    old, new, corpus_alone = (corpus_of_notes(**NOTES | each) for each in ({}, edited, edited))
    assert names_kept(old, new, corpus_alone) == ALL - lost


def test_changed_judgements_change_the_basis(tmp_path: Path) -> None:
    def corpus_with_label(label: str) -> Corpus:
        table = tmp_path / label / "judgements" / "ann.csv"
        table.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(f"edge,annotator,label\nstudy--supports--a,ann,{label}\n", "utf-8")
        return dataclasses.replace(
            corpus_of_notes(**NOTES), folder=NotesFolder.from_path(tmp_path / label)
        )

    assert (
        names_kept(
            corpus_with_label("supports"),
            corpus_with_label("supports"),
            corpus_with_label("supports"),
        )
        == ALL
    )
    assert (
        names_kept(
            corpus_with_label("supports"),
            corpus_with_label("neutral"),
            corpus_with_label("neutral"),
        )
        == ALL - OF_EDGES
    )


def test_the_name_of_a_file_is_part_of_the_basis() -> None:
    plain, same = corpus_of_notes(**NOTES), corpus_of_notes(**NOTES)
    names = dataclasses.replace(same, aliases={"A file": "a"})
    assert names_kept(plain, names, names) == ALL - OF_EDGES


def test_settings_are_part_of_the_basis() -> None:
    plain = corpus_of_notes(**NOTES)
    settings = Config(reasoning=Reasoning(gain=2.0))
    other = dataclasses.replace(plain, config=settings)
    assert digest_of_inputs(plain) != digest_of_inputs(other)
