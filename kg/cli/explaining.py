"""`kg why`, `compare` and `diff`: how statements, lines and corpora relate to each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.shared.options import (
    IdType,
    SectionedCommand,
    answer_options,
    count_option,
    load_notes,
    prepare_folder,
    require_at_most_one,
    wants_drafts,
)
from kg.cli.shared.output import (
    TABLE_KEY,
    is_narrow,
    make_console,
    make_progress_counter,
    print_answer,
    print_json,
    print_rich,
    print_text,
)
from kg.text.printable import printable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text
    from rich.tree import Tree

    from kg.queries.reason_trees import Branch


@click.command(
    cls=SectionedCommand,
    sections={"Show instead": "against to by_year"},
    epilog="""\b
Examples:
  kg why grounding-grows-with-use --depth 2
  kg why grounding-grows-with-use --against
  kg why grounding-grows-with-use --format csv       with depth, parent
  kg why collabllm-user-study --to form-alone-yields-no-meaning
  kg why social-grounding --by-year       for the line's proposition""",
)
@click.argument("statement", type=IdType("statements", "lines"), metavar="STATEMENT|LINE")
@click.option("--against", is_flag=True, help="What opposes it, and what supports that.")
@click.option(
    "--to", type=IdType("statements"), metavar="ID", help="A chain of edges to this statement."
)
@click.option("--by-year", is_flag=True, help="How the case for it grew, year by year.")
@count_option("--depth", 50, "How far to follow.")
@answer_options
@click.pass_context
def why_command(
    ctx: click.Context,
    statement: str,
    against: bool,
    to: str | None,
    by_year: bool,
    depth: int,
    notes: Path | None,
    format: str,
) -> None:
    """Show what supports a statement, what supports that, and so on; for a line, its proposition.

    --against shows what contradicts, qualifies or undercuts it, and what supports those. Objections
    to the reasons for it are only counted: use --against on such a reason. A statement it depends
    on is listed if evidence speaks against that one.

    --to ID shows a shortest chain of edges between two statements; the exit status is 1 if there
    is none.

    --by-year shows how the case grew, by the years in which evidence was published. The strength is
    the one that the evidence published by then would give. Evidence that cites works from several
    years counts from the last of them. "against" counts objections to the statement or to a reason
    for it, at any depth. Replies to the objections, and evidence on a premise the statement depends
    on, affect only the strength. A superseded statement counts until the year of its successor.
    """
    require_at_most_one(ctx, ("against", "to", "by_year"))
    require_at_most_one(ctx, ("depth", "to", "by_year"))
    from kg.queries import reason_trees, shortest_path
    from kg.queries.timeline import timeline

    corpus = load_notes(notes)
    if by_year:
        print_answer(timeline(corpus, statement), format)
    elif to is None:
        print_tree(
            (reason_trees.against if against else reason_trees.why)(corpus, statement, depth),
            format,
        )
    elif route := shortest_path.path(corpus, statement, to):
        print_answer(route, format)
    else:
        click.echo("null" if format == "json" else "no edges connect them")
        ctx.exit(1)


def print_tree(root: Branch, format: str) -> None:
    """Print a branch and all below it, each with the reason on its edge; CSV has one row each."""
    from rich.tree import Tree

    if click.get_current_context().meta.get(TABLE_KEY):
        raise click.UsageError("a tree is a single table: leave out --table")
    if format == "json":
        print_json(root)
        return
    if format != "table":
        print_text(root.to_csv() if format == "csv" else root.to_markdown())
        return
    console = make_console()
    narrow = is_narrow(console)
    tree = Tree(_branch_text(root, narrow, str(root.amount_of_evidence)))
    _add_branches(tree, root, narrow)
    print_rich(console, tree)


def _add_branches(tree: Tree, branch: Branch, narrow: bool) -> None:
    for child in branch.branches:
        reason = child.edge.reason if child.edge else ""
        _add_branches(tree.add(_branch_text(child, narrow, reason)), child, narrow)


def _branch_text(branch: Branch, narrow: bool, reason: str) -> Group:
    """The text of a branch: its head and, indented below it, `reason`.

    In a narrow terminal the name and the sources have lines of their own.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    head = _head_of_branch(branch)
    marks = _branch_remarks(branch)
    texts_below = [Text(printable(reason), "italic" if branch.edge else "")] if reason else []
    if narrow:
        texts_below.insert(0, marks)
    else:
        head.append("  ").append_text(marks)
    return Group(head, *(Padding(text, (0, 0, 0, 2), expand=False) for text in texts_below))


def _head_of_branch(branch: Branch) -> Text:
    """The relation and the title; the root's title is bold."""
    from rich.text import Text

    text = Text()
    if branch.edge:
        relation = branch.edge.relation
        text.append(f"{relation.entry.mark or '·'} {relation} ", style=relation.entry.colour)
    text.append(printable(branch.caption.title), style="" if branch.edge else "bold")
    return text


