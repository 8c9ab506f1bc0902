"""Answers of reasoning in a terminal: the sentence first, then what it rests on."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import Any

import click
import msgspec
from rich.text import Text

from kg.cli.cells import TABLES, cell, columns_of, words
from kg.cli.output import write_json, write_table
from kg.model.config import Reasoning
from kg.model.value import printable
from kg.model.wording import many
from kg.publish.markup.words import CERTIFICATES, describe_settings
from kg.reasoning import Reading, Report, flips, robustness, sources, verdict
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.gaps import Circles
from kg.reasoning.answers.impact import Impact
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.tensions import Tensions
from kg.reasoning.answers.verdict import differs
from kg.reasoning.answers.verdict_text import (
    Bill,
    Item,
    Verdict,
    bill_of,
    leading_sentences,
    remarks,
)
from kg.reasoning.attribution.independence import Sources
from kg.reasoning.dung.positions import Positions
from kg.reasoning.report import Answer, AskedQuestion, Reason, parameters, side
from kg.reasoning.words import side_of

LONGEST, WIDTH = 15, 100
LEAST = 0.0005  # of a share that a table shows as more than nothing
SILENT = ("sentence", "complete", "asked")
BOUNDS = ("minimal_exact", "minimal_undoing_exact", "loss_exact")  # fewer cannot
BY_SETS = {
    "turn": ("minimal", "minimal_exact"),
    "undo": ("minimal_undoing", "minimal_undoing_exact"),
}
SIDELESS = ["fail_safe", "smallest_loss", "depends_on_semantics", "worst_source"]
FALLEN = {
    "falls": "fallen",
    "rises": "risen",
    "sources": "fallen_sources",
    "bereft": "fallen_bereft",
}
SIDES = {1: "for", -1: "against", 0: "none"}
UNITS = {
    "strength": "strength: how far this corpus backs it, from 0 to 1; 0.5 says nothing; "
    "of evidence, how much it can carry",
    "survival": "share, unopposed: what the reason would add if the other side were silent (less "
    "where its sources would then come another way); answer takes: how far the strength would move "
    "to this side without the answer",
    "conflict": "conflict: 1 where both sides weigh the same, 0 where one of them is silent",
    "source_strength": "score: the lower of the two strengths, times the weight of the edge",
    "helps": "helps, harms: how far the evidence of that source raises and lowers the strength",
    "routes": "effect: what the source adds to the strength, less than 0 if it takes away; "
    "reasons: by how many direct reasons it is heard, or how many lose by its loss",
    "settled": "change if certain: how far the answer would move if the claim were certainly true "
    "or certainly false, whichever moves it more; sources for it: how many, if all weighed alike",
    "share": "share, for, against, in all: 1 is what one flawless study would bring",
    "con": "for, against: as in the bill of `kg verdict`; 1 is what one flawless study would bring",
    "swing": "score: how far apart the camps are, times how far it moves the answer",
}


def write_answer(answer: Report, format: str, most: int = LONGEST) -> None:
    """Print an answer as JSON, or as its sentence with tables of at most `most` rows."""
    if format == "json":
        write_json(answer.to_dict())
        return
    write_lines(answer.sentence, bold=True)
    names = [name for name in answer.__struct_fields__ if name not in SILENT]
    write_fields(answer, names, most)
    headings = _headings({name: getattr(answer, name) for name in names})
    write_terms(answer, headings, detail=isinstance(answer, Circles))


def write_fields(answer: Report, names: Sequence[str], most: int) -> None:
    """Print some fields of an answer: first what fits a line each, then the tables."""
    kind, fields = type(answer).__name__, {name: getattr(answer, name) for name in names}
    facts = {name: value for name, value in fields.items() if _is_fact(value)}
    shown = drop_repeated_rows(answer, fields)
    for name, value in facts.items():
        if name == "depends_on_semantics" and value:
            write_lines(f"  {words(name, kind)}: {_otherwise(answer)}", indent="    ")
        elif name in shown and value != "":
            write_lines(f"  {words(name, kind)}: {_fact(name, value)}", indent="    ")
    for name, value in shown.items():
        if name not in facts:
            write_part(words(heading_of(answer, name), kind), value, most)


def drop_repeated_rows(answer: Report, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields without rows that another of them shows: two that contradict each other are one
    row, losses that are listed one by one are no sets besides, and a strength that counts sources
    once is the strength where they do so anyway. Nor is said whether fewer
    losses would do where none do, or one does, nor what would undo an answer that has no side.
    """
    if isinstance(answer, Flips):
        left_out = [
            *(BY_SETS["turn"] if answer.singles or not answer.minimal else ()),
            *(BY_SETS["undo"] if _undone_alone(answer) or not answer.minimal_undoing else ()),
        ]
        return {name: value for name, value in fields.items() if name not in left_out}
    if isinstance(answer, Sources):
        known = {
            "discounted": answer.discounted == answer.strength,
            "sourceless": not answer.sourceless,
        }
        known["single_source"] = not any(each.undoes for each in answer.effects)
        return {name: value for name, value in fields.items() if not known.get(name)}
    if isinstance(answer, Robustness):
        left_out = ["loss_exact"] * ((answer.smallest_loss or 1) == 1)
        left_out += SIDELESS if answer.headline == "no side" else []
        return {name: value for name, value in fields.items() if name not in left_out}
    if isinstance(answer, Verdict) and not answer.side:
        return {name: value for name, value in fields.items() if name not in SIDELESS}
    if isinstance(answer, Tensions):
        pairs = {frozenset((c.source, c.target)): c for c in reversed(answer.contradictions)}
        shown = sorted(pairs.values(), key=answer.contradictions.index)
        return {**fields, "contradictions": tuple(shown)}
    return fields


