"""A cache of problems between runs, valid until something they depend on changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b

import msgspec

from kg.corpus import Corpus
from kg.files.cache_files import FINGERPRINT_SIZE, read_sealed_as, state_folder, write_sealed
from kg.files.file_signatures import signatures_if_settled
from kg.model import Diagnostic
from kg.notes.body import list_attachments
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.note_listing import README
from kg.notes.notes_cache import code_version
from kg.rdf.ontology import load_text

# Another number where the layout changes; the fingerprint covers the code of `_ROOMS`.
PROBLEMS_KIND = "problems 1"
_ROOMS = ("checks", "corpus", "judgements", "model", "notes", "rdf", "reasoning", "text")
_decode = msgspec.msgpack.Decoder(list[Diagnostic]).decode


def cached_diagnostics(
    corpus: Corpus, name: str, find: Callable[[Corpus], list[Diagnostic]]
) -> list[Diagnostic]:
    """The result of `find`, cached under `name` if the corpus itself is cached."""
    fingerprint = _fingerprint_of_inputs(corpus)
    cache_folder = (
        None if fingerprint is None or corpus.folder is None else state_folder(corpus.folder)
    )
    if fingerprint is None or cache_folder is None:
        return find(corpus)
    file = cache_folder / f"notes.{name}"
    problems = read_sealed_as(file, PROBLEMS_KIND, _decode, fingerprint)
    if problems is None:
        problems = find(corpus)
        write_sealed(file, PROBLEMS_KIND, msgspec.msgpack.encode(problems), fingerprint)
    return problems


def _fingerprint_of_inputs(corpus: Corpus) -> bytes | None:
    """A hash of all that the problems depend on; None if that may change unnoticed."""
    folder = corpus.folder
    if corpus.provenance.cache_fingerprint is None or folder is None:
        return None
    # for these, rules read files outside the notes
    if any(source.snapshot for source in corpus.sources.values()):
        return None
    if (folder / "judgements").exists():
        return None
    files = list_attachments(folder, IgnoreGlobs(corpus.config.ignore)) if corpus.files else {}
    other_files = [str(path) for path in (folder / README,) if os.path.lexists(path)]
    signatures = signatures_if_settled([*files.values(), *other_files])
    if signatures is None:
        return None
    program = (code_version(*_ROOMS), [load_text(name) for name in ("kg.ttl", "shapes.ttl")])
    encoded_inputs = msgspec.msgpack.encode(
        (corpus.provenance.cache_fingerprint, program, [*files, *other_files], signatures)
    )
    return blake2b(encoded_inputs, digest_size=FINGERPRINT_SIZE).digest()
