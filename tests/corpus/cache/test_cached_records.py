"""Records are read back as they were written."""

from __future__ import annotations

import io
import tempfile
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.corpus.record_file import RecordFileWriter, open_record_file
from kg.loader import load_corpus, load_note_by_note
from tests.support.linked_notes import LIBRARY, SETTINGS, linked_notes

MARK = b"0123456789abcdef"
GROUPS = ("edges_from", "edges_to", "edges_with", "edges_by_relation", "statements_citing")


def _write(notes: Path, file: Path, *, drafts: bool = False) -> None:
    rows = RecordFileWriter(io.BytesIO())
    with tempfile.TemporaryFile() as kept_file:
        config, joined_parts = load_note_by_note(notes, kept_file, drafts=drafts)
        for _ in rows.gather(joined_parts):
            pass
        rows.write(file, config, MARK)


def _read(file: Path) -> Corpus:
    corpus = open_record_file(file, MARK)
    assert corpus is not None
    return corpus


def _without_problems(corpus: Corpus) -> Corpus:
    """What only a check tells, and the folder, are not in the file."""
    lists = ("terms", "diagnostics", "unresolved_edges", "duplicates", "dead_links", "loose_links")
    nothing = dict.fromkeys((*lists, "files", "left_out"), ())
    in_order = sorted(corpus.mentions, key=lambda mention: (mention.span, mention.origin))
    edges = tuple(sorted(corpus.edges, key=lambda edge: (edge.span, edge.id)))
    changes = {"mentions": tuple(in_order), "edges": edges, "figures_in_abstracts": {}}
    return replace(corpus, folder=None, best_guess=None, **nothing, **changes)


def _require_same(notes: Path, file: Path, *, drafts: bool) -> None:
    corpus = load_corpus(notes, drafts=drafts)
    _write(notes, file, drafts=drafts)
    again = _read(file)
    assert again.config == corpus.config
    new_corpus = _without_problems(corpus)
    read = Corpus(**{name: getattr(again, name) for name in vars(new_corpus) if name in _FIELDS})
    assert replace(read, edges=tuple(read.edges)) == new_corpus
    assert again.default_camps == corpus.default_camps
    for name in (*GROUPS, "topics", "about"):
        groups = getattr(new_corpus, name)
        assert dict(getattr(again, name).items()) == groups
        assert name in GROUPS or list(getattr(again, name)) == list(groups)


_FIELDS = {field.name for field in fields(Corpus) if field.init}


@given(linked_notes(), st.sets(st.sampled_from("abcl")), st.booleans())
def test_any_notes_are_read_back(
    texts: dict[str, str], drafts: set[str], with_drafts: bool
) -> None:
    for name in drafts:
        texts[f"{name}.md"] = texts[f"{name}.md"].replace("---\n", "---\nstatus: draft\n", 1)
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place, "notes")
        notes.mkdir()
        for name, text in {**texts, "references.bib": LIBRARY, "kg.toml": SETTINGS}.items():
            notes.joinpath(name).write_text(text, "utf-8")
        _require_same(notes, Path(place, "rows"), drafts=with_drafts)


@pytest.mark.integration
def test_our_own_notes_in_many_blocks_are_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.corpus.cache.cached_records.RECORDS_PER_BLOCK", 7)
    monkeypatch.setattr("kg.corpus.cache.cached_records.RECORDS_PER_COLUMN", 21)
    monkeypatch.setattr("kg.corpus.record_file.RECORDS_PER_COLUMN", 40)
    _require_same(Path("notes"), tmp_path / "rows", drafts=False)
