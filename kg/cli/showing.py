"""`kg show`, `why`, `against`, `path`, `compare`, `timeline` and `line`: one thing from near."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import (
    Id,
    answer_options,
    console,
    format_option,
    is_narrow,
    load,
    notes_option,
    print_table,
    write_answer,
    write_json,
    write_table,
)

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text
    from rich.tree import Tree

    from kg.corpus import Corpus
    from kg.model import Edge, InquiryLine, Source, Statement
    from kg.model.records import Term
    from kg.queries.relations.compare import LineView
    from kg.queries.relations.explain import Branch


@click.command(
    epilog="""\b
Examples:
  kg show grounding-grows-with-use
  kg show shaikh2024 --format json
  kg show DPO"""
)
@click.argument("id", type=Id("statements", "sources", "lines"))
@notes_option
@format_option("table", "json")
@click.pass_context
def show_command(ctx: click.Context, id: str, notes: Path | None, format: str) -> None:
    """Show a statement, source or line: what it says, and what it has to do with others.

    Of a topic, a name or a term of art: what the glossary says of it.
    """
    from kg.corpus import UnknownId
    from kg.model.spelling import nearest

    corpus = load(notes)
    found = corpus.find_id(id.removeprefix("@"))
    if found is None and (term := corpus.term(id)):
        write_json(term) if format == "json" else _write_term(corpus, term)
        return
    if found is None:
        known = [*corpus.statements, *corpus.lines, *corpus.sources, *corpus.glossary]
        raise UnknownId(id, nearest(id, known))
    if found in corpus.lines and format != "json":
        ctx.invoke(line_command, line=found, notes=notes, format=format)
    elif format == "json":
        write_json(corpus.statements.get(found) or corpus.lines.get(found) or corpus.sources[found])
    elif found in corpus.statements:
        _write_statement(corpus, corpus.statements[found])
    else:
        _write_source(corpus, corpus.sources[found])


def _write_term(corpus: Corpus, term: Term) -> None:
    from kg.model.spelling import many
    from kg.model.value import printable

    click.secho(printable(term.name), bold=True)
    click.secho(printable(" · ".join(("term", *term.names[1:], str(term.span)))), dim=True)
    click.echo(f"\n{printable(term.text)}\n")
    for held, option in ((corpus.topics, "--topic"), (corpus.about, "--about")):
        if used := [name for name in held if corpus.term(name) is term]:
            count = many(len({each.id for name in used for each in held[name]}), "statement")
            asked = " ".join(f"{option} {shlex.quote(name)}" for name in used)
            click.echo(printable(f"{count}: kg find {asked}"))


def _write_statement(corpus: Corpus, statement: Statement) -> None:
    from kg.corpus.units import is_retracted, one_with
    from kg.model import Kind
    from kg.model.value import printable
    from kg.queries.conditions.support_groups import support_of

    camp = corpus.camp_of(statement.id)
    click.secho(printable(statement.title), bold=True)
    click.secho(
        printable(
            " · ".join(
                filter(None, (statement.kind.value, camp, statement.id, str(statement.span)))
            )
        ),
        dim=True,
    )
    if statement.body:
        click.echo("\n" + "\n".join(printable(line) for line in statement.body.splitlines()))
    if twins := one_with(corpus, statement.id)[1:]:
        click.echo(f"\nOne statement with {printable(', '.join(twins))}: what bears on any counts.")
    if statement.kind is not Kind.EVIDENCE:
        click.echo(f"\nRests on {support_of(corpus, statement.id)}.")
    if is_retracted(corpus, statement):
        click.echo("\nRetracted, so it counts for nothing.")
    fields = _recorded(statement)
    if fields:
        click.echo("\n" + printable("; ".join(f"{key}: {value}" for key, value in fields.items())))
    own = [(each.edge, each.target) for each in corpus.bearings_from(statement.id)]
    own += [(edge, edge.target) for edge in corpus.edges_with.get(statement.id, ())]
    towards = [(each.edge, each.source) for each in corpus.bearings_on(statement.id)]
    for heading, ends in (("Bears on", own), ("What bears on it", towards)):
        if ends:
            rows = [
                (
                    f"{edge.relation.entry.mark or '·'} {edge.relation.value}",
                    _with_others(corpus, edge, end, statement.id),
                    edge.reason,
                )
                for edge, end in ends
            ]
            write_table(("relation", "statement", "reason"), rows, title=heading)
    places = corpus.placements_of.get(statement.id, ())
    if places:
        write_table(
            ("line", "camp", "reason"),
            [(p.line, p.camp, p.reason) for p in places],
            title="In lines",
        )


def _with_others(corpus: Corpus, edge: Edge, end: str, id: str) -> str:
    """The other end of an edge of a statement, whether it is retracted, and what counts with it."""
    from kg.corpus.units import is_retracted

    others = edge.others(id) if id in edge.premises else edge.together
    together = f"\n  together with {', '.join(others)}" if others else ""
    lost = end in corpus.statements and is_retracted(corpus, corpus.statements[end])
    return f"{end}{' (retracted)' if lost else ''}{together}"


_RECORDED = (
    "method sample sample_unit sample_class effect_text p_text failed_replications "
    "replications peer_reviewed preregistered concerns independence seen_in open "
)


def _recorded(statement: Statement) -> dict[str, object]:
    values = {
        name.removesuffix("_text").replace("_", " "): getattr(statement, name)
        for name in _RECORDED.split()
    }
    return {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, "", ())
    }


def _write_source(corpus: Corpus, source: Source) -> None:
    from kg.model.value import printable

    click.secho(printable(source.title), bold=True)
    parts = (
        ", ".join(source.authors),
        str(source.year or ""),
        source.venue,
        source.integrity or "",
        source.url,
    )
    click.echo(printable(" · ".join(part for part in parts if part)))
    if source.body:
        click.echo("\n" + "\n".join(printable(line) for line in source.body.splitlines()))
    rows = [(s.id, s.kind.value, s.title) for s in corpus.citing.get(source.key, ())]
    write_table(("id", "kind", "title"), rows, title="What rests on it")


@click.command(
    epilog="\b\nExamples:\n  kg line                   all lines\n  kg line social-grounding"
)
@click.argument("line", type=Id("lines"), required=False)
@notes_option
@format_option("table", "json")
def line_command(line: str | None, notes: Path | None, format: str) -> None:
    """Show an inquiry line: camps, clashes, sources. Without LINE, list all lines."""
    from kg.queries.relations.compare import view_line

    corpus = load(notes)
    if line is None:
        if format == "json":
            write_json(list(corpus.lines.values()))
        else:
            rows = [(one.id, len(one.placements), one.title) for one in corpus.lines.values()]
            write_table(("id", "statements", "question"), rows)
        return
    view = view_line(corpus, line)
    write_json(view) if format == "json" else _write(corpus, view)


def _write_answers(corpus: Corpus, line: InquiryLine) -> None:
    """What follows for the question, however its proposition comes out."""
    from kg.model.value import printable

    if line.proposition and line.answers.written:
        click.echo(printable(f"Proposition: {corpus.statements[line.proposition].title}"))
        cases = (("holds", 1), ("fails", -1), ("is undecided", 0))
        rows = [(case, line.answer_for(side)) for case, side in cases]
        write_table(("if the proposition", "the answer is"), rows)


def _write(corpus: Corpus, view: LineView) -> None:
    from kg.model.value import printable
    from kg.reasoning import verdict as corpus_verdict

    click.secho(printable(view.line.title), bold=True)
    click.echo(printable(view.line.standfirst) + "\n")
    _write_answers(corpus, view.line)
    for camp in corpus.config.camps:
        rows = [
            (place.statement, corpus.statements[place.statement].title, place.reason)
            for place in view.camps[camp.id]
        ]
        write_table(("id", "title", "reason"), rows, title=camp.label)

    clashes = [
        (edge.source, edge.relation.value, edge.target, edge.reason) for edge in view.clashes
    ]
    write_table(("from", "relation", "to", "reason"), clashes, title="Where they clash")
    click.echo("\nSources: " + printable(", ".join(view.sources)))
    click.secho("\n" + printable(corpus_verdict(corpus, view.line.id).sentence), bold=True)


def _explaining(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument and the options that `kg why` and `kg against` share."""
    depth = click.option(
        "--depth", type=click.IntRange(1), default=50, show_default=True, help="How far to follow."
    )
    statement = click.argument("statement", type=Id("statements"))
    return statement(depth(notes_option(format_option("table", "json")(command))))