def _branch_remarks(branch: Branch) -> Text:
    """The id, the sources, what undercuts or supersedes it, and whether it was shown before."""
    from rich.text import Text

    text = Text()
    text.append(printable(branch.statement), style="dim")
    if branch.sources:
        text.append("  " + printable(" ".join(branch.shown_sources)), style="cyan")
    if branch.together:
        text.append(f"  (together with {printable(', '.join(branch.together))})", "yellow")
    if branch.undercuts:
        text.append(
            f"  (undercut by {printable(', '.join(e.origin for e in branch.undercuts))})",
            "magenta",
        )
    if branch.superseded_by:
        successors = printable(branch.superseded_by)
        text.append(f"  (superseded by {successors}, so it does not count)", "magenta")
    if branch.seen:
        text.append("  (shown above)", style="dim")
    return text


@click.command(
    epilog="""\b
Examples:
  kg compare grounding-grows-with-use tuning-strips-grounding-acts
  kg compare social-grounding text-or-interaction
  kg compare ours/notes theirs/notes            two folders of notes
  kg compare ours/notes theirs/notes --format csv --table judged"""
)
@click.argument("first", type=IdType("statements", "lines"), metavar="ID|DIR")
@click.argument("second", type=IdType("statements", "lines"), metavar="ID|DIR")
@answer_options
def compare_command(first: str, second: str, notes: Path | None, format: str) -> None:
    """Show what two statements, or two lines, share, and where they differ.

    For two folders of notes: what both have and what only one has, matched by id, then by title or
    text, sources by DOI; judgements and answers that differ; and what each has against statements
    that both have.
    """
    from kg.history.corpus_comparison import compare_corpora
    from kg.queries.comparison import compare

    folders = [name for name in (first, second) if _is_folder(name)]
    if len(folders) < 2:
        corpus = load_notes(notes)
        for name in folders:
            if corpus.look_up(name) is None:
                raise click.UsageError(f"{name} is a folder: compare it with another folder")
        print_answer(compare(corpus, first, second), format)
    elif notes:
        raise click.UsageError("--notes goes with ids, not with two folders")
    else:
        with make_progress_counter() as show:
            corpora = []
            for number, name in enumerate(folders, 1):
                show("reading folder", number)
                corpora.append(load_notes(Path(name)))
            show("comparing statements:", sum(map(len, corpora)))
            comparison = compare_corpora(*corpora)
        print_answer(comparison, format)


def _is_folder(name: str) -> bool:
    return Path(name).is_dir() or name.startswith(("/", "./", "../"))


@click.command(
    epilog="""\b
Examples:
  kg diff                 the last commit, and the working tree
  kg diff main            another revision, and the working tree
  kg diff v1.0 v1.1       two revisions
  kg diff main HEAD --format markdown > comment.md"""
)
@click.argument("old_revision", default="HEAD", metavar="[REV]")
@click.argument("new_revision", required=False, metavar="[REV]")
@answer_options
def diff_command(
    old_revision: str, new_revision: str | None, notes: Path | None, format: str
) -> None:
    """Compare the corpus at two git revisions, or at one and in the working tree.

    Shows which statements, edges and sources are new, changed or gone, which verdicts moved
    and why, and which essays link to statements that changed since the essays' last review.
    """
    from kg.history.find_changes import diff
    from kg.history.revision import load_revision
    from kg.reporting.report import escape_markdown

    folder = prepare_folder(notes)
    working_corpus = load_notes(folder)
    first, dots, second = old_revision.partition("..")
    if dots and new_revision is None:
        old_revision = first or "HEAD"
        new_revision = second.removeprefix(".") or "HEAD"
    with_drafts = wants_drafts()
    old_corpus = load_revision(folder, old_revision, drafts=with_drafts)
    changes = diff(
        old_corpus,
        load_revision(folder, new_revision, drafts=with_drafts) if new_revision else working_corpus,
    )
    title = f"{old_revision} → {new_revision or 'working tree'}"
    if format == "markdown":
        click.echo(f"## {escape_markdown(title)}\n")
    elif format == "table":
        click.secho(printable(title), bold=True)
    print_answer(changes, format)
