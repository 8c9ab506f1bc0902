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
from kg.text.spelling import BoundedNameSearch, nearest_names

MAX_CAMPS_LISTED = 20  # in a message


class _CampUse(NamedTuple):
    """A place in a line or in front matter that names an unknown camp."""

    place: Span
    in_line: bool


@rule(Severity.ERROR)
def unknown_camp(corpus: Corpus) -> Iterator[Finding]:
    """A camp that `kg.toml` does not declare, in a line or as a note's default.

    If several notes use a similar name instead of a declared camp that no note uses, the slip is
    most likely in `kg.toml`, and is reported there.
    """
    uses = _unknown_camps(corpus)
    camps = corpus.config.camp_ids
    more = f" and {len(camps) - MAX_CAMPS_LISTED} more" if len(camps) > MAX_CAMPS_LISTED else ""
    listed = f"camps are {', '.join(camps[:MAX_CAMPS_LISTED])}{more}"
    if not camps:
        listed = "`kg.toml` declares no camps"
    near = {
        True: BoundedNameSearch(
            partial(nearest_names, candidates=(*camps, "next")), len(camps) + 1
        ),
        False: BoundedNameSearch(partial(nearest_names, candidates=camps), len(camps)),
    }
    misdeclared = _find_misspelt_camps(corpus, uses)
    for word, places in uses.items():
        if word in misdeclared:
            declared, place = misdeclared[word]
            notes = len({use.place.path for use in places})
            message = f"no note uses the camp `{declared}`, but {notes} use `{word}`"
            help = f"did you mean `{word}`? Otherwise write `{declared}` in these notes"
            yield Finding(place, message, help, tuple(use.place for use in places))
            continue
        for use in places:
            close = (near[use.in_line].nearest(word) or ())[:1]
            help = did_you_mean(close) or listed + (
                "; a line also has `next`" if use.in_line else ""
            )
            if use.in_line and word in {*Relation}:
                close = ()
                help = f"relations join statements; a line says who argues for what: {listed}"
            fix = fix_word(corpus, use.place, word, *close or (None,))
            yield Finding(use.place, f"there is no camp `{word}`", help, (), fix)


def _unknown_camps(corpus: Corpus) -> Mapping[str, Sequence[_CampUse]]:
    uses: defaultdict[str, list[_CampUse]] = defaultdict(list)
    seen: set[Span] = set()  # an item may have several targets
    for item in corpus.unresolved:
        if item.reason is UnresolvedReason.UNKNOWN_CAMP and item.edge.span not in seen:
            seen.add(item.edge.span)
            place = place_of_relation(corpus, item.edge.span)
            uses[item.edge.relation].append(_CampUse(place, in_line=True))
    known = frozenset(corpus.config.camp_ids)
    for statement in corpus.statements.values():
        if statement.camp is not None and statement.camp not in known:
            place = place_of(corpus, statement, "camp", statement.camp)
            uses[statement.camp].append(_CampUse(place, in_line=False))
    return uses


def _find_misspelt_camps(
    corpus: Corpus, uses: Mapping[str, Sequence[_CampUse]]
) -> Mapping[str, tuple[str, Span]]:
    """For words that several notes use: the declared camp that is most likely misspelt, and its
    place.
    """
    used = {statement.camp for statement in corpus.statements.values()}
    used |= {placement.camp for line in corpus.lines.values() for placement in line.placements}
    camps = corpus.config.camp_ids
    unused = {camp for camp in camps if camp not in used}
    found = {}
    near = BoundedNameSearch(partial(nearest_names, candidates=camps), len(camps))
    for word, places in uses.items() if unused else ():
        if len({use.place.path for use in places}) < 2:
            continue
        close = (near.nearest(word) or ())[:1]
        if close and close[0] in unused:
            place = place_in_settings(corpus, f'"{close[0]}"')
            if place is not None and word not in {*Relation}:
                found[word] = close[0], place
    return found
