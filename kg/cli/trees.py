"""`kg why` and `kg against`: trees of reasons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import Id, format_option, load, notes_option

if TYPE_CHECKING:
    from rich.console import Group
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

    from kg.cli.output import NARROW, console, print_table, write_json

    if format == "json":
        write_json(root)
        return
    out = console()
    narrow = out.width < NARROW
    tree = Tree(_label(root, narrow, str(root.weight)))
    _grow(tree, root, narrow)
    print_table(out, tree)


def _grow(tree: Tree, branch: Branch, narrow: bool) -> None:
    for below in branch.branches:
        reason = below.edge.reason if below.edge else ""
        _grow(tree.add(_label(below, narrow, reason)), below, narrow)


def _label(branch: Branch, narrow: bool, told: str) -> Group:
    """What a branch says, and below it, indented, what is told of it.

    In a narrow terminal the name and the sources have lines of their own.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from kg.cli.output import plain

    head, marks = _head(branch), _marks(branch)
    below = [Text(plain(told), "italic" if branch.edge else "")] if told else []
    if narrow:
        below.insert(0, marks)
    else:
        head.append("  ").append_text(marks)
    return Group(head, *(Padding(text, (0, 0, 0, 2), expand=False) for text in below))


def _head(branch: Branch) -> Text:
    """The relation and the title; that of the root, which is asked about, in bold."""
    from rich.text import Text

    from kg.cli.output import COLOURS, SIGNS, plain

    text = Text()
    if branch.edge:
        relation = branch.edge.relation.value
        text.append(f"{SIGNS.get(relation, '·')} {relation} ", style=COLOURS.get(relation, "cyan"))
    text.append(plain(branch.label.title), style="" if branch.edge else "bold")
    return text


def _marks(branch: Branch) -> Text:
    """The name and the sources, who denies it, and whether it was shown before."""
    from rich.text import Text

    from kg.cli.output import plain

    text = Text()
    text.append(plain(branch.statement), style="dim")
    if branch.sources:
        text.append("  " + plain(" ".join(branch.cited)), style="cyan")
    if branch.together:
        text.append(f"  (together with {plain(', '.join(branch.together))})", "yellow")
    if branch.denied:
        text.append(f"  (denied by {plain(', '.join(e.source for e in branch.denied))})", "magenta")
    if branch.seen:
        text.append("  (shown above)", style="dim")
    return text
