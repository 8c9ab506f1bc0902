"""The answers of lines at earlier commits, and the changes from one to the next.

The commits considered are those of the first-parent history that touched the notes or their
settings, the last of each day. Each is weighed once, by the present program under the settings of
that commit, and cached in the user's cache folder; losing the cache does no harm.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple, TypeVar

import msgspec

from kg.corpus import Corpus, assemble
from kg.files.cache_files import FINGERPRINT_SIZE, read_sealed_as, state_folder, write_sealed
from kg.files.read_files import StrPath
from kg.git import Git, NoHistory, head_digest, open_git
from kg.git.committed_files import NoRevision
from kg.history.change_summary import ChangeSummary, HistoryStep, summarize_changes
from kg.history.revision import load_revision_from
from kg.model import LineId, Value
from kg.model.errors import KgError
from kg.model.settings.config import CONFIG_NAME
from kg.notes.notes_cache import code_version
from kg.reasoning.line_answers import LineAnswer, line_answers, question_and_proposition_titles

MAX_STATEMENTS = 2_000  # statements in a corpus beyond which its past is not weighed
# Statements of all states considered, in sum. Not seconds, so that the same notes have the same
# past on any machine: a corpus of 270 takes about a second per state.
MAX_STATEMENTS_WEIGHED = 5_000
MAX_SECONDS = 10.0  # processor time for weighing the present state, which cannot be predicted
LATEST_DAYS, EARLIER_DAYS = 4, 8  # days: all of the last, and up to this many before, evenly spaced
MEMORY_FORMAT = "past 6"
MEMORY_FILE = "past"
Day = TypeVar("Day")
_LOG_DAYS = ("log", "--first-parent", "--no-show-signature", "--no-color", "--format=%H %cs")


class AnswersAtCommit(Value, frozen=True):
    """The answers at a commit of all lines that asked the same as now, by their present ids."""

    day: dt.date
    commit: str
    answers: Mapping[LineId, LineAnswer]


class AnswerHistory(Value, frozen=True):
    """Earlier states of a corpus, the oldest first, and what changed between them, latest first.

    Both are empty if there is no git history.
    """

    points: tuple[AnswersAtCommit, ...] = ()
    steps: tuple[HistoryStep, ...] = ()

    def of(self, line_id: LineId) -> tuple[tuple[dt.date, LineAnswer], ...]:
        """The answers of a line with their days, the oldest first."""
        return tuple((p.day, p.answers[line_id]) for p in self.points if line_id in p.answers)


def find_answer_history(corpus: Corpus, *, weigh: bool) -> AnswerHistory:
    """The past of a corpus from git; never checks anything out, and never raises.

    Without `weigh`, only cached answers are used.
    """
    folder = corpus.folder
    head = b"" if folder is None or len(corpus) > MAX_STATEMENTS else head_digest(folder)
    if not head or folder is None:
        return AnswerHistory()
    cache_folder = state_folder(folder)
    file = None if cache_folder is None else cache_folder / MEMORY_FILE
    key = _program_key(corpus)
    old_cache = (
        read_sealed_as(file, MEMORY_FORMAT, msgspec.msgpack.Decoder(_PastCache).decode, key)
        or _PastCache()
    )
    if old_cache.slow and len(corpus) >= old_cache.slow:
        return AnswerHistory()
    with ExitStack() as stack:
        walk = _HistoryWalk(corpus, folder, old_cache, weigh, stack)
        try:
            points, steps = walk.walk_back(head)
        except NoHistory:
            return AnswerHistory()
    if weigh and walk.new_cache != old_cache:
        write_sealed(file, MEMORY_FORMAT, msgspec.msgpack.encode(walk.new_cache), key)
    return AnswerHistory(
        points=tuple(
            AnswersAtCommit(
                day=p.day, commit=p.commit, answers=_answers_to_same_question(p.answers, corpus)
            )
            for p in reversed(points)
        ),
        steps=tuple(step for step in steps if not step.summary.is_empty),
    )


def _answers_to_same_question(
    answers: Mapping[LineId, LineAnswer], corpus: Corpus
) -> dict[LineId, LineAnswer]:
    """The answers, by present ids, of the lines whose question is the same now: the same claim, in
    the same words.
    """
    answer_by_id = {corpus.find_id(id) or id: answer for id, answer in answers.items()}
    return {
        id: answer
        for id, answer in answer_by_id.items()
        if id in corpus.lines
        and corpus.find_id(answer.proposition) == corpus.lines[id].proposition
        and answer.asked == question_and_proposition_titles(corpus, id)
    }


# -- which commits ---------------------------------------------------------------------------


class _CommitState(Value, frozen=True):
    """A commit to consider, and a digest of the notes and settings in it.

    `contents` is the digest; `following` is the next day on which the notes were touched.
    """

    commit: str
    day: dt.date
    following: dt.date | None
    contents: bytes


class _PastCommits(NamedTuple):
    """The commits to consider, the oldest first, and whether they include the first one of all."""

    states: tuple[_CommitState, ...]
    complete: bool


def _past_commits(git: Git, max_commits: int) -> _PastCommits:
    """At most `max_commits` commits to consider. Raises `NoHistory`."""
    home = git.prefix.rpartition("/")[0]
    settings = f"{home}/{CONFIG_NAME}" if home else CONFIG_NAME
    paths = [git.prefix, settings] if git.prefix else [""]
    literal = [f":(top,literal){path}" for path in paths]
    if "\n" in git.prefix:  # git takes one name per line
        return _PastCommits((), False)
    last_commit: dict[dt.date, str] = {}
    for log_line in git.run(*_LOG_DAYS, "HEAD", "--", *literal).decode().splitlines():
        commit, _, day = log_line.partition(" ")
        with suppress(ValueError):  # git allows dates in any year
            last_commit.setdefault(dt.date.fromisoformat(day), commit)
    days = list(reversed(last_commit))
    following_day = dict(pairwise(days))
    chosen_days = choose_days(days)[-max_commits:]
    names = [f"{last_commit[day]}:{path}" for day in chosen_days for path in paths]
    object_ids = git.run("cat-file", "--batch-check", input="\n".join(names).encode()).splitlines()
    note_ids = [b"" if each.endswith(b" missing") else each for each in object_ids]
    states = tuple(
        _CommitState(
            commit=last_commit[day],
            day=day,
            following=following_day.get(day),
            contents=_digest_of_parts(*note_ids[number * len(paths) : (number + 1) * len(paths)]),
        )
        for number, day in enumerate(chosen_days)
    )
    return _PastCommits(states, chosen_days[:1] == days[:1] and not git.is_shallow)


def choose_days(days: Sequence[Day]) -> list[Day]:
    """The latest `LATEST_DAYS`, and of the earlier ones at most `EARLIER_DAYS`, evenly spaced.

    They include the first day. The spacing doubles as needed, so that a new day seldom changes
    the choice of old ones.
    """
    early_count = max(len(days) - LATEST_DAYS, 0)
    spacing = 1
    while early_count > EARLIER_DAYS * spacing:
        spacing *= 2
    return [*days[:early_count:spacing], *days[early_count:]]


# -- what they hold --------------------------------------------------------------------------


class _PastCache(Value, frozen=True):
    """The cache that one run leaves to the next.

    Answers are keyed by the digest of a commit's contents, differences by both digests. Notes that
    cannot be read have no answers. With `slow` statements or more, a single state takes too long.
    """

    head: bytes = b""
    moments: tuple[_CommitState, ...] = ()
    complete: bool = False
    answers: dict[bytes, dict[LineId, LineAnswer] | None] = {}
    summaries: dict[bytes, ChangeSummary] = {}
    slow: int = 0


class _NotCached(KgError):
    """A state is not in the cache, and may not be weighed or takes too long."""


class _HistoryWalk:
    """Goes back from commit to commit, and collects the results for the cache.

    The repository is opened on demand, and closed with `stack`.
    """

    def __init__(
        self, present: Corpus, folder: StrPath, old_cache: _PastCache, weigh: bool, stack: ExitStack
    ) -> None:
        self._present = present
        self._slow = 0
        self._folder = folder
        self._old_cache = old_cache
        self._weigh = weigh
        self._stack = stack
        self._loaded: dict[bytes, Corpus] = {}
        self._has_weighed_present = False
        self._answers: dict[bytes, dict[LineId, LineAnswer] | None] = {}
        self._summaries: dict[bytes, ChangeSummary] = {}
        self.new_cache = old_cache

    @cached_property
    def _opened_git(self) -> Git:
        return self._stack.enter_context(open_git(self._folder))

    def walk_back(self, head: bytes) -> tuple[list[AnswersAtCommit], list[HistoryStep]]:
        """Points and the steps between them, the latest first. Raises `NoHistory`.

        If the history is complete, the first commit counts as a step from an empty corpus.
        """
        commits = _PastCommits(self._old_cache.moments, self._old_cache.complete)
        if self._old_cache.head != head and self._weigh:
            max_commits = max(MAX_STATEMENTS_WEIGHED // max(len(self._present), 1), 2)
            commits = _past_commits(self._opened_git, max_commits)
        points: list[AnswersAtCommit] = []
        steps: list[HistoryStep] = []
        later_state: _CommitState | None = None
        try:
            for commit_state in reversed(commits.states):
                answers = self._answers_at(commit_state)
                if answers is not None:
                    if later_state is not None:
                        steps.append(self._step_between(commit_state, later_state))
                    points.append(
                        AnswersAtCommit(
                            day=commit_state.day, commit=commit_state.commit, answers=answers
                        )
                    )
                    later_state = commit_state
            if commits.complete and later_state and later_state is commits.states[0]:
                steps.append(self._step_between(None, later_state))
        except (_NotCached, NoRevision):
            pass
        self.new_cache = self._cache_of(head, commits)
        return points, steps

    def _cache_of(self, head: bytes, commits: _PastCommits) -> _PastCache:
        """The old cache without what is of no state any more, and what was found on this walk."""
        state_digests = {commit_state.contents for commit_state in commits.states}
        old_answers, old_summaries = self._old_cache.answers, self._old_cache.summaries
        answers = {key: old_answers[key] for key in old_answers if key in state_digests}
        summaries = {
            key: summary
            for key, summary in old_summaries.items()
            if {key[:FINGERPRINT_SIZE], key[-FINGERPRINT_SIZE:]} <= state_digests
        }
        return _PastCache(
            head=head,
            moments=commits.states,
            complete=commits.complete,
            answers=answers | self._answers,
            summaries=summaries | self._summaries,
            slow=self._slow,
        )

    def _answers_at(self, commit_state: _CommitState) -> dict[LineId, LineAnswer] | None:
        key = commit_state.contents
        if key in self._old_cache.answers:
            self._answers[key] = self._old_cache.answers[key]
            return self._answers[key]
        try:
            self._answers[key] = line_answers(self._corpus_at(commit_state))
        except (NoRevision, NoHistory):  # it may be available another time
            return None
        except _NotCached:
            raise
        except KgError:
            self._answers[key] = None
        return self._answers[key]

    def _step_between(self, earlier: _CommitState | None, later: _CommitState) -> HistoryStep:
        key = (earlier.contents if earlier else b"") + later.contents
        summary = self._old_cache.summaries.get(key)
        if summary is None:
            new_corpus = self._corpus_at(later)
            old_corpus = self._corpus_at(earlier) if earlier else assemble(())
            summary = summarize_changes(old_corpus, new_corpus)
        self._summaries[key] = summary
        since = earlier.following if earlier else None
        return HistoryStep(
            since=since or later.day, day=later.day, commit=later.commit, summary=summary
        )

    def _corpus_at(self, commit_state: _CommitState) -> Corpus:
        """The corpus at a commit; the last two used are kept in memory."""
        corpus = self._loaded.pop(commit_state.contents, None)
        if corpus is None:
            if not self._weigh:
                raise _NotCached
            if not self._has_weighed_present:
                self._weigh_present()
            drafts = self._present.drafts is None
            corpus = load_revision_from(
                self._opened_git, self._folder, commit_state.commit, drafts=drafts
            )
        self._loaded = {**dict(list(self._loaded.items())[-1:]), commit_state.contents: corpus}
        return corpus

    def _weigh_present(self) -> None:
        """Weigh the present notes, as pages must anyway; give up if that takes too long."""
        self._has_weighed_present = True
        start = time.process_time()
        line_answers(self._present)
        if time.process_time() - start > MAX_SECONDS:
            self._slow = len(self._present)
            raise _NotCached


def _program_key(corpus: Corpus) -> bytes:
    """A digest of what cached results depend on: the program, and whether drafts count."""
    program = code_version("notes", "model", "corpus", "judgements", "reasoning", "history")
    return _digest_of_parts(program.encode(), b"drafts" if corpus.drafts is None else b"")


def _digest_of_parts(*parts: bytes) -> bytes:
    return blake2b(b"\n".join(parts), digest_size=FINGERPRINT_SIZE).digest()
