"""What turns or undoes an answer, and how firmly it stands, as it is told."""

from __future__ import annotations

from typing import Literal

from kg.model import EdgeId, StatementId, Value
from kg.model.value import many
from kg.plots import Axes, Move, draw_moves
from kg.reasoning.attribution.loss_sets import By
from kg.reasoning.attribution.sensitivity import BaseChange
from kg.reasoning.verdict_words import beside_word
from kg.reasoning.weighed_answer import (
    APART,
    AskedQuestion,
    WeighedAnswer,
    by_semantics,
    dissenting_semantics,
    side_change,
)
from kg.report import Line, Report, Table, cell, columns, in_line, listed, stacked, table

Does = Literal["turns", "undoes", "decides", "rewords"]


class Flip(Value, frozen=True, omit_defaults=False):
    """What is taken away (ids of evidence, or units of sources), what is left, and what that does:
    it takes the answer to the other side, from its side to none, from none to one, or changes only
    the word.
    """

    removed: tuple[str, ...]
    strength: float | None
    word: str
    does: Does


FLIP = columns(
    Flip,
    ("removed", lambda f: stacked(*f.removed)),
    ("strength", lambda e: beside_word(e.strength)),
    "word",
    (
        "the answer",
        lambda f: side_change(f.does == "undoes", f.does == "decides", f.does == "turns"),
    ),
)
BASE_CHANGE = columns(BaseChange, "statement, base, base needed: needed")


