"""`kg rename`, `promote`, `merge`, `split`, `retire`, `fmt`, `undo`: commands that edit notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.shared.options import (
    Command,
    IdType,
    format_option,
    get_notes_folder,
    load_notes,
    notes_options,
    path_in_corpus,
    prepare_folder,
    undo_stopped_change,
)
from kg.cli.shared.output import print_json, print_text
from kg.notes.note_listing import require_folder
from kg.text.plurals import pluralize
from kg.text.printable import printable

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.editing.change import Change
    from kg.editing.change_effect import ChangeEffect
    from kg.editing.folder_files import FolderFiles
    from kg.editing.rename import RenamedKind
    from kg.files.read_files import NotesFolder, StrPath

MAX_PROBLEMS_SHOWN = 12  # of the problems that a change causes
MAX_FILES_SHOWN = 8  # of those that a change edits, with all that it moves
KINDS_OF_ID = ("statements", "lines", "sources")


def editing_options(command: Command) -> Command:
    """Add the options that all commands that change notes share."""
    dry_run_option = click.option(
        "--dry-run", is_flag=True, help="Print the diff, and change nothing."
    )
    return dry_run_option(notes_options(format_option("text", "json")(command)))


def run_change(
    notes: StrPath | None,
    format: str,
    dry_run: bool,
    make: Callable[[FolderFiles, Corpus], Change],
) -> None:
    """Make a change, show its effects, and write it unless `dry_run`."""
    from kg.editing.apply_change import apply_change
    from kg.editing.change_effect import change_as_json, effect_of
    from kg.editing.folder_files import FolderFiles

    folder = prepare_folder(notes)
    corpus = load_notes(folder, drafts=True)  # raises if there is no such folder
    change = make(FolderFiles(folder), corpus)
    effect = effect_of(corpus, change, folder)
    if not dry_run and change.files_after:
        apply_change(folder, change)
    if format == "json":
        print_json(change_as_json(change, effect, folder, not dry_run))
    elif dry_run:
        print_text(change.render_diff(folder))
        _print_effect(change, effect, folder)
        click.echo("nothing was written")
    else:
        click.echo(describe_files(change, folder))
        _print_effect(change, effect, folder)
        click.echo("to undo it: kg undo" if change.files_after else "nothing was written")


def describe_files(change: Change, folder: NotesFolder) -> str:
    """A change's title, and the names of its first files."""
    moves = change.moves
    moved_files = [
        f"{folder.shown_path(old)} → {folder.shown_path(new)}" for old, new in moves.items()
    ]
    edited_paths = (path for path in change.paths if path not in {*moves, *moves.values()})
    other_files = [str(folder.shown_path(path)) for path in edited_paths]
    shown_files = [*moved_files, *other_files[: max(0, MAX_FILES_SHOWN - len(moved_files))]]
    if omitted := len(moved_files) + len(other_files) - len(shown_files):
        shown_files.append(f"and {pluralize(omitted, 'other file')}")
    return "\n  ".join(map(printable, [f"{change.title}:", *shown_files]))


def _print_effect(change: Change, effect: ChangeEffect, folder: NotesFolder) -> None:
    for remark in change.remarks:
        click.echo(printable(remark))
    for problem in effect.problems[:MAX_PROBLEMS_SHOWN]:
        place = folder.place(problem.span)
        click.echo(printable(f"{problem.severity.value}: {place}: {problem.message}"))
    if omitted := len(effect.problems[MAX_PROBLEMS_SHOWN:]):
        click.echo(f"and {pluralize(omitted, 'other problem')}: kg check")
    for verdict in effect.verdicts:
        before, after = verdict.in_words
        click.echo(printable(f"verdict of {verdict.line}: {before} → {after}"))
    if not effect.verdicts:
        click.echo("no verdict changes")


