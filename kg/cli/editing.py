"""`kg new`, `rename`, `promote`, `merge`, `split`, `retire`, `undo`: commands that edit notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from kg.cli.options import (
    Command,
    IdType,
    find_folder,
    format_option,
    load_notes,
    name_folder,
    notes_option,
    put_back,
)
from kg.cli.output import print_json, print_text
from kg.corpus import UnknownId
from kg.model import Severity
from kg.model.value import pluralize, printable
from kg.notes.new_note import FOLDER_OF_TYPE
from kg.text.spelling import nearest_name, nearest_names

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.editing.change import Change
    from kg.editing.effect import Effect
    from kg.editing.folder_files import FolderFiles
    from kg.files.read import NotesFolder, StrPath

MAX_PROBLEMS_TOLD = 12  # of the problems that a change causes
QUESTION_MARKS = ("?", "？")
NEAR = 0.8  # similarity from which two titles are reported as close
IDS = ("statements", "lines", "sources")


def editing_options(command: Command) -> Command:
    """Add the options that all commands that change notes share."""
    dry = click.option("--dry-run", is_flag=True, help="Print the diff, and change nothing.")
    return dry(notes_option(format_option("text", "json")(command)))


def run_change(
    notes: StrPath | None,
    format: str,
    dry_run: bool,
    make: Callable[[FolderFiles, Corpus], Change],
) -> None:
    """Make a change, show its effects, and write it unless `dry_run`."""
    from kg.editing.apply import apply
    from kg.editing.effect import as_json, effect_of
    from kg.editing.folder_files import FolderFiles

    folder = find_folder(notes)
    before = load_notes(folder, drafts=True)  # raises if there is no such folder
    change = make(FolderFiles(folder), before)
    effect = effect_of(before, change, folder)
    if not dry_run and change.after:
        apply(folder, change)
    if format == "json":
        print_json(as_json(change, effect, folder, not dry_run))
    elif dry_run:
        print_text(change.render_diff(folder))
        _tell(change, effect, folder)
        click.echo("nothing was written")
    else:
        click.echo(describe_files(change, folder))
        _tell(change, effect, folder)
        click.echo("to undo it: kg undo" if change.after else "nothing was written")


def describe_files(change: Change, folder: NotesFolder) -> str:
    """A change's title, and the names of its first files."""
    moves = change.moves
    moved = [f"{folder.shown_path(old)} → {folder.shown_path(new)}" for old, new in moves.items()]
    kept = (path for path in change.paths if path not in {*moves, *moves.values()})
    others = [str(folder.shown_path(path)) for path in kept]
    named = [*moved, *others[: max(0, 8 - len(moved))]]
    more = len(moved) + len(others) - len(named)
    listed = [*named, *([f"and {pluralize(more, 'other file')}"] if more else [])]
    return printable(f"{change.title}:") + "".join(f"\n  {printable(each)}" for each in listed)


def _tell(change: Change, effect: Effect, folder: NotesFolder) -> None:
    from kg.queries.history.changes import word_with_strength

    for remark in change.remarks:
        click.echo(printable(remark))
    for problem in effect.problems[:MAX_PROBLEMS_TOLD]:
        place = folder.place(problem.span)
        click.echo(printable(f"{problem.severity.value}: {place}: {problem.message}"))
    if more := len(effect.problems[MAX_PROBLEMS_TOLD:]):
        click.echo(f"and {pluralize(more, 'other problem')}: kg check")
    for moved in effect.verdicts:
        was = word_with_strength(moved.word_before, moved.before)
        now = word_with_strength(moved.word_after, moved.after)
        click.echo(printable(f"verdict of {moved.line}: {was} → {now}"))
    if not effect.verdicts:
        click.echo("no verdict changes")


