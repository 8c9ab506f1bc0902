"""The standing of a statement or a line's answer, as pages show it."""

from __future__ import annotations

import re

from kg.model import Value
from kg.model.grade import Grade


class StatementStrength(Value, frozen=True):
    """How far the corpus backs a statement, in a word, and the weight on either side, in nats.

    For a piece of evidence the strength is how much it can carry, and `quality` its base. For
    a claim `sureness` says how sure it is, in the same words as a line's answer, and
    `limit` in a few words why no surer; if that is the reason, `hangs_on` names the works of the
    one source that it depends on, or `premise` the claim that it depends on.
    """

    strength: float | None
    word: str
    pro: float = 0.0
    con: float = 0.0
    quality: float | None = None
    sureness: str = ""
    limit: str = ""
    hangs_on: tuple[str, ...] = ()
    premise: str = ""

    @property
    def reader_word(self) -> str:
        """The word that readers see: `probably`, `perhaps not`; for evidence its quality, to one
        decimal.
        """
        if self.quality is not None:
            return _round_quality(self.word)
        from kg.reasoning.verdict_words import sureness_in_words

        return sureness_in_words(self.sureness, self.word)

    @property
    def why(self) -> str:
        """Why a claim has this word, if others of the same strength may have another one;
        empty if the word follows from the strength alone.
        """
        from kg.reasoning.verdict_words import TOO_LOW

        return "" if self.limit == TOO_LOW else self.limit

    @property
    def word_with_reason(self) -> str:
        """`perhaps (other rules differ)`: the word that readers see, with `why`."""
        return f"{self.reader_word} ({self.why})" if self.why else self.reader_word


_DECIMAL = re.compile(r"\d\.\d\b")
_SAME_TWICE = re.compile(r"(\d\.\d) to \1\b")
_DECIMALS = re.compile(r"\d\.\d\d\b")


def _round_quality(word: str) -> str:
    """`quality 0.5, 0.3 after objections` of `quality 0.52, 0.31 after objections`: a grade by a
    rule is no finer than that.
    """
    rounded = _DECIMALS.sub(lambda number: f"{float(number[0]):.1f}", word)
    quality, comma, remainder = rounded.partition(",")
    numbers = {*_DECIMAL.findall(remainder)}
    if comma and numbers <= {quality.rpartition(" ")[2]}:
        by_what = "with support" if "support" in remainder else "by objections"
        return f"{quality}, hardly changed {by_what}"
    return _SAME_TWICE.sub(r"\1", rounded)


class Standings(Value, frozen=True):
    """The standings of all statements, what each edge adds (by the keys of `SiteStrengths.share`),
    and the grades of evidence; `basis` is the digest of what they depend on.
    """

    basis: bytes = b""
    statements: dict[str, StatementStrength] = {}
    shares: dict[str, float] = {}
    grades: dict[str, Grade] = {}


class SourceLoss(Value, frozen=True):
    """A line's answer before and after the loss of a source and all that count as one with it.

    `word` is the word of the answer now; `undoes` says that without them it would leave its side,
    `left` how sure it would still be, where that is less than now.
    """

    line: str
    sources: tuple[str, ...]
    before: float | None
    after: float | None
    word: str
    undoes: bool
    left: str = ""


class AnswerOnSubset(Value, frozen=True):
    """What a line's answer would be if only `part` of its evidence counted, `counted` findings out
    of `total`, and how sure; `name` is the name of that part on the scales.
    """

    name: str
    part: str
    counted: int
    total: int
    strength: float
    side: int
    sureness: str
