"""`kg init` and `new`: a new corpus, a new note."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from kg.cli.shared.options import IdType, load_notes, notes_options, prepare_folder
from kg.cli.shared.output import print_text
from kg.editing.plan_note import plan_note
from kg.files.folder_tree import HIDDEN_STAGING_PREFIX, FolderTree
from kg.files.read_files import NotesFolder
from kg.files.staging_folder import remove_abandoned
from kg.model.settings.config import CONFIG_NAME
from kg.notes.new_note import FOLDER_OF_TYPE, NewNote, parse_new_note, write_note
from kg.starter.starter_corpus import write_starter
from kg.text.printable import printable


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
    for path in write_starter(folder):
        click.echo(f"wrote {path}")
    change_folder = "" if folder.resolve() == Path.cwd() else f"cd {folder} && "
    click.echo(f"\nNext: {change_folder}kg check && kg build")


def _may_start_here() -> bool:
    """Return whether the current folder is empty, or a git repository without notes."""
    visible_files = [each for each in Path().iterdir() if not each.name.startswith(".")]
    has_notes = any(each.suffix == ".md" and not each.stem.isupper() for each in visible_files)
    has_corpus = has_notes or any(each.name in ("notes", CONFIG_NAME) for each in visible_files)
    return not visible_files or (Path(".git").exists() and not has_corpus)


def _init_from(vault: Path, yes: bool, dry_run: bool) -> None:
    """Propose settings for the notes in a folder, with the counts behind them."""
    from kg.files.settings_file import config_places
    from kg.notes.mapping.map_proposal import propose_map

    folder = NotesFolder.from_path(vault)
    remove_abandoned(folder.real, HIDDEN_STAGING_PREFIX)
    for config_place in () if dry_run else filter(Path.exists, config_places(folder)):
        raise FileExistsError(17, "already exists: put into it what --dry-run prints", config_place)
    proposal = propose_map(folder)
    if dry_run:
        print_text(proposal.text)
        return
    for remark in proposal.remarks:
        click.echo(printable(remark))
    counts = [f"{kind} {count}" for kind, count in proposal.count_of_type.most_common()]
    click.echo(
        f"\nread: {', '.join(counts) or 'no note'}; links with a reason: {proposal.reasoned_count}"
    )
    if proposal.omitted_count or proposal.unread:
        click.echo(f"left out: {proposal.omitted_count}; not understood: {proposal.unread}")
    path = vault / CONFIG_NAME
    if not yes and not click.confirm(f"\nwrite {path}? No note is changed.", default=False):
        return
    with FolderTree(folder.real) as tree:
        tree.create_whole({CONFIG_NAME: proposal.text.encode("utf-8")})
    click.echo(f"wrote {path}\n\nNext: kg build --notes {vault}")


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
@notes_options
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
    if source is not None and (type or camp or topics):
        raise click.UsageError("--from takes no type, camp or topic: the JSON gives them")
    new_note = parse_new_note(source.read()) if source else NewNote(type or "", title)
    new_note.fields |= {"camp": camp} if camp else {}
    new_note.fields |= {"topics": [*topics]} if topics else {}
    new_note.id = id or new_note.id
    if not new_note.type or not new_note.title.strip():
        raise click.UsageError("a note needs a type, and a title: what it says, in one sentence")
    folder = prepare_folder(notes)
    corpus = load_notes(folder, drafts=True)
    # even if the new note is refused: whoever wrote the last one may have been killed
    remove_abandoned(folder.real, HIDDEN_STAGING_PREFIX)
    plan = plan_note(folder, corpus, new_note, is_complete=source is not None)
    for remark in plan.remarks:
        click.echo(remark, err=True)
    if dry_run:
        click.echo(plan.text, nl=False)
        return
    path = write_note(folder, plan.id, new_note.type, plan.text)
    click.echo(f"wrote {path}" + ("" if source else "\nfill it in, then: kg check"))
