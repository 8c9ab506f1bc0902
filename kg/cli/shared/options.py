"""Options that many commands share, completion of ids, and checks of the command line."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from kg.cli.shared.output import TABLE_KEY
from kg.corpus import Corpus
from kg.editing.pending_change import has_pending_change
from kg.files.read_files import NotesFolder, OutsideFolder, StrPath
from kg.model.errors import KgError
from kg.model.ids import is_part
from kg.model.settings.config import Config
from kg.text.printable import printable

Command = TypeVar("Command", bound=Callable[..., Any])
DRAFTS_KEY = "kg.drafts"  # the context key for whether `--drafts` was given
DEFAULT_FOLDER = "notes"


def prepare_folder(notes: StrPath | None, start_folder: Path | None = None) -> NotesFolder:
    """The notes folder, as `get_notes_folder` finds it. A change of the notes that was killed
    halfway is undone first, with a message, so that no half of it is read.
    """
    folder = get_notes_folder(notes, start_folder)
    undo_stopped_change(folder)
    return folder


def undo_stopped_change(folder: NotesFolder) -> bool:
    """Undo a change of notes that was killed halfway, with a message; False if there is none."""
    if not has_pending_change(folder):
        return False
    from kg.editing.apply_change import recover_stopped_change

    try:
        title = recover_stopped_change(folder)
    except (OSError, KgError) as error:
        click.echo(
            f"a change of the notes was stopped halfway and cannot be undone: {error}", err=True
        )
        return False
    if title:
        click.echo(printable(f"{title!r} was stopped halfway, and has been undone"), err=True)
    return bool(title)


def get_notes_folder(notes: StrPath | None, start_folder: Path | None = None) -> NotesFolder:
    """The notes folder: the given one, else `notes` in `start_folder` or the nearest folder above.

    A `notes` that is a link leading elsewhere is used only if named explicitly.
    """
    if notes is not None:
        return NotesFolder.from_path(notes)
    start = start_folder or Path.cwd()
    for parent_folder in (start, *start.parents):
        notes_folder = parent_folder / DEFAULT_FOLDER
        if notes_folder.is_dir():
            shown_path = os.path.relpath(notes_folder, start)
            folder = replace(NotesFolder.from_path(notes_folder), display_path=Path(shown_path))
            try:
                folder.require_within(parent_folder)
            except OutsideFolder as error:
                raise click.UsageError(
                    f"`{shown_path}`: {error.strerror}; if you trust it, use `--notes {shown_path}`"
                ) from None
            return folder
    return NotesFolder.from_path(DEFAULT_FOLDER)


def path_in_corpus(folder: NotesFolder, file: StrPath) -> str:
    """A file's path relative to the notes folder, given relative to here or to that folder."""
    for resolve in (os.path.abspath, os.path.realpath):
        path = os.path.relpath(resolve(file), resolve(folder.display_path)).replace(os.sep, "/")
        # settings and bibliographies may be beside the folder
        is_beside = os.path.dirname(resolve(file)) == str(folder.around) and os.path.exists(file)
        if is_beside or not path.startswith("../"):
            return path
    if not os.path.isabs(file) and os.pardir not in Path(file).parts:
        return Path(file).as_posix()
    raise click.UsageError(f"`{file}` is not a file of the corpus in `{folder}`")


def load_notes(
    notes: StrPath | None, *, drafts: bool = False, config: Config | None = None
) -> Corpus:
    """Load the corpus in the command's notes folder, with drafts if `--drafts` is given.

    Parsed notes of a large corpus are cached in the user's cache folder, unless KG_NO_CACHE is set.
    """
    from kg.loader import FEWEST_NOTES_TO_REMEMBER, load_corpus, load_remembered

    folder = prepare_folder(notes)
    cache = cache_of_notes(folder)
    gc.disable()  # loading makes many objects, of which none is garbage
    drafts = drafts or wants_drafts()
    if cache:
        corpus = load_remembered(
            folder, cache, FEWEST_NOTES_TO_REMEMBER, drafts=drafts, config=config
        )
    else:
        corpus = load_corpus(folder, drafts=drafts, config=config)
    gc.freeze()  # all of it lives until the command ends, so garbage collection can skip it
    gc.enable()
    report_drafts(corpus)
    return corpus


def cache_of_notes(folder: NotesFolder) -> Path | None:
    """The file that keeps parsed notes; None if KG_NO_CACHE is set, or there can be none."""
    from kg.notes.notes_cache import notes_cache_file

    return None if os.environ.get("KG_NO_CACHE") else notes_cache_file(folder)


def report_drafts(corpus: Corpus) -> None:
    """Print how many drafts are left out, if the command has the option `--drafts`."""
    left_out = sum(not is_part(id) for id in set((corpus.drafts or {}).values()))
    context = click.get_current_context(silent=True)
    if left_out and context and DRAFTS_KEY in context.meta and not context.resilient_parsing:
        drafts = "1 draft" if left_out == 1 else f"{left_out} drafts"
        click.echo(
            f"{drafts} left out; --drafts shows {'it' if left_out == 1 else 'them'}", err=True
        )