@click.command(
    epilog="""\b
Examples:
  kg rename gap-is-social gap-is-a-matter-of-incentives
  kg rename shaikh2024 shaikh2024a       a citation key, in .bib and notes
  kg rename "a-claim#^found" pauses      a callout or an edge
  kg rename norms "social norms" --kind topic --dry-run
  kg rename skeptic doubter              a camp, in kg.toml and notes"""
)
@click.argument("old", type=IdType(*KINDS_OF_ID, "topics", "config.camp_ids"))
@click.argument("new")
@click.option(
    "--kind",
    type=click.Choice(("note", "topic", "camp")),
    help="What to rename, if a note, a topic or a camp have the same name.",
)
@click.option("--no-alias", is_flag=True, help="Do not keep the old id as an alias of the note.")
@editing_options
def rename_command(
    old: str,
    new: str,
    kind: RenamedKind | None,
    no_alias: bool,
    notes: Path | None,
    format: str,
    dry_run: bool,
) -> None:
    """Rename a note, a callout, a citation key, a topic or a camp everywhere.

    Links keep the form they were written in; judgements and undercuts are updated, too. The old id
    of a note stays valid as an alias. A title is turned into an id as in `kg new`, unless the old
    id has spaces, too.
    """
    from kg.editing.rename import rename

    def make_rename(files: FolderFiles, corpus: Corpus) -> Change:
        return rename(files, corpus, old, new, kind=kind, alias=not no_alias, new_is_title=True)

    run_change(notes, format, dry_run, make_rename)


@click.command(
    epilog="""\b
Examples:
  kg promote "a-claim#^found"
  kg promote "a-claim#^found" --id pauses-were-rare --dry-run"""
)
@click.argument("callout", metavar="NOTE#NAME", type=IdType("statements"))
@click.option("--id", "new", metavar="ID", default="", help="The id of the note.")
@editing_options
def promote_command(callout: str, new: str, notes: Path | None, format: str, dry_run: bool) -> None:
    """Turn a callout into a note of its own, with its edge as a relation.

    Its fields become front matter, callouts inside it move with it, and its old id stays valid as
    an alias. Strengths do not change.
    """
    from kg.editing.moving.promote_callout import promote_callout

    run_change(
        notes,
        format,
        dry_run,
        lambda files, corpus: promote_callout(files, corpus, callout, new),
    )


@click.command(
    epilog="""\b
Examples:
  kg merge naps-help short-naps-help     the second goes into the first
  kg merge norms "social norms"          two topics
  kg merge doe2020 doe2020a              two keys of one work
  kg merge naps-help short-naps-help --dry-run"""
)
@click.argument("keep", type=IdType("statements", "sources", "topics"))
@click.argument("drop", type=IdType("statements", "sources", "topics"))
@click.option("--force", is_flag=True, help="Even if one contradicts the other; drops that edge.")
@editing_options
def merge_command(
    keep: str, drop: str, force: bool, notes: Path | None, format: str, dry_run: bool
) -> None:
    """Move all content of the note DROP into KEEP; its id stays valid as an alias. Of two keys for
    one work, DROP's entry is removed, and notes that cite it cite KEEP.

    Edges of both notes are written once. If their front matter differs, that of KEEP stays.
    """
    from kg.editing.merging.merge_notes import merge_notes

    run_change(
        notes,
        format,
        dry_run,
        lambda files, corpus: merge_notes(files, corpus, keep, drop, force=force),
    )


@click.command(
    epilog="""\b
Examples:
  kg split a-long-claim --at "What follows for teaching"
  kg split a-long-claim --at "What follows" --id teaching --dry-run"""
)
@click.argument("note", type=IdType("statements"))
@click.option("--at", "heading", required=True, metavar="HEADING", help="The section to move.")
@click.option("--id", "new", metavar="ID", default="", help="The id of the new note.")
@editing_options
def split_command(
    note: str, heading: str, new: str, notes: Path | None, format: str, dry_run: bool
) -> None:
    """Move a section, with the edges and callouts in it, into a note of its own.

    The heading becomes its title, or the first sentence if the heading only names the section.
    Kind and camp are the same. A link to it replaces the section.
    """
    from kg.editing.moving.split_note import split_note

    run_change(
        notes,
        format,
        dry_run,
        lambda files, corpus: split_note(files, corpus, note, heading, new),
    )