@click.command(epilog="\b\nExample:\n  kg why grounding-grows-with-use --depth 2")
@_explaining
def why_command(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what supports a statement, what supports that, and so on."""
    from kg.queries.relations import explain

    write_tree(explain.why(load(notes), statement, depth), format)


@click.command(epilog="\b\nExample:\n  kg against grounding-grows-with-use --depth 2")
@_explaining
def against_command(statement: str, depth: int, notes: Path | None, format: str) -> None:
    """Show what contradicts, qualifies or undercuts a statement, and what supports those.

    Objections to the reasons for it are counted besides; `kg against` shows those of any reason.
    What it depends on is listed where evidence speaks against that.
    """
    from kg.queries.relations import explain

    write_tree(explain.against(load(notes), statement, depth), format)


def write_tree(root: Branch, format: str) -> None:
    """Print a branch and all below it, each with the reason of its edge; or as JSON."""
    from rich.tree import Tree

    if format == "json":
        write_json(root)
        return
    out = console()
    narrow = is_narrow(out)
    tree = Tree(_label(root, narrow, str(root.weight)))
    _grow(tree, root, narrow)
    print_table(out, tree)


def _grow(tree: Tree, branch: Branch, narrow: bool) -> None:
    for below in branch.branches:
        reason = below.edge.reason if below.edge else ""
        _grow(tree.add(_label(below, narrow, reason)), below, narrow)


def _label(branch: Branch, narrow: bool, told: str) -> Group:
    """The text of a branch: its head and, indented below it, what is told of it.

    In a narrow terminal the name and the sources have lines of their own.
    """
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from kg.model.value import printable

    head, marks = _head(branch), _marks(branch)
    below = [Text(printable(told), "italic" if branch.edge else "")] if told else []
    if narrow:
        below.insert(0, marks)
    else:
        head.append("  ").append_text(marks)
    return Group(head, *(Padding(text, (0, 0, 0, 2), expand=False) for text in below))


def _head(branch: Branch) -> Text:
    """The relation and the title; that of the root, which is asked about, in bold."""
    from rich.text import Text

    from kg.model.value import printable

    text = Text()
    if branch.edge:
        relation = branch.edge.relation
        text.append(f"{relation.entry.mark or '·'} {relation} ", style=relation.entry.colour)
    text.append(printable(branch.label.title), style="" if branch.edge else "bold")
    return text


def _marks(branch: Branch) -> Text:
    """The name and the sources, what undercuts or replaces it, and whether it was shown before."""
    from rich.text import Text

    from kg.model.value import printable

    text = Text()
    text.append(printable(branch.statement), style="dim")
    if branch.sources:
        text.append("  " + printable(" ".join(branch.cited)), style="cyan")
    if branch.together:
        text.append(f"  (together with {printable(', '.join(branch.together))})", "yellow")
    if branch.denied:
        text.append(
            f"  (undercut by {printable(', '.join(e.source for e in branch.denied))})", "magenta"
        )
    if branch.superseded_by:
        by = printable(branch.superseded_by)
        text.append(f"  (superseded by {by}, so it counts for nothing)", "magenta")
    if branch.seen:
        text.append("  (shown above)", style="dim")
    return text


@click.command(epilog="\b\nExample:\n  kg path collabllm-user-study form-alone-yields-no-meaning")
@click.argument("start", type=Id("statements"))
@click.argument("end", type=Id("statements"))
@notes_option
@answer_options
@click.pass_context
def path_command(ctx: click.Context, start: str, end: str, notes: Path | None, format: str) -> None:
    """Show a shortest chain of edges between two statements; exit status 1 where there is none."""
    from kg.queries.relations.explain import path

    route = path(load(notes), start, end)
    if route is None:
        click.echo("null" if format == "json" else "no edges connect them")
    else:
        write_answer(route, format)
    ctx.exit(int(route is None))


@click.command(
    epilog="\b\nExample:\n  kg compare grounding-grows-with-use tuning-strips-grounding-acts"
)
@click.argument("one", type=Id("statements"))
@click.argument("other", type=Id("statements"))
@notes_option
@answer_options
def compare_command(one: str, other: str, notes: Path | None, format: str) -> None:
    """Show what two statements share, and where they part."""
    from kg.queries.relations.compare import compare

    write_answer(compare(load(notes), one, other), format)


@click.command(epilog="\b\nExample:\n  kg timeline dialogue-can-be-trained-in")
@click.argument("asked", type=Id("lines", "statements"), metavar="LINE|STATEMENT")
@notes_option
@answer_options
def timeline_command(asked: str, notes: Path | None, format: str) -> None:
    """Show how the case for a statement grew, by the years its evidence was published.

    Strength is what the corpus would give it on the evidence published by then. Evidence that
    cites works of several years counts in the last of them. Against is what `kg against` counts
    last: what objects to the statement or to a reason for it, however far below. What answers the
    objectors, or bears on a premise that the statement depends on, is in no column but the
    strength. What is superseded counts until the year of what supersedes it.
    """
    from kg.queries.relations.timeline import timeline

    write_answer(timeline(load(notes), asked), format)
