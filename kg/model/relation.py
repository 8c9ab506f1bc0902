"""The relations of edges: the one table from which all descriptions of relations come."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

_SIDE_WORDS = {+1: "for", -1: "against", 0: "neither"}


class RelationEnds(enum.Enum):
    """The records that an edge may lead from and to, in the words of the page on the format."""

    STATEMENTS = "statement → statement"
    EDGE = "statement → edge"
    ALIKE = "any → same kind"
    ANY = "any → any"


class EdgeStroke(enum.StrEnum):
    """The style of a drawn edge; each kind of picture has its own code for each style."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    CHAINED = "chained"


class RelationInfo(NamedTuple):
    """The description of a relation, for readers, authors, questions and pictures.

    `side` is +1 for a reason for, -1 for a reason against, 0 for what takes no side. What takes
    no side bears no weight, unless it `acts`: then the room `kg.reasoning` says how.
    """

    meaning: str
    """Its meaning, for authors."""
    inverse: str
    """The word for the inverse: valid in queries, and pointed out in notes."""
    finds: str
    """What a query with this word finds, where ID is its argument."""
    finds_back: str = ""
    participle: str = ""
    """Another form of the word, for queries."""
    side: int = 0
    acts: bool = False
    """Whether strengths depend on it, though it takes no side."""
    joins: RelationEnds = RelationEnds.STATEMENTS
    reasoned: bool = True
    """Whether an edge without a reason is worth a warning."""
    label: str = ""
    """The label that readers see, if it is not the word itself."""
    label_back: str = ""
    """The same for its inverse."""
    mark: str = ""
    """The sign before it."""
    stroke: EdgeStroke = EdgeStroke.SOLID
    colour: str = "cyan"
    """Its colour in terminals and in small drawings, which do not show camps."""
    synonyms: tuple[str, ...] = ()
    """Words used for it elsewhere: not accepted, but answered with the right word."""
    synonyms_back: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    """Properties of other vocabularies to which the ontology relates it."""
    cito: str = ""
    """The nearest property of the Citation Typing Ontology."""


_UNSAID = RelationInfo(meaning="", inverse="", finds="")


