"""The ontology as rdflib has it, to which what we make of it is held."""

from __future__ import annotations

from functools import cache

import rdflib

from kg.rdf.ontology import load_text


@cache
def load_graph(name: str = "kg.ttl") -> rdflib.Graph:
    """A Turtle file of the ontology as an rdflib graph, read once: nobody may alter it."""
    return rdflib.Graph().parse(data=load_text(name), format="turtle")
