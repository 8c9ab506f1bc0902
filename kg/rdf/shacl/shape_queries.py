"""SPARQL in shapes: targets, constraints, and components with parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pyoxigraph as ox

from kg.rdf.query_bindings import TOKEN, render_term
from kg.rdf.shacl.evaluation import (
    BrokenShapes,
    Constraint,
    Evaluation,
    Shape,
    Target,
    Violation,
    Violations,
)
from kg.rdf.shacl.node_text import as_term, from_columns, is_blank, read_string
from kg.rdf.shacl.property_paths import Path, PredicatePath
from kg.rdf.shacl.shapes_graph import ShapesGraph, local_name, sh
from kg.rdf.shacl.triple_columns import TripleColumns

FEWEST_FOR_ONE_QUERY = (
    20  # focus nodes from which a single query for the whole graph is used, if possible
)
_FORBIDDEN_KEYWORDS = {"MINUS", "VALUES", "SERVICE"}
_SCOPING_KEYWORDS = {
    "AS",
    "BIND",
    "GRAPH",
    "GROUP",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "OPTIONAL",
    "UNION",
}
_ZERO_LENGTH_PATH = re.compile(r"\*|[\w)>]\?(?!\w)")
_PLACEHOLDER = re.compile(r"\{[?$](\w+)\}")
_VARIABLE = re.compile(r"[A-Za-z]\w*", re.A)


def _run_query(graph: TripleColumns, text: str, owner: str) -> tuple[list[str], Any]:
    """The variables of an answer, and the answer. Raises `BrokenShapes` for an invalid query."""
    try:
        answer = graph.query(text)
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        message = str(error).partition(": expected one of")[0]  # without the grammar that follows
        raise BrokenShapes(f"the query of {owner} cannot be run: {message}") from None
    if isinstance(answer, ox.QuerySolutions):
        return [variable.value for variable in answer.variables], answer
    return [], answer


def bind_values(text: str, bindings: Mapping[str, str], owner: str) -> str:
    """A query with variables bound to values in each of its groups: SHACL's pre-binding.

    A group that is a subquery gets the values inside the subquery.
    """
    try:
        row = " ".join(render_term(as_term(node)) for node in bindings.values())
    except ValueError:
        raise BrokenShapes(
            f"the query of {owner} would have to name a blank node: write it so that $this is in"
            " a triple of its outermost group, without UNION, OPTIONAL, BIND or GROUP BY"
        ) from None
    values = f" VALUES ({' '.join(map('?'.__add__, bindings))}) {{ ({row}) }} "
    pieces = []
    end = 0
    tokens = list(TOKEN.finditer(text))
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token["mark"] == "{" and ((following and following["word"]) or "").upper() != "SELECT":
            pieces += [text[end : token.end()], values]
            end = token.end()
    return "".join([*pieces, text[end:]])


def require_local(text: str, owner: str) -> None:
    """Raise `BrokenShapes` for a query that would access another server."""
    if any((token["word"] or "").upper() == "SERVICE" for token in TOKEN.finditer(text)):
        raise BrokenShapes(f"the query of {owner} accesses another server, which shapes may not")


def projected_variables(tokens: Iterable[re.Match[str]]) -> set[str]:
    """The names that a SELECT returns, from the tokens after that word."""
    tokens = iter(tokens)
    names = set()
    brackets = 0
    previous_word = ""
    for token in tokens:
        if token["operator"] == "*" and not brackets:
            # SPARQL: the variables in scope; those only in FILTER or BIND are not
            return set(_variables_in_triples(tokens))
        if token["mark"] == "{" and not brackets:
            break
        brackets += {"(": 1, ")": -1}.get(token["mark"] or "", 0)
        # SPARQL: `(expression AS ?x)` returns ?x, and not what the expression uses
        if token["variable"] and (not brackets or (brackets == 1 and previous_word == "AS")):
            names.add(token["variable"][1:])
        previous_word = (token["word"] or "").upper()
    return names


def _variables_in_triples(tokens: Iterable[re.Match[str]]) -> Iterator[str]:
    """The variables directly in the first group, outside brackets: those of its triples."""
    braces = brackets = 0
    for token in tokens:
        mark = token["mark"] or ""
        braces += {"{": 1, "}": -1}.get(mark, 0)
        brackets += {"(": 1, ")": -1}.get(mark, 0)
        if braces == 1 and not brackets and token["variable"]:
            yield token["variable"][1:]
        if mark == "}" and not braces:
            return


def require_bindable(text: str, names: Collection[str], owner: str) -> None:
    """Raise `BrokenShapes` if variables cannot be pre-bound, by appendix A of SHACL."""
    require_local(text, owner)
    depth = 0
    previous_word = ""
    tokens = list(TOKEN.finditer(text))
    for number, token in enumerate(tokens, 1):
        word = (token["word"] or "").upper()
        variable = (token["variable"] or "")[1:]
        if word in _FORBIDDEN_KEYWORDS:
            raise BrokenShapes(f"the query of {owner} may not use {word}")
        if variable in ("shapesGraph", "currentShape"):
            raise BrokenShapes(f"the query of {owner} uses ${variable}, which is not supported")
        if variable in names and previous_word == "AS":
            raise BrokenShapes(f"the query of {owner} may not give ?{variable} a value")
        if word == "SELECT" and depth:
            _require_projection(map(tokens.__getitem__, range(number, len(tokens))), names, owner)
        depth += {"{": 1, "}": -1}.get(token["mark"] or "", 0)
        previous_word = word


def _require_projection(
    tokens: Iterable[re.Match[str]], names: Collection[str], owner: str
) -> None:
    """Raise `BrokenShapes` if a subquery leaves a name out."""
    # SHACL, appendix A: "Subqueries must return all potentially pre-bound variables"
    if missing := sorted({*names} - projected_variables(tokens)):
        raise BrokenShapes(f"a subquery of {owner} must select ?{missing[0]}")


def can_run_unbound(text: str) -> bool:
    """Return whether the query gives the same results without binding `$this`, which is in a
    triple.
    """
    tokens = list(TOKEN.finditer(text))
    words = [(token["word"] or "").upper() for token in tokens]
    if words.count("SELECT") != 1 or _SCOPING_KEYWORDS & set(words):
        return False
    if _ZERO_LENGTH_PATH.search(TOKEN.sub(lambda match: "x" if match["skip"] else match[0], text)):
        return False
    return "this" in _variables_in_triples(tokens)


@dataclass(frozen=True)
class SparqlTarget(Target):
    """`sh:target` with a query."""

    text: str
    owner: str

    def find_nodes(self, graph: TripleColumns) -> set[str]:
        """The values of `?this` in the query's answer."""
        names, answer = _run_query(graph, self.text, self.owner)
        if "this" not in names:
            raise BrokenShapes(f"the query of {self.owner} has to select ?this")
        return set(list(from_columns(answer))[names.index("this")]) - {""}


