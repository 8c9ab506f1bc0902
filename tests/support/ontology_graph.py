"""The ontology as rdflib has it, to which what we make of it is held."""

from __future__ import annotations

import rdflib

from kg.ontology import load_text


def load_graph(name: str = "kg.ttl") -> rdflib.Graph:
    """A Turtle file of the ontology as an rdflib graph."""
    return rdflib.Graph().parse(data=load_text(name), format="turtle")
