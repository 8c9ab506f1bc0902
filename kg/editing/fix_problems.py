"""The fixes that problems bring, as one change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change, Draft
from kg.editing.effect import new_errors, new_problems
from kg.editing.folder_files import FolderFiles
from kg.editing.source_text import NotEditable
from kg.loader import load_changed
from kg.model import Diagnostic, Edit
from kg.model.value import pluralize

MOST_ROUNDS = 8  # of fixes, each of which may lay bare what can be fixed next


class _Range(NamedTuple):
    path: str
    start: int
    end: int
    text: str


Choose = Callable[[Corpus], list[Diagnostic]]
"""The problems of a corpus that shall be mended, as far as they can be."""


def make_fixes(files: FolderFiles, before: Corpus, choose: Choose) -> Change:
    """The change that makes all fixes of the problems chosen, and those that appear once these are
    made. What would bring a new error is left, and the remarks say why.
    """
    mending = _Mending(files, before)
    corpus: Corpus | None = before
    for _ in range(MOST_ROUNDS):
        if corpus is not None:
            corpus = mending.mend(each for each in choose(corpus) if each.fix)
    held = {path: files.text(path).data for path in mending.after}
    title = f"fix {pluralize(len(mending.made), 'problem')}"
    left = [f"left as it is: {why}" for why in mending.left.values()]
    return Change(title, held, mending.after, remarks=(*mending.made, *left))


class _Mending:
    """Fixes made so far: what files hold `after` them, what was `made`, and what was `left`."""

    def __init__(self, files: FolderFiles, before: Corpus) -> None:
        self.files, self.before = files, before
        self.after: dict[str, bytes | None] = {}
        self.made: list[str] = []
        self.left: dict[tuple[str, str, str], str] = {}

    def mend(self, problems: Iterable[Diagnostic]) -> Corpus | None:
        """Fix what brings no new error: all at once, or by note, or one by one. The corpus after
        that, None where nothing was fixed.
        """
        files = self.files.changed(self.after)
        waiting = [each for each in problems if _name(each) not in self.left]
        groups = [waiting]
        taken: list[Diagnostic] = []
        while groups:
            group = groups.pop(0)
            errors = self._errors(files, [*taken, *group]) if group else ()
            if not errors:
                taken += group
            elif len(group) > 1:
                by_note: defaultdict[str, list[Diagnostic]] = defaultdict(list)
                for each in group:
                    by_note[each.span.path].append(each)
                several = len(by_note) > 1
                groups[:0] = by_note.values() if several else [[each] for each in group]
            else:
                place = files.folder.place(group[0].span)
                self.left[_name(group[0])] = (
                    f"{place}: {group[0].message}: its fix would bring a new error: "
                    f"{files.folder.place(errors[0].span)}: {errors[0].message}"
                )
        change, made = fix_problems(files, taken)
        if not change.after:
            return None
        self.made += made
        self.after |= change.after
        return load_changed(files.folder, self.after)

    def _errors(self, files: FolderFiles, problems: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        change, _ = fix_problems(files, problems)
        after = load_changed(files.folder, self.after | dict(change.after))
        return new_errors(new_problems(self.before, after))


def _name(problem: Diagnostic) -> tuple[str, str, str]:
    """A problem by what stays of it while others are mended."""
    return problem.rule, problem.message, problem.span.path


def fix_problems(files: FolderFiles, problems: Iterable[Diagnostic]) -> tuple[Change, list[str]]:
    """The change that makes all fixes of `problems`, of two that meet the first; and each, told."""
    draft = Draft(files)
    taken: defaultdict[str, list[_Range]] = defaultdict(list)
    made = []
    for problem in problems:
        if problem.fix is None:
            continue
        try:
            ranges = [_range(files, edit) for edit in problem.fix.edits]
        except NotEditable:
            continue  # as what was changed meanwhile
        if any(
            each.start <= one.end and one.start <= each.end and each != one
            for each in ranges
            for one in taken[each.path]
        ):
            continue
        made.append(f"{files.folder.place(problem.span)}: {problem.fix.title}")
        for each in ranges:
            taken[each.path].append(each)
            draft.edit(*each)
    return draft.change(""), made


def _range(files: FolderFiles, edit: Edit) -> _Range:
    text = files.text(edit.path).text
    lines = text.split("\n")
    if max(edit.line, edit.end_line) > len(lines):
        raise NotEditable(f"{files.named(edit.path)} has been changed since it was read")
    start = sum(len(line) + 1 for line in lines[: edit.line - 1]) + edit.column - 1
    end = sum(len(line) + 1 for line in lines[: edit.end_line - 1]) + edit.end_column - 1
    return _Range(edit.path, start, end, edit.text)