class Flips(WeighedAnswer, frozen=True, kw_only=True):
    """What turns the answer: takes it from one side, supported or refuted, to the other.

    `singles` are the candidates whose loss alone does so (of an answer that has no side: whose
    loss alone gives it one), `undoing` those after which it has no side, `words` those that
    change only the word. `minimal` are the smallest sets found that turn it, `minimal_undoing`
    those that take it from its side, to the other or to none; up to fifty of each.
    `minimal_exact` and `minimal_undoing_exact` are false where they come from a greedy search:
    an upper bound.
    `complete` is false where not all candidates could be tried within the budget. `changes`
    are the least changes of a base that reach one half, among the dozen pieces of evidence
    that matter most.
    """

    strength: float | None
    by: By
    tried: int
    singles: tuple[Flip, ...]
    undoing: tuple[Flip, ...]
    words: tuple[Flip, ...]
    minimal: tuple[Flip, ...]
    minimal_exact: bool
    minimal_undoing: tuple[Flip, ...]
    minimal_undoing_exact: bool
    changes: tuple[BaseChange, ...]

    def report(self) -> Report:
        facts = {
            "strength": self.strength,
            "losses of": self.by,
            "losses tried": self.tried,
            "fewer would turn it": fewer(self.minimal_exact, bool(self._turning)),
            "fewer would undo it": fewer(self.minimal_undoing_exact, bool(self._leaving)),
        }
        singles, undoing, leaving, turning = self.behind()
        return self.as_report(
            facts,
            singles,
            undoing,
            table("whose loss alone changes only the word", self.words, FLIP),
            turning,
            leaving,
            table(
                "least changes of one base that bring it to the middle", self.changes, BASE_CHANGE
            ),
        )

    def behind(self) -> tuple[Table, ...]:
        """Single losses, and the sets that undo and turn it."""
        decide = bool(self.singles) and self.singles[0].does == "decides"
        alone = f"whose loss alone {'would decide' if decide else 'turns'} it"
        return (
            table(alone, self.singles, FLIP),
            table("whose loss alone would leave it undecided", self.undoing, FLIP),
            table("smallest sets found whose loss undoes it", self._leaving, FLIP),
            table("smallest sets found whose loss turns it", self._turning, FLIP),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strength, from 0 to 1, that each loss would leave, the farthest first: a tornado.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.flips("social-grounding").plot()`
        """
        found = (*self.singles, *self.undoing, *self.words, *self.minimal, *self.minimal_undoing)
        lost = {flip.removed: flip.strength for flip in found}
        moves = [
            Move(f"without {f'these {len(gone)}: ' * (len(gone) > 1)}{', '.join(gone)}", to)
            for gone, to in lost.items()
        ]
        return draw_moves(self.asked.title, self.strength, moves, ax=ax)

    @property
    def _turning(self) -> tuple[Flip, ...]:
        """Sets that turn it; losses that are listed one by one are no sets besides."""
        return () if self.singles else self.minimal

    @property
    def _leaving(self) -> tuple[Flip, ...]:
        return () if self.singles or self.undoing else self.minimal_undoing

    @property
    def size(self) -> int | None:
        """The size of the smallest set found; `None` where none was."""
        return len(self.minimal[0].removed) if self.minimal else None


def fewer(exact: bool, found: bool) -> str:
    """Whether fewer losses than were found would do; nothing where it is no question."""
    return ("no" if exact else "not known") if found else ""


def share_of(kept: float) -> str:
    """A share of trials; all and none are said only where they are meant."""
    if kept in (0.0, 1.0):
        return f"{kept:.0%}"
    return f"{min(max(round(kept * 100), 1), 99)}%"


def lost(pieces: int, exact: bool) -> str:
    """The loss of so many pieces of evidence; where not all sets were tried, fewer may do."""
    return f"the loss of {many(pieces, 'piece')} of evidence{'' if exact else ' (or fewer)'}"


def flawless(count: int, asked: AskedQuestion) -> str:
    """So many flawless studies; `about` where reasons do not add up."""
    about = "" if asked.parameters.semantics == "logistic" else "about "
    return f"{about}{'one flawless study' if count == 1 else f'{count} flawless studies'}"


class WorstSource(Value, frozen=True, omit_defaults=False):
    """The independent source whose loss moves the answer farthest from its side; `title` says how
    many works it is.
    """

    unit: str
    title: str
    strength: float | None
    word: str
    undoes: bool

    def __str__(self) -> str:
        left = f"strength {beside_word(self.strength)}; word {self.word}"
        return f"{self.title}; {left}; answer undone {cell(self.undoes)}"


class EdgeChange(Value, frozen=True, omit_defaults=False):
    """An edge whose removal (`to` is empty), or whose strength one step up or down, takes the
    answer from its side.
    """

    edge: EdgeId
    source: StatementId
    target: StatementId
    now: str
    to: str
    strength: float | None
    word: str

    @property
    def text(self) -> str:
        """The edge, and what becomes of it."""
        change = f"read as {self.to}" if self.to else "gone"
        return f"{self.source} → {self.target}: {change}"


class Convention(Value, frozen=True, omit_defaults=False):
    """The answer under another convention, in words."""

    convention: str
    strength: float | None
    word: str


EDGE_CHANGE = columns(
    EdgeChange,
    ("edge", lambda e: stacked(e.source, f"  → {e.target}")),
    "now",
    ("if read as", lambda e: e.to or "no edge"),
    ("strength", lambda e: beside_word(e.strength)),
    "word",
)
CONVENTION = columns(
    Convention, "convention", ("strength", lambda c: beside_word(c.strength)), "word"
)


SHIFTED = "that shift grades and weights a little"
"""What the trials do, of which a band is nine tenths."""


class Robustness(WeighedAnswer, frozen=True, kw_only=True):
    """How firmly an answer stands.

    `headline` is fragile, moderate, sturdy, or no side. An answer is *undone* where it leaves its
    side. `fail_safe` counts the flawless contrary studies, `smallest_loss` the pieces of evidence
    (an upper bound unless `loss_exact`; `None` if none was found) that undo it. `kept` is the
    share of draws on the same side, `low` to `high` the middle nine tenths of them.
    `undoing_claims` undo it alone, if settled. `others`, `other_words` and
    `depends_on_semantics` are those of the verdict.
    `edges` lists the edges that undo it if they go or are read one step weaker or stronger;
    `conventions` the answer under other conventions than those in force, of which `set_here` are
    not the defaults.
    """

    strength: float | None
    word: str
    headline: str
    fail_safe: int | None
    smallest_loss: int | None
    loss_exact: bool
    draws: int
    kept: float
    low: float | None
    high: float | None
    others: dict[str, float | None]
    other_words: dict[str, str]
    grounded: str
    depends_on_semantics: bool
    worst_source: WorstSource | None
    undoing_claims: tuple[StatementId, ...]
    conventions: tuple[Convention, ...]
    edges: tuple[EdgeChange, ...]
    set_here: dict[str, float | str]

    def report(self) -> Report:
        """How firm, and what would undo it; nothing would undo an answer that has no side."""
        sided, claim = self.headline != "no side", not self.word.startswith("quality")
        kept = "it keeps its side" if sided else "it has no side"
        worst, heading = self.worst_source, "the source whose loss weakens it most"
        facts = {
            "strength": beside_word(self.strength),
            "word": self.word,
            "how firm": self.headline if claim else "",
            "flawless studies on the other side that would undo it": self.fail_safe
            if sided
            else "",
            "pieces of evidence whose loss would undo it": self.smallest_loss if sided else "",
            "fewer pieces would": fewer(self.loss_exact, (self.smallest_loss or 1) > 1),
            f"trials {SHIFTED}": self.draws,
            f"share of trials in which {kept}": self.kept if claim else "",
            "strength that 5% of them are below": self.low,
            "strength that 5% of them are above": self.high,
            "by objections alone (Dung: in, out or undecided)": self.grounded,
            APART: dissenting_semantics(self.word, self.others, self.other_words, self.grounded)
            if sided
            else "",
            **({heading: None} if sided and worst is None else {}),
        }
        return self.as_report(
            facts,
            *in_line("strength by other ways of weighing", by_semantics(self.others)),
            *([Line(f"{heading}: {worst}", hang="  ")] if sided and worst else []),
            *listed("claims that would undo it alone, if settled", self.undoing_claims),
            *self.behind(),
            *in_line("set by kg.toml, unlike the defaults", self.set_here),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strength, from 0 to 1, under other conventions, without the source that matters most,
        and with edges read otherwise, the farthest move first: a tornado. The band holds nine in
        ten draws.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.robustness("social-grounding").plot()`
        """
        worst = (self.worst_source,) if self.worst_source else ()
        moves = [
            *(Move(each.convention, each.strength) for each in self.conventions),
            *(Move(f"without {each.title}", each.strength) for each in worst),
            *(Move(each.text, each.strength) for each in self.edges),
        ]
        return draw_moves(self.asked.title, self.strength, moves, self.low, self.high, ax)

    def behind(self) -> tuple[Table, ...]:
        """The edges it hangs on, and the answer under other conventions."""
        edges = "edges that would undo it, gone or read one step otherwise"
        conventions = table("under other conventions", self.conventions, CONVENTION)
        return table(edges, self.edges, EDGE_CHANGE), conventions
