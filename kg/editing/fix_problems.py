"""The fixes that problems bring, as one change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from kg.editing.change import Change, Draft
from kg.editing.folder_files import FolderFiles
from kg.editing.source_text import NotEditable
from kg.model import Diagnostic, Edit
from kg.model.value import pluralize


class _Range(NamedTuple):
    path: str
    start: int
    end: int
    text: str


def fix_problems(files: FolderFiles, problems: Iterable[Diagnostic]) -> Change:
    """The change that makes all fixes of `problems`; of two that meet, the first."""
    draft = Draft(files)
    taken: defaultdict[str, list[_Range]] = defaultdict(list)
    made = later = 0
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
            later += 1
            continue
        made += 1
        for each in ranges:
            taken[each.path].append(each)
            draft.edit(*each)
        draft.remarks.append(f"{files.folder.place(problem.span)}: {problem.fix.title}")
    if later:
        draft.remarks.append(f"{pluralize(later, 'more problem')} after these: run it again")
    return draft.change(f"fix {pluralize(made, 'problem')}")


def _range(files: FolderFiles, edit: Edit) -> _Range:
    text = files.text(edit.path).text
    lines = text.split("\n")
    if max(edit.line, edit.end_line) > len(lines):
        raise NotEditable(f"{files.named(edit.path)} has been changed since it was read")
    start = sum(len(line) + 1 for line in lines[: edit.line - 1]) + edit.column - 1
    end = sum(len(line) + 1 for line in lines[: edit.end_line - 1]) + edit.end_column - 1
    return _Range(edit.path, start, end, edit.text)