@click.command(
    epilog="""\b
Examples:
  kg retire an-old-claim
  kg retire an-old-claim --for a-better-claim --dry-run"""
)
@click.argument("note", type=IdType("statements", "lines"))
@click.option("--for", "new", metavar="ID", default="", help="The note that supersedes it.")
@editing_options
def retire_command(note: str, new: str, notes: Path | None, format: str, dry_run: bool) -> None:
    """Mark a note as retired, with --for as superseded by another; links to it stay."""
    from kg.editing.retire_note import retire_note

    run_change(
        notes,
        format,
        dry_run,
        lambda files, corpus: retire_note(files, corpus, note, new),
    )


@click.command(
    epilog="""\b
Examples:
  kg fmt                        every note
  kg fmt notes/naps.md --diff   show what would change
  kg fmt --check                fail if something would change
  kg fmt --obsidian             relations are links for Dataview, too

Exit status: 0 done, 1 with --check if something would change, 2 when misused."""
)
@click.argument("paths", nargs=-1, metavar="[FILE…]")
@click.option("--check", is_flag=True, help="Change nothing; fail if something would change.")
@click.option("--diff", "--dry-run", is_flag=True, help="Print the diff, and change nothing.")
@click.option("--obsidian", is_flag=True, help="Write `- [supports:: [[x]]]`, for Dataview.")
@notes_options
@click.pass_context
def fmt_command(
    ctx: click.Context,
    paths: tuple[str, ...],
    check: bool,
    diff: bool,
    obsidian: bool,
    notes: Path | None,
) -> None:
    """Format relations, and remove spaces at line ends; all else stays the same, byte for byte.

    The meaning of a note never changes: if that is not certain, the note is left as it was.
    """
    from kg.editing.apply_change import apply_change
    from kg.editing.folder_files import FolderFiles
    from kg.editing.format_notes import format_notes

    folder = prepare_folder(notes)
    require_folder(folder)
    files = FolderFiles(folder)
    chosen_paths = [path_in_corpus(folder, path) for path in paths] or None
    change = format_notes(files, chosen_paths, bracketed=obsidian)
    if diff:
        print_text(change.render_diff(folder))
    if not change.paths:
        click.echo("no note to format", err=diff)
    elif check or diff:
        click.echo(describe_files(change, folder).replace("format", "would format", 1), err=diff)
    else:
        apply_change(folder, change)
        click.echo(f"{describe_files(change, folder)}\nto undo it: kg undo")
    ctx.exit(int(check and bool(change.paths)))


@click.command(
    epilog="""\b
Examples:
  kg undo               undo the last change
  kg undo --dry-run     show what that would do
  kg undo --skip        forget the last change; the one before it is next"""
)
@click.option("--skip", is_flag=True, help="Forget the last change; no file changes.")
@editing_options
def undo_command(skip: bool, dry_run: bool, notes: Path | None, format: str) -> None:
    """Undo the last change that `kg` made in the notes, if its files have not been edited since.
    If a change was stopped halfway, only that one is undone.
    """
    from kg.editing.apply_change import change_by_undo, forget_last_change, undo_last_change
    from kg.editing.change_effect import ChangeEffect, change_as_json

    folder = get_notes_folder(notes)
    if skip and (dry_run or format == "json"):
        raise click.UsageError("--skip does not go with --dry-run or --format json")
    if not dry_run and undo_stopped_change(folder):
        return  # that was the last change
    if skip:
        click.echo(f"forgotten, files unchanged: {forget_last_change(folder)}")
        return
    change = change_by_undo(folder) if dry_run else undo_last_change(folder)
    if format == "json":
        print_json(change_as_json(change, ChangeEffect(), folder, not dry_run))
    elif dry_run:
        for remark in change.remarks:
            click.echo(printable(remark), err=True)
        print_text(change.render_diff(folder) + "nothing was written\n")
    else:
        click.echo(describe_files(change, folder))
