"""Suggestions for names of commands that there are not."""

from __future__ import annotations

from collections.abc import Mapping

import click

from kg.text.spelling import similar_names


class SuggestingGroup(click.Group):
    """A group of commands that suggests the nearest one for an unknown name.

    `synonyms` maps words that people try to the commands that they mean.
    """

    synonyms: Mapping[str, str] = {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            synonym = self.synonyms.get(args[0])
            names = (synonym,) if synonym else similar_names(args[0], self.list_commands(ctx))
            suggestions = [f"`{ctx.command_path} {name}`" for name in names]
            hint = f" Did you mean {' or '.join(suggestions)}?" if suggestions else ""
            ctx.fail(f"there is no command {args[0]!r}.{hint}")
