"""`kg init`, `check` and `fmt`: for authors of notes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import (
    find_folder,
    folder_option,
    format_option,
    load_notes,
    notes_option,
    path_in_corpus,
    rule_names,
)
from kg.cli.output import print_error, print_text
from kg.corpus import Corpus, UnknownId
from kg.files.read import NotesFolder
from kg.model import Severity
from kg.model.config import CONFIG_NAME
from kg.model.value import printable
from kg.notes.discover import BIBLIOGRAPHY_SUFFIXES, MAX_NOTE_BYTES, NOTE_SUFFIX, need_folder
from kg.text.spelling import nearest_names

if TYPE_CHECKING:
    from kg.model import Diagnostic

NEW_NOTE = "new-note.md"  # the assumed path of a text that is not in a file


@click.command(
    epilog="""\b
Examples:
  kg init demo && cd demo && kg check && kg build
  kg init                               here, in an empty folder
  kg init --from vault && kg build --notes vault
  kg init --from vault --dry-run        what would be written

--from reads notes that were not written for kg, and changes none of them: it writes a `kg.toml`
beside them, which says how to read them. docs/your-vault.md lists all settings."""
)
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False), required=False, metavar="[FOLDER]"
)
@click.option(
    "--from",
    "vault",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="A folder of existing notes, such as an Obsidian vault.",
)
@click.option("--yes", is_flag=True, help="With --from: write without asking.")
@click.option("--dry-run", is_flag=True, help="With --from: print the settings, write nothing.")
def init_command(folder: Path | None, vault: Path | None, yes: bool, dry_run: bool) -> None:
    """Start a new corpus in FOLDER, or propose settings for a folder of existing notes.

    The default FOLDER is this one, if it is empty or a git repository without notes. A new corpus
    has settings, and three small notes that show the format.
    """
    if folder is None and vault is None and _may_start_here():
        folder = Path()
    if (folder is None) is (vault is None):
        raise click.UsageError("name a folder to start in, or `--from` the folder of your notes")
    if vault is not None:
        _init_from(vault, yes, dry_run)
        return
    if yes or dry_run or folder is None:
        raise click.UsageError("--yes and --dry-run go with --from")
    from kg.notes.new_note import write_starter

    for place in write_starter(folder):
        click.echo(f"wrote {place}")
    there = "" if folder.resolve() == Path.cwd() else f"cd {folder} && "
    click.echo(f"\nNext: {there}kg check && kg build")


def _may_start_here() -> bool:
    """Whether the current folder is empty, or a git repository without notes."""
    found = [each for each in Path().iterdir() if not each.name.startswith(".")]
    notes = any(each.suffix == ".md" and not each.stem.isupper() for each in found)
    taken = notes or any(each.name in ("notes", CONFIG_NAME) for each in found)
    return not found or (Path(".git").exists() and not taken)


def _init_from(vault: Path, yes: bool, dry_run: bool) -> None:
    """Propose settings for the notes in a folder, with the counts behind them."""
    from kg.files.staging_folder import remove_left
    from kg.files.tree import STAGING_PREFIX, Tree
    from kg.loader import config_places
    from kg.notes.mapping.proposal import propose_map

    folder = NotesFolder.of(vault)
    remove_left(folder.real, STAGING_PREFIX)
    for known in () if dry_run else filter(Path.exists, config_places(folder)):
        raise FileExistsError(17, "already exists: put into it what --dry-run prints", known)
    proposal = propose_map(folder)
    if dry_run:
        print_text(proposal.text)
        return
    for line in proposal.told:
        click.echo(printable(line))
    counted = [f"{kind} {count}" for kind, count in proposal.read.most_common()]
    click.echo(
        f"\nread: {', '.join(counted) or 'no note'}; links with a reason: {proposal.reasoned}"
    )
    if proposal.left_out or proposal.unread:
        click.echo(f"left out: {proposal.left_out}; not understood: {proposal.unread}")
    place = vault / CONFIG_NAME
    if not yes and not click.confirm(f"\nwrite {place}? No note is changed.", default=False):
        return
    with Tree(folder.real) as tree:
        tree.create_whole({CONFIG_NAME: proposal.text.encode("utf-8")})
    click.echo(f"wrote {place}\n\nNext: kg build --notes {vault}")


@click.command(
    epilog="""\b
