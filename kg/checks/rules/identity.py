"""Rules about the ids, names and dates of notes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping

from kg.checks.note_places import place_in_entry, place_of
from kg.checks.rule import RuleViolation, is_exempt, rule
from kg.corpus import Corpus
from kg.corpus.independent_sources import fold_doi
from kg.model import InquiryLine, Relation, Severity, Source, Span, Statement
from kg.model.ids import is_part, link_target, split_id
from kg.notes.new_note import PLACEHOLDER_TITLE
from kg.notes.note_listing import NOTE_SUFFIX
from kg.text.folding import compose_accents
from kg.text.plurals import drop_plural_s

_UNPORTABLE = re.compile(
    r"[<>:\"|?*\\\x00-\x1f]|(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)\.|[ .](?:/|\.md$)", re.IGNORECASE
)
_AHEAD = dt.timedelta(days=1)  # it may already be tomorrow elsewhere
_ONLINE_FIRST = dt.timedelta(days=183)  # an article may appear before its volume's year
_FEWEST_WORDS = 3  # in a title that is compared
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by for from had has have in is it its of on or that the their "
        "there these they this those to was were which with",
    )
)
_PASSIVE = re.compile(r"(.+?) (?:is|are|was|were|has been|have been) (\w+?)(?:e?d|en) by (.+)")
_ACTIVE_ENDINGS = re.compile(r"(?<=\w{4})(?:es|ed|s|e|d)\Z")
_BUILT_IN_SYNONYMS = {  # without endings
    word: group
    for group in (
        "boost heighten increas rais",
        "decreas diminish lessen lower reduc",
        "demonstrat show",
        "enhanc improv",
        "imped hinder",
    )
    for word in group.split()
}


@rule(Severity.WARNING)
def alias_taken(corpus: Corpus) -> Iterator[RuleViolation]:
    """An alias that is also the id or an alias of another note.

    A link by it leads to the note with that id; by an alias of two notes it leads nowhere.
    """
    records: list[tuple[str, Statement | InquiryLine | Source]] = []
    records += corpus.statements.items()
    records += corpus.lines.items()
    records += corpus.sources.items()
    ids = {id: record.span for id, record in records}
    ambiguous_names = {item.edge.target for item in corpus.unresolved if len(item.candidates) > 1}
    first_use: dict[str, tuple[str, Span]] = {}
    for id, record in records:
        for alias in map(compose_accents, record.aliases):
            if alias == id or alias in ambiguous_names:
                continue
            other, span = first_use.setdefault(alias, (id, record.span))
            if alias in ids:
                message = f"the alias `{alias}` is the id of another note"
                span = ids[alias]
            elif other != id:
                message = f"the alias `{alias}` is also an alias of `{other}`"
            else:
                continue
            place = record.span
            if place.path.endswith(NOTE_SUFFIX):
                place = place_of(corpus, record, "aliases", alias)
            yield RuleViolation(place, message, "keep it for one of them", (span,))


@rule(Severity.WARNING)
def same_work_twice(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two entries for one work: the same DOI, or the same title, first author and year.

    Or two keys that differ only in case. With one DOI they count as one source, but queries for
    one miss the other. Entries alike in title, author and year count as two unless they share an
    `independence` key; with different DOIs they are two works.
    """
    source_by_doi: dict[str, Source] = {}
    source_by_work: dict[tuple[str, str, int], Source] = {}
    source_by_key: dict[str, Source] = {}
    for source in corpus.sources.values():
        other = source_by_key.setdefault(source.key.casefold(), source)
        if other is not source and other.span.path == source.span.path:
            message = f"`{source.key}` differs from `{other.key}` only in case"
            yield RuleViolation(source.span, message, "give one of them another key", (other.span,))
            continue
        doi = fold_doi(source)
        if doi and (other := source_by_doi.setdefault(doi, source)) is not source:
            message = f"`{source.key}` has the DOI of `{other.key}`"
            yield _same_work(corpus, source, other, "doi", message)
            continue
        work = _title_author_year(source)
        if work and (other := source_by_work.setdefault(work, source)) is not source:
            is_told_apart = bool(doi and other.doi)
            if not is_told_apart and not {*source.independence} & {*other.independence}:
                message = f"`{source.key}` has the title, first author and year of `{other.key}`"
                message += ", but counts as another source"
                yield _same_work(corpus, source, other, "title", message)