@dataclass(frozen=True)
class _QueryConstraint(Constraint):
    component: str
    words: str
    text: str
    owner: str
    messages: tuple[str, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)


class SparqlConstraint(_QueryConstraint):
    """A SELECT query of which each row is a violation."""

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Run one query for all focus nodes if that gives the same results, else one for each."""
        text = _insert_path(self.text, shape.path)
        has_blank_nodes = any(map(is_blank, focus))
        if (
            (has_blank_nodes or len(focus) > FEWEST_FOR_ONE_QUERY)
            and not self.bindings
            and can_run_unbound(text)
        ):
            for row in self._rows_of_query(evaluation.graph, text):
                if row.get("this") in focus:
                    yield self._violation_in_row(row, row["this"], shape)
            return
        for node in focus:
            bindings = {**self.bindings, "this": node}
            for row in self._rows_of_query(
                evaluation.graph, bind_values(text, bindings, self.owner)
            ):
                yield self._violation_in_row({**self.bindings, **row}, node, shape)

    def _rows_of_query(self, graph: TripleColumns, text: str) -> Iterator[dict[str, str]]:
        names, answer = _run_query(graph, text, self.owner)
        for row in zip(*from_columns(answer), strict=True):
            yield {name: node for name, node in zip(names, row, strict=True) if node}

    def _violation_in_row(self, row: Mapping[str, str], node: str, shape: Shape) -> Violation:
        path = row.get("path", "")
        return Violation(
            node,
            row.get("value") or (node if shape.path is None else None),
            PredicatePath(path) if path.startswith("<") else None,
            tuple(fill_message(message, row) for message in _messages_for_row(self, shape, row)),
        )


def _messages_for_row(
    constraint: SparqlConstraint, shape: Shape, row: Mapping[str, str]
) -> Iterable[str]:
    if "message" in row:
        return (read_string(row["message"]),)
    return constraint.messages or shape.messages


class AskConstraint(_QueryConstraint):
    """An ASK query that must be true for each value node."""

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Run one query for each value of each focus node."""
        text = _insert_path(self.text, shape.path)
        for node, value in evaluation.pairs(shape, focus, evaluation.values(shape, focus)):
            row = {**self.bindings, "this": node, "value": value}
            if not _run_query(evaluation.graph, bind_values(text, row, self.owner), self.owner)[1]:
                yield Violation(
                    node, value, None, tuple(fill_message(m, row) for m in self.messages)
                )