Examples:
  kg check                      every problem, with the line and a suggestion
  kg check notes/naps.md        the problems in some files of a corpus
  kg check - --as notes/naps.md       standard input, as if it were that file
  kg check --format lines       one line each, for editors
  kg check --format github      annotations of a pull request (or `sarif`)
  kg check --rule unsupported-claim         (`kg help rules` lists them)
  kg check --shacl              validate the graph with the SHACL shapes
  kg check --fix --dry-run      the fixes of problems with just one solution
  kg check --watch              again whenever a note is saved, until Ctrl-C

Exit status: 0 without errors (warnings do not count), 1 with errors, 2 when misused."""
)
@click.argument("files", nargs=-1, metavar="[FILE…|-]")
@click.option(
    "--as",
    "place",
    metavar="PATH",
    help="The path to assume for the text from `-`.  [default: a new note]",
)
@folder_option
@format_option("text", "lines", "json", "github", "sarif")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME",
    shell_complete=rule_names,
    help="Only this rule (may be repeated).",
)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--shacl", is_flag=True, help="Validate the graph with the SHACL shapes instead.")
@click.option("--watch", "watched", is_flag=True, help="Check again whenever a note is saved.")
@click.option("--fix", is_flag=True, help="Fix problems that have just one solution, then check.")
@click.option("--dry-run", is_flag=True, help="With --fix: print the diff, and change nothing.")
@click.pass_context
def check_command(
    ctx: click.Context,
    files: tuple[str, ...],
    place: str | None,
    notes: Path | None,
    format: str,
    rules: tuple[str, ...],
    strict: bool,
    shacl: bool,
    watched: bool,
    fix: bool,
    dry_run: bool,
) -> None:
    """List the problems in the notes: where, what, and what to do.

    With FILE, only the problems in these files, or related to a place in them.
    """
    from kg.checks import RULES

    names = [rule.name for rule in RULES]
    for name in rules:
        if name not in names:
            close = nearest_names(name, names)
            raise UnknownId(name, close, "rule", where="" if close else "; see `kg help rules`")
    folder = find_folder(notes)
    if fix and ("-" in files or watched or shacl or format != "text"):
        raise click.UsageError("--fix changes files, and prints text only")
    if dry_run and not fix:
        raise click.UsageError("--dry-run goes with --fix")
    unsaved = _read_unsaved(folder, files, place, watched)
    chosen = tuple(unsaved) or tuple(_need_existing(folder, file) for file in files)

    def report() -> int:
        return _report(folder, chosen, unsaved, format, rules, strict, shacl)

    if fix:
        _mend(folder, chosen, rules, dry_run)
        if dry_run:
            return
    status = report()
    if watched:
        _watch(folder, report)
    ctx.exit(status)


def _mend(
    notes: NotesFolder, paths: tuple[str, ...], rules: tuple[str, ...], dry_run: bool
) -> None:
    """Apply the fixes of the problems that would be listed."""
    from kg.cli.editing import run_change
    from kg.editing.fix_problems import make_fixes

    def choose(corpus: Corpus) -> list[Diagnostic]:
        return _problems(corpus, paths, rules)

    if not any(problem.fix for problem in choose(load_notes(notes, drafts=True))):
        click.echo("no problem has a fix")
        return
    run_change(notes, "text", dry_run, lambda files, before: make_fixes(files, before, choose))


def _need_existing(folder: NotesFolder, file: str) -> str:
    path = path_in_corpus(folder, file)
    if not (folder / path).exists():
        raise click.UsageError(f"there is no file `{file}`")
    return path


def _read_unsaved(
    folder: NotesFolder, files: tuple[str, ...], place: str | None, watched: bool
) -> dict[str, bytes]:
    """The text from standard input by its assumed path; empty if `-` is not among the files."""
    if "-" not in files:
        if place is not None:
            raise click.UsageError("--as goes with `-`")
        return {}
    if files != ("-",) or watched:
        raise click.UsageError("`-` cannot be combined with files or --watch")
    path = path_in_corpus(folder, place or NEW_NOTE)
    if not path.endswith((NOTE_SUFFIX, *BIBLIOGRAPHY_SUFFIXES, CONFIG_NAME)):
        raise click.UsageError(f"`{path}` is not a note, a bibliography or `{CONFIG_NAME}`")
    data = sys.stdin.buffer.read(MAX_NOTE_BYTES + 1)
    if len(data) > MAX_NOTE_BYTES:
        raise click.UsageError(f"a note holds at most {MAX_NOTE_BYTES} bytes")
    return {path: data}


def _report(
    notes: NotesFolder,
    paths: tuple[str, ...],
    unsaved: Mapping[str, bytes],
    format: str,
    rules: tuple[str, ...],
    strict: bool,
    shacl: bool,
) -> int:
    """Print the current problems; return 1 if any of them is a failure, else 0."""
    from kg.checks.render_diagnostics import render_diagnostics
    from kg.loader import load_changed

    corpus = load_changed(notes, unsaved) if unsaved else load_notes(notes, drafts=True)
    problems = _problems(corpus, paths, rules, shacl)
    whole = bool(rules or paths)
    print_text(render_diagnostics(problems, corpus, notes, format, unsaved, whole=whole))
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(problem.severity in failing for problem in problems))


def _problems(
    corpus: Corpus, paths: tuple[str, ...], rules: tuple[str, ...], shacl: bool = False
) -> list[Diagnostic]:
    from kg.checks import check, diagnostics_in
    from kg.checks.kept_diagnostics import find_once
    from kg.checks.shacl import check_shapes

    problems = find_once(corpus, *(("shapes", check_shapes) if shacl else ("problems", check)))
    # settings concern all notes
    if paths and not any(path.rpartition("/")[2] in (CONFIG_NAME, ".") for path in paths):
        problems = diagnostics_in(problems, paths)
    return [problem for problem in problems if not rules or problem.rule in rules]


def _watch(notes: NotesFolder, report: Callable[[], int]) -> None:
    import threading

    from kg.serve.watch_and_serve import watch_files, watched_files

    def react(changed: set[str]) -> None:
        click.clear()
        click.secho("checking", dim=True, err=True)
        try:
            report()
        except Exception as error:
            print_error(error)  # broken settings are corrected like notes: by saving again

    click.secho("watching; Ctrl-C to stop", dim=True, err=True)
    try:
        watch_files(lambda: watched_files(notes), react, threading.Event())
    except KeyboardInterrupt:
        click.echo()


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
@notes_option
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
    from kg.cli.editing import describe_files
    from kg.editing.apply import apply
    from kg.editing.folder_files import FolderFiles
    from kg.editing.format_notes import format_notes

    folder = find_folder(notes)
    need_folder(folder)
    files = FolderFiles(folder)
    chosen = [path_in_corpus(folder, path) for path in paths] or None
    change = format_notes(files, chosen, bracketed=obsidian)
    if diff:
        print_text(change.render_diff(folder))
    if not change.paths:
        click.echo("no note to format", err=diff)
    elif check or diff:
        click.echo(describe_files(change, folder).replace("format", "would format", 1), err=diff)
    else:
        apply(folder, change)
        click.echo(f"{describe_files(change, folder)}\nto undo it: kg undo")
    ctx.exit(int(check and bool(change.paths)))
