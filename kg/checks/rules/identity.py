"""Rules about the ids, names and titles of notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kg.checks.note_places import place_of
from kg.checks.rule import RuleViolation, is_exempt, rule
from kg.corpus import Corpus
from kg.model import InquiryLine, Relation, Severity, Source, Span, Statement
from kg.model.ids import is_part, link_target
from kg.notes.new_note import PLACEHOLDER_TITLE
from kg.notes.note_listing import NOTE_SUFFIX
from kg.text.folding import compose_accents
from kg.text.plurals import drop_plural_s

_UNPORTABLE = re.compile(
    r"[<>:\"|?*\\\x00-\x1f]|(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)\.|[ .](?:/|\.md$)", re.IGNORECASE
)
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
    ambiguous_names = {
        item.edge.target for item in corpus.unresolved_edges if len(item.candidates) > 1
    }
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


@rule(Severity.ERROR)
def duplicate_id(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two notes with one id: links to it would be ambiguous.

    The first one, by path, keeps the id; the other is left out.
    """
    for duplicate in corpus.duplicates:
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
            yield _same_title_violation(statement, other)


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


def _same_title_violation(statement: Statement, other: Statement) -> RuleViolation:
    likeness = "the same" if statement.title == other.title else "nearly the same"
    return RuleViolation(
        statement.span,
        f"`{other.id}` has {likeness} title",
        f"link to that one, say what differs, or add `- same-as:: [[{link_target(other.id)}]]`",
        (other.span,),
    )
