"""Apply the fixes of problems as one change."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.change_effect import new_diagnostics, new_errors
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.loader import load_changed
from kg.model import Diagnostic, Edit
from kg.text.plurals import pluralize

MAX_ROUNDS = 8  # of fixes, each of which may reveal further problems with fixes
MAX_TRIES, MIN_TRIES = 200, 10  # how often all notes are read to see the effect of fixes
MAX_READ = 20_000  # notes read in all tries together, unless MIN_TRIES needs more


class _Range(NamedTuple):
    path: str
    start: int
    end: int
    text: str


Choose = Callable[[Corpus], list[Diagnostic]]
"""Chooses the problems of a corpus to fix, if they have a fix."""


def make_fixes(files: FolderFiles, before: Corpus, choose: Choose) -> Change:
    """The change that applies the fixes of the chosen problems, and of those that appear after
    that. Fixes that would cause a new error are left out, and the remarks say why.
    """
    mending = _FixState(files, before)
    corpus: Corpus | None = before
    for _ in range(MAX_ROUNDS):
        if corpus is not None:
            corpus = mending.apply_fixes(each for each in choose(corpus) if each.fix)
    held = {path: files.text(path).data for path in mending.after}
    title = f"fix {pluralize(len(mending.made), 'problem')}"
    left = [f"not fixed: {why}" for why in mending.left.values()]
    return Change(title, held, mending.after, remarks=(*mending.made, *left))


class _FixState:
    """The state of fixing: files' contents `after` it, fixes `made`, and problems `left`."""

    def __init__(self, files: FolderFiles, before: Corpus) -> None:
        self.files, self.before = files, before
        self.after: dict[str, bytes | None] = {}
        self.made: list[str] = []
        self.left: dict[tuple[str, str, str], str] = {}
        notes = max(len(files.paths()), 1)
        self.tries = max(MIN_TRIES, min(MAX_TRIES, MAX_READ // notes))

    def apply_fixes(self, problems: Iterable[Diagnostic]) -> Corpus | None:
        """Make the fixes that cause no new error: all at once, or else first those in other files
        than the errors, or half of them, and so on down to single ones.

        Return the corpus after that; None if nothing was fixed.
        """
        files = self.files.with_changes(self.after)
        waiting = [each for each in problems if _key_of(each) not in self.left]
        groups = [waiting]
        taken: list[Diagnostic] = []
        while groups:
            group = groups.pop(0)
            if group and not self.tries:
                self._record_unfixed(
                    group, "its fix was not tried: too many others would cause new errors"
                )
                continue
            self.tries -= bool(group)
            errors = self._errors(files, [*taken, *group]) if group else ()
            if not errors:
                taken += group
            elif len(group) > 1:
                groups[:0] = _split_group(group, {each.span.path for each in errors})
            else:
                new = f"{files.folder.place(errors[0].span)}: {errors[0].message}"
                self._record_unfixed(group, f"its fix would cause a new error: {new}")
        change, made = fix_diagnostics(files, taken)
        if not change.after:
            return None
        self.made += made
        self.after |= change.after
        return load_changed(files.folder, self.after)

    def _record_unfixed(self, problems: Iterable[Diagnostic], reason: str) -> None:
        for each in problems:
            place = self.files.folder.place(each.span)
            self.left[_key_of(each)] = f"{place}: {each.message}: {reason}"

    def _errors(self, files: FolderFiles, problems: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        change, _ = fix_diagnostics(files, problems)
        after = load_changed(files.folder, self.after | dict(change.after))
        return new_errors(new_diagnostics(self.before, after))


def _split_group(
    group: list[Diagnostic], wrong: set[str]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The group split into problems outside and in `wrong` files; if one is empty, into halves."""
    apart = [each for each in group if each.span.path not in wrong]
    if apart and len(apart) < len(group):
        return apart, [each for each in group if each.span.path in wrong]
    half = len(group) // 2
    return group[:half], group[half:]


def _key_of(problem: Diagnostic) -> tuple[str, str, str]:
    """What identifies a problem while others are fixed: all but its line and column."""
    return problem.rule, problem.message, problem.span.path


def fix_diagnostics(files: FolderFiles, problems: Iterable[Diagnostic]) -> tuple[Change, list[str]]:
    """The change that makes all fixes of `problems`, and a line about each fix.

    Of two fixes that overlap, only the first is made.
    """
    builder = ChangeBuilder(files)
    taken: defaultdict[str, list[_Range]] = defaultdict(list)
    held: set[_Range] = set()
    made = []
    for problem in problems:
        if problem.fix is None:
            continue
        try:
            ranges = [_range(files, edit) for edit in problem.fix.edits]
        except NotEditable:
            continue  # a file that changed meanwhile
        if any(_overlaps_any(each, taken[each.path]) for each in ranges):
            continue
        made.append(f"{files.folder.place(problem.span)}: {problem.fix.title}")
        for each in ranges:
            if each not in held:
                held.add(each)
                insort(taken[each.path], each)
                builder.edit(*each)
    return builder.change(""), made


def _overlaps_any(range: _Range, taken: list[_Range]) -> bool:
    """Whether a range overlaps or touches another of those taken, which are sorted and disjoint."""
    at = bisect_left(taken, range)
    if at and taken[at - 1].end >= range.start:
        return True
    after = at + (taken[at : at + 1] == [range])
    return after < len(taken) and taken[after].start <= range.end


def _range(files: FolderFiles, edit: Edit) -> _Range:
    starts = files.text(edit.path).starts
    if max(edit.line, edit.end_line) > starts.count:
        raise NotEditable(f"{files.shown_path(edit.path)} has been changed since it was read")
    start = starts.offset(edit.line, edit.column)
    return _Range(edit.path, start, starts.offset(edit.end_line, edit.end_column), edit.text)