def _title_author_year(source: Source) -> tuple[str, str, int] | None:
    """Return what identifies a work without a DOI; None if its entry lacks one of the three."""
    if not (source.year and source.authors) or source.title == source.key:
        return None
    letters = "".join(filter(str.isalnum, source.title.casefold()))
    return letters, source.first_author.casefold(), source.year


def _same_work(
    corpus: Corpus, source: Source, other: Source, field: str, message: str
) -> RuleViolation:
    kept_source, merged_source = (
        (source, other) if source.note and not other.note else (other, source)
    )
    help = f"`kg merge {kept_source.key} {merged_source.key}` merges them"
    span = place_in_entry(corpus, source, field)
    return RuleViolation(span, message, help, (other.span,))


@rule(Severity.ERROR)
def duplicate_id(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two notes with one id: links to it would be ambiguous.

    The first one, by path, keeps the id; the other is left out.
    """
    duplicate_notes = {(duplicate.span.path, duplicate.id) for duplicate in corpus.duplicates}
    for duplicate in corpus.duplicates:
        note, part, _ = split_id(duplicate.id)
        if part and (duplicate.span.path, note) in duplicate_notes:
            continue  # its whole note is reported
        yield RuleViolation(
            duplicate.span,
            f"the id `{duplicate.id}` is taken by {duplicate.first.path}:{duplicate.first.line}",
            "rename one of the files, or give it its own `id:`",
            (duplicate.first,),
        )


@rule(Severity.WARNING)
def unportable_name(corpus: Corpus) -> Iterator[RuleViolation]:
    """A file name that some systems do not allow, such as `aux.md` and `a?.md` on Windows.

    Two names that differ only in case become one file on macOS and Windows. If two ids differ only
    in case, it is unclear which of them a link in another spelling means.
    """
    path_by_folded: dict[str, str] = {}
    records_of_sorts: tuple[Mapping[str, Statement | InquiryLine | Source], ...]
    records_of_sorts = (corpus.statements, corpus.lines, corpus.sources)
    paths = {each.span.path for records in records_of_sorts for each in records.values()}
    for path in sorted(paths):
        other = path_by_folded.setdefault(path.casefold(), path)
        if other != path:
            message = f"this file's name differs from `{other}` only in case"
            yield RuleViolation(Span(path), message, "rename one of them")
        elif _UNPORTABLE.search(path.removeprefix("../")):
            help = "rename it; with `aliases:`, links by its old name keep working"
            yield RuleViolation(Span(path), "Windows does not allow files of this name", help)
    first_ids: dict[str, tuple[str, Span]] = {}
    for records in records_of_sorts:
        for id, record in records.items():
            other, first_span = first_ids.setdefault(id.casefold(), (id, record.span))
            in_one_place = first_span.path.casefold() == record.span.path.casefold()
            if other != id and not is_part(id) and not in_one_place:
                message = f"this id differs from `{other}` only in case"
                yield RuleViolation(
                    record.span, message, "give one of them another id", (first_span,)
                )


@rule(Severity.WARNING)
def dates_out_of_order(corpus: Corpus) -> Iterator[RuleViolation]:
    """A note changed or reviewed before it was written, or on a day in the future.

    Or evidence that cites a source from a later year than its own date: one of the two is wrong.
    """
    latest = dt.date.today() + _AHEAD
    records: tuple[Statement | InquiryLine, ...]
    records = (*corpus.statements.values(), *corpus.lines.values())
    for record in records:
        dates = {key: getattr(record, key) for key in ("created", "updated", "reviewed")}
        for key, date in dates.items():
            if date is not None and date > latest:
                yield _wrong_date(corpus, record, key, f"`{key}` is in the future: {date}")
            elif date is not None and record.created is not None and date < record.created:
                message = f"`{key}` comes before `created`: {date} and {record.created}"
                yield _wrong_date(corpus, record, key, message)
    yield from _later_sources(corpus)


def _wrong_date(
    corpus: Corpus, record: Statement | InquiryLine, key: str, message: str
) -> RuleViolation:
    span = place_of(corpus, record, key, str(getattr(record, key)))
    return RuleViolation(span, message, "correct the one that is wrong")


def _later_sources(corpus: Corpus) -> Iterator[RuleViolation]:
    for item in corpus.evidence:
        statement_around = corpus.statements.get(item.parent or "", item)
        dates = [
            d
            for each in (item, statement_around)
            for d in (each.created, each.updated, each.reviewed)
        ]
        last_date = max((date for date in dates if date is not None), default=None)
        for citation in item.citations if last_date else ():
            source = corpus.sources.get(citation.key)
            if last_date and source and source.year and _is_after(source.year, last_date):
                message = (
                    f"`{source.key}` is from {source.year}, but this evidence from {last_date}"
                )
                help = "correct the year of the entry, or `updated`"
                yield RuleViolation(citation.span, message, help, (source.span,))


def _is_after(year: int, date: dt.date) -> bool:
    return year <= dt.MAXYEAR and dt.date(year, 1, 1) > date + _ONLINE_FIRST


@rule(Severity.WARNING)
def nearly_equal_title(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two statements of one kind with the same title, or nearly the same.

    They differ only in small words, endings, the order of a passive, or synonyms: those in a
    glossary, and a few verbs such as raise and increase. One reason would count twice. Add
    `same-as` if both are intended.
    """
    synonyms = _Synonyms(corpus)
    linked_pairs = {
        frozenset((edge.origin, edge.target))
        for edge in corpus.edges
        if edge.relation in (Relation.SAME_AS, Relation.SUPERSEDES)
    }
    first_by_words: dict[tuple[str, ...], Statement] = {}
    for statement in corpus.statements.values():
        title_words = [
            drop_plural_s(word)
            for word in re.findall(r"\w+", statement.title.casefold())
            if word not in _STOP_WORDS
        ]
        if len(title_words) < _FEWEST_WORDS or is_exempt(corpus, statement):
            continue
        if statement.title == PLACEHOLDER_TITLE:
            continue  # a new note, not filled in yet
        keys = [(statement.kind, *title_words)]
        if (active_words := synonyms.in_active_order(statement.title)) is not None:
            keys.append((statement.kind, "", *active_words))
        others = [first_by_words.setdefault(key, statement) for key in keys]
        other = next((each for each in others if each is not statement), statement)
        if other is not statement and frozenset((other.id, statement.id)) not in linked_pairs:
            yield _same_title_finding(statement, other)


class _Synonyms:
    """Synonyms: those in the glossaries of a corpus, and built-in ones."""

    def __init__(self, corpus: Corpus) -> None:
        self.name_of = {
            _lower_words(name): _lower_words(term.name)
            for term in corpus.terms
            for name in term.names[1:]
        }
        names = sorted(filter(None, self.name_of), key=len, reverse=True)
        self.names = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None

    def in_active_order(self, title: str) -> list[str] | None:
        """A title's content words, stemmed, in active order, and with synonyms made equal."""
        words_text = _lower_words(title)
        if self.names:
            words_text = self.names.sub(lambda match: self.name_of[match[0]], words_text)
        if " by " in words_text and (passive := _PASSIVE.fullmatch(words_text)):
            words_text = f"{passive[3]} {passive[2]} {passive[1]}"
        words = [_stem_of_synonyms(word) for word in words_text.split() if word not in _STOP_WORDS]
        return words if len(words) >= _FEWEST_WORDS else None


def _stem_of_synonyms(word: str) -> str:
    """A word's stem, the same for all its synonyms."""
    stem = _ACTIVE_ENDINGS.sub("", word)
    return _BUILT_IN_SYNONYMS.get(stem, stem)


def _lower_words(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _same_title_finding(statement: Statement, other: Statement) -> RuleViolation:
    likeness = "the same" if statement.title == other.title else "nearly the same"
    return RuleViolation(
        statement.span,
        f"`{other.id}` has {likeness} title",
        f"link to that one, say what differs, or add `- same-as:: [[{link_target(other.id)}]]`",
        (other.span,),
    )
