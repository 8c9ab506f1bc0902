"""A verdict, and how it reads without a manual: three sentences, then the bill of reasons."""

from __future__ import annotations

from collections.abc import Sequence

from kg.model import CampId, StatementId, Value
from kg.model.config import Reasoning
from kg.model.value import many
from kg.plots import CON, INK, PRO, QUIET, Axes, Bar, Mark, draw_scale
from kg.reasoning.answers.firmness import SHIFTED, Robustness, flawless, lost, share_of
from kg.reasoning.attribution.bill import LEAST, Balance, Bill, Lessened, bill_items
from kg.reasoning.verdict_words import show_strength, side_of
from kg.reasoning.weighed_answer import (
    APART,
    Reason,
    WeighedAnswer,
    by_semantics,
    dissenting_semantics,
    join_with_and,
    quoted,
    stated,
)
from kg.report import Line, Report, Table, columns, in_line, listed, table

ROWS_A_SIDE = 15
"""Rows of the bill on either side: both fit on one screen."""
PLOTTED_A_SIDE = 5
"""Reasons on either side that a picture has room for."""
ROWS_OF_DETAIL = 10
"""Rows of each table below the bill, as there are several."""
OWED_TO_FILING = 0.1
"""Strength by which filing must matter to be remarked: less would not change how one reads it."""
SLIGHT, MUCH = 0.25, 1.0
"""Nats, a quarter and the whole of a flawless study by default: a source that says less is slight,
and an answer on which more is said than that rests on something.
"""
NOT_ADDED = {"dfquad": "DF-QuAD", "eulertop": "Euler-top", "hcat": "the h-categoriser"}
"""The semantics that do not add reasons up, by their names."""
_ROUNDED = " (rows are rounded)"


class CampView(Value, frozen=True, omit_defaults=False):
    """A camp, which side it argues for (+1, -1), its statements, and the strength it would see.

    `strength` is what is asked about with every other camp's statements silenced; `colour` is the
    camp's in `kg.toml`, empty for the two sides where the notes name no two camps.
    """

    camp: CampId
    side: int
    statements: int
    strength: float | None
    colour: str

    @property
    def drawn_in(self) -> str:
        """The colour of the camp, or else of its side."""
        return self.colour or {1: PRO, -1: CON}.get(self.side, QUIET)


CAMP_VIEW = columns(
    CampView,
    "camp",
    ("argues", lambda c: {1: "for", -1: "against"}.get(c.side, "–")),
    "statements, strength it alone would see: strength",
)


