"""A selection in words."""

from __future__ import annotations

from collections.abc import Iterable

from kg.model import Relation
from kg.queries.condition import (
    All,
    Anything,
    Chosen,
    CitedBy,
    Citing,
    Condition,
    Either,
    Ending,
    Has,
    Linked,
    Named,
    Not,
    PartOf,
    Pick,
    Placed,
    Placing,
    Recorded,
    Starting,
    Weighing,
    Within,
    Words,
)

_BACK = {
    Relation.SUPPORTS: "supported by",
    Relation.CONTRADICTS: "contradicted by",
    Relation.QUALIFIES: "qualified by",
    Relation.UNDERCUTS: "undercut by",
    Relation.DEPENDS_ON: "needed by",
    Relation.SAME_AS: "same as",
    Relation.SUPERSEDES: "superseded by",
}


def describe(pick: Pick) -> str:
    """The selection as a phrase: `statements whose kind is claim, supported by evidence-1`."""
    condition = _said(pick.condition)
    text = f"{pick.sort}s" + (f" {condition}" if condition else "")
    if pick.order:
        keys = (f"{'-' if key.descending else ''}{key.field}" for key in pick.order)
        text += f", sorted by {', '.join(keys)}"
    return text if pick.first is None else f"the first {pick.first} of {text}"


def _said(condition: Condition) -> str:
    match condition:
        case Anything():
            return ""
        case Named(ids):
            return f"called {_any(ids)}"
        case Has(field, values):
            return f"whose {field} is {_any(map(str, values))}"
        case Recorded(field):
            return f"whose {field} is recorded"
        case Within(field, low, high):
            return f"whose {field} is {_range(low, high)}"
        case Words(words):
            return f"saying {' and '.join(repr(word) for word in words)}"
        case Not(inner):
            return f"not {_said(inner) or 'anything'}"
        case All(parts):
            return ", ".join(map(_said, parts))
        case Either(parts):
            return f"({' or '.join(_said(part) or 'any' for part in parts)})"
        case Linked():
            return _linked(condition)
    return _related(condition)


def _related(condition: Condition) -> str:
    match condition:
        case Citing(sources):
            return f"citing {_of(sources)}"
        case CitedBy(by):
            return f"cited by {_of(by)}"
        case Placed(lines, camp):
            return f"placed {_in(camp)}by {_of(lines)}"
        case Placing(statements, camp):
            return f"placing {_of(statements)}{f' as {camp}' if camp else ''}"
        case Weighing(statements):
            return f"weighing {_of(statements)}"
        case PartOf(whole):
            return f"part of {_of(whole)}"
        case Starting(at):
            return f"from {_of(at)}"
        case Ending(at):
            return f"to {_of(at)}"
        case Chosen(pick):
            return f"among {_of(pick)}"
    raise AssertionError(f"no words for {condition!r}")


def _linked(wanted: Linked) -> str:
    names = (r.value if wanted.onward else _BACK[r] for r in wanted.relations)
    steps = {1: "", None: " in any number of steps"}.get(
        wanted.steps, f" in up to {wanted.steps} steps"
    )
    return (
        f"that {' or '.join(names)} {_of(wanted.to)}{steps}"
        if wanted.onward
        else (f"{' or '.join(names)} {_of(wanted.to)}{steps}")
    )


def _of(pick: Pick) -> str:
    if isinstance(pick.condition, Named) and pick.first is None:
        return _any(pick.condition.ids)
    if isinstance(pick.condition, Anything) and pick.first is None:
        return f"any {pick.sort}"
    return f"({describe(pick)})"


def _any(names: Iterable[str]) -> str:
    return " or ".join(names) or "nothing"


def _in(camp: str | None) -> str:
    return f"in {camp} " if camp else ""


def _range(low: object, high: object) -> str:
    if low == high:
        return str(low)
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"from {low} to {high}"
