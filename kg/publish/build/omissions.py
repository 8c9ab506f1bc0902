"""Sentences on the notes that are missing from a site or an answer, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import Severity
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.note_listing import NOTE_SUFFIX, list_notes
from kg.text.plurals import join_first, pluralize

MAX_KEYS_NAMED = 3  # of sources that no bibliography has; the rest is counted
_REASONS = {
    "missing-type": "without a type",
    "broken-front-matter": "with broken front matter",
    "unreadable-file": "that cannot be read",
}


def sentences_on_left_out(corpus: Corpus) -> Iterator[str]:
    """Sentences on how many notes are left out, by reason, and on parts left out of others."""
    rule_by_unread_path = _rule_by_unread_path(corpus)
    if rule_by_unread_path:
        counts = Counter(rule_by_unread_path.values()).most_common()
        reasons = ", ".join(f"{n} {_REASONS.get(rule, f'for {rule}')}" for rule, n in counts)
        yield f"{pluralize(len(rule_by_unread_path), 'note')} left out: {reasons}: see `kg check`"
    if ignored_count := _count_ignored(corpus):
        yield f"{pluralize(ignored_count, 'note')} left out by `ignore` in the settings"
    if corpus.left_out:
        yield f"{pluralize(len(corpus.left_out), 'note')} left out by `[map]` in the settings"
    if unknown_keys := sorted(corpus.statements_citing.keys() - corpus.sources.keys()):
        names = join_first([f"`{key}`" for key in unknown_keys], MAX_KEYS_NAMED)
        yield f"cited, but in no bibliography: {names}"
    has_unread_parts = any(
        each.severity is Severity.ERROR and each.span.path not in rule_by_unread_path
        for each in corpus.diagnostics
    )
    if has_unread_parts or corpus.unresolved_edges or corpus.duplicates:
        yield "parts of notes that could not be read are left out: see `kg check`"


def _rule_by_unread_path(corpus: Corpus) -> dict[str, str]:
    """The first rule that says why a note is not in the corpus, by the note's path."""
    read_paths = {each.span.path for each in corpus.statements.values()}
    read_paths |= {line.span.path for line in corpus.lines.values()}
    read_paths |= {source.span.path for source in corpus.sources.values() if source.span}
    read_paths |= {term.span.path for term in corpus.terms}
    return {
        each.span.path: each.rule
        for each in reversed(corpus.diagnostics)
        if each.severity is Severity.ERROR and each.span.path not in read_paths
        if each.span.path.endswith(NOTE_SUFFIX)
    }


def _count_ignored(corpus: Corpus) -> int:
    """The number of a mapped vault's notes that `ignore` leaves out."""
    patterns = corpus.config.ignore if corpus.config.map else ()
    if not patterns or corpus.folder is None:
        return 0
    ignore_globs = IgnoreGlobs(patterns)
    return sum(ignore_globs.matches(note.path) for note in list_notes(corpus.folder).notes)
