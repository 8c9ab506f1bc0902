"""Where a statement or a line's answer stands, as pages say it."""

from __future__ import annotations

from kg.model import Value
from kg.model.grade import Grade


class StatementStrength(Value, frozen=True):
    """How far the corpus backs a statement, in a word, and what weighs on either side, in nats.

    Of a piece of evidence the strength is how much it can carry, and `quality` where it starts. Of
    a claim `sureness` says how far it may be relied on, in the words that a line's answer has, and
    `limit` in a few words why no further; `hangs_on` names the works of the one source that it
    hangs on, and `premise` the claim that it depends on, where these are why.
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
    def said(self) -> str:
        """What people read: `probably`, `perhaps not`; of evidence its quality."""
        from kg.reasoning.verdict_words import sureness_in_words

        return sureness_in_words(self.sureness, self.word)

    @property
    def why(self) -> str:
        """Why a claim of this strength is called so, where another of the same strength may be
        called otherwise; empty where only the strength counts.
        """
        from kg.reasoning.verdict_words import TOO_LOW

        return "" if self.limit == TOO_LOW else self.limit

    @property
    def told(self) -> str:
        """`perhaps (other rules differ)`: what people read, with `why`."""
        return f"{self.said} ({self.why})" if self.why else self.said


class Standings(Value, frozen=True):
    """Where all statements stand, what each edge adds, by `SiteStrengths.share`'s names, and how
    evidence is graded; `basis` is the digest of what they follow from.
    """

    basis: bytes = b""
    statements: dict[str, StatementStrength] = {}
    shares: dict[str, float] = {}
    grades: dict[str, Grade] = {}


class SourceLoss(Value, frozen=True):
    """A line's answer before and after the loss of one source and all that count as one with it.

    `word` is that of the answer now; `undoes` says that without them it would leave its side.
    """

    line: str
    sources: tuple[str, ...]
    before: float | None
    after: float | None
    word: str
    undoes: bool


class AnswerOnPart(Value, frozen=True):
    """What a line's answer would be if only `part` of its evidence counted, and how sure; `name` is
    what the scales call that part.
    """

    name: str
    part: str
    strength: float
    side: int
    sureness: str
