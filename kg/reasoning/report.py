"""What every answer carries: numbers, ids, parameters, certificate, and one plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from kg.model import EdgeId, LineId, StatementId, Value
from kg.model.config import Reasoning
from kg.model.wording import many
from kg.reasoning.arrays import Floats
from kg.reasoning.session import Question, Reading
from kg.reasoning.solver.certificate import Certificate, certify

SLACK = 1e-12
DIGITS = 9


class Parameters(Value, frozen=True, omit_defaults=False):
    """The settings that the numbers depend on."""

    semantics: str
    loops: str
    transfer: str
    gain: float
    repeat: float


class AskedQuestion(Value, frozen=True, omit_defaults=False):
    """What was asked about, under which parameters, and what is proved about the numbers.

    `statement` is empty where a line weighs no proposition, or the answer is about a corpus.
    """

    line: LineId | None
    statement: StatementId
    title: str
    parameters: Parameters
    certificate: Certificate | None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, `sentence` first.

    `complete` is false where a search was cut short; then what is listed is true, but there
    may be more.
    """

    sentence: str
    complete: bool = True

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values, every field present."""
        found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return found


class Answer(Report, frozen=True, kw_only=True):
    """The base of all answers to a question about the corpus."""

    asked: AskedQuestion


class Reason(Value, frozen=True, omit_defaults=False):
    """A direct reason: which statement, by which edge, how strong, and its share in nats.

    Under the logistic semantics shares add up: logit(strength) = logit(base) + sum of shares.
    `together` are the premises without which it is none; of those that count only together, the
    weakest stands for all; of equals the one that adds most, then the first by id. `fallen` says
    that it is a premise on which what is asked depends, and counts against it by having fallen.
    """

    statement: StatementId
    title: str
    edge: EdgeId
    strength: float | None
    weight: float
    share: float
    together: tuple[StatementId, ...] = ()
    fallen: bool = False

    @property
    def words(self) -> str:
        """The title, or how far the premise has fallen."""
        if not self.fallen or self.strength is None:
            return self.title
        return f"its premise “{self.title.rstrip('.?!')}” has fallen to {self.strength:.2f}"


class Candidate(Value, frozen=True, omit_defaults=False):
    """A claim that a line places in a camp, and how far the corpus backs it."""

    statement: StatementId
    title: str
    camp: str
    strength: float | None


class OpenQuestion(Answer, frozen=True, kw_only=True):
    """The answer where a line weighs no yes/no proposition: its claims, the best backed first."""

    candidates: tuple[Candidate, ...] = ()


def parameters(settings: Reasoning) -> Parameters:
    """The settings that numbers depend on."""
    return Parameters(
        semantics=settings.semantics,
        loops=settings.loops,
        transfer=settings.transfer,
        gain=settings.gain,
        repeat=settings.repeat,
    )


def asked(question: Question) -> AskedQuestion:
    """What `question` asks, with the certificate of its part of the graph."""
    return AskedQuestion(
        line=question.line,
        statement=question.statement,
        title=question.title,
        parameters=parameters(question.settings),
        certificate=question.certificate if question.statement else None,
    )


def asked_of_all(reading: Reading) -> AskedQuestion:
    """What an answer about the whole corpus asks."""
    return AskedQuestion(
        line=None,
        statement="",
        title=reading.corpus.config.name,
        parameters=parameters(reading.settings),
        certificate=certify(reading.graph, reading.solution),
    )


def open_question(question: Question) -> OpenQuestion:
    """The candidates of a line without a proposition, ranked by strength."""
    corpus, reading = question.reading.corpus, question.reading
    places = corpus.lines[question.line or ""].placements
    found = [
        Candidate(
            statement=place.statement,
            title=corpus.statements[place.statement].title,
            camp=place.camp,
            strength=number(reading.solution.strength[reading.graph.names[place.statement]]),
        )
        for place in places
        if place.statement in corpus.statements
    ]
    found.sort(key=lambda c: (-(c.strength or 0.0), c.statement))
    best = f"; of its {many(len(found), 'claim')} the best backed is “{found[0].title}”"
    best = best if found else ""
    return OpenQuestion(
        sentence=f"The line weighs no yes/no proposition, so it has no verdict{best}.",
        asked=asked(question),
        candidates=tuple(found),
    )


def number(value: float | np.floating[Any]) -> float | None:
    """`value` rounded so that the order of summation does not show; `None` if it is none."""
    return None if np.isnan(value) else round(float(value), DIGITS) + 0.0


def rounded(value: float | np.floating[Any]) -> float:
    """`value` rounded so that the order of summation does not show."""
    return round(float(value), DIGITS) + 0.0


def joined(names: Sequence[str]) -> str:
    """Names in a row, the last behind `and`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def side(strength: float | Floats) -> Any:
    """1 above one half, -1 below, 0 at it (and where there is no number), with a hair of slack."""
    off = strength - 0.5
    found = (off > SLACK) * 1 - (off < -SLACK) * 1
    return found if isinstance(found, np.ndarray) else int(found)
