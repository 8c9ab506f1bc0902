"""Statements: claims and evidence, with their citations, quotations and links."""

from __future__ import annotations

import datetime as dt
import enum
from typing import NamedTuple

from kg.model.figures import SampleClass, render_effect, render_p
from kg.model.value import CampId, SourceKey, Span, StatementId, Value, render_card, render_short


class Kind(enum.StrEnum):
    """The three kinds of statement."""

    CLAIM = "claim"
    COUNTER_CLAIM = "counter-claim"
    EVIDENCE = "evidence"


class Status(enum.StrEnum):
    """The state of the note, never of the truth."""

    DRAFT = "draft"
    STABLE = "stable"
    RETIRED = "retired"


class Method(enum.StrEnum):
    """The method by which a piece of evidence was obtained, from the strongest design to none.

    These are built in; `[quality.kinds]` of `kg.toml` may add others.
    """

    META_ANALYSIS = "meta-analysis"
    REGISTERED_REPLICATION = "registered-replication"
    EXPERIMENT = "experiment"
    BENCHMARK = "benchmark"
    OBSERVATIONAL = "observational"
    SURVEY = "survey"
    QUALITATIVE = "qualitative"
    REVIEW = "review"
    ARGUMENT = "argument"
    DEMONSTRATION = "demonstration"
    ANECDOTE = "anecdote"


class SeenIn(enum.StrEnum):
    """The place where the author of a note saw the figures of a statement."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    NOTE_PAGE = "note-page"
    NOT_SEEN = "not-seen"


class Citation(Value, frozen=True):
    """A source that a passage rests on."""

    key: SourceKey
    span: Span
    locator: str = ""
    prefix: str = ""


class Quotation(Value, frozen=True):
    """A passage quoted word for word from a source."""

    text: str
    key: SourceKey
    span: Span
    locator: str = ""


class Mention(Value, frozen=True):
    """A link in running text: a backlink, never an edge.

    `origin` is the statement, line or source that contains the link, `target` the id that it
    leads to, `context` the paragraph around it as written.
    """

    origin: str
    target: str
    span: Span
    text: str = ""
    context: str = ""

    def __repr__(self) -> str:
        return render_short("mention", f"of {self.target} by {self.origin}", self.text)


class Statement(Value, frozen=True):
    """A claim, counter-claim or piece of evidence, from a note or a callout.

    `camp` is only the default for lines that do not place the statement themselves.
    An absent field means unknown; nothing is guessed. `method` is one of `Method`, or a word
    that `kg.toml` declares. `effect` is the size of what was found, `effect_kind` its measure,
    `effect_low` and `effect_high` its interval; `p_sign` is `<` or `>` if p is only bounded.
    """

    id: StatementId
    kind: Kind
    title: str
    span: Span
    body: str = ""
    note: str = ""
    parent: StatementId | None = None
    aliases: tuple[str, ...] = ()
    camp: CampId | None = None
    topics: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    asserted_by: tuple[str, ...] = ()
    reported: bool = False
    open: str = ""
    method: str | None = None
    sample: int | None = None
    sample_unit: str = ""
    sample_class: SampleClass | None = None
    effect: float | None = None
    effect_kind: str = ""
    effect_low: float | None = None
    effect_high: float | None = None
    p: float | None = None
    p_sign: str = ""
    replications: int | None = None
    failed_replications: int | None = None
    preregistered: bool | None = None
    peer_reviewed: bool | None = None
    concerns: tuple[str, ...] = ()
    independence: tuple[str, ...] = ()
    seen_in: SeenIn | None = None
    quality: float | None = None
    status: Status = Status.STABLE
    created: dt.date | None = None
    updated: dt.date | None = None
    reviewed: dt.date | None = None
    extra: dict[str, str] = {}

    @property
    def effect_text(self) -> str:
        """The effect as written in a note: `d=0.42 [0.1, 0.7]`; empty if none is recorded."""
        if self.effect is None:
            return ""
        return render_effect(self.effect_kind, self.effect, self.effect_low, self.effect_high)

    @property
    def p_text(self) -> str:
        """The p as written in a note: `0.003`, `<0.001`; empty if none is recorded."""
        return "" if self.p is None else render_p(self.p_sign, self.p)

    @property
    def path(self) -> str:
        """The path of the statement's file, relative to the notes folder."""
        return self.span.path

    @property
    def owes_support(self) -> bool:
        """Whether its note is to be reminded of support that is missing: not if it says why there
        is none (`open`), or only reports the claim (`reported`).
        """
        return not self.open and not self.reported

    @property
    def sources(self) -> tuple[SourceKey, ...]:
        """Keys of the cited sources, each once, in the order of the text."""
        return tuple(dict.fromkeys(citation.key for citation in self.citations))

    def __repr__(self) -> str:
        return render_short(self.kind.value, self.id, self.title)

    def __str__(self) -> str:
        return f"{self.title}  [{self.id}]"

    def _repr_html_(self) -> str:
        facts = (self.kind.value, self.camp or "", ", ".join(self.sources))
        return render_card(self.title, self.id, facts, self.body)


class EvidenceField(NamedTuple):
    """A field of evidence, and where else than in its note it has a place.

    `name` is the attribute of `Statement`, `text_attribute` the one that holds its text (empty if
    it is not shown by itself), `query_word` its word in queries, and `phrase` names it where a
    sentence explains its quality. Queries read `is_cached` fields of many records.
    """

    name: str
    text_attribute: str = ""
    query_word: str = ""
    phrase: str = ""
    is_cached: bool = True


def _evidence_field(
    name: str, phrase: str = "", query_word: str = "", text_attribute: str | None = None
) -> EvidenceField:
    return EvidenceField(
        name, name if text_attribute is None else text_attribute, query_word or name, phrase
    )


def _unshown_field(name: str, is_cached: bool = True) -> EvidenceField:
    """A field that is shown as a part of another, or not at all."""
    return EvidenceField(name, "", name, "", is_cached)


# What evidence records. `kg show`, data for programs, explanations of quality, selections of claims
# by their evidence, and the cache all use this table.
EVIDENCE_FIELDS: tuple[EvidenceField, ...] = (
    _evidence_field("method", "the method"),
    _evidence_field("sample", "the size of the sample"),
    _evidence_field("sample_unit", query_word="unit"),
    _evidence_field("sample_class"),
    _evidence_field("effect", text_attribute="effect_text"),
    _unshown_field("effect_kind"),
    _unshown_field("effect_low", is_cached=False),
    _unshown_field("effect_high", is_cached=False),
    _evidence_field("p", "a p-value", text_attribute="p_text"),
    _unshown_field("p_sign"),
    _evidence_field("failed_replications", "failed replications"),
    _evidence_field("replications", "replications"),
    _evidence_field("peer_reviewed", "peer review"),
    _evidence_field("preregistered", "preregistration"),
    _evidence_field("concerns", "concerns", query_word="concern"),
    _evidence_field("independence"),
    _evidence_field("seen_in", "where it was seen"),
    _unshown_field("quality", is_cached=False),
)


def recorded_facts(statement: Statement) -> dict[str, object]:
    """Return what a note records of its evidence, and its open question, by field, lists as
    text.
    """
    names = [field.text_attribute for field in EVIDENCE_FIELDS if field.text_attribute]
    values = {name.removesuffix("_text"): getattr(statement, name) for name in (*names, "open")}
    return {
        name: ", ".join(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, "", ())
    }
