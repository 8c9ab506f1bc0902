"""Commands that weigh: verdict, crux, flips, gaps, impact and their like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.options import (
    Id,
    find_folder,
    format_option,
    load,
    notes_option,
    write_answer,
    write_json,
    write_report,
    write_table,
)

if TYPE_CHECKING:
    from kg.model.config import Quality
    from kg.reasoning.network.quality import Grade

ASKED = Id("lines", "statements")


def _command(example: str, *, asked: bool | None = True) -> Callable[[Any], click.Command]:
    """A command on a line or statement (`asked` None: optional; False: on the whole corpus)."""

    def decorate(function: Any) -> click.Command:
        wrapped = notes_option(format_option("table", "json")(function))
        if asked is not False:
            required = asked is True
            wrapped = click.argument(
                "asked", type=ASKED, metavar="LINE|STATEMENT", required=required
            )(wrapped)
        name = function.__name__.replace("_", "-")
        return click.command(name, epilog=f"\b\nExample:\n  {example}")(wrapped)

    return decorate


def _show(answer: Any, format: str) -> None:

    write_answer(answer, format)


@_command("kg verdict social-grounding --detail")
@click.option("--detail", is_flag=True, help="How it was weighed, what would undo it, on what.")
def verdict_command(asked: str, detail: bool, notes: Path | None, format: str) -> None:
    """Say where the corpus comes out on a line or statement, how firmly, and on what."""
    from kg import reasoning
    from kg.reasoning.answers.firmness import Robustness
    from kg.reasoning.answers.verdict_text import Verdict
    from kg.report import Line, Report

    reading = reasoning.assemble(load(notes))
    found = reasoning.verdict(reading, asked)
    if format == "json" or not isinstance(found, Verdict):
        _show(found, format)
        return
    firm = reasoning.robustness(reading, asked)
    assert isinstance(firm, Robustness)
    write_report(found.report(firm))
    if detail:
        others = (firm, reasoning.flips(reading, asked), reasoning.independence(reading, asked))
        write_report(found.detail(others))
        return
    more = "--detail shows what is behind this"
    if firm.smallest_loss:
        line = found.asked.line or found.asked.statement
        more = f"`kg flips {line}` lists the losses that would undo it; {more}"
    write_report(Report((Line(""), Line(more, "aside", ""))))


@_command("kg case social-grounding skeptic")
@click.argument("camp")
def case_command(asked: str, camp: str, notes: Path | None, format: str) -> None:
    """Show a camp's strongest case: its best reasons, their chains, and what rebuts them."""
    from kg import reasoning

    _show(reasoning.case(load(notes), asked, camp), format)


@_command("kg crux social-grounding")
def crux_command(asked: str, notes: Path | None, format: str) -> None:
    """Show what the camps disagree on that the answer hangs on."""
    from kg import reasoning

    _show(reasoning.crux(load(notes), asked), format)


@_command("kg flips social-grounding --by source")
@click.option(
    "--by",
    type=click.Choice(["evidence", "source"]),
    default="evidence",
    show_default=True,
    help="What is lost.",
)
@click.option("--protect", multiple=True, help="An id to leave alone (may be repeated).")
def flips_command(
    asked: str, by: Any, protect: tuple[str, ...], notes: Path | None, format: str
) -> None:
    """Show what would turn the answer, or undo it: single losses, smallest sets, least changes.

    An answer turns when it goes from one side to the other, and is undone when it leaves its side.
    """
    from kg import reasoning

    _show(reasoning.flips(load(notes), asked, by=by, protect=protect), format)


@_command("kg robustness social-grounding")
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="How many trials to make.",
)
@click.option("--seed", default=0, show_default=True, help="Another one makes other trials.")
def robustness_command(asked: str, draws: int, seed: int, notes: Path | None, format: str) -> None:
    """Say how firmly the answer stands: fragile, moderate or sturdy, and why."""
    from kg import reasoning

    _show(reasoning.robustness(load(notes), asked, draws, seed), format)


@_command("kg independence social-grounding")
def independence_command(asked: str, notes: Path | None, format: str) -> None:
    """Say how many independent sources the answer hangs on, and what is left without each.

    An independent source is all works that share data or a team; a loss takes them all. What falls
    with a single work, by its citation key, `kg impact` shows.
    """
    from kg import reasoning

    _show(reasoning.independence(load(notes), asked), format)


@_command("kg gaps social-grounding", asked=None)
def gaps_command(asked: str | None, notes: Path | None, format: str) -> None:
    """List claims that nothing supports, or too little, ranked by how much they matter."""
    from kg import reasoning

    _show(reasoning.gaps(load(notes), asked), format)


@_command("kg tensions social-grounding", asked=None)
def tensions_command(asked: str | None, notes: Path | None, format: str) -> None:
    """List believed contradictions, torn claims, and sources that speak on both sides."""
    from kg import reasoning

    _show(reasoning.tensions(load(notes), asked), format)


@_command("kg circles", asked=False)
def circles_command(notes: Path | None, format: str) -> None:
    """List statements that support each other in a circle."""
    from kg import reasoning

    _show(reasoning.circles(load(notes)), format)


@_command("kg positions social-grounding --semantics stable")
@click.option(
    "--semantics",
    type=click.Choice(["complete", "preferred", "stable"]),
    default="preferred",
    show_default=True,
)
@click.option(
    "--support",
    type=click.Choice(["evidential", "necessary", "deductive"]),
    default="evidential",
    show_default=True,
)
def positions_command(
    asked: str, semantics: Any, support: Any, notes: Path | None, format: str
) -> None:
    """Show the positions that one can hold consistently, by Dung's semantics."""
    from kg import reasoning

    _show(reasoning.positions(load(notes), asked, semantics, support), format)


