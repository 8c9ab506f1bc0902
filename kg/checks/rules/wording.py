"""Rules about wording: missing titles and reasons, unknown camps, variants of one name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kg.checks.note_places import (
    fix_word,
    is_titled,
    place_in_settings,
    place_of,
    place_of_relation,
)
from kg.checks.rule import RuleViolation, misread_statements, rule
from kg.checks.suggestions import did_you_mean, digits_of
from kg.corpus import Corpus, UnresolvedReason
from kg.model import Relation, Severity, Span
from kg.model.ids import is_part
from kg.text.plurals import drop_plural_s, join_first
from kg.text.spelling import BoundedNameSearch, similar_names

_ARGUES = frozenset(relation for relation in Relation if relation.entry.reasoned)
_MAX_RELATED = 3  # related places named in one violation
_MIN_LETTERS = 5  # in longer words, one differing letter is more likely a slip than another word
_MAX_LETTERS = 100  # a longer topic is a sentence, and is not compared
_MAX_PAIRED = 20  # in a larger group of similar topics, compare each only with the commonest
_MAX_RARE_USES = 2  # a topic used more often is not taken for a misspelling
_NO_HEADING = re.compile(
    r"(?:#+(?=[^\s#])|##+[ \t]|[ \t]+#[ \t]|#+[\u00a0\u2007\u202f])([^\n]+)"
    r"|\*\*([^*\n]+)\*\*[ \t]*(?:\n|\Z)"
)
MAX_CAMPS_LISTED = 20  # in a message


@rule(Severity.WARNING)
def missing_title(corpus: Corpus) -> Iterator[RuleViolation]:
    """A note without a heading, or a callout without a title on its first line.

    The title is the statement: what is asserted, or what was found. Without one, the file's name
    or the id is shown instead. A file's name of several words, as in Obsidian, is also a title.
    """
    notes = [s for s in corpus.statements.values() if not is_part(s.id)]
    titled_texts = [(note.title, note.body, note.span) for note in notes]
    titled_texts += [(line.title, line.standfirst, line.span) for line in corpus.lines.values()]
    titled_texts += [
        (s.title, s.body, s.span) for s in corpus.sources.values() if s.note and not s.entry
    ]
    for title, text, span in titled_texts:
        stem = span.path.rpartition("/")[2].removesuffix(".md")
        if title == stem and " " not in stem and not is_titled(corpus, span.path):
            help = "put a line `# What it says` below the front matter"
            fix = None
            if match := _NO_HEADING.match(text):
                written_title = (match[1] or match[2]).strip()
                margin = " at the margin" if match[0][0].isspace() else ""
                help = f"write `# {written_title}`{margin}: a title has one `#` and a space"
                fix = fix_word(corpus, span, match[0].rstrip("\n"), f"# {written_title}")
            message = "this note has no title; its file's name is shown instead"
            yield RuleViolation(span, message, help, (), fix)


@rule(Severity.WARNING)
def missing_reason(corpus: Corpus) -> Iterator[RuleViolation]:
    """An edge for or against something that does not say why.

    The reason is what readers weigh, and what an `undercuts` attacks.
    """
    # of unread words, for example
    reported_lines = {(p.span.path, p.span.line) for p in corpus.diagnostics}
    misread = misread_statements(corpus)
    for edge in corpus.edges:
        if edge.reason.strip() or edge.relation not in _ARGUES:
            continue
        if (edge.span.path, edge.span.line) in reported_lines:
            continue
        if edge.nested and edge.origin in misread:
            continue  # the unreadable field may be the reason
        if edge.nested:
            message = f"nothing says why this {edge.relation} the statement around it"
            help = "add `(reason:: why it bears on it)` to the callout"
        else:
            message = f"this `{edge.relation}::` gives no reason"
            help = "end the line with a dash and the reason: ` — why`"
        yield RuleViolation(place_of_relation(corpus, edge.span), message, help)


@rule(Severity.WARNING)
def nearly_equal_topic(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two spellings of one topic, or a misspelt topic.

    Notes under one are not found under the other. The spelling in the glossary, or the one that
    more notes use, is suggested; if neither is preferred, there is no fix.
    """
    # of curly quotes, for example
    reported_spans = {problem.span for problem in corpus.diagnostics}
    uses = {topic: len(statements) for topic, statements in corpus.topics.items()}
    for rare, common in sorted(_find_misspelt_topics(corpus).items()):
        notes = corpus.topics[rare]
        places = [place_of(corpus, each, "topics", rare) for each in notes[: _MAX_RELATED + 1]]
        if places[0] in reported_spans:
            continue
        message = f"the topic `{rare}` is nearly `{common}`, in {_count_statements(uses[common])}"
        help = f"did you mean `{common}`?"
        fix = fix_word(corpus, places[0], rare, common)
        if uses[rare] == uses[common] and corpus.term(common) is None:
            help = f"write one of them in both: `{rare}` or `{common}`"
            fix = None
            places.append(place_of(corpus, corpus.topics[common][0], "topics", common))
        yield RuleViolation(places[0], message, help, tuple(places[1:]), fix)


