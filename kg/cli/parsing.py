"""How a command line is read and explained: names, sections of options, options of one part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import click
from click.core import ParameterSource


class SuggestingGroup(click.Group):
    """Commands of which the nearest is suggested where none has a name.

    `near` says what to write for words that people try, unlike as the letters are.
    """

    near: Mapping[str, str] = {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from kg.model.spelling import nearest_names

            meant = self.near.get(args[0])
            names = (meant,) if meant else nearest_names(args[0], self.list_commands(ctx))
            close = [f"`{ctx.command_path} {name}`" for name in names]
            hint = f" Did you mean {' or '.join(close)}?" if close else ""
            ctx.fail(f"no command is called {args[0]!r}.{hint}")


class SectionedCommand(click.Command):
    """A command whose help sorts its options under `sections`, the rest under the last one.

    Each section names its options, separated by spaces.
    """

    last = "Answer"

    def __init__(self, *settings: Any, sections: Mapping[str, str], **more: Any) -> None:
        super().__init__(*settings, **more)
        self.sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        place = {name: title for title, names in self.sections.items() for name in names.split()}
        held: dict[str, list[tuple[str, str]]] = {title: [] for title in self.sections}
        held.setdefault(self.last, [])
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                held[place.get(param.name or "", self.last)].append(record)
        for title, records in held.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=26)


def parts_asked(ctx: click.Context, parts: Mapping[str, str]) -> list[str]:
    """The parts of an answer that are asked for; each names the options that it takes.

    Raises `UsageError` for an option of a part that nobody asked for.
    """
    asked = [part for part in parts if is_given(ctx, part)]
    allowed = {option for part in asked for option in parts[part].split()}
    for part, options in parts.items():
        for option in options.split():
            if option not in allowed and is_given(ctx, option):
                raise click.UsageError(
                    f"{_option_name(option)} goes with {_option_name(part)}", ctx
                )
    return asked


def need_one(ctx: click.Context, parts: Iterable[str]) -> None:
    """Raise `UsageError` where more than one of these options is given."""
    given = [_option_name(part) for part in parts if is_given(ctx, part)]
    if len(given) > 1:
        raise click.UsageError(f"ask for one at a time: {' or '.join(given)}", ctx)


def need_values(args: Sequence[str]) -> None:
    """Raise `UsageError` for an option whose value is empty, as an unset variable leaves it."""
    for before, arg in pairwise(("", *args)):
        name, mark, value = arg.partition("=")
        if before.startswith("--") and before != "--" and not arg.strip():
            name = before
        elif not mark or value.strip() or not name.startswith("--"):
            continue
        raise click.UsageError(f"{name} has no value: give one, or leave it out")


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether somebody wrote the option."""
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _option_name(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def rewrite_old_command(command: click.Command, new: str, args: list[str]) -> list[str]:
    """What to write instead of an old command: `why START --to END` of the old one's arguments.

    `command` is the new one: it tells which options take a value.
    """
    if {"-h", "--help"} & {*args}:
        return [new.split()[0], "--help"]
    if not any(word.isupper() for word in new.split()):
        return [*new.split(), *args]
    flags = {name for p in command.params if getattr(p, "is_flag", False) for name in p.opts}
    plain, options = _split_options(args, flags)
    words: list[str] = []
    for word in new.split():
        if not word.isupper():
            words.append(word)
        elif word.endswith("…"):
            option = words.pop()
            words += [each for value in plain for each in (option, value)]
            plain = []
        elif plain:
            words.append(plain.pop(0))
    return [words[0], *options, *words[1:], *plain]


def _split_options(args: list[str], flags: set[str]) -> tuple[list[str], list[str]]:
    """The arguments, and the options with their values."""
    plain: list[str] = []
    options: list[str] = []
    left: Iterator[str] = iter(args)
    for word in left:
        if not word.startswith("-"):
            plain.append(word)
            continue
        options.append(word)
        if "=" not in word and word not in flags:
            options += [value for value in (next(left, None),) if value is not None]
    return plain, options
