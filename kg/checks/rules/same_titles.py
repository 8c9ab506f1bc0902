"""The rule about two statements with one title: what counts as the same in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import Relation, Severity, Statement, Status
from kg.model.ids import link_target
from kg.notes.new_note import PLACEHOLDER_TITLE
from kg.text.plurals import drop_plural_s

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
def nearly_equal_title(corpus: Corpus) -> Iterator[Finding]:
    """Two statements of one kind with the same title, or nearly the same.

    They differ only in small words, endings, the order of a passive, or synonyms: those in a
    glossary, and a few verbs such as raise and increase. One reason would count twice. Add
    `same-as` if both are intended.
    """
    synonyms = _Synonyms(corpus)
    linked_pairs = {
        frozenset((edge.source, edge.target))
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
        if len(title_words) < _FEWEST_WORDS or statement.status is Status.RETIRED:
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


def _same_title_finding(statement: Statement, other: Statement) -> Finding:
    likeness = "the same" if statement.title == other.title else "nearly the same"
    return Finding(
        statement.span,
        f"`{other.id}` has {likeness} title",
        f"link to that one, say what differs, or add `- same-as:: [[{link_target(other.id)}]]`",
        (other.span,),
    )