class Verdict(WeighedAnswer, frozen=True, kw_only=True):
    """Where the corpus stands on a proposition.

    `strength` (0 to 1) says how far this corpus backs it, not how probable it is; `None` if
    no equilibrium was found. `low` to `high` is where nine in ten of the draws of `sensitivity`
    lie. `word` is one of those of `kg.reasoning.verdict_words`; a piece of evidence takes no
    side, and its word is its quality. `answer` says it in the words of the line's question.
    `others` and `other_words` hold the strength and the word under other semantics (of evidence no
    word), and `depends_on_semantics` says that not all of them come out on its side, or that
    Dung's label is on the other; `grounded` is that label, and `grounded_says` says in plain words
    where it is on the other side.
    `filed_directly` is the strength if each source spoke to the question itself instead of to
    claims on the way, and `filed_word` the word for it (empty of a piece of evidence).
    `fail_safe` is how many flawless contrary studies would take the answer from its side,
    `sources` on how many independent sources it rests (those with a part in the bill), and
    `effective_sources` on how many equally heavy ones; `sourced` is what of the bill is theirs,
    `heaviest_source` what the heaviest has of it. `lessened` is what
    objections to the reasons of a side take, where the other has no direct reason of weight;
    `same` are the statements that are one with it, `superseded_by` the one that replaces it,
    `left_out` those that would be reasons and are superseded;
    `crossing` lists statements whose effect is against the camp that the notes put them in.
    `set_here` are the corpus's settings, of weighing and of quality, that are not the defaults,
    and `default_strength` and `default_word` what comes out without them (`None` and empty where
    all are the defaults).
    """

    strength: float | None
    low: float | None
    high: float | None
    word: str
    side: int
    answer: str
    base: float
    balance: Balance
    reasons: tuple[Reason, ...]
    camps: tuple[CampView, ...]
    others: dict[str, float | None]
    other_words: dict[str, str]
    filed_directly: float | None
    filed_word: str
    grounded: str
    grounded_says: str
    depends_on_semantics: bool
    fail_safe: int | None
    effective_sources: float
    heaviest_source: float
    sourced: float
    lessened: tuple[Lessened, ...]
    same: tuple[StatementId, ...]
    superseded_by: StatementId
    left_out: tuple[StatementId, ...]
    sources: int
    crossing: tuple[StatementId, ...]
    set_here: dict[str, float | str]
    default_strength: float | None
    default_word: str

    def report(self, firm: Robustness | None = None) -> Report:
        """The sentences that lead, the bill of reasons, and what one should know besides."""
        first, *others = leading_sentences(self, firm)
        bill, gain = bill_of(self), self.asked.parameters.gain
        rows = [
            Table(
                f"{name}, in all {bill.total(side)}{_ROUNDED * bill.is_rounded(side)}",
                ("share", "reason", "id"),
                [(item.share, item.title, item.statement) for item in items],
            )
            for name, side, items in (("for", 1, bill.pro), ("against", -1, bill.con))
        ]
        unit = f"share: {gain:.2f} is what one flawless study would bring"
        parts: list[Line | Table] = [
            Line(first, "strong", ""),
            *(Line(sentence, hang="") for sentence in others),
            *rows,
            *([Line(""), Line(unit, "aside", "")] if bill.pro or bill.con else []),
            *in_line(f"linked to it, adding less than {LEAST} directly", bill.idle),
            *in_line("left out, as superseded", self.left_out),
            *(line for remark in remarks(self) for line in (Line(""), Line(remark, hang=""))),
        ]
        return Report(parts)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strength with its band, from 0 to 1, and the heaviest reasons for and against.

        Draws with matplotlib, on `ax` if it is given: strengths are its x; the reasons lie
        beneath, on an x of their own in nats. Raises `MissingLibrary`.

        `corpus.verdict("social-grounding").plot()`
        """
        bill = bill_of(self, PLOTTED_A_SIDE)
        return self._scale([], [Bar(row.title, row.nats) for row in (*bill.pro, *bill.con)], ax)

    def plot_balance(self, ax: Axes | None = None) -> Axes:
        """The strength, what each camp alone would see, and what each side comes to in nats.

        Draws as `plot` does.

        `corpus.verdict("social-grounding").plot_balance()`
        """
        seen = [Mark(f"{c.camp} alone", c.strength, c.drawn_in) for c in self.camps]
        sums = (("for, in all", self.balance.pro), ("against, in all", -self.balance.con))
        return self._scale(seen, [Bar(name, nats) for name, nats in sums if nats], ax)

    def _scale(self, marks: Sequence[Mark], bars: Sequence[Bar], ax: Axes | None) -> Axes:
        answer = Mark(self.word, self.strength, INK, self.low, self.high)
        return draw_scale(self.asked.title, [answer, *marks], bars, ax)

    def detail(self, answers: Sequence[WeighedAnswer]) -> Report:
        """How it was weighed, and other answers about it in short."""
        facts = {
            "where it starts": self.base,
            "strength if all were filed as reasons of the question itself": self.filed_directly,
            "the word for that": self.filed_word,
            "by objections alone (Dung: in, out or undecided)": self.grounded,
            "by objections alone, otherwise": self.grounded_says,
            APART: dissenting_semantics(self.word, self.others, self.other_words, self.grounded),
            "sources of equal weight, for and against": self.effective_sources,
            "independent sources that it hangs on": self.sources,
        }
        parts: list[Line | Table] = [
            Line(""),
            Line("how it was weighed", "strong"),
            *stated(facts),
            *in_line("strength by other ways of weighing", by_semantics(self.others)),
            table("camps", self.camps, CAMP_VIEW, ROWS_OF_DETAIL),
            *listed("against their camp", self.crossing, ROWS_OF_DETAIL),
        ]
        for each in answers:
            behind = (shown._replace(most=ROWS_OF_DETAIL) for shown in each.behind())
            parts += [Line(""), each.leading, *behind]
        return Report((*parts, *self.terms({"strength", "against"}, how=True)))


def leading_sentences(found: Verdict, firm: Robustness | None = None) -> tuple[str, ...]:
    """The sentences that lead: the answer, the best reasons, and how sure it is.

    `firm` says how the same answer stands against losses; without it, that is left out.
    """
    if found.strength is None:
        return (found.sentence,)
    sentences = (found.sentence, _best(found), _sure(found, firm))
    return tuple(sentence for sentence in sentences if sentence)


def _best(found: Verdict) -> str:
    """The best reason on either side, and how many more there are."""
    if not found.lessened and all(abs(reason.share) < LEAST for reason in found.reasons):
        return ""
    return f"{_one_side(found, 1)} {_one_side(found, -1)}"


def _one_side(found: Verdict, side: int) -> str:
    """What speaks for (1) or against (-1), or else what objections take from the other side."""
    name = "For" if side > 0 else "Against"
    less = next((each for each in found.lessened if each.side == -side), None)
    if less is None:
        return f"{name}: {_first(found, side)}."
    return f"{name} it directly: {_first(found, side)}; {objected(less)}."


def objected(less: Lessened) -> str:
    """What objections to the reasons of a side take from it, as the end of a sentence."""
    whose = "its reasons" if less.side > 0 else "the reasons against it"
    heaviest = f", the heaviest {quoted(less.title)}" if less.title else ""
    return f"objections to {whose} take {less.nats:.2f}{heaviest}"


def _first(found: Verdict, side: int) -> str:
    reasons = [reason for reason in found.reasons if side * reason.share >= LEAST]
    if not reasons:
        return "nothing"
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    partners = join_with_and(reasons[0].together)
    first = reasons[0].words if reasons[0].fallen else quoted(reasons[0].words)
    first += (f", together with {partners}" if partners else "") + more
    total = found.balance.pro if side > 0 else found.balance.con
    if total < found.asked.parameters.open_below - LEAST:
        return f"nothing that carries weight, {first} at {total:.2f}"
    return first


def _sure(found: Verdict, firm: Robustness | None) -> str:
    if found.low is None or found.high is None or found.word.startswith("quality"):
        return ""
    ends = f"{found.low:.2f}", f"{found.high:.2f}"
    span = f"at {ends[0]}" if ends[0] == ends[1] else "between {} and {}".format(*ends)
    if firm is None:
        return f"How sure: {span} in nine of ten trials {SHIFTED}{_undoing(found, None)}."
    stays = "stays on its side" if side_of(found.word) else "stays undecided"
    return (
        f"How sure: it {stays} in {share_of(firm.kept)} of {many(firm.draws, 'trial')} {SHIFTED}, "
        f"nine in ten of them {span}{_undoing(found, firm)}.{_otherwise(found, firm)}"
    )


def _otherwise(found: Verdict, firm: Robustness) -> str:
    """How many of the other conventions take the answer from its side, as a sentence more."""
    side = side_of(found.word)
    leaving = sum(side_of(each.word) != side for each in firm.conventions)
    if not side or not leaving:
        return ""
    return (
        f" Under {leaving} of {len(firm.conventions)} other conventions of weighing it leaves its "
        "side."
    )


def _undoing(found: Verdict, firm: Robustness | None) -> str:
    """What would take the answer from its side, as the end of a sentence."""
    if not side_of(found.word):
        return ""
    studies = ""
    if found.fail_safe:
        studies = f"{flawless(found.fail_safe, found.asked)} on the other side"
    if firm is None:
        return f"; {studies} would undo it" if studies else ""
    if firm.smallest_loss is None:
        return "; no loss of evidence that was tried would undo it" + (
            f", but {studies} would" if studies else ""
        )
    loss = lost(firm.smallest_loss, firm.loss_exact)
    return f"; {loss} would undo it" + (f", and so would {studies}" if studies else "")


def bill_of(found: Verdict, shown: int = ROWS_A_SIDE) -> Bill:
    """The bill of a verdict, at most `shown` reasons a side; the lighter ones share a row."""
    moved = [reason for reason in found.reasons if reason.share]
    pro, little = bill_items([r for r in moved if r.share > 0.0], shown)
    con, small = bill_items([r for r in moved if r.share < 0.0], shown)
    unmoved = [reason.statement for reason in found.reasons if not reason.share]
    shown_already = {item.statement for item in (*pro, *con)}
    idle = [id for id in (*little, *small, *unmoved) if id not in shown_already]
    return Bill(pro, con, tuple(dict.fromkeys(idle)), found.balance)


def remarks(found: Verdict) -> tuple[str, ...]:
    """What one should know besides, in plain sentences: what other ways of weighing say, what the
    answer owes to settings and to filing, and whether it rests on many slight sources.
    """
    told = (_apart, _unweighed, _replaced, _same, _set, _not_added, _filed, _slight)
    return tuple(remark for each in told if (remark := each(found)))


def _apart(found: Verdict) -> str:
    """That the same reasons, weighed otherwise, do not come out on its side."""
    if not found.side or all(side_of(word) == found.side for word in found.other_words.values()):
        return ""
    return "Another way of weighing the same reasons does not come out on this side."


def _unweighed(found: Verdict) -> str:
    """That by Dung's label alone it is on the other side, and why."""
    if not found.grounded_says:
        return ""
    end = "does not hold" if found.side > 0 else "holds"
    return f"Without weights, by who answers whom alone, the claim {end}: {found.grounded_says}."


