"""Which triples a query can touch, told from its text; at any doubt, all."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.rdf.bindings import TOKEN
from kg.rdf.vocabulary import named_term

TYPE = named_term("rdf:type")
_PREFIX = re.compile(r"PREFIX\s+([\w.-]*:)\s*<([^<>\s]*)>", re.IGNORECASE)
# DESCRIBE gives back all triples of a node, whatever its text names; the template of CONSTRUCT
# reads like what is asked for and is not: so neither is looked into.
_ANY_GRAPH = re.compile(r"\b(?:GRAPH|SERVICE|FROM|CONSTRUCT|DESCRIBE|BASE)\b", re.IGNORECASE)
# One sign for each variable, name, `rdf:type` and string of a query.
_V, _N, _T, _L = "\ue000\ue001\ue002\ue003"
_IS_TYPE = rf"(?:\ba\b|{_T})"
_NAME = rf"(?:[{_N}{_T}]|\ba\b)"
_VARIABLE_PROPERTY = re.compile(
    rf"[{_V}{_N}{_T}{_L}\]);\[]\s*{_V}\s*(?:[{_V}{_N}{_T}{_L}\[(+-]|\d|(?:true|false)\b)"
)
_OTHER_PROPERTIES = re.compile(rf"!\s*(?:[(^]|{_NAME})")
_NO_STEPS = re.compile(rf"(?:\)|{_NAME})\s*[*?]")  # such a path leads from any node to itself
_ANY_CLASS = re.compile(rf"{_IS_TYPE}\s*[{_V}/|)\[+]|[/|^(]\s*{_IS_TYPE}")


class Reach(NamedTuple):
    """The properties of all triples that a query can touch; of types, those of `classes` alone,
    unless these are None.
    """

    properties: frozenset[str]
    classes: frozenset[str] | None


def reach_of(query: str) -> Reach | None:
    """What a query can touch; None where that may be any triple."""
    prefixes = dict(_PREFIX.findall(query))
    names: set[str] = set()

    def sign(token: re.Match[str]) -> str:
        text = token["skip"]
        if text is None:
            return _V if token["variable"] else token[0]
        if text[0] in "\"'":
            return _L
        if text[0] == "#":
            return " "
        end = ""
        if text[0] != "<":
            prefix, _, local = text.partition(":")
            end = local[len(local.rstrip(".")) :]  # a full stop that ends the triple
            local = local.removesuffix(end).replace("\\", "")
            text = f"<{prefixes[f'{prefix}:']}{local}>" if f"{prefix}:" in prefixes else ""
        names.add(text)
        return (_T if text == TYPE else _N) + end

    signs = TOKEN.sub(sign, _PREFIX.sub("", query))
    doubts = (_ANY_GRAPH, _VARIABLE_PROPERTY, _OTHER_PROPERTIES, _NO_STEPS)
    if "" in names or any(doubt.search(signs) for doubt in doubts):
        return None
    properties = frozenset(names | {TYPE} if re.search(_IS_TYPE, signs) else names)
    return Reach(properties, None if _ANY_CLASS.search(signs) else frozenset(names))
