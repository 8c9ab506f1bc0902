"""Summaries of what changed from one state of a corpus to a later one, for readers.

They are small enough to be cached: the first few changes of each sort are named, the rest counted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.history.changes import Changes
from kg.history.find_changes import diff
from kg.history.match_records import match_statements
from kg.history.move_causes import MoveCause, MoveCauseFinder
from kg.history.moved_answers import MovedAnswer
from kg.model import InquiryLine, Kind, LineId, Statement, Value
from kg.reasoning.line_answers import question_and_proposition_titles

MAX_IDS_NAMED = 8  # per sort of change
_FIELDS_OF_WORDING = {"title", "body"}


class ChangeGroup(Value, frozen=True):
    """Records of one sort with the same kind of change: how many, and the first ids.

    `sort` is `line`, `statement`, `evidence` or `source`; `fate` is `added`, `reworded`,
    `changed`, `merged` into another that remains, `removed`; for a line also `recast` if it weighs
    another claim; for a source its present integrity. Merged statements are listed by former id.
    """

    sort: str
    fate: str
    count: int
    first: tuple[str, ...]


class LinkCounts(NamedTuple):
    """How many links between statements were added, changed and removed."""

    added_links: int = 0
    changed_links: int = 0
    removed_links: int = 0


class ChangeSummary(Value, frozen=True):
    """The differences between two states of a corpus; `titles` are those of all ids named.

    `moved_answers` are those on the same claim before and after, in the same words;
    `recast_answers` those of lines that weigh another claim, or ask in other words. `rewordings`
    tells for each line the fields (question, answers, doubt) that differ, before and after. `links`
    counts those between statements. `former` are the titles before of the ids named whose title
    differs; `claims` are, for each line named, the titles of the claim that it weighed before and
    of the one that it weighs now. `move_causes` says, by line and reason, why the reasons moved by
    which its answer did.
    """

    moved_answers: tuple[MovedAnswer, ...] = ()
    recast_answers: tuple[MovedAnswer, ...] = ()
    groups: tuple[ChangeGroup, ...] = ()
    links: LinkCounts = LinkCounts()
    rewordings: Mapping[LineId, tuple[tuple[str, str, str], ...]] = {}
    titles: Mapping[str, str] = {}
    former: Mapping[str, str] = {}
    claims: Mapping[LineId, tuple[str, str]] = {}
    move_causes: Mapping[LineId, Mapping[str, tuple[MoveCause, ...]]] = {}

    @property
    def compared_answers(self) -> tuple[MovedAnswer, ...]:
        """All answers that differ, to the same question or to another."""
        return (*self.moved_answers, *self.recast_answers)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to report."""
        return not (self.moved_answers or self.groups or any(self.links))

    def lines_of_fate(self, fate: str) -> list[LineId]:
        """The lines named in the group of this fate: “recast”."""
        groups = (each for each in self.groups if (each.sort, each.fate) == ("line", fate))
        return [id for group in groups for id in group.first]

    @property
    def reworded_lines(self) -> list[LineId]:
        """The lines with a reworded question, answer or doubt, if the former wording is known."""
        return [id for id in self.lines_of_fate("reworded") if self.rewordings.get(id)]

    @property
    def lines_with_reworded_question(self) -> list[LineId]:
        """The lines whose question is put in other words."""
        return [
            id
            for id in self.reworded_lines
            if any(field == "question" for field, *_ in self.rewordings[id])
        ]

    @property
    def has_new_wording(self) -> bool:
        """Whether a question is new, asks something else, or asks in other words."""
        new_lines = self.lines_of_fate("added") + self.lines_of_fate("recast")
        return bool(self.recast_answers or new_lines or self.lines_with_reworded_question)


class HistoryStep(Value, frozen=True):
    """The changes made by the commits from the day `since` up to `commit`, the last of `day`."""

    since: dt.date
    day: dt.date
    commit: str
    summary: ChangeSummary