@click.command(
    epilog="""\b
Examples:
  kg new claim "Silence is a move" --camp skeptic --topic dialogue
  kg new line "May a partner stay silent?"
  kg new evidence "Pauses were rare" --dry-run
  kg new --from note.json       also `-`, for standard input

\b
What --from reads; only `type` and `title` are required:
  {"type": "claim", "title": "…", "id": "…", "body": "…",
   "fields": {"camp": "skeptic"},
   "edges": [{"relation": "supports", "target": "…", "reason": "…",
              "with": [], "fields": {"strength": "weak"}, "id": "…"}]}"""
)
@click.argument("type", type=click.Choice(tuple(FOLDER_OF_TYPE)), required=False)
@click.argument("title", default="")
@click.option(
    "--id", metavar="ID", default="", help="The id and file name.  [default: from the title]"
)
@click.option(
    "--camp", type=IdType("config.camp_ids"), default="", help="The default camp of a claim."
)
@click.option(
    "--topic", "topics", type=IdType("topics"), multiple=True, help="A topic (may be repeated)."
)
@click.option("--from", "source", type=click.File("rb"), help="Read a note as JSON instead.")
@click.option("--dry-run", is_flag=True, help="Print the note instead of writing it.")
@notes_option
def new_command(
    type: str | None,
    title: str,
    id: str,
    camp: str,
    topics: tuple[str, ...],
    source: BinaryIO | None,
    dry_run: bool,
    notes: Path | None,
) -> None:
    """Write a new note from a template; existing notes are never overwritten.

    A title that another note has is refused, and a similar one is reported. A note from JSON is
    refused if it has errors.
    """
    from kg.notes.new_note import parse_new_note, render_new_note, render_note

    if source is not None:
        if type or camp or topics:
            raise click.UsageError("--from takes no type, camp or topic: the JSON gives them")
        new_note = parse_new_note(source.read())
        type, title, id = new_note.type, new_note.title, id or new_note.id
    if type is None or not title.strip():
        raise click.UsageError("a note needs a type, and a title: what it says, in one sentence")
    folder = find_folder(notes)
    corpus = load_notes(folder, drafts=True)
    camps = corpus.config.camp_ids
    if camp and camp not in camps:
        raise UnknownId(camp, nearest_names(camp, camps) or camps, "camp")
    given = source is not None
    text = (
        render_new_note(new_note) if given else render_note(type, title, camp, topics, camps=camps)
    )
    _write_new(folder, corpus, (type, title, id), text, dry_run, given)


def _write_new(
    folder: NotesFolder,
    corpus: Corpus,
    named: tuple[str, str, str],
    text: str,
    dry_run: bool,
    whole: bool,
) -> None:
    """Write a note unless its id or title is taken, or it is `whole` and has errors."""
    from kg.files.staging_folder import remove_left
    from kg.files.tree import STAGING_PREFIX
    from kg.notes.new_note import find_free_id, write_note

    remove_left(
        folder.real, STAGING_PREFIX
    )  # also if the note exists, as its writer may have been killed
    type, title, id = named
    _need_free(corpus, id, title)
    if type not in ("line", "source") and title.rstrip().endswith(QUESTION_MARKS):
        told = "this title is a question, which a line should ask: kg new line"
        click.echo(told, err=True)
    id = id or find_free_id(folder, title, corpus.find_id)
    if whole:
        _need_sound(folder, f"{FOLDER_OF_TYPE[type]}/{id}.md", text)
    if dry_run:
        click.echo(text, nl=False)
        return
    place = write_note(folder, id, type, text)
    click.echo(f"wrote {place}" + ("" if whole else "\nfill it in, then: kg check"))


def _need_free(corpus: Corpus, id: str, title: str) -> None:
    """Refuse an id or a title that is taken; point out a similar title."""
    from kg.notes.new_note import fold_title

    if id and (taken := corpus.find_id(id)):
        raise click.UsageError(f"`{id}` already exists" + f", as `{taken}`" * (id != taken))
    groups = (corpus.statements, corpus.lines, corpus.sources)
    titles = {fold_title(each.title): name for group in groups for name, each in group.items()}
    wanted = fold_title(title)
    if twin := titles.get(wanted):
        raise click.UsageError(f"`{twin}` has the same title; link to it, or say what differs")
    if near := nearest_name(wanted, titles, NEAR):
        click.echo(f"`{titles[near]}` has a similar title: kg show {titles[near]}", err=True)