class Relation(enum.StrEnum):
    """The effect of one statement on another; inverses are derived, never written."""

    _value_: str
    entry: RelationInfo

    # type checkers take `Relation(word)`, which looks up a relation, as a call of this
    def __new__(cls, word: str, entry: RelationInfo = _UNSAID) -> Relation:
        relation = str.__new__(cls, word)
        relation._value_ = word
        relation.entry = entry
        return relation

    SUPPORTS = (
        "supports",
        RelationInfo(
            meaning="a reason for",
            inverse="supported-by",
            finds="Reasons for ID.",
            finds_back="Statements that ID supports.",
            participle="supporting",
            side=+1,
            mark="+",
            colour="green",
            synonyms=("argues-for", "backs", "confirms", "evidence-for", "proves"),
            matches=("cito:supports", "mp:supports", "amo:supports"),
            cito="supports",
        ),
    )
    CONTRADICTS = (
        "contradicts",
        RelationInfo(
            meaning="a reason against; one-way as written, `(mutual:: yes)` makes it both",
            inverse="contradicted-by",
            finds="Reasons against ID.",
            finds_back="Statements that ID contradicts.",
            participle="contradicting",
            side=-1,
            mark="−",
            stroke=EdgeStroke.DASHED,
            colour="red",
            synonyms=(
                *("answers", "argues-against", "attacks", "challenges", "counters", "denies"),
                *("disagrees-with", "disproves", "opposes", "rebuts", "refutes"),
            ),
            synonyms_back=("refuted-by",),
            matches=("cito:disputes", "mp:challenges"),
            cito="disputes",
        ),
    )
    QUALIFIES = (
        "qualifies",
        RelationInfo(
            meaning="holds only within limits: a weak reason against the unlimited reading",
            inverse="qualified-by",
            finds="Statements that set limits to ID.",
            finds_back="Statements that ID sets limits to.",
            participle="qualifying",
            side=-1,
            label="limits",  # to who has not seen the notes, "qualifies" says nothing
            label_back="limited by",
            mark="±",
            stroke=EdgeStroke.DOTTED,
            colour="yellow",
            synonyms=("limits", "restricts", "weakens"),
            matches=("cito:qualifies",),
            cito="qualifies",
        ),
    )
    UNDERCUTS = (
        "undercuts",
        RelationInfo(
            meaning="denies that a reason bears on its conclusion",
            inverse="undercut-by",
            finds="Statements that undercut an edge from ID, or a support for ID.",
            finds_back="Statements with an edge or a support that ID undercuts.",
            participle="undercutting",
            side=-1,
            label="doubts",  # a term of art to readers; authors write "undercuts"
            label_back="doubted by",
            joins=RelationEnds.EDGE,
            mark="⊘",
            stroke=EdgeStroke.DOTTED,
            colour="magenta",
            synonyms=("undermines",),
            cito="critiques",
        ),
    )
    DEPENDS_ON = (
        "depends-on",
        RelationInfo(
            meaning="loses force as the other falls",
            inverse="needed-by",
            finds="Statements that depend on ID.",
            finds_back="Statements that ID depends on.",
            participle="depending-on",
            acts=True,
            synonyms=("assumes", "because-of", "needs", "presupposes", "relies-on", "requires"),
            cito="usesConclusionsFrom",
        ),
    )
    SAME_AS = (
        "same-as",
        RelationInfo(
            meaning="the same proposition in other words",
            inverse="same-as",
            finds="Statements declared the same as ID.",
            acts=True,
            reasoned=False,
            label="says the same as",
            stroke=EdgeStroke.CHAINED,
            synonyms=("duplicates", "equals"),
            matches=("skos:exactMatch",),
            cito="agreesWith",
        ),
    )
    EXTENDS = (
        "extends",
        RelationInfo(
            meaning="takes it further: to other cases, or to more of them; bears no weight",
            inverse="extended-by",
            finds="Statements that take ID further.",
            finds_back="Statements that ID takes further.",
            participle="extending",
            mark="»",
            stroke=EdgeStroke.DASHED,
            synonyms=("broadens", "builds-on", "elaborates", "generalises", "generalizes"),
            synonyms_back=("built-on-by",),
            matches=("cito:extends",),
            cito="extends",
        ),
    )
    EXPLAINS = (
        "explains",
        RelationInfo(
            meaning="says how or why it comes about; bears no weight",
            inverse="explained-by",
            finds="Statements that say how or why ID comes about.",
            finds_back="Statements that ID explains.",
            participle="explaining",
            mark="∵",
            stroke=EdgeStroke.DOTTED,
            synonyms=("accounts-for", "causes", "mechanism-of"),
            synonyms_back=("caused-by",),
            cito="discusses",
        ),
    )
    RELATES = (
        "relates",
        RelationInfo(
            meaning="has to do with it, as the reason says; bears no weight",
            inverse="relates",
            finds="Notes linked with ID, for a stated reason.",
            joins=RelationEnds.ANY,
            label="relates to",
            mark="~",
            stroke=EdgeStroke.DOTTED,
            synonyms=("related-to", "relates-to"),
            matches=("skos:related",),
            cito="citesAsRelated",
        ),
    )
    SUPERSEDES = (
        "supersedes",
        RelationInfo(
            meaning="replaces it",
            inverse="superseded-by",
            finds="Notes that replace ID.",
            finds_back="Notes that ID replaces.",
            participle="superseding",
            acts=True,
            joins=RelationEnds.ALIKE,
            reasoned=False,
            synonyms=("replaces",),
            synonyms_back=("replaced-by",),
            matches=("dcterms:replaces",),
            cito="updates",
        ),
    )

    @property
    def is_symmetric(self) -> bool:
        """Whether it means the same in both directions."""
        return self.entry.inverse == self.value

    @property
    def joins_notes(self) -> bool:
        """Whether its ends may also be lines and sources."""
        return self.entry.joins in (RelationEnds.ALIKE, RelationEnds.ANY)

    @property
    def label(self) -> str:
        """The label that readers see between its ends."""
        return self.entry.label or self.value.replace("-", " ")

    @property
    def label_back(self) -> str:
        """The label that readers see between its ends in reverse order."""
        if self.is_symmetric:
            return self.label
        return self.entry.label_back or self.entry.inverse.replace("-", " ")

    @property
    def side(self) -> str:
        """The side on which a reason of this relation counts: `for`, `against` or `neither`."""
        return _SIDE_WORDS[self.entry.side]


OPPOSING = frozenset(relation for relation in Relation if relation.entry.side < 0)
# Relations that no strength depends on.
WEIGHTLESS = frozenset(r for r in Relation if not r.entry.side and not r.entry.acts)
# Relations that can have joint premises: all that take a side.
LINKABLE = frozenset(relation for relation in Relation if relation.entry.side)
# +1 or -1 for each relation by which a statement speaks for or against another.
SIDES: Mapping[Relation, int] = {
    relation: relation.entry.side
    for relation in Relation
    if relation.entry.side and relation.entry.joins is RelationEnds.STATEMENTS
}


class EdgeStrength(enum.StrEnum):
    """The strength of an edge, according to its author."""

    WEAK = "weak"
    MODERATE = "moderate"
    STRONG = "strong"
