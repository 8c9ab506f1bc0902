"""The vocabulary of edges."""

from __future__ import annotations

import enum


class Relation(enum.StrEnum):
    """What one statement does to another; inverses are derived, never written."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    QUALIFIES = "qualifies"
    UNDERCUTS = "undercuts"
    DEPENDS_ON = "depends-on"
    SAME_AS = "same-as"
    SUPERSEDES = "supersedes"


OPPOSING = frozenset({Relation.CONTRADICTS, Relation.QUALIFIES, Relation.UNDERCUTS})
LINKABLE = frozenset({Relation.SUPPORTS, *OPPOSING})
"""Relations whose reasons may count only together with others."""


class Strength(enum.StrEnum):
    """How strongly an author says an edge holds."""

    WEAK = "weak"
    MODERATE = "moderate"
    STRONG = "strong"