def _otherwise(answer: Any) -> str:
    """Which other ways of weighing are not on the answer's side, and what they say."""
    now, label = side_of(answer.word), answer.grounded
    apart = [
        f"{words(name)} {strength:.2f}"
        for name, strength in answer.others.items()
        if strength is not None and side(strength) != now
    ]
    if differs(now, label):
        apart.append(f"objections alone: {label}")
    return ", ".join(apart)


def _undone_alone(answer: Flips) -> bool:
    return bool(answer.singles or answer.undoing)


def _fact(name: str, value: Any) -> str:
    if name == "side":
        return SIDES[value]
    if name in BOUNDS:
        return "no" if value else "not known"
    return cell(value)


def heading_of(answer: Report, name: str) -> str:
    """A field's name; losses decide an answer that has no side, and turn one that has. What a
    retraction did is told as done.
    """
    if isinstance(answer, Flips) and name == "singles" and answer.singles[:1]:
        return "deciding" if answer.singles[0].does == "decides" else name
    if isinstance(answer, Impact) and answer.already == (*answer.sources, *answer.statements):
        return FALLEN.get(name, name)
    return name


def write_lines(text: str, indent: str = "", **style: Any) -> None:
    """Print a text in lines that fit, all but the first behind `indent`."""
    width = min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH)
    lines = textwrap.wrap(
        printable(text),
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.secho("\n".join(lines), **style)


def write_part(name: str, value: Any, most: int) -> None:
    """Print what does not fit a line under its name, nothing where it is empty."""
    kind = type(value).__name__
    if kind in TABLES:
        _write_several(name, (value,), most)
    elif isinstance(value, msgspec.Struct):
        fields = {k: v for k, v in _flat(value).items() if k != "title"}
        told = [f"{words(k, kind)} {cell(v)}".removeprefix("source ") for k, v in fields.items()]
        write_lines(f"{name}: {'; '.join(told)}", "  ")
    elif isinstance(value, dict) and value:
        write_lines(f"{name}: {cell(value)}", "  ")
    elif isinstance(value, tuple) and value and isinstance(value[0], Reason):
        _write_reasons(name, value, most)
    elif isinstance(value, tuple) and value:
        _write_several(name, value, most)


def _write_reasons(name: str, reasons: tuple[Reason, ...], most: int) -> None:
    """A table of the reasons that move the answer; the others in a line beneath."""
    idle = tuple(reason.statement for reason in reasons if abs(reason.share) < LEAST)
    moving = tuple(reason for reason in reasons if abs(reason.share) >= LEAST)
    if moving:
        _write_several(name, moving, most)
    if idle:
        write_lines(f"linked to it, and moving nothing as things stand: {cell(idle)}", "  ")


def _write_several(name: str, value: tuple[Any, ...], most: int) -> None:
    first = value[0]
    if isinstance(first, msgspec.Struct):
        columns = columns_of(first)
        rows = [[of(item) for _, of in columns] for item in value[:most]]
        write_table([heading for heading, _ in columns], rows, name)
    elif isinstance(first, tuple):
        click.secho(f"\n{name}", bold=True)
        for number, group in enumerate(value[:most], 1):
            write_lines(f"{number}. {many(len(group), 'statement')}: {cell(group)}", "   ")
    else:
        write_lines(f"{name}: {', '.join(cell(item) for item in value[:most])}", "  ")
    if len(value) > most:
        click.echo(f"… and {len(value) - most} more")


def write_terms(answer: Report, headings: set[str], detail: bool = False) -> None:
    """What the numbers mean, and where that is not as usual (or in `detail`) what they depend on
    and what is proved about them.
    """
    told = [text for name, text in UNITS.items() if name in headings]
    if detail or _is_unusual(answer):
        assert isinstance(answer, Answer)
        told.append(_reckoned(answer.asked))
    if not answer.complete:
        told.append("the search was cut short: what is listed holds, and there may be more")
    if told:
        click.echo()
    for text in told:
        write_lines(text, "  ", dim=True)


def _is_unusual(answer: Report) -> bool:
    """Whether numbers were come by otherwise than by default, or may not be the only ones."""
    if not isinstance(answer, Answer) or isinstance(answer, Positions):
        return False
    proof = answer.asked.certificate
    proved = proof is None or proof.name in ("acyclic", "unfolded")
    return not proved or answer.asked.parameters != parameters(Reasoning())


def _reckoned(asked: AskedQuestion) -> str:
    """How the numbers were come by, and whether they are the only ones, in plain words."""
    proof = f". {CERTIFICATES[asked.certificate.name]}" if asked.certificate else ""
    return f"how: {describe_settings(asked.parameters)}{proof}"


def _headings(fields: dict[str, Any]) -> set[str]:
    """Names of all fields of an answer and of what it lists."""
    found = set(fields)
    for value in fields.values():
        one = value[0] if isinstance(value, tuple) and value else value
        if isinstance(one, msgspec.Struct):
            found |= set(_flat(one))
    return found


def _is_fact(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _flat(value: msgspec.Struct) -> dict[str, Any]:
    """Fields of a record, those of a record within it taken out of it."""
    found: dict[str, Any] = {}
    for name in value.__struct_fields__:
        inner = getattr(value, name)
        found |= _flat(inner) if isinstance(inner, msgspec.Struct) else {name: inner}
    return found


BEHIND = (
    "base",
    "filed_directly",
    "filed_word",
    "grounded",
    "grounded_says",
    "depends_on_semantics",
    "effective_sources",
    "sources",
    "others",
    "camps",
    "crossing",
)
DETAILS = {
    "Robustness": ("edges", "conventions"),
    "Flips": ("singles", "undoing", "minimal_undoing", "minimal"),
    "Sources": ("effects",),
}
MOST = 10


def write_verdict(reading: Reading, name: str, format: str, detail: bool) -> None:
    """Print the verdict on a line or a statement; all of it with `detail`, or as JSON."""
    found = verdict(reading, name)
    if format == "json":
        write_json(found.to_dict())
    elif isinstance(found, Verdict):
        firm = robustness(reading, name)
        _write_short(reading, found, firm if isinstance(firm, Robustness) else None)
        if detail:
            _write_detail(found, (firm, flips(reading, name), sources(reading, name)))
        else:
            click.echo()
            write_lines(_further(found, firm), dim=True)
    else:
        write_answer(found, format)


def _write_short(reading: Reading, found: Verdict, firm: Robustness | None) -> None:
    first, *others = leading_sentences(found, firm)
    write_lines(first, bold=True)
    for sentence in others:
        write_lines(sentence)
    bill = bill_of(found)
    for name, items in (("for", bill.pro), ("against", bill.con)):
        if items:
            write_table(("share", "reason", "id"), map(_row, items), _headed(name, items))
    if bill.pro or bill.con:
        gain = found.asked.parameters.gain
        click.echo()
        write_lines(f"share: {gain:.2f} is what one flawless study would bring", dim=True)
    if bill.idle:
        write_lines(f"linked to it, and moving nothing as things stand: {cell(bill.idle)}", "  ")
    for remark in remarks(found):
        click.echo()
        write_lines(remark)


def _further(found: Verdict, firm: Answer) -> str:
    """Where to read on: which losses are meant, where some are, and what is behind the rest."""
    behind = "--detail shows what is behind this"
    if isinstance(firm, Robustness) and firm.smallest_loss:
        asked = found.asked.line or found.asked.statement
        return f"`kg flips {asked}` lists the losses that would undo it; {behind}"
    return behind


def _headed(name: str, items: Sequence[Item]) -> str:
    return f"{name}, in all {Bill.total(items)}"


def _row(item: Item) -> tuple[object, ...]:
    return item.share, item.title, Text(printable(item.statement), "dim")


def _write_detail(found: Verdict, answers: Sequence[Answer]) -> None:
    """How it was weighed, and the other answers about it in short."""
    click.secho("\nhow it was weighed", bold=True)
    write_fields(found, BEHIND, MOST)
    for answer in answers:
        click.echo()
        write_lines(answer.sentence, bold=True)
        write_fields(answer, DETAILS.get(type(answer).__name__, ()), MOST)
    write_terms(found, {"strength", "con"}, detail=True)
