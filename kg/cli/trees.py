"""`kg why` and `kg against`: trees of reasons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from kg.queries.explain import Branch


def _explaining(command: Callable[..., Any]) -> Callable[..., Any]:
    """What both commands take."""
    depth = click.option(
        "--depth", type=click.IntRange(1), default=50, show_default=True, help="How far to follow."
    )
    statement = click.argument("statement", type=Id("statements"))
    return statement(depth(notes_option(format_option("table", "json")(command))))


@click.command(epilog="\b\nExample:\n  kg why grounding-grows-with-use --depth 2")
@_explaining
def why(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what supports a statement, what supports that, and so on."""
    from kg.queries import explain

    write_tree(explain.why(load(notes), statement, depth), format)


@click.command(epilog="\b\nExample:\n  kg against grounding-grows-with-use --depth 2")
@_explaining
def against(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what contradicts, qualifies or undercuts a statement, and what supports those."""
    from kg.queries import explain

    write_tree(explain.against(load(notes), statement, depth), format)


def write_tree(root: Branch, format: str) -> None:
    """Print a branch and all below it, each with the reason of its edge; or as JSON."""
    from rich.tree import Tree

    from kg.cli.output import console, write_json

    if format == "json":
        write_json(root)
        return
    tree = Tree(_label(root).append(f"\n  {root.weight}"), style="bold")
    _grow(tree, root)
    console().print(tree)


def _grow(tree: Tree, branch: Branch) -> None:
    for below in branch.branches:
        _grow(tree.add(_label(below)), below)


def _label(branch: Branch) -> Text:
    from rich.text import Text

    from kg.cli.output import COLOURS, SIGNS, plain

    text = Text()
    if branch.edge:
        relation = branch.edge.relation.value
        text.append(f"{SIGNS.get(relation, '·')} {relation} ", style=COLOURS.get(relation, "cyan"))
    text.append(plain(branch.label.title))
    text.append(f"  {plain(branch.statement)}", style="dim")
    if branch.sources:
        text.append("  " + plain(" ".join(f"@{key}" for key in branch.sources)), style="cyan")
    if branch.denied:
        text.append(f"  (denied by {plain(', '.join(e.source for e in branch.denied))})", "magenta")
    if branch.seen:
        text.append("  (shown above)", style="dim")
    if branch.edge and branch.edge.reason:
        text.append(f"\n  {plain(branch.edge.reason)}", style="italic")
    return text
