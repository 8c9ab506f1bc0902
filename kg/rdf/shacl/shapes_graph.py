"""A shapes graph, read node by node: values, lists, numbers, prefixes and paths."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.rdf.shacl.evaluation import BrokenShapes
from kg.rdf.shacl.node_text import (
    RDF,
    SH,
    XSD,
    as_integer,
    iri,
    is_blank,
    read_literal,
    read_string,
)
from kg.rdf.shacl.property_paths import (
    AlternativePath,
    InversePath,
    Path,
    PredicatePath,
    RepeatedPath,
    SequencePath,
)
from kg.rdf.shacl.triple_columns import TripleColumns
from kg.reachability import walk_from

FIRST, REST, NIL = iri(RDF + "first"), iri(RDF + "rest"), iri(RDF + "nil")
IMPORTS = iri("http://www.w3.org/2002/07/owl#imports")
_MARKS = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}


def sh(name: str) -> str:
    """The text of a term of SHACL."""
    return iri(SH + name)


def local_name(node: str) -> str:
    """The end of an IRI, after its last `#`, `/` or `:`."""
    return re.split("[#/:]", node.strip("<>"))[-1]


class ShapesGraph(TripleColumns):
    """The triples that describe shapes, read as SHACL."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        super().__init__(triples)
        self._read: list[str] = []  # the paths being read

    def all(self, node: str, name: str) -> tuple[str, ...]:
        """The values of a node for a SHACL property."""
        return self.column(sh(name)).of(node)

    def one(self, node: str, name: str) -> str | None:
        """The only value, or None. Raises `BrokenShapes` if there are more."""
        values = self.all(node, name)
        if len(values) > 1:
            raise BrokenShapes(f"{self.describe_shape(node)} has more than one sh:{name}")
        return values[0] if values else None

    def number(self, node: str, name: str) -> int | None:
        """The value as an integer, or None. Raises `BrokenShapes` for other values."""
        value = self.one(node, name)
        return None if value is None else self.as_number(node, name, value)

    def as_number(self, node: str, name: str, value: str) -> int:
        """A value as a whole number."""
        number = as_integer(value)
        if number is None:
            raise BrokenShapes(
                f"sh:{name} of {self.describe_shape(node)} is {value}, not an xsd:integer"
            )
        return number

    def read_flag(self, node: str, name: str) -> bool:
        """The value as a boolean; False if there is none, `BrokenShapes` for other values."""
        value = self.one(node, name)
        literal = read_literal(value) if value else None
        if literal and literal.datatype == XSD + "boolean":
            return literal.lexical == "true"  # SHACL allows only this form
        if value:
            raise BrokenShapes(
                f"sh:{name} of {self.describe_shape(node)} is {value}, not an xsd:boolean"
            )
        return False

    def text(self, node: str, name: str) -> str | None:
        """The text of a literal."""
        value = self.one(node, name)
        return None if value is None else read_string(value)

    def texts(self, node: str, name: str) -> tuple[str, ...]:
        """The texts of all literals, in order."""
        return tuple(sorted(map(read_string, self.all(node, name))))

    def items(self, head: str, owner: str) -> list[str]:
        """The items of an RDF list. Raises `BrokenShapes` if it is not one."""
        items: list[str] = []
        visited = {NIL}
        while head not in visited:
            visited.add(head)
            first = self.column(FIRST).of(head)
            rest = self.column(REST).of(head)
            if len(first) != 1 or len(rest) != 1:
                raise BrokenShapes(f"{owner} is not a list")
            items += first
            (head,) = rest
        if head != NIL:
            raise BrokenShapes(f"{owner} is a list that contains itself")
        return items

    def describe_shape(self, node: str) -> str:
        """Name a shape for messages: by its IRI, or by its path and context."""
        if not is_blank(node):
            return f"the shape {node}"
        paths = self.all(node, "path")
        holder = min(self.subjects_by_value.get(node, ()), default="")
        about = f" about {paths[0]}" if paths and paths[0][0] == "<" else ""
        within = f" within {holder}" if holder.startswith("<") else ""
        return f"the nameless shape{about}{within}"

    def prefixes(self, node: str) -> str:
        """The prefix declarations available to a query of this node."""
        names = {*walk_from(self.all(node, "prefixes"), self.column(IMPORTS).of)}
        declared = {}
        for declaration in self.column(sh("declare")).image(names):
            prefix = self.text(declaration, "prefix")
            namespace = self.text(declaration, "namespace")
            if prefix is None or namespace is None:
                raise BrokenShapes(
                    f"a prefix declaration for {self.describe_shape(node)} is incomplete"
                )
            declared[prefix] = namespace
        return "".join(f"PREFIX {name}: <{declared[name]}>\n" for name in sorted(declared))

    def path(self, node: str) -> Path:
        """The property path at a node. Raises `BrokenShapes` if it is not one."""
        if node in self._read:
            raise BrokenShapes("a path of the shapes is part of itself")
        self._read.append(node)
        try:
            return self._read_path(node)
        finally:
            self._read.pop()

    def _read_path(self, node: str) -> Path:
        if node[0] == "<":
            return PredicatePath(node)
        if self.column(FIRST).of(node):
            parts = self.items(node, "a path")
            if len(parts) < 2:
                raise BrokenShapes("a path is a sequence of only one part")
            return SequencePath(tuple(map(self.path, parts)))
        if inverse := self.one(node, "inversePath"):
            return InversePath(self.path(inverse))
        if alternatives := self.one(node, "alternativePath"):
            return AlternativePath(tuple(map(self.path, self.items(alternatives, "a path"))))
        for name, mark in _MARKS.items():
            if repeated := self.one(node, name):
                return RepeatedPath(self.path(repeated), mark)
        raise BrokenShapes(f"{node} is not a path")
