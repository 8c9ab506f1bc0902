"""What an answer is asked about: its question, the settings in force, and what is proved."""

from __future__ import annotations

from kg.model import LineId, StatementId, Value
from kg.model.settings.reasoning_settings import Reasoning, follows_routes
from kg.reasoning.reading import Question, Reading
from kg.reasoning.solution import CERTIFICATES, Certificate, certify

SEMANTICS_IN_WORDS = {
    "logistic": "reasons add up as odds multiply (in log-odds)",
    "qe": "quadratic energy",
    "dfquad": "DF-QuAD",
    "euler": "Euler-based",
    "eulertop": "Euler-based, from the top",
    "hcat": "h-categorizer",
}
LOOPS_IN_WORDS = {
    "cautious": "of reasons and objections that go in a circle only the strongest of each count",
    "sum": "reasons and objections that go in a circle are added up",
}
TRANSFERS_IN_WORDS = {
    "routes": "each independent source counts once per statement, by its best route",
    "earned": "a statement passes on only what it has earned above its starting point",
    "plain": "a statement passes on its whole strength",
}


class Parameters(Value, frozen=True, omit_defaults=False):
    """The settings that the numbers depend on, and the nats from which a side carries weight."""

    semantics: str
    loops: str
    transfer: str
    gain: float
    repeat: float
    moderate: float
    weak: float
    qualifies: float
    open_below: float

    @property
    def follows_routes(self) -> bool:
        """Whether sources were followed along their routes."""
        return follows_routes(self.transfer, self.semantics)


def describe_settings(parameters: Parameters) -> str:
    """Describe in plain words the rules of weighing that were in force."""
    semantics = SEMANTICS_IN_WORDS[parameters.semantics]
    defaults = parameters_of(Reasoning())
    names = ("gain", "moderate", "weak", "qualifies", "open_below")
    others = "".join(
        f"; {name} {getattr(parameters, name):g}"
        for name in names
        if getattr(parameters, name) != getattr(defaults, name)
    )
    if parameters.follows_routes:
        repeats = f"; its other routes count {parameters.repeat:.0%}" if parameters.repeat else ""
        return f"{TRANSFERS_IN_WORDS['routes']}{repeats}; {semantics}{others}"
    transfer = TRANSFERS_IN_WORDS[
        "earned" if parameters.transfer == "routes" else parameters.transfer
    ]
    repeats = f"a source that is heard again counts {parameters.repeat:.0%}"
    return f"{semantics}; {LOOPS_IN_WORDS[parameters.loops]}; {transfer}; {repeats}{others}"


class AskedQuestion(Value, frozen=True, omit_defaults=False):
    """The question that an answer is about, its parameters, and what is proved about its numbers.

    `statement` is empty where a line weighs no proposition, or the answer is about a corpus.
    """

    line: LineId | None
    statement: StatementId
    title: str
    parameters: Parameters
    certificate: Certificate | None

    @property
    def how(self) -> str:
        """The rules by which the numbers were obtained, and what is proved about them, in plain
        words.
        """
        proved = f". {CERTIFICATES[self.certificate.name]}" if self.certificate else ""
        return describe_settings(self.parameters) + proved


def parameters_of(settings: Reasoning) -> Parameters:
    """The settings that an answer's numbers, and whether a side carries weight, depend on."""
    return Parameters(**{name: getattr(settings, name) for name in Parameters.__struct_fields__})


def asked_about(question: Question) -> AskedQuestion:
    """Return what `question` asks, with the certificate of its part of the graph."""
    return AskedQuestion(
        line=question.line_id,
        statement=question.statement,
        title=question.title,
        parameters=parameters_of(question.settings),
        certificate=question.certificate if question.statement else None,
    )


def asked_about_corpus(reading: Reading) -> AskedQuestion:
    """Return what an answer about the whole corpus asks."""
    return AskedQuestion(
        line=None,
        statement="",
        title=reading.corpus.config.name,
        parameters=parameters_of(reading.settings),
        certificate=certify(reading.graph, reading.solution),
    )
