"""What a table in a terminal shows of each record that reasoning answers with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kg.model.value import printable

Column = tuple[str, Callable[[Any], Any]]
MOST_LISTED = 6


def cell(value: Any) -> str:
    """A value as words: numbers to three places, lists cut after six."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, dict):
        return ", ".join(f"{words(name)} {cell(each)}" for name, each in value.items()) or "–"
    if isinstance(value, tuple):
        more = f", and {len(value) - MOST_LISTED} more" if len(value) > MOST_LISTED else ""
        return ", ".join(cell(item) for item in value[:MOST_LISTED]) + more or "–"
    return printable(str(value))


def words(name: str, record: str = "") -> str:
    """A field's name, in a kind of record, as a heading."""
    return HEADINGS.get(f"{record}.{name}") or HEADINGS.get(name, name.replace("_", " "))


def columns_of(record: Any) -> Sequence[Column]:
    """The columns of a table of records like `record`; all plain fields unless listed here."""
    listed = TABLES.get(type(record).__name__)
    names = listed or tuple(n for n in record.__struct_fields__ if n != "title")
    kind = type(record).__name__
    return [SPECIAL.get((kind, name)) or _plain(name, kind) for name in names]


def _plain(name: str, kind: str) -> Column:
    return words(name, kind), lambda record: cell(getattr(record, name))


def _lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _end(record: Any) -> str:
    """What becomes of an answer's side."""
    if record.turns:
        return "turns"
    return "is undone" if record.undoes else "is decided" if record.decides else "–"


def _left(record: Any) -> str:
    """What the loss of a source does to an answer's side."""
    return "is undone" if record.undoes else "is decided" if record.decides else "–"


def _unopposed(argument: Any) -> float | None:
    """What a reason would add if no other camp spoke."""
    left = argument.survival
    return argument.reason.share / left if left else None


DONE = {"turns": "turns", "undoes": "is undone", "decides": "is decided", "rewords": "–"}


TABLES = {
    "Reason": ("statement", "strength", "weight", "share"),
    "CampView": ("camp", "side", "statements", "strength"),
    "Argument": ("reason", "share", "survival", "effect"),
    "Crux": ("statement", "views", "if_true", "if_false", "turns", "score"),
    "Study": ("statement", "relation", "quality", "strength", "word", "decides"),
    "SourceEffect": ("unit", "evidence", "pro", "con", "effect", "strength", "undoes", "routes"),
    "Change": ("statement", "before", "after", "change"),
    "Gap": ("statement", "kind", "strength", "effective_sources", "gain", "settled"),
    "Contradiction": ("source", "source_strength", "target_strength", "score"),
    "DoubleTalk": ("origin", "statement", "helps", "harms"),
    "Circle": ("statements", "grounded"),
    "EdgeChange": ("edge", "now", "to", "strength", "word"),
    "Turn": ("line", "before", "after", "word_before", "word_after", "turns"),
}

SPECIAL: dict[tuple[str, str], Column] = {
    ("Reason", "statement"): (
        "statement",
        lambda r: _lines(r.statement, *(f"  together with {name}" for name in r.together)),
    ),
    ("CampView", "strength"): ("strength it alone would see", lambda r: cell(r.strength)),
    ("CampView", "side"): ("argues", lambda r: {1: "for", -1: "against"}.get(r.side, "–")),
    ("Argument", "reason"): (
        "reason, best chain to it, best answer",
        lambda r: _lines(
            r.reason.statement,
            *(f"  together with {name}" for name in r.reason.together),
            *(f"  ← {name}" for name in reversed(r.chain[:-1])),
            f"  answered by {r.rebuttal.statement}" if r.rebuttal else "",
        ),
    ),
    ("Argument", "share"): ("share", lambda r: cell(r.reason.share)),
    ("Argument", "survival"): ("share, unopposed", lambda r: cell(_unopposed(r))),
    ("Argument", "effect"): (
        "answer takes",
        lambda r: cell(r.rebuttal.effect if r.rebuttal else None),
    ),
    ("Crux", "views"): (
        "seen by",
        lambda r: _lines(*(f"{camp} {cell(seen)}" for camp, seen in r.views.items())),
    ),
    ("Crux", "turns"): ("if settled", lambda r: r.settles or "–"),
    ("Change", "statement"): (
        "statement",
        lambda r: _lines(r.statement, *(f"  the same as {name}" for name in r.same)),
    ),
    ("Turn", "turns"): ("the answer", _end),
    ("EdgeChange", "edge"): ("edge", lambda r: _lines(r.source, f"  → {r.target}")),
    ("EdgeChange", "to"): ("if read as", lambda r: r.to or "no edge"),
    ("SourceEffect", "evidence"): ("items", lambda r: len(r.evidence)),
    ("SourceEffect", "undoes"): ("the answer", _left),
    ("SourceEffect", "strength"): ("strength without", lambda r: cell(r.strength)),
    ("SourceEffect", "routes"): ("reasons", lambda r: len(r.routes)),
    ("Contradiction", "source"): (
        "contradiction",
        lambda r: _lines(r.source, f"  against {r.target}"),
    ),
    ("Contradiction", "source_strength"): ("strength", lambda r: cell(r.source_strength)),
    ("Contradiction", "target_strength"): ("other's", lambda r: cell(r.target_strength)),
    ("DoubleTalk", "statement"): (
        "on",
        lambda r: _lines(
            r.statement,
            *(f"  helped by {name}" for name in r.helping),
            *(f"  harmed by {name}" for name in r.harming),
        ),
    ),
    ("Circle", "statements"): ("statements", lambda r: _lines(*r.statements)),
    ("Flip", "removed"): ("removed", lambda r: _lines(*r.removed)),
    ("Flip", "does"): ("the answer", lambda r: DONE[r.does]),
}