def wants_drafts() -> bool:
    """Return whether the command was given `--drafts`."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(DRAFTS_KEY))


def notes_options(command: Command) -> Command:
    """Add `--notes DIR` and `--drafts`, which `load_notes` reads from the context."""
    drafts = click.option(
        "--drafts",
        is_flag=True,
        expose_value=False,
        callback=lambda ctx, _, drafts_given: ctx.meta.__setitem__(DRAFTS_KEY, drafts_given),
        help="Also read notes with `status: draft`.",
    )
    return folder_option(drafts(command))


def folder_option(command: Command) -> Command:
    """Add `--notes DIR`."""
    return click.option(
        "--notes",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The notes folder.  [default: `notes`, here or above]",
    )(command)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Add `--format`, the first of `formats` by default."""
    return click.option(
        "--format",
        "format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="Output format.",
    )


def count_option(
    name: str, default: int, help: str, low: int = 1, high: int | None = None
) -> Callable[[Command], Command]:
    """Add an option that takes an integer from `low` to `high`."""
    return click.option(
        name,
        type=click.IntRange(low, high),
        metavar="N",
        default=default,
        show_default=True,
        help=help,
    )


def answer_options(command: Command) -> Command:
    """Add the options of a command that answers a question about the notes: those on the notes,
    `--format` and, for CSV, `--table`, which `print_answer` reads from the context.
    """
    table = click.option(
        "--table",
        metavar="NAME",
        expose_value=False,
        callback=lambda ctx, _, name: ctx.meta.__setitem__(TABLE_KEY, name),
        help="Which table csv prints: a list of records in the JSON.  [default: the main one]",
    )
    return notes_options(format_option("table", "json", "csv", "markdown")(table(command)))


class IdType(click.ParamType[str]):
    """An id in the corpus, with shell completion from the attributes `kinds` of the corpus."""

    name = "id"

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        corpus = load_for_completion(ctx)
        names = (name for kind in self.kinds for name in attrgetter(kind)(corpus))
        return completion_items(names, incomplete)


def load_for_completion(ctx: click.Context) -> Corpus:
    """The corpus of a command line; empty if it cannot be read, as no error can be shown."""
    try:
        return load_notes(ctx.params.get("notes"))
    except Exception:
        return Corpus({}, config=Config(camps=()))


def completion_items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that begin with what has been typed."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Shell completion for the rules of `kg check`."""
    from kg.checks import RULES

    return [rule.name for rule in RULES if rule.name.startswith(incomplete)]


class SectionedCommand(click.Command):
    """A command whose help groups its options by `sections`, the rest under `last`.

    Each section names its options, separated by spaces.
    """

    last = "Answer"

    def __init__(self, *arguments: Any, sections: Mapping[str, str], **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        title_of_option = {
            name: title for title, names in self.sections.items() for name in names.split()
        }
        records_by_title: dict[str, list[tuple[str, str]]] = {title: [] for title in self.sections}
        records_by_title.setdefault(self.last, [])
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                records_by_title[title_of_option.get(param.name or "", self.last)].append(record)
        for title, records in records_by_title.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=26)


def requested_part(ctx: click.Context, parts: Mapping[str, str]) -> str:
    """The option that asks for a part of an answer; empty if none does. `parts` maps each such
    option to those that go with it.

    Raises `UsageError` for several parts, and for an option of a part that is not requested.
    """
    require_at_most_one(ctx, parts)
    requested = next((part for part in parts if is_given(ctx, part)), "")
    for part, options in parts.items():
        for option in options.split() if part != requested else ():
            if is_given(ctx, option):
                message = f"{_option_name(option)} goes with {_option_name(part)}"
                raise click.UsageError(message, ctx)
    return requested


def require_at_most_one(ctx: click.Context, parts: Iterable[str]) -> None:
    """Raise `UsageError` if more than one of these options is given."""
    given_options = [_option_name(part) for part in parts if is_given(ctx, part)]
    if len(given_options) > 1:
        raise click.UsageError(f"ask for one at a time: {' or '.join(given_options)}", ctx)


def require_option_values(args: Sequence[str]) -> None:
    """Raise `UsageError` for an option with an empty value, as from an unset shell variable."""
    for previous_arg, arg in pairwise(("", *args)):
        name, mark, value = arg.partition("=")
        if previous_arg.startswith("--") and previous_arg != "--" and not arg.strip():
            name = previous_arg
        elif not mark or value.strip() or not name.startswith("--"):
            continue
        raise click.UsageError(f"{name} has no value: give one, or leave it out")


def is_given(ctx: click.Context, name: str) -> bool:
    """Return whether the option is on the command line."""
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _option_name(option: str) -> str:
    return f"--{option.replace('_', '-')}"
