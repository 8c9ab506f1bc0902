"""The rule about undeclared camps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kg.checks.note_places import fix_word, place_in_settings, place_of, place_of_relation
from kg.checks.rule import Finding, rule
from kg.checks.suggestions import did_you_mean
from kg.corpus import Corpus, UnresolvedReason
from kg.model import Relation, Severity, Span
from kg.text.spelling import BoundedNameSearch, similar_names

MAX_CAMPS_LISTED = 20  # in a message


class _CampUse(NamedTuple):
    """A place in a line or in front matter that names an unknown camp."""

    span: Span
    in_line: bool


@rule(Severity.ERROR)
def unknown_camp(corpus: Corpus) -> Iterator[Finding]:
    """A camp that `kg.toml` does not declare, in a line or as a note's default.

    If several notes use a similar name instead of a declared camp that no note uses, the slip is
    most likely in `kg.toml`, and is reported there.
    """
    uses = _unknown_camps(corpus)
    camps = corpus.config.camp_ids
    camps_text = _camps_in_words(corpus.config.camp_ids)
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
            yield Finding(span, message, help, tuple(use.span for use in uses_of_word))
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
            yield Finding(use.span, f"there is no camp `{word}`", help, (), fix)


def _camps_in_words(camps: Sequence[str]) -> str:
    """Which camps there are, for a help."""
    if not camps:
        return "`kg.toml` declares no camps"
    left_out = len(camps) - MAX_CAMPS_LISTED
    rest_text = f" and {left_out} more" if left_out > 0 else ""
    return f"camps are {', '.join(camps[:MAX_CAMPS_LISTED])}{rest_text}"


def _unknown_camps(corpus: Corpus) -> Mapping[str, Sequence[_CampUse]]:
    uses: defaultdict[str, list[_CampUse]] = defaultdict(list)
    seen_spans: set[Span] = set()  # an item may have several targets
    for item in corpus.unresolved:
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
    """For words that several notes use: the declared camp that is most likely misspelt, and its
    place.
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
