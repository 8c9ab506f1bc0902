"""Propose new notes and edits: check them as part of the corpus, then commit to a branch."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from kg.checks import check, diagnostics_in
from kg.corpus import Corpus
from kg.files.read_files import NotesFolder, read_input
from kg.files.settings_file import load_config
from kg.history.revision import committed_folder
from kg.loader import load_changed, load_corpus
from kg.mcp.commit_proposal import ProposalRefused, propose_files
from kg.mcp.latest_corpus import LatestCorpus
from kg.mcp.read_tools import ToolAnswer, require_text
from kg.mcp.text_pages import text_line_entries
from kg.model import Diagnostic, Severity
from kg.model.errors import Misuse
from kg.model.ids import id_of_title
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.markdown import hide_in_file
from kg.notes.note_files import NoteFile
from kg.notes.note_listing import MAX_NOTE_BYTES, NOTE_SUFFIX, README, list_notes
from kg.text.folding import fold_name
from kg.text.plurals import pluralize
from kg.text.printable import printable

_PATH_PART = re.compile(r"[^\W_][\w .,()'+-]*(?<![ .])")  # valid on every system
BIBTEX_SUFFIX = ".bib"
MAX_PATH_CHARACTERS = 200  # below the folder; systems allow 260 in all
MAX_TEXT_BYTES = 256 * 1024  # bytes of what is proposed
MAX_FILES_PROPOSED = 20  # as many as somebody will review
MAX_REASON_CHARACTERS = 1000  # it goes into one commit message


def ask_check(latest: LatestCorpus, path: str, text: str) -> ToolAnswer:
    """The problems that a text would have at a path. Raises `Misuse`."""
    path = valid_path(latest.folder, path)
    problems = diagnostics_in(check(latest.read_with_changes({path: _bounded_bytes(text)})), [path])
    return ToolAnswer(_describe_counts(problems), [_problem_row(problem) for problem in problems])


def read_note_text(folder: NotesFolder, corpus: Corpus, note: str) -> ToolAnswer:
    """The text of a note's file without comments. Drafts and bibliographies, whose fields are
    partly private, are refused. Raises `Misuse` and `ProposalRefused`.
    """
    if not _note_path(corpus, note).endswith(NOTE_SUFFIX) or corpus.look_up(note) is None:
        raise Misuse(f"there is no note {note[:80]!r} to read")
    path, data = _read_note(folder, corpus, note)
    return ToolAnswer("", [f"{path}:", *text_line_entries(hide_in_file(data.decode("utf-8")))])


def propose_new(folder: NotesFolder, notes: Sequence[tuple[str, str]], why: str) -> ToolAnswer:
    """Propose notes, by path, at unused paths. Raises `Misuse` and `ProposalRefused`."""
    if len(notes) > MAX_FILES_PROPOSED:
        raise Misuse(f"at most {MAX_FILES_PROPOSED} notes at once")
    _require_own_places([path for path, _ in notes])
    files = {valid_path(folder, path): _bounded_bytes(text) for path, text in notes}
    existing_paths = {fold_name(note.path): note.path for note in list_notes(folder).notes}
    for path in files:
        if existing_path := existing_paths.get(fold_name(path)):
            raise ProposalRefused(f"{existing_path} already exists: propose an edit of it")
        if os.path.lexists(folder / path):
            raise ProposalRefused(f"{path} already exists")
    return _propose_files(folder, files, {}, f"Propose {', '.join(files)}", why)


def _require_own_places(paths: Iterable[str]) -> None:
    """Raise `Misuse` if one file would be another, on some systems, or the folder of another."""
    for first, second in pairwise(sorted(paths, key=lambda path: f"{fold_name(path)}/")):
        if f"{fold_name(second)}/".startswith(f"{fold_name(first)}/"):
            raise Misuse(f"{first[:80]!r} and {second[:80]!r} cannot both be files")


def propose_change(
    folder: NotesFolder, corpus: Corpus, note: str, old: str, new: str, why: str
) -> ToolAnswer:
    """Propose to replace the only `old` in a note, given by id or path, with `new`."""
    path, data = _read_note(folder, corpus, note)
    text = data.decode("utf-8")
    if not old or text.count(old) != 1:
        raise Misuse(f"`old` must occur in {path} once; it occurs {text.count(old)} times")
    _bounded_bytes(new)
    new_contents = {path: _bounded_bytes(text.replace(old, new), MAX_NOTE_BYTES)}
    if new_contents[path] == data:
        raise Misuse("`new` is the same as `old`")
    return _propose_files(folder, new_contents, {path: data}, f"Propose to change {path}", why)


def _read_note(folder: NotesFolder, corpus: Corpus, note: str) -> tuple[str, bytes]:
    """A note's path, and its content, which is UTF-8."""
    path = valid_path(folder, _note_path(corpus, note))
    try:
        data = read_input(folder / path, MAX_NOTE_BYTES, folder)
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProposalRefused(f"{path} cannot be read: {error}") from None
    return path, data


def _note_path(corpus: Corpus, note: str) -> str:
    record = corpus.record(corpus.look_up(note) or "")
    return record.span.path if record else note


