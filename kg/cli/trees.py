"""Trees of reasons in a terminal."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from kg.cli.output import COLOURS, SIGNS, console, plain, write_json
from kg.queries.explain import Branch


def write_tree(root: Branch, format: str) -> None:
    """Print a branch and all below it, each with the reason of its edge; or as JSON."""
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
