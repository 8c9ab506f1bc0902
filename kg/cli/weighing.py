"""Commands that weigh: `kg verdict`, `crux`, `gaps`, `tensions` and `whatif`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.shared.options import (
    IdType,
    SectionedCommand,
    answer_options,
    count_option,
    load_notes,
    requested_part,
)
from kg.cli.shared.output import print_answer, print_report, requested_table

if TYPE_CHECKING:
    from kg.corpus import Corpus
    from kg.reasoning.losses.smallest_losses import LossKind

_question_argument = click.argument(
    "id", type=IdType("lines", "statements"), metavar="LINE|STATEMENT"
)
_optional_question_argument = click.argument(
    "id", type=IdType("lines", "statements"), metavar="[LINE|STATEMENT]", required=False
)


def _print_verdict(corpus: Corpus, id: str, format: str, detail: bool = False) -> None:
    from kg import reasoning
    from kg.reasoning.answers.robustness import Robustness, robustness_in_sentences
    from kg.reasoning.answers.verdict import Verdict
    from kg.reporting.report import Report, TextLine

    requested_table(format)
    verdict = reasoning.verdict(corpus, id)
    if format != "table" or not isinstance(verdict, Verdict):
        print_answer(verdict, format)
        return
    robustness = (reasoning.robustness if detail else robustness_in_sentences)(corpus, id)
    assert isinstance(robustness, Robustness)
    print_report(verdict.report(robustness))
    if detail:
        others = (robustness, reasoning.flips(corpus, id), reasoning.independence(corpus, id))
        print_report(verdict.detail(others))
        return
    hint = "--detail shows what is behind this"
    if robustness.smallest_loss:
        hint = f"--flips lists the losses that would undo it; {hint}"
    print_report(Report((TextLine(""), TextLine(hint, "aside", ""))))


def _print_flips(
    corpus: Corpus, id: str, format: str, loss_kind: LossKind, protect: tuple[str, ...]
) -> None:
    from kg import reasoning

    print_answer(reasoning.flips(corpus, id, by=loss_kind, protect=protect), format)


def _print_robustness(corpus: Corpus, id: str, format: str, draws: int, seed: int) -> None:
    from kg import reasoning

    print_answer(reasoning.robustness(corpus, id, draws, seed), format)


def _print_independence(corpus: Corpus, id: str, format: str) -> None:
    from kg import reasoning

    print_answer(reasoning.independence(corpus, id), format)


def _print_case(corpus: Corpus, id: str, format: str, camp: str) -> None:
    from kg import reasoning

    print_answer(reasoning.case(corpus, id, camp), format)


# What `kg verdict` prints with each option, of which one may be given, and without any; and the
# options whose values that takes, in one text.
VERDICT_PARTS: Mapping[str, tuple[Callable[..., None], str]] = {
    "": (_print_verdict, ""),
    "detail": (_print_verdict, "detail"),
    "flips": (_print_flips, "by protect"),
    "robustness": (_print_robustness, "draws seed"),
    "independence": (_print_independence, ""),
    "case": (_print_case, "case"),
}


@click.command(
    cls=SectionedCommand,
    sections={
        "Show instead": "flips robustness independence case",
        "With --flips": VERDICT_PARTS["flips"][1],
        "With --robustness": VERDICT_PARTS["robustness"][1],
    },
    epilog="""\b
Examples:
  kg verdict social-grounding --detail
  kg verdict social-grounding --flips --by source
  kg verdict social-grounding --robustness
  kg verdict social-grounding --case skeptic""",
)
@_question_argument
@answer_options
@click.option("--detail", is_flag=True, help="How it was weighed, and what would undo it.")
@click.option("--flips", is_flag=True, help="What would turn the answer, or undo it.")
@click.option("--robustness", is_flag=True, help="How firm it is: fragile to sturdy.")
@click.option("--independence", is_flag=True, help="The independent sources it depends on.")
@click.option(
    "--case", type=IdType("config.camp_ids"), metavar="CAMP", help="A camp's strongest case."
)
@click.option(
    "--by",
    type=click.Choice(["evidence", "source"]),
    default="evidence",
    show_default=True,
    help="What to take away.",
)
@click.option(
    "--protect",
    multiple=True,
    type=IdType("statements", "sources"),
    help="An id not to take away (may be repeated).",
)
@count_option("--draws", 200, "How many trials to make.")
@click.option(
    "--seed", default=0, metavar="N", show_default=True, help="The seed of the random trials."
)
@click.pass_context
def verdict_command(
    ctx: click.Context, /, id: str, notes: Path | None, format: str, **options: Any
) -> None:
    """Show the verdict of the corpus on a line or statement, how firm it is, and why.

    --flips lists single losses, smallest sets and smallest changes. An answer turns if it moves to
    the other side, and is undone if it leaves its side.

    --independence shows what is left of the answer without each source. Works that share data or a
    team are one independent source, and are lost together. For a single work, by its citation key,
    use `kg whatif --falls`.

    --case shows a camp's best reasons, their chains, and what rebuts them.
    """
    part = requested_part(ctx, {name: names for name, (_, names) in VERDICT_PARTS.items()})
    print_part, option_names = VERDICT_PARTS[part]
    print_part(load_notes(notes), id, format, *map(options.get, option_names.split()))


def question_command(name: str, help: str) -> click.Command:
    """The command that puts the question of its name in `kg.reasoning`, and takes nothing else."""

    @click.command(name, cls=SectionedCommand, sections={}, help=help)
    @_question_argument
    @answer_options
    def command(id: str, notes: Path | None, format: str) -> None:
        from kg import reasoning

        print_answer(getattr(reasoning, name)(load_notes(notes), id), format)

    command.epilog = f"\b\nExample:\n  kg {name} social-grounding"
    return command


@click.command(
    cls=SectionedCommand,
    sections={"Show instead": "circles"},
    epilog="\b\nExamples:\n  kg gaps social-grounding\n  kg gaps --circles",
)
@_optional_question_argument
@answer_options
@click.option("--circles", is_flag=True, help="Statements that support each other in a circle.")
def gaps_command(id: str | None, circles: bool, notes: Path | None, format: str) -> None:
    """List claims without evidence or on too little of it, ranked by how much they matter."""
    from kg import reasoning

    if circles and id:
        raise click.UsageError("--circles covers the whole corpus: leave out the line")
    corpus = load_notes(notes)
    print_answer(reasoning.circles(corpus) if circles else reasoning.gaps(corpus, id), format)


@click.command(
    cls=SectionedCommand,
    sections={"Show instead": "positions", "With --positions": "semantics support"},
    epilog="""\b
