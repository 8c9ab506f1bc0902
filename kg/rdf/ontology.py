"""The ontology: where its files are, the prefixes and names of its terms, and the queries in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from kg.model import EdgeStrength, Integrity, Kind, Method, Relation, SampleClass, SeenIn, Status
from kg.model.errors import KgError

KG = "https://example.org/inquiry-lines/ontology#"

PREFIXES = {
    "kg": KG,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "bibo": "http://purl.org/ontology/bibo/",
    "oa": "http://www.w3.org/ns/oa#",
    "prov": "http://www.w3.org/ns/prov#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}

CLASSES = {Kind.CLAIM: "Claim", Kind.COUNTER_CLAIM: "CounterClaim", Kind.EVIDENCE: "Evidence"}

ClosedList = Method | SampleClass | SeenIn | Status | EdgeStrength | Integrity
_VALUES: dict[type[ClosedList], str] = {
    Method: "method",
    SampleClass: "sampleClass",
    SeenIn: "seenIn",
    Status: "status",
    EdgeStrength: "strength",
    Integrity: "integrity",
}
CLASS_OF = {name: kind for kind, name in CLASSES.items()}


class BrokenInstallation(KgError, RuntimeError):
    """The files of the ontology are missing from this package."""


def ontology_folder() -> Traversable:
    """The folder of the ontology: in the installed package, else in the repository."""
    packed = files("kg").joinpath("_ontology")
    if packed.is_dir():
        return packed
    checkout = Path(__file__).resolve().parents[2] / "ontology"
    if not checkout.is_dir():
        raise BrokenInstallation("the ontology's files are missing: install inquiry-lines again")
    return checkout


def load_text(*names: str) -> str:
    """The text of one file of the ontology, such as `load_text("queries", "cruxes.rq")`."""
    return ontology_folder().joinpath(*names).read_text("utf-8")


@cache
def term_names() -> frozenset[str]:
    """The names of all terms defined in the ontology: classes, properties, individuals."""
    return frozenset(re.findall(r"^kg:([\w-]+)", load_text("kg.ttl"), re.M))


def relation_name(relation: Relation) -> str:
    """The name of a relation's property, in camel case: that of `kg:dependsOn` for `depends-on`."""
    first, *rest = relation.value.split("-")
    return first + "".join(word.title() for word in rest)


RELATION_OF = {relation_name(relation): relation for relation in Relation}


def individual_name(value: ClosedList) -> str:
    """The name of the individual for a value of a closed list: `method-experiment`."""
    return f"{_VALUES[type(value)]}-{value.value}"


def individual_names() -> dict[str, ClosedList]:
    """Return all values of all closed lists, by the names of their individuals."""
    return {individual_name(value): value for kind in _VALUES for value in kind}


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query in the ontology's folder: its name, a title of what it finds, and its text."""

    name: str
    title: str
    text: str

    @property
    def parameters(self) -> dict[str, str]:
        """The variables that can be bound to a value, with what they mean."""
        return dict(re.findall(r"^# \?(\w+)(?: \(needed\))?: (.+)$", self.text, re.M))

    @property
    def required_variables(self) -> tuple[str, ...]:
        """The variables that need a value, since the query would otherwise cover everything."""
        return tuple(re.findall(r"^# \?(\w+) \(needed\):", self.text, re.M))


def named_queries() -> tuple[NamedQuery, ...]:
    """The queries that `kg sparql` offers by name, in alphabetical order."""
    names = sorted(
        file.name.removesuffix(".rq")
        for file in ontology_folder().joinpath("queries").iterdir()
        if file.name.endswith(".rq")
    )
    return tuple(named_query(name) for name in names)


def named_query(name: str) -> NamedQuery:
    """The query of this name. Raises `FileNotFoundError` if there is none."""
    text = load_text("queries", f"{name}.rq")
    return NamedQuery(name, text.partition("\n")[0].removeprefix("# "), text)
