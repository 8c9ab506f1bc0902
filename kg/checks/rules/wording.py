"""Rules about words: reasons that are missing, and names that are one name spelled twice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from kg.checks.locate import fix_word, is_titled, place_of, place_of_relation
from kg.checks.rule import Finding, Scope, misread_statements, rule
from kg.checks.suggestions import digits_of
from kg.corpus import Corpus
from kg.model import Relation, Severity, Span, Statement, Status
from kg.model.ids import is_part, link_target
from kg.notes.new_note import PLACEHOLDER_TITLE

_ARGUES = frozenset(relation for relation in Relation if relation.entry.reasoned)
_MAX_RELATED = 3  # related places named in one finding
_FEWEST_LETTERS = 5  # letters of a word in which one wrong letter is likelier than another word
_MAX_LETTERS = 100  # of a topic that is compared: so long a one is a sentence
_MAX_PAIRED = 20  # topics alike that are compared each with each; more, with the commonest alone
_FEWEST_USES = 2  # a misspelling is rare
_WORDS_KEPT = 1 << 14  # of those whose endings were looked at
_FEWEST_WORDS = 3  # words that a title needs to be compared
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by for from had has have in is it its of on or that the their "
        "there these they this those to was were which with",
    )
)
_NO_HEADING = re.compile(
    r"(?:#+(?=[^\s#])|##+[ \t]|[ \t]+#[ \t]|#+[\u00a0\u2007\u202f])([^\n]+)"
    r"|\*\*([^*\n]+)\*\*[ \t]*(?:\n|\Z)"
)


@rule(Severity.WARNING, Scope.NOTE)
def missing_title(corpus: Corpus) -> Iterator[Finding]:
    """A note without a heading, or a callout that says nothing on its first line.

    A statement is its title: what is asserted, or what was found. Without one, its file's name or
    its id is shown instead. A file's name of several words, as in Obsidian, is a title too.
    """
    notes = [s for s in corpus.statements.values() if not is_part(s.id)]
    named = [(note.title, note.body, note.span) for note in notes]
    named += [(line.title, line.standfirst, line.span) for line in corpus.lines.values()]
    named += [(s.title, s.body, s.span) for s in corpus.sources.values() if s.note and not s.entry]
    for title, text, span in named:
        stem = span.path.rpartition("/")[2].removesuffix(".md")
        if title == stem and " " not in stem and not is_titled(corpus, span.path):
            help, fix = "put a line `# What it says` below the front matter", None
            if found := _NO_HEADING.match(text):
                words = (found[1] or found[2]).strip()
                margin = " at the margin" if found[0][0].isspace() else ""
                help = f"write `# {words}`{margin}: a title has one `#` and a space"
                fix = fix_word(corpus, span, found[0].rstrip("\n"), f"# {words}")
            message = "this note has no title; its file's name stands in"
            yield Finding(span, message, help, (), fix)


@rule(Severity.WARNING, Scope.NOTE)
def missing_reason(corpus: Corpus) -> Iterator[Finding]:
    """A reason for or against something that does not say why it is one.

    The reason is what readers weigh, and what an `undercuts` denies.
    """
    # of unread words, for example
    reported = {(p.span.path, p.span.line) for p in corpus.diagnostics}
    misread = misread_statements(corpus)
    for edge in corpus.edges:
        if edge.reason.strip() or edge.relation not in _ARGUES:
            continue
        if (edge.span.path, edge.span.line) in reported:
            continue
        if edge.nested and edge.source in misread:
            continue  # the reason may be what went astray
        if edge.nested:
            message = f"nothing says why this {edge.relation} the statement around it"
            help = "add `(reason:: why it bears on it)` to the callout"
        else:
            message = f"this `{edge.relation}::` gives no reason"
            help = "end the line with a dash and the reason: ` — why`"
        yield Finding(place_of_relation(corpus, edge.span), message, help)


@rule(Severity.WARNING)
def nearly_equal_topic(corpus: Corpus) -> Iterator[Finding]:
    """Two spellings of one topic, or a topic that is misspelt.

    Notes under one are not found under the other. The spelling that the glossary explains, or that
    more notes use, is suggested; where neither is known better, both are told and none is written.
    """
    reported = {problem.span for problem in corpus.diagnostics}  # of curly quotes, for example
    uses = {topic: len(statements) for topic, statements in corpus.topics.items()}
    for rare, common in sorted(_find_misspelt_topics(corpus).items()):
        notes = corpus.topics[rare]
        places = [place_of(corpus, each, "topics", rare) for each in notes[: _MAX_RELATED + 1]]
        if places[0] in reported:
            continue
        message = f"the topic `{rare}` is nearly `{common}`, of {_count_statements(uses[common])}"
        help, fix = f"did you mean `{common}`?", fix_word(corpus, places[0], rare, common)
        if uses[rare] == uses[common] and corpus.term(common) is None:
            help, fix = f"write one of them in both: `{rare}` or `{common}`", None
            places.append(place_of(corpus, corpus.topics[common][0], "topics", common))
        yield Finding(places[0], message, help, tuple(places[1:]), fix)


@rule(Severity.WARNING)
def nearly_equal_title(corpus: Corpus) -> Iterator[Finding]:
    """Two statements of one kind with the same title, or with one of nearly the same words.

    They differ in small words, in an ending, in the order of a passive, or in words that mean one
    thing: what a glossary lists as one, and a few verbs such as raise and increase. Counted twice,
    one reason would weigh double. `same-as` says that both are meant.
    """
    meanings = _Meanings(corpus)
    known = {
        frozenset((edge.source, edge.target))
        for edge in corpus.edges
        if edge.relation in (Relation.SAME_AS, Relation.SUPERSEDES)
    }
    first: dict[tuple[str, ...], Statement] = {}
    for statement in corpus.statements.values():
        words = _stemmed_title_words(statement.title)
        if len(words) < _FEWEST_WORDS or statement.status is Status.RETIRED:
            continue
        if statement.title == PLACEHOLDER_TITLE:
            continue  # of a new note, still to be written
        keys = [(statement.kind, *words)]
        if (active := meanings.in_active_order(statement.title)) is not None:
            keys.append((statement.kind, "", *active))
        others = [first.setdefault(key, statement) for key in keys]
        other = next((each for each in others if each is not statement), statement)
        if other is not statement and frozenset((other.id, statement.id)) not in known:
            yield _same_title_finding(statement, other)


_PASSIVE = re.compile(r"(.+?) (?:is|are|was|were|has been|have been) (\w+?)(?:e?d|en) by (.+)")
_ACTIVE_ENDINGS = re.compile(r"(?<=\w{4})(?:es|ed|s|e|d)\Z")


_ALIKE = {  # without endings
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


class _Meanings:
    """Words that mean one thing: as the glossaries of a corpus say, and of themselves."""

    def __init__(self, corpus: Corpus) -> None:
        self.name_of = {
            _lower_words(name): _lower_words(term.name)
            for term in corpus.terms
            for name in term.names[1:]
        }
        names = sorted(filter(None, self.name_of), key=len, reverse=True)
        self.names = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None

    def in_active_order(self, title: str) -> list[str] | None:
        """Telling words without endings, the doer of a passive first, one word for one meaning."""
        plain = _lower_words(title)
        if self.names:
            plain = self.names.sub(lambda name: self.name_of[name[0]], plain)
        if " by " in plain and (passive := _PASSIVE.fullmatch(plain)):
            plain = f"{passive[3]} {passive[2]} {passive[1]}"
        words = [_meaning(word) for word in plain.split() if word not in _STOP_WORDS]
        return words if len(words) >= _FEWEST_WORDS else None


@lru_cache(_WORDS_KEPT)
def _meaning(word: str) -> str:
    """A word without its ending, one for all that mean the same."""
    plain = _ACTIVE_ENDINGS.sub("", word)
    return _ALIKE.get(plain, plain)


def _lower_words(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _same_title_finding(statement: Statement, other: Statement) -> Finding:
    alike = "the same" if statement.title == other.title else "nearly the same"
    return Finding(
        statement.span,
        f"`{other.id}` has {alike} title",
        f"link to that one, say what differs, or add `- same-as:: [[{link_target(other.id)}]]`",
        (other.span,),
    )


def _count_statements(number: int) -> str:
    return "one statement" if number == 1 else f"{number} statements"


def _stemmed_title_words(title: str) -> list[str]:
    """The words of a title that tell it from others, as they are compared."""
    return [_stem(word) for word in re.findall(r"\w+", title.casefold()) if word not in _STOP_WORDS]


@lru_cache(_WORDS_KEPT)
def _stem(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def _find_misspelt_topics(corpus: Corpus) -> dict[str, str]:
    """Misspelt topics, each with the topic that was meant: the one that a glossary explains, or
    else that more notes use.
    """
    uses = {topic: len(statements) for topic, statements in corpus.topics.items()}
    found: dict[str, str] = {}
    for group in (*_find_topics_alike(uses), *_one_letter_off(uses)):
        best = max(group, key=lambda topic: (corpus.term(topic) is not None, uses[topic], topic))
        for topic in group:
            if topic != best:
                found.setdefault(topic, best)
    return found


def _find_topics_alike(uses: Iterable[str]) -> Iterator[Sequence[str]]:
    """Topics that differ in case, dashes and plurals alone."""
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for topic in uses:
        by_words[tuple(map(_stem, re.findall(r"[^\W_]+", topic.casefold())))].append(topic)
    return (group for words, group in by_words.items() if words and len(group) > 1)


def _one_letter_off(uses: dict[str, int]) -> Iterator[Sequence[str]]:
    """Pairs that one letter wrong, missing, doubled or swapped makes equal, where one is rare."""
    by_rest: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for topic in uses:
        if _FEWEST_LETTERS <= len(topic) <= _MAX_LETTERS:
            digits = digits_of(topic)
            for rest in {topic, *(topic[:n] + topic[n + 1 :] for n in range(len(topic)))}:
                by_rest[topic[0], digits, rest].append(topic)
    pairs = {
        (min(one, other), max(one, other))
        for group in by_rest.values()
        for number, one in enumerate(group)
        for other in (group[:number] if len(group) <= _MAX_PAIRED else _commonest(group, uses))
        if one != other
    }
    for pair in sorted(pairs):
        if min(uses[topic] for topic in pair) <= _FEWEST_USES:
            yield pair


def _commonest(topics: Iterable[str], uses: dict[str, int]) -> tuple[str]:
    return (max(topics, key=lambda topic: (uses[topic], topic)),)


@rule(Severity.WARNING)
def unexplained_name(corpus: Corpus) -> Iterator[Finding]:
    """A topic, or a name that statements are `about`, that the glossary does not explain.

    Where notes have a glossary, the page of every topic and thing says what it is. Without one
    nothing is asked for. A name that a glossary explains twice is shown by the first.
    """
    if not corpus.terms:
        return
    missing: dict[str, Span] = {}
    misspelt = _find_misspelt_topics(corpus)
    for statement in corpus.statements.values():
        for key, names in (("topics", statement.topics), ("about", statement.about)):
            for name in names:
                if name not in missing and name not in misspelt and corpus.term(name) is None:
                    missing[name] = place_of(corpus, statement, key, name)
    glossary = corpus.terms[0].span.path
    for name, span in missing.items():
        help = f"add `- **{name}**: what it is` to {glossary}"
        yield Finding(span, f"the glossary does not explain {name!r}", help)
    for term in corpus.terms:
        for name in term.names:
            first = corpus.term(name)
            if first is not None and first.span != term.span:
                message = f"{name!r} is explained twice"
                yield Finding(term.span, message, "keep one entry", (first.span,))