@_command("kg impact shaikh2024 wu2025", asked=False)
@click.argument("ids", nargs=-1, required=True, type=Id("sources", "statements"))
def impact_command(ids: tuple[str, ...], notes: Path | None, format: str) -> None:
    """Show what falls if these works or statements fall: strengths, verdicts, last supports.

    A work falls by its citation key, and those that share its data stay: without all of them
    together `kg independence` and `kg flips --by source` weigh.
    """
    from kg import reasoning

    _show(reasoning.impact(load(notes), [id.removeprefix("@") for id in ids]), format)


@_command(
    "kg whatif --mute scale-and-grounding --hold gap-is-a-matter-of-architecture=0.9\n"
    '  kg whatif --add "experiment, n=400, peer reviewed, contradicts social-grounding"\n'
    '  kg whatif --add "quality=.8, weak, supports scale-and-grounding"',
    asked=False,
)
@click.option("--mute", multiple=True, metavar="ID", help="As if this were not written.")
@click.option("--hold", multiple=True, metavar="ID=STRENGTH", help="Hold a statement at it.")
@click.option("--fix", multiple=True, hidden=True)  # what `--hold` was called
@click.option("--base", multiple=True, metavar="ID=BASE", help="Give a statement another base.")
@click.option("--weight", multiple=True, metavar="EDGE=W", help="Weigh an edge anew, from -1 to 1.")
@click.option("--add", multiple=True, metavar="STUDY", help="A study that does not exist yet.")
def whatif_command(
    mute: tuple[str, ...],
    hold: tuple[str, ...],
    fix: tuple[str, ...],
    base: tuple[str, ...],
    weight: tuple[str, ...],
    add: tuple[str, ...],
    notes: Path | None,
    format: str,
) -> None:
    """Suppose something else, and see which answers move; no note is touched.

    A STUDY is described by words with commas between them: a method, n=400 (people, unless a
    word behind the number says what was counted), p=.003, effect d=0.4, peer reviewed,
    preregistered, or quality=.8; weak, moderate or strong; and what it supports, contradicts or
    qualifies: a statement, or a line, whose proposition is meant.
    """
    from kg import reasoning

    hold += fix
    if not (mute or hold or base or weight or add):
        raise click.UsageError("suppose something: --mute, --hold, --base, --weight or --add")
    supposed = {
        "hold": _numbers(hold),
        "base": _numbers(base),
        "weights": _numbers(weight, -1.0),
    }
    _show(reasoning.whatif(load(notes), mute=mute, add=add, **supposed), format)


@_command("kg quality norms-correlated-errors\n  kg quality --ladder", asked=False)
@click.argument("statement", type=Id("statements"), required=False)
@click.option("--ladder", is_flag=True, help="Print the ladder in force, to copy into kg.toml.")
def quality_command(statement: str | None, ladder: bool, notes: Path | None, format: str) -> None:
    """Show how a piece of evidence's base strength is computed, term by term."""
    from kg import reasoning
    from kg.model.value import printable

    if ladder and statement is None:
        _write_ladder(notes, format)
        return
    if ladder or statement is None:
        raise click.UsageError("name a piece of evidence, or ask for the --ladder")
    corpus = load(notes)
    grade, settings = reasoning.quality(corpus, statement), corpus.config.quality
    if format == "json":
        write_json(grade)
        return
    rows = [(term.text, f"{term.points:+.2f}") for term in grade.terms]
    if rows:
        write_table(("what is recorded", "points"), rows)
    else:
        click.echo("a claim is not graded: it starts in the middle, and earns the rest")
    for line in _sums(grade, settings):
        click.echo(line)
    if grade.unknown:
        click.echo("not recorded: " + printable(", ".join(grade.unknown)))


def _sums(grade: Grade, table: Quality) -> list[str]:
    """What the terms come to, and what retractions leave of it."""
    total = sum(term.points for term in grade.terms)
    found = []
    if grade.terms and not grade.given:
        sums = f"in all {total:.2f} of {table.top:g} points"
        kept = "" if table.lowest <= total <= table.highest else ", kept within bounds"
        found.append(f"{sums}{kept}, base strength {grade.base_unretracted:.2f}")
    else:
        found.append(f"base strength {grade.base_unretracted:.2f}")
    if grade.retracted:
        keys = ", ".join(grade.retracted)
        found.append(f"retracted: {keys}, which leaves a base strength of {grade.base:.2f}")
    return found


def _write_ladder(notes: Path | None, format: str) -> None:
    from kg.loader import load_config
    from kg.model.ladder import render_ladder
    from kg.notes.discover import need_folder

    folder = find_folder(notes)
    need_folder(folder)
    table = load_config(folder).quality
    if format == "json":
        write_json(table.model_dump())
    else:
        click.echo(render_ladder(table), nl=False)


def _numbers(pairs: tuple[str, ...], least: float = 0.0) -> dict[str, float]:
    """Names and numbers, written ID=NUMBER."""
    found = {}
    for pair in pairs:
        name, _, number = pair.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise click.UsageError(f"write ID=NUMBER, not {pair!r}") from None
        if not least <= found[name] <= 1.0:
            raise click.UsageError(f"{number} in {pair!r} is not a number from {least:g} to 1")
    return found