def _insert_path(text: str, path: Path | None) -> str:
    """The query with `$PATH` replaced by the path, the only textual substitution in SHACL."""

    def put(match: re.Match[str]) -> str:
        return str(path) if path and match["variable"] in ("$PATH", "?PATH") else match[0]

    return TOKEN.sub(put, text)


def fill_message(message: str, row: Mapping[str, str]) -> str:
    """A message with its `{?variables}` replaced by values."""

    def put(match: re.Match[str]) -> str:
        return read_string(row[match[1]]) if match[1] in row else match[0]

    return _PLACEHOLDER.sub(put, message)


@dataclass(frozen=True, slots=True)
class CustomComponent:
    """A custom component: its node, and its required and optional parameters."""

    node: str
    required_parameters: tuple[str, ...]
    optional: tuple[str, ...]

    def constraints(self, graph: ShapesGraph, shape: Shape) -> Iterator[Constraint]:
        """Its constraints on a shape that has its parameters; none for other shapes."""
        values = [graph.column(name).of(shape.node) for name in self.required_parameters]
        optional_given = [name for name in self.optional if graph.column(name).of(shape.node)]
        values += [graph.column(name).of(shape.node) for name in optional_given]
        names = [local_name(name) for name in (*self.required_parameters, *optional_given)]
        for row in product(*values):
            yield self._constraint_for_shape(graph, shape, dict(zip(names, row, strict=True)))

    def _constraint_for_shape(
        self, graph: ShapesGraph, shape: Shape, bindings: dict[str, str]
    ) -> SparqlConstraint | AskConstraint:
        owner = f"the component {self.node}"
        specific_property = "nodeValidator" if shape.path is None else "propertyValidator"
        validators = graph.all(self.node, specific_property) or graph.all(self.node, "validator")
        if not validators:
            raise BrokenShapes(f"{owner} has no validator for {graph.describe_shape(shape.node)}")
        validator = validators[0]
        select = graph.text(validator, "select")
        ask = graph.text(validator, "ask")
        if select is None and ask is None:
            raise BrokenShapes(f"a validator of {owner} has neither sh:select nor sh:ask")
        parameters = {local_name(name) for name in (*self.required_parameters, *self.optional)}
        names = {"this", *parameters} if select else {"this", "value", *parameters}
        require_bindable(select or ask or "", names, owner)
        messages = shape.messages or graph.texts(validator, "message")
        return (SparqlConstraint if select else AskConstraint)(
            self.node,
            f"{owner} is broken",
            graph.prefixes(validator) + (select or ask or ""),
            owner,
            tuple(fill_message(message, bindings) for message in messages),
            bindings,
        )


def read_components(graph: ShapesGraph) -> list[CustomComponent]:
    """The components declared in a shapes graph."""
    components = []
    for node in sorted(graph.instances(sh("ConstraintComponent"))):
        optional: set[str] = set()
        needed: set[str] = set()
        for parameter in graph.all(node, "parameter"):
            path = graph.one(parameter, "path")
            if path is None or path[0] != "<":
                raise BrokenShapes(f"a parameter of the component {node} has no IRI as its path")
            if not _VARIABLE.fullmatch(local_name(path)):
                raise BrokenShapes(f"{path}, of the component {node}, gives no variable name")
            (optional if graph.read_flag(parameter, "optional") else needed).add(path)
        if not needed:
            raise BrokenShapes(f"the component {node} has no parameter that a shape must have")
        components.append(CustomComponent(node, tuple(sorted(needed)), tuple(sorted(optional))))
    return components