def summarize_changes(old_corpus: Corpus, new_corpus: Corpus) -> ChangeSummary:
    """Count what was added, removed and changed from `old_corpus` to `new_corpus`."""
    changes = diff(old_corpus, new_corpus)
    groups = tuple(_change_groups(old_corpus, new_corpus, changes))
    # the answer to another question says nothing about the first one
    recast = _lines_with_new_proposition(old_corpus, new_corpus, changes)
    moved_answers = tuple(v for v in changes.verdicts if v.line not in recast and not v.reworded)
    recast_answers = tuple(v for v in changes.verdicts if v.line in recast or v.reworded)
    same_claim = tuple(v for v in changes.verdicts if v.line not in recast)
    move_causes = _move_causes(old_corpus, new_corpus, changes, same_claim)
    named_ids = list(_named_ids(groups, changes.verdicts, move_causes))
    rewordings = {id: _list_changes(changes, id) for id in named_ids if id in new_corpus.lines}
    lines_asking_anew = [
        id for id, fields in rewordings.items() if any(field == "question" for field, *_ in fields)
    ]
    moved_lines = [change.line for change in (*moved_answers, *recast_answers)]
    return ChangeSummary(
        moved_answers=moved_answers,
        recast_answers=recast_answers,
        groups=groups,
        links=LinkCounts(
            len(changes.edges_added), len(changes.edges_changed), len(changes.edges_removed)
        ),
        rewordings=rewordings,
        titles={id: _title_then_or_now(old_corpus, new_corpus, id) for id in named_ids},
        former=_former_titles(
            old_corpus, new_corpus, named_ids, match_statements(old_corpus, new_corpus)
        ),
        claims=_claim_titles(old_corpus, new_corpus, (*moved_lines, *recast, *lines_asking_anew)),
        move_causes=move_causes,
    )


def _named_ids(
    groups: Iterable[ChangeGroup],
    answers: Iterable[MovedAnswer],
    move_causes: Mapping[LineId, Mapping[str, tuple[MoveCause, ...]]],
) -> Iterator[str]:
    """Yield the ids that a summary names, for which it gives titles."""
    for group in groups:
        yield from group.first
    for change in answers:
        yield change.line
        yield from (reason.statement for reason in change.reasons)
    for causes_by_reason in move_causes.values():
        for causes in causes_by_reason.values():
            yield from (cause.statement for cause in causes)


def _claim_titles(
    old_corpus: Corpus, new_corpus: Corpus, line_ids: Iterable[LineId]
) -> dict[LineId, tuple[str, str]]:
    titles_of = question_and_proposition_titles
    return {
        id: (titles_of(old_corpus, id)[1], titles_of(new_corpus, id)[1])
        for id in dict.fromkeys(line_ids)
        if id in old_corpus.lines
    }


def _move_causes(
    old_corpus: Corpus, new_corpus: Corpus, changes: Changes, moved_answers: Sequence[MovedAnswer]
) -> dict[LineId, dict[str, tuple[MoveCause, ...]]]:
    """Find why the reasons moved by which an answer moved, by line and reason."""
    if not moved_answers:
        return {}
    finder = MoveCauseFinder(
        old_corpus, new_corpus, changes, match_statements(old_corpus, new_corpus)
    )
    return {
        change.line: {
            reason.statement: move_causes
            for reason in change.reasons
            if (move_causes := finder.causes_of_move(reason, change.proposition))
        }
        for change in moved_answers
    }


def _former_titles(
    old_corpus: Corpus, new_corpus: Corpus, ids: Iterable[str], new_id_of: Mapping[str, str]
) -> dict[str, str]:
    """The titles before of what has another title now."""
    old_id_of = {new: old_id for old_id, new in new_id_of.items()}
    titles = {}
    for id in ids:
        old = _statement_or_line(old_corpus, old_id_of.get(id, id))
        new = _statement_or_line(new_corpus, id)
        if old and new and type(old) is type(new) and old.title != new.title:
            titles[id] = old.title
    return titles