def _count_statements(number: int) -> str:
    return "one statement" if number == 1 else f"{number} statements"


def _find_misspelt_topics(corpus: Corpus) -> dict[str, str]:
    """Misspelt topics, each with the topic that was most likely meant: one in the glossary, or
    else the one that more notes use.
    """
    uses = {topic: len(statements) for topic, statements in corpus.topics.items()}
    best_by_topic: dict[str, str] = {}
    for group in (*_groups_of_variants(uses), *_pairs_one_letter_apart(uses)):
        best_topic = max(
            group, key=lambda topic: (corpus.term(topic) is not None, uses[topic], topic)
        )
        for topic in group:
            if topic != best_topic:
                best_by_topic.setdefault(topic, best_topic)
    return best_by_topic


def _groups_of_variants(uses: Iterable[str]) -> Iterator[Sequence[str]]:
    """Groups of topics that differ only in case, dashes and plurals."""
    topics_by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for topic in uses:
        words = map(drop_plural_s, re.findall(r"[^\W_]+", topic.casefold()))
        topics_by_words[tuple(words)].append(topic)
    return (group for key, group in topics_by_words.items() if key and len(group) > 1)


def _pairs_one_letter_apart(uses: dict[str, int]) -> Iterator[Sequence[str]]:
    """Pairs that differ by one wrong, missing or extra letter, where one is rare."""
    topics_by_rest: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for topic in uses:
        if _MIN_LETTERS <= len(topic) <= _MAX_LETTERS:
            digits = digits_of(topic)
            # two topics are one letter apart if they are equal once each lost one letter or none;
            # equal here, too, if the letters lost stood in different places: also a likely slip
            for rest in {topic, *(topic[:n] + topic[n + 1 :] for n in range(len(topic)))}:
                topics_by_rest[topic[0], digits, rest].append(topic)
    pairs = {
        (min(first, second), max(first, second))
        for group in topics_by_rest.values()
        for number, first in enumerate(group)
        for second in (
            group[:number]
            if len(group) <= _MAX_PAIRED
            else [max(group, key=lambda topic: (uses[topic], topic))]
        )
        if first != second
    }
    for pair in sorted(pairs):
        if min(uses[topic] for topic in pair) <= _MAX_RARE_USES:
            yield pair


@rule(Severity.WARNING)
def unexplained_name(corpus: Corpus) -> Iterator[RuleViolation]:
    """A topic, or a name in `about`, that the glossary does not explain.

    With a glossary, the page of every topic and name says what it is. Without one, nothing is
    reported. Of a name that is explained twice, the first explanation is shown.
    """
    if not corpus.terms:
        return
    span_by_name: dict[str, Span] = {}
    misspelt = _find_misspelt_topics(corpus)
    for statement in corpus.statements.values():
        for key, names in (("topics", statement.topics), ("about", statement.about)):
            for name in names:
                if name not in span_by_name and name not in misspelt and corpus.term(name) is None:
                    span_by_name[name] = place_of(corpus, statement, key, name)
    glossary = corpus.terms[0].span.path
    for name, span in span_by_name.items():
        help = f"add `- **{name}**: what it is` to {glossary}"
        yield RuleViolation(span, f"the glossary does not explain {name!r}", help)
    for term in corpus.terms:
        for name in term.names:
            first_term = corpus.term(name)
            if first_term is not None and first_term.span != term.span:
                message = f"{name!r} is explained twice"
                yield RuleViolation(term.span, message, "keep one entry", (first_term.span,))


