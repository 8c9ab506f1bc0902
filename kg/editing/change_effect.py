"""The effect of a change on the corpus: new problems, and verdicts that moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.checks import check
from kg.corpus import Corpus
from kg.corpus.drafts import without_drafts
from kg.editing.change import Change
from kg.history.match_records import match_statements
from kg.history.moved_answers import MovedAnswer, find_moved_answers
from kg.loader import NotesChanged, load_changed
from kg.model import Diagnostic, Severity, Value
from kg.model.errors import KgError
from kg.runtime.memoize import memoize

if TYPE_CHECKING:
    from kg.files.read_files import NotesFolder


# Rules that only warn, but show that a change has lost something.
_RULES_OF_LOST_LINKS = frozenset(("dead-link", "judged-edge-unknown"))


class RefusedChange(KgError, ValueError):
    """A change that would cause new errors in the notes; the message lists them with their help."""

    def __init__(self, problems: tuple[Diagnostic, ...], folder: NotesFolder) -> None:
        self.problems = problems
        rows = ["the notes would have new errors, so nothing was written:"]
        for each in problems:
            help = f"; {each.help}" if each.help else ""
            rows.append(f"  {folder.place(each.span)}: {each.message}{help}")
        super().__init__("\n".join(rows))


class ChangeEffect(Value, frozen=True):
    """The effect of a change: new problems, and verdicts that moved."""

    problems: tuple[Diagnostic, ...] = ()
    verdicts: tuple[MovedAnswer, ...] = ()


def effect_of(old_corpus: Corpus, change: Change, folder: NotesFolder) -> ChangeEffect:
    """The effect of a change on the corpus in `folder`.

    Raises `RefusedChange` for new errors, and `NotesChanged` if notes changed since `old_corpus`
    was read, as these may be the cause.
    """
    new_corpus = load_changed(folder, change.files_after)
    problems = new_diagnostics(old_corpus, new_corpus)
    if errors := new_errors(problems):
        now = load_changed(folder, {})
        if (now.statements, now.edges) != (old_corpus.statements, old_corpus.edges):
            raise NotesChanged("notes have been changed since they were read: try again")
        raise RefusedChange(errors, folder)
    old_line_ids = {new: old for old, new in change.new_ids.items() if new in new_corpus.lines}
    corpora = without_drafts(old_corpus), without_drafts(new_corpus)  # verdicts leave out drafts
    verdicts = find_moved_answers(*corpora, match_statements(*corpora), old_line_ids)
    return ChangeEffect(problems=problems, verdicts=verdicts)


def new_errors(problems: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Those new problems for which a change is refused."""
    return tuple(
        e for e in problems if e.severity is Severity.ERROR or e.rule in _RULES_OF_LOST_LINKS
    )


@memoize
def _problems_in(corpus: Corpus) -> list[Diagnostic]:
    return check(corpus)


def new_diagnostics(old_corpus: Corpus, new_corpus: Corpus) -> tuple[Diagnostic, ...]:
    """Problems of rules that are violated more often than before, with new messages.

    They are counted by rule, as a message may differ only by a renamed id.
    """
    old = _problems_in(old_corpus)
    new = check(new_corpus)
    increases = _by_rule(new)
    increases.subtract(_by_rule(old))
    old_messages = {(each.rule, each.message) for each in old}
    return tuple(
        each
        for each in new
        if increases[each.rule] > 0 and (each.rule, each.message) not in old_messages
    )


def _by_rule(problems: list[Diagnostic]) -> Counter[str]:
    return Counter(each.rule for each in problems)


def change_as_json(
    change: Change, effect: ChangeEffect, folder: NotesFolder, is_written: bool
) -> Mapping[str, object]:
    """A change and its effect for other programs; paths are relative to the current folder."""

    def shown_name(path: str) -> str:
        return folder.shown_path(path).as_posix()

    return {
        "title": change.title,
        "written": is_written,
        "files": list(map(shown_name, change.paths)),
        "moves": {shown_name(old): shown_name(new) for old, new in change.moves.items()},
        "remarks": list(change.remarks),
        "diff": change.render_diff(folder),
        "problems": [
            {"rule": each.rule, "span": folder.place(each.span), "message": each.message}
            for each in effect.problems
        ],
        "verdicts": list(effect.verdicts),
    }