def _replaced(found: Verdict) -> str:
    """That another statement replaces what is asked about."""
    by = found.superseded_by
    return f"It is superseded by {by}, and bears on nothing else: ask about that." if by else ""


def _same(found: Verdict) -> str:
    """Which statements share its strength and all that bears on it."""
    names = join_with_and(found.same)
    return f"It is one statement with {names}: what bears on any counts." if names else ""


def _set(found: Verdict) -> str:
    """Which settings are not the defaults, and what comes out at those."""
    if not found.set_here:
        return ""
    here = ", ".join(
        f"{key} = {value:g}" if isinstance(value, float) else f'{key} = "{value}"'
        for key, value in found.set_here.items()
    )
    usual = found.default_word
    if found.default_strength is not None and not usual.startswith("quality"):
        usual = f"{usual} {show_strength(found.default_strength, Reasoning())}"
    return f"kg.toml sets {here}; at the defaults: {usual}."


def _not_added(found: Verdict) -> str:
    """That the bill is none of sums, where reasons combine otherwise."""
    name = found.asked.parameters.semantics
    if name not in NOT_ADDED or not found.reasons:
        return ""
    return (
        f"Under {NOT_ADDED[name]} reasons do not add up to the strength: the shares show which "
        "are heavy, not how far each moves it."
    )


def _filed(found: Verdict) -> str:
    """What the answer owes to filing, where its word or much of its strength hangs on that."""
    strength, direct = found.strength, found.filed_directly
    if strength is None or direct is None or not found.reasons or not found.filed_word:
        return ""
    differs = found.filed_word != found.word
    if abs(strength - direct) < OWED_TO_FILING and not differs:
        return ""
    called = f" ({found.filed_word})" if differs else ""
    changed = {key: value for key, value in found.set_here.items() if key in Reasoning.model_fields}
    return (
        "Filed as reasons of the question itself instead of through claims, the same evidence "
        f"would come to {show_strength(direct, Reasoning.model_validate(changed))}{called}."
    )


def _slight(found: Verdict) -> str:
    total, heaviest = found.balance.volume, found.heaviest_source
    if total <= MUCH or max(heaviest, total - found.sourced) >= SLIGHT:
        return ""
    return (
        f"It hangs on many slight independent sources: the heaviest of {found.sources} weighs "
        f"{heaviest:.2f} of {total:.2f} in all."
    )
