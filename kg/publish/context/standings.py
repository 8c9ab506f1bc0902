"""The standing of a statement or a line's answer, as pages show it."""

from __future__ import annotations

from kg.model import Bearing, Value
from kg.model.grade import Grade
from kg.reasoning.verdict_words import (
    BY_WEIGHTS,
    TOO_LOW,
    is_held_back,
    render_strength,
    sureness_in_words,
)

BACKWARD_MARK = "<"  # follows the id of a mutual edge to mean its other direction


def direction_key(bearing: Bearing) -> str:
    """The key by which `SiteStrengths` knows one direction of an edge."""
    return f"{bearing.edge.id}{BACKWARD_MARK}" if bearing.is_reversed else bearing.edge.id


class StatementStrength(Value, frozen=True):
    """How far the corpus backs a statement, in a word, and the weight on either side, in nats.

    For a piece of evidence the strength is how much it can carry, and `quality` its base. For a
    claim `sureness` says how sure it is, in the same words as a line's answer, and `held` where
    that word holds the strength, and `limit` in a few words why no surer; if that is the reason,
    `hangs_on` names the works of the one source that it depends on, or `premise` the claim that it
    depends on. `sources` is the number of independent sources that count for it or against it.
    """

    strength: float | None
    word: str
    pro: float = 0.0
    con: float = 0.0
    quality: float | None = None
    sureness: str = ""
    held: float | None = None
    limit: str = ""
    hangs_on: tuple[str, ...] = ()
    premise: str = ""
    sources: int = 0

    @property
    def reader_word(self) -> str:
        """The word that readers see: “probably”, “perhaps not”; for evidence its quality."""
        return sureness_in_words(self.sureness, self.word)

    @property
    def place(self) -> float | None:
        """Where it stands on a scale: at its strength, but no farther than its word reaches."""
        return self.strength if self.held is None else self.held

    @property
    def strength_in_words(self) -> str:
        """`strength 0.72`; where its word holds it back, `at 0.60, by the weights alone 0.89`."""
        if self.strength is None:
            return ""
        strength = render_strength(round(self.strength, 2))
        if self.place is None or not is_held_back(self.strength, self.place):
            return f"strength {strength}"
        return f"at {self.place:.2f}, {BY_WEIGHTS} {strength}"

    @property
    def why(self) -> str:
        """Why a claim has this word, if others of the same strength may have another one;
        empty if the word follows from the strength alone.
        """
        return "" if self.limit == TOO_LOW else self.limit

    @property
    def word_with_reason(self) -> str:
        """`perhaps (other rules differ)`: the word that readers see, with `why`."""
        return f"{self.reader_word} ({self.why})" if self.why else self.reader_word


class Standings(Value, frozen=True):
    """The standings of all statements, what each edge adds (by the keys of `SiteStrengths.share`),
    and the grades of evidence.
    """

    statements: dict[str, StatementStrength] = {}
    shares: dict[str, float] = {}
    grades: dict[str, Grade] = {}


class SourceLoss(Value, frozen=True):
    """A line's answer before and after the loss of a source and all that count as one with it.

    `word` is the word of the answer now; `undoes` says that without them it would leave its side,
    `sureness` is how sure the answer is now, and `word_without` its word without them, where it
    stays on its side and that is another word.
    """

    line_id: str
    sources: tuple[str, ...]
    before: float | None
    after: float | None
    word: str
    undoes: bool
    sureness: str = ""
    word_without: str = ""


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