class _CampUse(NamedTuple):
    """A place in a line or in front matter that names an unknown camp."""

    span: Span
    in_line: bool


@rule(Severity.ERROR)
def unknown_camp(corpus: Corpus) -> Iterator[RuleViolation]:
    """A camp that `kg.toml` does not declare, in a line or as a note's default.

    If several notes use a similar name instead of a declared camp that no note uses, the slip is
    most likely in `kg.toml`, and is reported there.
    """
    uses = _unknown_camps(corpus)
    camps = corpus.config.camp_ids
    camps_text = _describe_camps(corpus.config.camp_ids)
    searches = {
        True: BoundedNameSearch(
            partial(similar_names, candidates=(*camps, "next")), len(camps) + 1
        ),
        False: BoundedNameSearch(partial(similar_names, candidates=camps), len(camps)),
    }
    misspelt_camps = _find_misspelt_camps(corpus, uses)
    for word, uses_of_word in uses.items():
        if word in misspelt_camps:
            declared_camp, span = misspelt_camps[word]
            notes = len({use.span.path for use in uses_of_word})
            message = f"no note uses the camp `{declared_camp}`, but {notes} use `{word}`"
            help = f"did you mean `{word}`? Otherwise write `{declared_camp}` in these notes"
            yield RuleViolation(span, message, help, tuple(use.span for use in uses_of_word))
            continue
        for use in uses_of_word:
            nearest = (searches[use.in_line].nearest(word) or ())[:1]
            help = did_you_mean(nearest) or camps_text + (
                "; a line also has `next`" if use.in_line else ""
            )
            if use.in_line and word in {*Relation}:
                nearest = ()
                help = f"relations join statements; a line says who argues for what: {camps_text}"
            fix = fix_word(corpus, use.span, word, *nearest or (None,))
            yield RuleViolation(use.span, f"there is no camp `{word}`", help, (), fix)


def _describe_camps(camps: Sequence[str]) -> str:
    """List the declared camps, for a help."""
    if not camps:
        return "`kg.toml` declares no camps"
    return f"camps are {join_first(camps, MAX_CAMPS_LISTED)}"


def _unknown_camps(corpus: Corpus) -> Mapping[str, Sequence[_CampUse]]:
    uses: defaultdict[str, list[_CampUse]] = defaultdict(list)
    seen_spans: set[Span] = set()  # an item may have several targets
    for item in corpus.unresolved_edges:
        if item.reason is UnresolvedReason.UNKNOWN_CAMP and item.edge.span not in seen_spans:
            seen_spans.add(item.edge.span)
            span = place_of_relation(corpus, item.edge.span)
            uses[item.edge.relation].append(_CampUse(span, in_line=True))
    known_camps = frozenset(corpus.config.camp_ids)
    for statement in corpus.statements.values():
        if statement.camp is not None and statement.camp not in known_camps:
            span = place_of(corpus, statement, "camp", statement.camp)
            uses[statement.camp].append(_CampUse(span, in_line=False))
    return uses


def _find_misspelt_camps(
    corpus: Corpus, uses: Mapping[str, Sequence[_CampUse]]
) -> Mapping[str, tuple[str, Span]]:
    """Find the declared camp that is misspelt in the notes, and its place, for each word that
    several notes use as a camp.
    """
    used_camps = {statement.camp for statement in corpus.statements.values()}
    used_camps |= {
        placement.camp for line in corpus.lines.values() for placement in line.placements
    }
    camps = corpus.config.camp_ids
    unused_camps = {camp for camp in camps if camp not in used_camps}
    span_by_word = {}
    search = BoundedNameSearch(partial(similar_names, candidates=camps), len(camps))
    for word, uses_of_word in uses.items() if unused_camps else ():
        if len({use.span.path for use in uses_of_word}) < 2:
            continue
        nearest = (search.nearest(word) or ())[:1]
        if nearest and nearest[0] in unused_camps:
            span = place_in_settings(corpus, f'"{nearest[0]}"')
            if span is not None and word not in {*Relation}:
                span_by_word[word] = nearest[0], span
    return span_by_word