def valid_path(folder: NotesFolder, path: str) -> str:
    """A valid path for a note or bibliography in the folder, without links. Raises `Misuse`."""
    path_parts = path.split("/")
    has_valid_name = (
        path.endswith((NOTE_SUFFIX, BIBTEX_SUFFIX)) and len(path) <= MAX_PATH_CHARACTERS
    )
    if (
        not has_valid_name
        or not all(map(_PATH_PART.fullmatch, path_parts))
        or path_parts[-1] == README
    ):
        raise Misuse(f"{path[:80]!r} is not a note's path in the folder, such as claims/a-note.md")
    if (
        len(path_parts) > 1
        and path_parts[0] == folder.real.name
        and not (folder / path_parts[0]).is_dir()
    ):
        inner = "/".join(path_parts[1:])
        raise Misuse(f"paths are relative to the notes folder: {inner}, not {path}")
    for depth in range(1, len(path_parts)):
        parent = folder / "/".join(path_parts[:depth])
        if parent.is_symlink() or (os.path.lexists(parent) and not parent.is_dir()):
            raise Misuse(f"{'/'.join(path_parts[:depth])} is not a folder within the notes")
    if (folder / path).is_symlink():
        raise Misuse(f"{path} is a link")
    if IgnoreGlobs(load_config(folder).ignore).matches(path):
        raise Misuse(f"{path} is ignored by `ignore` in kg.toml")
    return path


def _bounded_bytes(text: str, limit: int = MAX_TEXT_BYTES) -> bytes:
    data = text.encode("utf-8", "replace")
    if len(data) > limit:
        raise Misuse(f"a text may have at most {limit} bytes here")
    return data


def _propose_files(
    folder: NotesFolder,
    files: Mapping[str, bytes],
    old_contents: Mapping[str, bytes],
    summary: str,
    why: str,
) -> ToolAnswer:
    reason = " ".join(printable(require_text("why", why)).split())[:MAX_REASON_CHARACTERS]
    with committed_folder(folder) as committed:
        problems = _problems_with(folder, NotesFolder.from_path(committed), files)
    if _has_errors(problems):
        passes_on_disk = not _has_errors(_problems_with(folder, folder, files))
        advice = "commit the notes here that it needs" if passes_on_disk else "correct the errors"
        refusal = f"not proposed: on the last commit it has {_describe_counts(problems)}; {advice}"
        return ToolAnswer(refusal, [*map(_problem_row, problems)], refused=True)
    if unread_message := next(_unread_note_messages(folder, files), ""):
        return ToolAnswer(
            f"not proposed: {unread_message}", [*map(_problem_row, problems)], refused=True
        )
    stem, _ = os.path.splitext(os.path.basename(next(iter(files))))
    # quoted, so that git reads no trailer such as `Signed-off-by:` in it
    message = f"{summary}\n\n> {reason}\n"
    proposal = propose_files(folder.real, files, old_contents, id_of_title(stem), message)
    branch_line = f"proposed on branch {proposal.branch}, commit {proposal.commit[:12]}"
    return ToolAnswer(
        f"no file was changed; {_describe_counts(problems)}",
        [branch_line, *map(_problem_row, problems)],
    )


def _unread_note_messages(folder: NotesFolder, files: Mapping[str, bytes]) -> Iterator[str]:
    """Messages about notes from which nothing would be read."""
    parse = note_parser(load_config(folder))
    for path, data in files.items():
        note = parse(NoteFile(path, data, b"")) if path.endswith(NOTE_SUFFIX) else None
        if note is None or note.statements or note.line or note.source or note.terms:
            continue
        left_out = "is left out by `[map]` in kg.toml"
        yield f"{path} {left_out if note.left_out else 'states nothing: give it a type'}"


def _problems_with(
    folder: NotesFolder, base: NotesFolder, files: Mapping[str, bytes]
) -> list[Diagnostic]:
    """The problems of files as if they were in `base`, and those that they would cause elsewhere;
    pictures and other files are looked up in `folder`.
    """
    all_problems = check(replace(load_changed(base, files), folder=folder))
    problems = diagnostics_in(all_problems, list(files))
    if elsewhere := [each for each in all_problems if each not in problems]:
        base_corpus = replace(load_corpus(base, drafts=True), folder=folder)
        base_counts = Counter(map(_problem_key, check(base_corpus)))
        problems += [each for each in elsewhere if not base_counts[_problem_key(each)]]
    return problems


def _has_errors(problems: Iterable[Diagnostic]) -> bool:
    return any(each.severity is Severity.ERROR for each in problems)


def _problem_key(problem: Diagnostic) -> tuple[str, str, str]:
    return problem.span.path, problem.rule, problem.message


def _describe_counts(problems: Iterable[Diagnostic]) -> str:
    counts = Counter(problem.severity.value for problem in problems)
    return (
        ", ".join(pluralize(counts[kind], kind) for kind in Severity if counts[kind])
        or "no problems"
    )


def _problem_row(problem: Diagnostic) -> str:
    span = problem.span
    help = f" (help: {problem.help})" if problem.help else ""
    return (
        f"{span.path}:{span.line}:{span.column} {problem.severity.value} {problem.rule}: "
        f"{problem.message}{help}"
    )