def _statement_or_line(corpus: Corpus, id: str) -> Statement | InquiryLine | None:
    return corpus.statements.get(id) or corpus.lines.get(id)


def _list_changes(changes: Changes, line_id: LineId) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (change.field, change.text_before or "", change.text_after or "")
        for change in changes.lines_changed
        if change.line == line_id and change.field != "proposition"
    )


def _title_then_or_now(old_corpus: Corpus, new_corpus: Corpus, id: str) -> str:
    for corpus in (new_corpus, old_corpus):
        for table in (corpus.statements, corpus.lines, corpus.sources):
            if id in table:
                return table[id].title
    return id


def _lines_with_new_proposition(
    old_corpus: Corpus, new_corpus: Corpus, changes: Changes
) -> list[LineId]:
    """Lines whose proposition is another one than before; both states have one."""
    return [
        change.line
        for change in changes.lines_changed
        if change.field == "proposition"
        and all(corpus.lines[change.line].proposition for corpus in (old_corpus, new_corpus))
    ]


def _change_groups(
    old_corpus: Corpus, new_corpus: Corpus, changes: Changes
) -> Iterable[ChangeGroup]:
    """The groups of changes that occur, in the order in which they are shown."""
    reworded_lines = [
        change.line for change in changes.lines_changed if change.field != "proposition"
    ]
    flag_by_source = {
        f.source: f.integrity_after or "no longer flagged" for f in changes.sources_flagged
    }
    fates: list[tuple[str, str, Iterable[str]]] = [
        *(
            ("source", fate, [key for key, flag in flag_by_source.items() if flag == fate])
            for fate in dict.fromkeys(flag_by_source.values())
        ),
        ("line", "added", changes.lines_added),
        ("line", "recast", _lines_with_new_proposition(old_corpus, new_corpus, changes)),
        ("line", "reworded", reworded_lines),
        ("line", "removed", changes.lines_removed),
        *_fates_of_statements(old_corpus, new_corpus, changes),
        ("source", "added", changes.sources_added),
        ("source", "removed", changes.sources_removed),
    ]
    for sort, fate, ids in fates:
        if distinct_ids := tuple(dict.fromkeys(ids)):
            yield ChangeGroup(
                sort=sort, fate=fate, count=len(distinct_ids), first=distinct_ids[:MAX_IDS_NAMED]
            )


def _fates_of_statements(
    old_corpus: Corpus, new_corpus: Corpus, changes: Changes
) -> Iterator[tuple[str, str, list[str]]]:
    """Claims, and then evidence, by what became of them."""
    reworded_ids = [
        change.id for change in changes.changed if _FIELDS_OF_WORDING & set(change.fields)
    ]
    changed_ids = [
        c.id for c in changes.changed if c.fields and not _FIELDS_OF_WORDING & set(c.fields)
    ]
    ids_by_fate = (
        ("added", changes.added, new_corpus),
        ("reworded", reworded_ids, new_corpus),
        ("changed", changed_ids, new_corpus),
        ("merged", list(_merged_ids(old_corpus, changes)), old_corpus),
        ("removed", changes.removed, old_corpus),
    )
    for sort, kinds in (
        ("statement", (Kind.CLAIM, Kind.COUNTER_CLAIM)),
        ("evidence", (Kind.EVIDENCE,)),
    ):
        for fate, ids, corpus in ids_by_fate:
            yield sort, fate, [id for id in ids if corpus.statements[id].kind in kinds]


def _merged_ids(old_corpus: Corpus, changes: Changes) -> Iterable[str]:
    """Former ids of statements that were merged into another one."""
    new_id_of = {change.was: change.id for change in changes.changed if change.was != change.id}
    present_ids = {
        id for id in new_id_of.values() if id in old_corpus.statements and id not in new_id_of
    }
    for old_id, id in new_id_of.items():
        if id in present_ids:
            yield old_id
        present_ids.add(id)