HEADINGS = {
    "fail_safe": "flawless studies on the other side that would undo it",
    "filed_directly": "strength if all were filed as reasons of the question itself",
    "Verdict.base": "where it starts",
    "smallest_loss": "pieces of evidence whose loss would undo it",
    "loss_exact": "fewer pieces would",
    "headline": "how firm",
    "pivots": "claims that would undo it alone, if settled",
    "unit": "source",
    "Flips.by": "losses of",
    "Flips.tried": "losses tried",
    "Cruxes.tried": "claims tried",
    "filed_word": "the word for that",
    "in_all": "in all of them",
    "in_some": "in some of them",
    "undoes": "undoes it",
    "WorstSource.undoes": "answer undone",
    "undercutters": "help it only by weakening others' reasons",
    "set_here": "set by kg.toml, unlike the defaults",
    "worst_source": "the source whose loss weakens it most",
    "Robustness.edges": "edges that would undo it, gone or read one step otherwise",
    "Robustness.conventions": "under other conventions",
    "depends_on_semantics": "another way of weighing disagrees",
    "grounded_says": "which says otherwise",
    "grounded": "by objections alone (Dung: in, out or undecided)",
    "Circle.grounded": "evidence reaches it from outside",
    "Cruxes.studies": "studies that would settle most: an experiment, 400 people, peer reviewed",
    "Study.relation": "if it",
    "Study.strength": "strength then",
    "Study.word": "word then",
    "cruxes": "cruxes, weighed for what was asked",
    "beneath": "what the first of these hangs on most in turn",
    "Verdict.sources": "independent sources that bear on it",
    "Positions.support": "support is read as",
    "Positions.semantics": "sort of position",
    "Impact.sources": "sources that fall",
    "Impact.fallen_sources": "sources that fell",
    "Impact.already": "retracted already",
    "Impact.fallen": "weaker than they would be if it stood",
    "Impact.risen": "stronger than they would be if it stood",
    "Impact.bereft": "claims that lose the last support",
    "Impact.fallen_bereft": "claims that lost the last support",
    "effective_sources": "sources of equal weight, for and against",
    "Gap.effective_sources": "sources for it",
    "Sources.effective": "sources of equal weight, for and against",
    "sourceless": "of both, what no source adds",
    "own_view": "strength it alone would see",
    "Robustness.draws": "trials that vary the conventions",
    "Robustness.kept": "share of them that leave its side as it is",
    "Robustness.low": "strength that 5% of them are below",
    "Robustness.high": "strength that 5% of them are above",
    "minimal_exact": "fewer would turn it",
    "minimal": "smallest sets found whose loss turns it",
    "minimal_undoing_exact": "fewer would undo it",
    "minimal_undoing": "smallest sets found whose loss undoes it",
    "singles": "whose loss alone turns it",
    "deciding": "whose loss alone would decide it",
    "undoing": "whose loss alone would leave it undecided",
    "Flips.words": "whose loss alone changes only the word",
    "Flips.changes": "least changes of one base that bring it to the middle",
    "needed": "base needed",
    "Agreement.low": "95% interval from",
    "Agreement.high": "to",
    "Comparison.ceiling": "a second panel's divergence",
    "Comparison.ceiling_agree": "a second panel agrees",
    "Comparison.ceiling_brier": "a second panel's brier",
    "Comparison.majority_divergence": "divergence of each edge's commonest label",
    "Comparison.score": "says what others say",
    "Comparison.score_people": "people do",
    "Comparison.percentile_low": "95% interval from",
    "Comparison.percentile_high": "to",
    "Comparison.raters": "single people",
    "Annotator.agreement": "of others' labels the same",
    "ac1": "AC1",
    "kappa": "Fleiss' kappa",
    "seed": "seed of the draws",
    "resampled": "times resampled",
    "discounted": "strength if each source counted once",
    "several_routes": "sources that reach it by several ways",
    "single_source": "one source alone could undo it",
    "others": "strength by other ways of weighing",
    "certificate": "what is proved",
    "qe": "quadratic energy",
    "dfquad": "DF-QuAD",
    "logistic": "log-odds",
    "crossing": "against their camp",
    "Gap.gain": "change if certain",
    "settled": "if certainly",
    "Balance.volume": "in all",
    "pro": "for",
    "con": "against",
}