Examples:
  kg tensions social-grounding
  kg tensions social-grounding --positions --semantics stable""",
)
@_optional_question_argument
@answer_options
@click.option("--positions", is_flag=True, help="What one can consistently hold, after Dung.")
@click.option(
    "--semantics",
    type=click.Choice(["complete", "preferred", "stable"]),
    default="preferred",
    show_default=True,
    help="Which positions count.",
)
@click.option(
    "--support",
    type=click.Choice(["evidential", "necessary", "deductive"]),
    default="evidential",
    show_default=True,
    help="What support means to a position.",
)
@click.pass_context
def tensions_command(
    ctx: click.Context,
    id: str | None,
    positions: bool,
    semantics: Any,
    support: Any,
    notes: Path | None,
    format: str,
) -> None:
    """List believed contradictions, contested claims, and sources cited on both sides."""
    from kg import reasoning

    requested_part(ctx, {"positions": "semantics support"})
    if not positions:
        print_answer(reasoning.tensions(load_notes(notes), id), format)
    elif id is None:
        raise click.UsageError("--positions needs a line or statement")
    else:
        print_answer(reasoning.positions(load_notes(notes), id, semantics, support), format)


@click.command(
    cls=SectionedCommand,
    sections={"Suppose": "mute hold base weight add since", "Show instead": "falls"},
    epilog="""\b
Examples:
  kg whatif --mute scale-and-grounding --hold we-talk-at-models=0.9
  kg whatif --add "experiment, n=400, peer reviewed, supports elephant-face"
  kg whatif --add "quality=.8, weak, supports scale-and-grounding"
  kg whatif --falls shaikh2024 --falls wu2025""",
)
@answer_options
@click.option(
    "--mute",
    multiple=True,
    type=IdType("statements"),
    metavar="ID",
    help="Leave this statement out.",
)
@click.option("--hold", multiple=True, metavar="ID=STRENGTH", help="Fix a statement's strength.")
@click.option("--base", multiple=True, metavar="ID=BASE", help="Give a statement another base.")
@click.option("--weight", multiple=True, metavar="EDGE=W", help="An edge's weight, from -1 to 1.")
@click.option("--add", multiple=True, metavar="STUDY", help="Add a study that does not exist yet.")
@click.option(
    "--since",
    type=int,
    metavar="YEAR",
    help="Count only evidence published since that year.",
)
@click.option(
    "--falls",
    multiple=True,
    type=IdType("sources", "statements"),
    metavar="ID",
    help="A work is retracted, or a statement false.",
)
def whatif_command(
    mute: tuple[str, ...],
    hold: tuple[str, ...],
    base: tuple[str, ...],
    weight: tuple[str, ...],
    add: tuple[str, ...],
    since: int | None,
    falls: tuple[str, ...],
    notes: Path | None,
    format: str,
) -> None:
    """Suppose a change, and see which answers move; no note is changed.

    A STUDY is described by terms separated by commas: a method, n=400 (people, unless a word after
    the number says what was counted), p=.003, effect d=0.4, peer reviewed, preregistered, or
    quality=.8; weak, moderate or strong; and what it supports, contradicts or qualifies: a
    statement, or a line, which stands for its proposition.

    --falls shows the consequences if all these works and statements fall: strengths, verdicts, and
    claims that lose their last support. Works that share a team or data with one of them stay; to
    take those away together, use `kg verdict --independence` and `kg verdict --flips --by source`.
    """
    from kg import reasoning

    suppositions = mute or hold or base or weight or add or since is not None
    if falls and suppositions:
        raise click.UsageError("--falls goes alone, without --mute, --hold and others")
    if falls:
        print_answer(
            reasoning.impact(load_notes(notes), [id.removeprefix("@") for id in falls]), format
        )
        return
    if not suppositions:
        raise click.UsageError(
            "suppose something: --mute, --hold, --base, --weight, --add, --since or --falls"
        )
    changed_numbers = {
        "hold": _parse_numbers(hold),
        "base": _parse_numbers(base),
        "weights": _parse_numbers(weight, -1.0),
    }
    print_answer(
        reasoning.whatif(load_notes(notes), mute=mute, add=add, since=since, **changed_numbers),
        format,
    )


def _parse_numbers(pairs: tuple[str, ...], minimum: float = 0.0) -> dict[str, float]:
    """Names and numbers from arguments of the form ID=NUMBER."""
    numbers = {}
    for pair in pairs:
        name, _, number = pair.rpartition("=")
        try:
            numbers[name] = float(number)
        except ValueError:
            raise click.UsageError(f"write ID=NUMBER, not {pair!r}") from None
        if not minimum <= numbers[name] <= 1.0:
            raise click.UsageError(f"{number} in {pair!r} is not a number from {minimum:g} to 1")
    return numbers
