"""Markdown notes that argue, as a knowledge graph of claims and sources.

import kg
corpus = kg.load("notes")
corpus.find(kg.claims().camp("skeptic").supported_by(kg.evidence().method("experiment")))
print(corpus.verdict("social-grounding").sentence)
"""

from typing import TYPE_CHECKING, Any

from kg.version import VERSION

if TYPE_CHECKING:
    from kg.api import (
        AskableCorpus as Corpus,
    )
    from kg.api import (
        FoundRecords,
        Groups,
        Sizes,
        claims,
        connect,
        counter_claims,
        edges,
        evidence,
        lines,
        load,
        sources,
        statements,
    )
    from kg.corpus import UnknownId
    from kg.endpoints.connections import EndpointError
    from kg.graphs_with_strengths.stored_notes import store_notes
    from kg.model.errors import KgError, Misuse, NotACorpus
    from kg.model.settings.config import ConfigError
    from kg.notes.note_listing import NoSuchFolder
    from kg.queries.connection import connect_store
    from kg.rdf.query_bindings import BadBinding
    from kg.rdf.query_limits import BadQuery
    from kg.rdf.read_records import load_rdf
    from kg.reasoning import (
        case,
        circles,
        contributions,
        crux,
        flips,
        gaps,
        impact,
        independence,
        labelling,
        positions,
        quality,
        robustness,
        strengths,
        tensions,
        verdict,
        whatif,
    )

__version__ = VERSION
# The errors that users may catch, and the module of each.
ERRORS = {
    "BadBinding": "kg.rdf.query_bindings",
    "BadQuery": "kg.rdf.query_limits",
    "ConfigError": "kg.model.settings.config",
    "EndpointError": "kg.endpoints.connections",
    "KgError": "kg.model.errors",
    "Misuse": "kg.model.errors",
    "NoSuchFolder": "kg.notes.note_listing",
    "NotACorpus": "kg.model.errors",
    "UnknownId": "kg.corpus",
}
# What the rest of the library is asked without, and the module of each.
SLOW_TO_LOAD = {
    "connect_store": "kg.queries.connection",
    "load_rdf": "kg.rdf.read_records",
    "store_notes": "kg.graphs_with_strengths.stored_notes",
}
__all__ = [
    "BadBinding",
    "BadQuery",
    "ConfigError",
    "Corpus",
    "EndpointError",
    "FoundRecords",
    "Groups",
    "KgError",
    "Misuse",
    "NoSuchFolder",
    "NotACorpus",
    "Sizes",
    "UnknownId",
    "case",
    "circles",
    "claims",
    "connect",
    "connect_store",
    "contributions",
    "counter_claims",
    "crux",
    "edges",
    "evidence",
    "flips",
    "gaps",
    "impact",
    "independence",
    "labelling",
    "lines",
    "load",
    "load_rdf",
    "positions",
    "quality",
    "robustness",
    "sources",
    "statements",
    "store_notes",
    "strengths",
    "tensions",
    "verdict",
    "whatif",
]


def __getattr__(name: str) -> Any:
    """Load the library on first use, so that `import kg` costs nothing."""
    if module := ERRORS.get(name) or SLOW_TO_LOAD.get(name):
        from importlib import import_module

        return getattr(import_module(module), name)
    if name in __all__:
        from kg import api

        if name == "Corpus":
            return api.AskableCorpus
        if name in api.__all__:
            return getattr(api, name)
        from kg import reasoning  # slow to load, and only needed for weighing

        return getattr(reasoning, name)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
