"""`kg rename`, `promote`, `merge`, `split`, `retire`, `undo` change notes, whole or not; `lsp`."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import Command, IdType, find_folder, format_option, load_notes, notes_option
from kg.cli.output import write_json, write_text
from kg.model.config import CONFIG_NAME

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.editing.change import Change
    from kg.editing.effect import Effect
    from kg.editing.folder_files import FolderFiles
    from kg.lsp.workspace import Workspace

IDS = ("statements", "lines", "sources")


def _editing_options(command: Command) -> Command:
    """Add what all commands that change notes share."""
    dry = click.option("--dry-run", is_flag=True, help="Print the diff, and change nothing.")
    return dry(notes_option(format_option("text", "json")(command)))


def _carry_out(
    notes: Path | None,
    format: str,
    dry_run: bool,
    make: Callable[[FolderFiles, Corpus], Change],
) -> None:
    """Make a change, look at what it does, and write it unless it is only to be shown."""
    from kg.editing.apply import apply, recover
    from kg.editing.effect import as_json, effect_of
    from kg.editing.folder_files import FolderFiles

    folder = find_folder(notes)
    before = load_notes(folder)  # says so where there is no such folder
    if stopped := recover(folder):
        click.echo(f"{stopped!r} was stopped halfway, and has been put back", err=True)
        before = load_notes(folder)
    change = make(FolderFiles(folder), before)
    effect = effect_of(before, change, folder)
    if not dry_run:
        apply(folder, change)
    if format == "json":
        write_json(as_json(change, effect, not dry_run))
    elif dry_run:
        write_text(change.render_diff())
        _tell(change, effect)
        click.echo("nothing was written")
    else:
        click.echo(_files(change))
        _tell(change, effect)
        click.echo("take it back with: kg undo")


def _files(change: Change) -> str:
    from kg.model.value import pluralize, printable

    moved = [f"{old} → {new}" for old, new in change.moves.items()]
    others = [path for path in change.paths if path not in {*change.moves, *change.moves.values()}]
    named = [*moved, *others[: max(0, 8 - len(moved))]]
    more = len(moved) + len(others) - len(named)
    listed = [*named, *([f"and {pluralize(more, 'other file')}"] if more else [])]
    return printable(f"{change.title}:") + "".join(f"\n  {printable(each)}" for each in listed)


def _tell(change: Change, effect: Effect) -> None:
    from kg.model.value import printable
    from kg.queries.history.line_answers import word_with_strength

    for remark in change.remarks:
        click.echo(printable(remark))
    for problem in effect.problems:
        click.echo(printable(f"{problem.severity.value}: {problem.span}: {problem.message}"))
    for moved in effect.verdicts:
        was = word_with_strength(moved.word_before, moved.before)
        now = word_with_strength(moved.word_after, moved.after)
        click.echo(printable(f"verdict of {moved.line}: {was} → {now}"))
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
@click.argument("old", type=IdType(*IDS, "topics", "config.camp_ids"))
@click.argument("new")
@click.option(
    "--kind",
    type=click.Choice(("note", "topic", "camp")),
    help="What is meant, where a note, a topic or a camp are called alike.",
)
@click.option("--no-alias", is_flag=True, help="Do not keep the old id as an alias of the note.")
@_editing_options
def rename_command(
    old: str,
    new: str,
    kind: str | None,
    no_alias: bool,
    dry_run: bool,
    notes: Path | None,
    format: str,
) -> None:
    """Call a note, a callout, a citation key, a topic or a camp by another name, everywhere.

    Links are rewritten in the form they were written in; judgements and undercuts follow. The old
    id of a note stays valid as an alias.
    """
    from kg.editing.rename import rename

    _carry_out(
        notes,
        format,
        dry_run,
        lambda files, corpus: rename(files, corpus, old, new, kind=kind or "", alias=not no_alias),
    )


@click.command(
    epilog="""\b
Examples:
  kg promote "a-claim#^found"
  kg promote "a-claim#^found" --id pauses-were-rare --dry-run"""
)
@click.argument("callout", metavar="NOTE#NAME", type=IdType("statements"))
@click.option("--id", "new", metavar="ID", default="", help="The id of the note.")
@_editing_options
def promote_command(callout: str, new: str, dry_run: bool, notes: Path | None, format: str) -> None:
    """Make a callout a note of its own, with its edge as a relation.

    Its fields become front matter, callouts inside of it stay with it, and its old name stays valid
    as an alias. It counts as much as before.
    """
    from kg.editing.promote import promote

    _carry_out(notes, format, dry_run, lambda files, corpus: promote(files, corpus, callout, new))


@click.command(
    epilog="""\b
