"""Trees of reasons in a terminal."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from kg.cli.output import COLOURS, SIGNS, console, plain
from kg.corpus import Corpus
from kg.queries.explain import Branch


def write_tree(corpus: Corpus, root: Branch, note: str = "") -> None:
    """Print a branch and all below it, each with the reason of its edge; `note` is for the root."""
    tree = Tree(_label(corpus, root).append(f"\n  {note}" if note else "", style="bold"))
    _grow(corpus, tree, root)
    console().print(tree)


def _grow(corpus: Corpus, tree: Tree, branch: Branch) -> None:
    for below in branch.branches:
        _grow(corpus, tree.add(_label(corpus, below)), below)


def _label(corpus: Corpus, branch: Branch) -> Text:
    statement = corpus.statements[branch.statement]
    text = Text()
    if branch.edge:
        relation = branch.edge.relation.value
        text.append(f"{SIGNS.get(relation, '·')} {relation} ", style=COLOURS.get(relation, "cyan"))
    text.append(plain(statement.title))
    text.append(f"  {plain(statement.id)}", style="dim")
    if statement.sources:
        text.append("  " + plain(" ".join(f"@{key}" for key in statement.sources)), style="cyan")
    if branch.denied:
        text.append(f"  (denied by {plain(', '.join(e.source for e in branch.denied))})", "magenta")
    if branch.seen:
        text.append("  (shown above)", style="dim")
    if branch.edge and branch.edge.reason:
        text.append(f"\n  {plain(branch.edge.reason)}", style="italic")
    return text