def _need_sound(folder: NotesFolder, path: str, text: str) -> None:
    """Refuse a note that has errors."""
    from kg.checks import check, diagnostics_in
    from kg.editing.effect import RefusedChange
    from kg.loader import load_changed

    found = diagnostics_in(check(load_changed(folder, {path: text.encode("utf-8")})), (path,))
    errors = tuple(each for each in found if each.severity is Severity.ERROR)
    if errors:
        raise RefusedChange(errors, folder)


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
    help="What to rename, if a note, a topic or a camp have the same name.",
)
@click.option("--no-alias", is_flag=True, help="Do not keep the old id as an alias of the note.")
@editing_options
def rename_command(
    old: str,
    new: str,
    kind: str | None,
    no_alias: bool,
    dry_run: bool,
    notes: Path | None,
    format: str,
) -> None:
    """Rename a note, a callout, a citation key, a topic or a camp everywhere.

    Links keep the form they were written in; judgements and undercuts are updated, too. The old id
    of a note stays valid as an alias. A title is turned into an id as in `kg new`, unless the old
    id has spaces, too.
    """
    from kg.editing.rename import rename

    run_change(
        notes,
        format,
        dry_run,
        lambda files, corpus: rename(
            files, corpus, old, new, kind=kind or "", alias=not no_alias, made=True
        ),
    )


@click.command(
    epilog="""\b
Examples:
  kg promote "a-claim#^found"
  kg promote "a-claim#^found" --id pauses-were-rare --dry-run"""
)
@click.argument("callout", metavar="NOTE#NAME", type=IdType("statements"))
@click.option("--id", "new", metavar="ID", default="", help="The id of the note.")
@editing_options
def promote_command(callout: str, new: str, dry_run: bool, notes: Path | None, format: str) -> None:
    """Turn a callout into a note of its own, with its edge as a relation.

    Its fields become front matter, callouts inside it move with it, and its old id stays valid as
    an alias. Strengths do not change.
    """
    from kg.editing.promote import promote

    run_change(notes, format, dry_run, lambda files, corpus: promote(files, corpus, callout, new))


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
    keep: str, drop: str, force: bool, dry_run: bool, notes: Path | None, format: str
) -> None:
    """Move all content of the note DROP into KEEP; its id stays valid as an alias. Of two keys for
    one work, DROP's entry is removed, and notes that cite it cite KEEP.

    Edges of both notes are written once. If their front matter differs, that of KEEP stays.
    """
    from kg.editing.merge_notes import merge

    run_change(
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
@editing_options
def split_command(
    note: str, heading: str, new: str, dry_run: bool, notes: Path | None, format: str
) -> None:
    """Move a section, with the edges and callouts in it, into a note of its own.

    The heading becomes its title, or the first sentence if the heading only names the section.
    Kind and camp are the same. A link to it replaces the section.
    """
    from kg.editing.split_note import split

    run_change(
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
@editing_options
def retire_command(note: str, new: str, dry_run: bool, notes: Path | None, format: str) -> None:
    """Mark a note as retired, with --for as superseded by another; links to it stay."""
    from kg.editing.retire import retire

    run_change(notes, format, dry_run, lambda files, corpus: retire(files, corpus, note, new))


@click.command(
    epilog="""\b
Examples:
  kg undo               undo the last change
  kg undo --dry-run     show what that would do
  kg undo --skip        forget the last change; the one before it is next"""
)
@click.option("--skip", "skipped", is_flag=True, help="Forget the last change; no file changes.")
@editing_options
def undo_command(skipped: bool, dry_run: bool, notes: Path | None, format: str) -> None:
    """Undo the last change that `kg` made in the notes, if its files have not been edited since.
    If a change was stopped halfway, only that one is undone.
    """
    from kg.editing.apply import forget_last_change, last_change, undo
    from kg.editing.effect import Effect, as_json

    folder = name_folder(notes)
    if put_back(folder) and not dry_run:
        return  # that was the last change
    if skipped:
        if dry_run or format == "json":
            raise click.UsageError("--skip does not go with --dry-run or --format json")
        click.echo(f"forgotten, files unchanged: {forget_last_change(folder)}")
        return
    change = last_change(folder) if dry_run else undo(folder)
    if format == "json":
        print_json(as_json(change, Effect(), folder, not dry_run))
    elif dry_run:
        print_text(change.render_diff(folder) + "nothing was written\n")
    else:
        click.echo(describe_files(change, folder))