Examples:
  kg merge naps-help short-naps-help     the second goes into the first
  kg merge norms "social norms"          two topics
  kg merge naps-help short-naps-help --dry-run"""
)
@click.argument("keep", type=IdType("statements", "topics"))
@click.argument("drop", type=IdType("statements", "topics"))
@click.option("--force", is_flag=True, help="Even if one speaks against the other: that edge goes.")
@_editing_options
def merge_command(
    keep: str, drop: str, force: bool, dry_run: bool, notes: Path | None, format: str
) -> None:
    """Put all that the note DROP says into KEEP; its id stays valid as an alias.

    Edges that both draw are drawn once. Where the two say different things in front matter, that of
    KEEP stays.
    """
    from kg.editing.merge_notes import merge

    _carry_out(
        notes, format, dry_run, lambda files, corpus: merge(files, corpus, keep, drop, force=force)
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
@_editing_options
def split_command(
    note: str, heading: str, new: str, dry_run: bool, notes: Path | None, format: str
) -> None:
    """Move a section, with the edges and callouts in it, into a note of its own.

    The heading becomes its title; it is of the same kind and camp. A link to it stays behind.
    """
    from kg.editing.split_note import split

    _carry_out(
        notes, format, dry_run, lambda files, corpus: split(files, corpus, note, heading, new)
    )


@click.command(
    epilog="""\b
Examples:
  kg retire an-old-claim
  kg retire an-old-claim --for a-better-claim --dry-run"""
)
@click.argument("note", type=IdType("statements", "lines"))
@click.option("--for", "new", metavar="ID", default="", help="The note that supersedes it.")
@_editing_options
def retire_command(note: str, new: str, dry_run: bool, notes: Path | None, format: str) -> None:
    """Mark a note as retired, and with --for let another supersede it; links to it stay."""
    from kg.editing.retire import retire

    _carry_out(notes, format, dry_run, lambda files, corpus: retire(files, corpus, note, new))


@click.command(
    epilog="""\b
Examples:
  kg undo               take the last change back
  kg undo --dry-run     show what that would do"""
)
@_editing_options
def undo_command(dry_run: bool, notes: Path | None, format: str) -> None:
    """Take back the last change that `kg` made in the notes, as long as the files are as it left
    them.
    """
    from kg.editing.apply import last_change, recover, undo
    from kg.editing.effect import Effect, as_json

    folder = find_folder(notes)
    if stopped := recover(folder):
        click.echo(f"{stopped!r} was stopped halfway, and has been put back", err=True)
    change = last_change(folder) if dry_run else undo(folder)
    if format == "json":
        write_json(as_json(change, Effect(), not dry_run))
    elif dry_run:
        write_text(change.render_diff() + "nothing was written\n")
    else:
        click.echo(_files(change))


NO_LSP = "`kg lsp` needs two more packages: pip install 'inquiry-lines[lsp]'"


@click.command(
    epilog="""\b
Examples:
  kg lsp                        started by an editor, which it speaks to
  kg lsp --notes ideas

It speaks on standard input and output. docs/editors.md says how to set up editors."""
)
@notes_option
@click.option("--stdio", is_flag=True, help="As many editors say it; it does so anyway.")
def lsp_command(notes: Path | None, stdio: bool) -> None:
    """Speak to an editor: problems, completion and renaming as one types."""
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise click.ClickException(NO_LSP)
    from kg.lsp.protocol import make_server
    from kg.lsp.rule_pages import rule_pages

    def open_workspace(root: Path | None) -> Workspace:
        from kg.lsp.workspace import Workspace
        from kg.notes.cache import notes_cache_file
        from kg.notes.discover import need_folder

        folder = find_folder(notes, root)
        if notes is None and root is not None and not folder.real.is_dir():
            # an editor may have opened the notes themselves; any folder of Markdown is none
            own = any((place / CONFIG_NAME).exists() for place in (root, root.parent))
            folder = find_folder(root) if own else folder
        need_folder(folder)
        cache = None if os.environ.get("KG_NO_CACHE") else notes_cache_file(folder)
        return Workspace(folder, cache)

    make_server(open_workspace, rule_pages()).start_io()
