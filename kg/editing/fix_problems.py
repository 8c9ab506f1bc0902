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

MAX_FIX_ROUNDS = 8  # of fixes, each of which may reveal further problems with fixes
MAX_TRIES, MIN_TRIES = 200, 10  # how often all notes are read to see the effect of fixes
MAX_NOTES_READ = 20_000  # in all tries together, unless MIN_TRIES needs more


class _ReplacedRange(NamedTuple):
    path: str
    start: int
    end: int
    text: str


# Chooses the problems of a corpus to fix, if they have a fix.
Choose = Callable[[Corpus], list[Diagnostic]]


def make_fixes(files: FolderFiles, original: Corpus, choose: Choose) -> Change:
    """The change that applies the fixes of the chosen problems, and of those that appear after
    that. Fixes that would cause a new error are left out, and the remarks say why.
    """
    state = _FixState(files, original)
    corpus: Corpus | None = original
    for _ in range(MAX_FIX_ROUNDS):
        if corpus is not None:
            corpus = state.apply_fixes(each for each in choose(corpus) if each.fix)
    former_contents = {path: files.text(path).data for path in state.contents}
    title = f"fix {pluralize(len(state.fix_lines), 'problem')}"
    unfixed = [f"not fixed: {why}" for why in state.reasons_unfixed.values()]
    return Change(title, former_contents, state.contents, remarks=(*state.fix_lines, *unfixed))


class _FixState:
    """Contents of files with the fixes so far, a line about each, and why others were not made."""

    def __init__(self, files: FolderFiles, original: Corpus) -> None:
        self.files = files
        self.original = original
        self.contents: dict[str, bytes | None] = {}
        self.fix_lines: list[str] = []
        self.reasons_unfixed: dict[tuple[str, str, str], str] = {}
        note_count = max(len(files.paths()), 1)
        self.tries = max(MIN_TRIES, min(MAX_TRIES, MAX_NOTES_READ // note_count))

    def apply_fixes(self, problems: Iterable[Diagnostic]) -> Corpus | None:
        """Make the fixes that cause no new error: all at once, or else first those in files without
        errors, or half of them, and so on down to single ones.

        Return the corpus after that; None if nothing was fixed.
        """
        files = self.files.with_changes(self.contents)
        candidates = [each for each in problems if _problem_key(each) not in self.reasons_unfixed]
        groups = [candidates]
        accepted_problems: list[Diagnostic] = []
        while groups:
            group = groups.pop(0)
            if not group:
                continue
            if not self.tries:
                self._record_unfixed(
                    group, "its fix was not tried: too many others would cause new errors"
                )
                continue
            self.tries -= 1
            errors = self._errors_after_fixes(files, [*accepted_problems, *group])
            if not errors:
                accepted_problems += group
            elif len(group) > 1:
                groups[:0] = _split_group(group, {each.span.path for each in errors})
            else:
                new = f"{files.folder.place(errors[0].span)}: {errors[0].message}"
                self._record_unfixed(group, f"its fix would cause a new error: {new}")
        change, fix_lines = fix_diagnostics(files, accepted_problems)
        if not change.files_after:
            return None
        self.fix_lines += fix_lines
        self.contents |= change.files_after
        return load_changed(files.folder, self.contents)

    def _record_unfixed(self, problems: Iterable[Diagnostic], reason: str) -> None:
        for each in problems:
            place = self.files.folder.place(each.span)
            self.reasons_unfixed[_problem_key(each)] = f"{place}: {each.message}: {reason}"

    def _errors_after_fixes(
        self, files: FolderFiles, problems: Sequence[Diagnostic]
    ) -> Sequence[Diagnostic]:
        change, _ = fix_diagnostics(files, problems)
        changed_corpus = load_changed(files.folder, self.contents | dict(change.files_after))
        return new_errors(new_diagnostics(self.original, changed_corpus))


def _split_group(
    group: list[Diagnostic], paths_with_errors: set[str]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The problems in files without errors, and the others; if one part is empty, two halves."""
    in_other_files = [each for each in group if each.span.path not in paths_with_errors]
    if in_other_files and len(in_other_files) < len(group):
        return in_other_files, [each for each in group if each.span.path in paths_with_errors]
    half = len(group) // 2
    return group[:half], group[half:]


def _problem_key(problem: Diagnostic) -> tuple[str, str, str]:
    """Identify a problem while others are fixed, by all but its line and column."""
    return problem.rule, problem.message, problem.span.path


def fix_diagnostics(files: FolderFiles, problems: Iterable[Diagnostic]) -> tuple[Change, list[str]]:
    """The change that makes all fixes of `problems`, and a line about each fix.

    Of two fixes that overlap, only the first is made.
    """
    builder = ChangeBuilder(files)
    ranges_by_path: defaultdict[str, list[_ReplacedRange]] = defaultdict(list)
    edited_ranges: set[_ReplacedRange] = set()
    fix_lines = []
    for problem in problems:
        if problem.fix is None:
            continue
        try:
            ranges = [_range_of_edit(files, edit) for edit in problem.fix.edits]
        except NotEditable:
            continue  # a file that changed meanwhile
        if any(_overlaps_any(each, ranges_by_path[each.path]) for each in ranges):
            continue
        fix_lines.append(f"{files.folder.place(problem.span)}: {problem.fix.title}")
        for each in ranges:
            if each not in edited_ranges:
                edited_ranges.add(each)
                insort(ranges_by_path[each.path], each)
                builder.edit(*each)
    return builder.change(""), fix_lines


def _overlaps_any(range: _ReplacedRange, others: list[_ReplacedRange]) -> bool:
    """Return whether a range overlaps or touches one of `others`, which are sorted and disjoint."""
    index = bisect_left(others, range)
    if index and others[index - 1].end >= range.start:
        return True
    if others[index : index + 1] == [range]:
        index += 1  # the same edit, which is made once
    return index < len(others) and others[index].start <= range.end


def _range_of_edit(files: FolderFiles, edit: Edit) -> _ReplacedRange:
    starts = files.text(edit.path).starts
    if max(edit.line, edit.end_line) > starts.count:
        raise NotEditable(f"{files.shown_path(edit.path)} has been changed since it was read")
    start = starts.offset(edit.line, edit.column)
    return _ReplacedRange(
        edit.path, start, starts.offset(edit.end_line, edit.end_column), edit.text
    )
