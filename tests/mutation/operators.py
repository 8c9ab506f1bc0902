"""Small mistakes that a programmer could make, each as one replacement of source text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISON_REPLACEMENTS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
OPERATOR_REPLACEMENTS = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.BitOr: "&",
    ast.BitAnd: "|",
}
ELSEWHERE = ("sys.platform == 'win32'", "os.name == 'nt'")  # on the systems where mistakes are made
CALL_REPLACEMENTS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}


@dataclass(frozen=True)
class Mutant:
    """A mistake: the characters from `start` to `end` of a file's text become `text`."""

    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """The source with the mistake in it."""
        return source[: self.start] + self.text + source[self.end :]


def mutants_of(source: str) -> list[Mutant]:
    """All mistakes that can be made in the functions of a module, in the order of its text."""
    tree = ast.parse(source)
    mutants: dict[tuple[int, int, str], Mutant] = {}
    for function in _nodes_that_run(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                for mutant in _MutantFinder(source).find(statement):
                    mutants[mutant.start, mutant.end, mutant.text] = mutant
    return [mutants[key] for key in sorted(mutants)]


class _MutantFinder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._starts = [0]
        for line in source.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._bytes = source.encode()

    def find(self, statement: ast.AST) -> Iterator[Mutant]:
        for node in _nodes_that_run(statement):
            for first, last, text in self._changes(node):
                yield self._mutant(node, first, last, text)

    def _changes(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """Bytes from and to, and what stands there instead."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield self._between(
                node.left, node.comparators[0], f" {COMPARISON_REPLACEMENTS[type(node.ops[0])]} "
            )
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield self._between(node.values[0], node.values[1], word)
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATOR_REPLACEMENTS:
            if not isinstance(node.left, ast.JoinedStr) and not _is_text(node):
                yield self._between(
                    node.left, node.right, f" {OPERATOR_REPLACEMENTS[type(node.op)]} "
                )
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield *self._whole(node), f"({self._text(node.operand)})"
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield *self._whole(node.test), f"(not ({self._text(node.test)}))"
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield *self._whole(node), str(node.value + 1)
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield *self._whole(node), str(not node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in CALL_REPLACEMENTS:
                yield *self._whole(node.func), CALL_REPLACEMENTS[node.func.id]
        elif isinstance(node, ast.Return) and node.value is not None:
            # who returns False or nothing means the same by None
            if not (isinstance(node.value, ast.Constant) and not node.value.value):
                yield *self._whole(node.value), "None"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield *self._whole(node), "pass"
        elif isinstance(node, ast.Continue):
            yield *self._whole(node), "break"
        elif isinstance(node, ast.Break):
            yield *self._whole(node), "continue"

    def _between(self, left: ast.expr, right: ast.expr, text: str) -> tuple[int, int, str]:
        """The replacement of an operator, parentheses around its operands left as they are."""
        first, last = self._whole(left)[1], self._whole(right)[0]
        gap = self._bytes[first:last].decode()
        closing = gap[: len(gap) - len(gap.lstrip(" \n)"))].count(")")
        opening = gap[len(gap.rstrip(" \n(")) :].count("(")
        return first, last, ")" * closing + text + "(" * opening

    def _whole(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
        )

    def _text(self, node: ast.expr) -> str:
        first, last = self._whole(node)
        return self._bytes[first:last].decode()

    def _mutant(self, node: ast.AST, first: int, last: int, text: str) -> Mutant:
        start = len(self._bytes[:first].decode())
        return Mutant(
            line=getattr(node, "lineno", 0),
            start=start,
            end=start + len(self._bytes[first:last].decode()),
            text=text,
        )


def _nodes_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that never run here: annotations, and what is for another system."""
    if isinstance(node, ast.If) and ast.unparse(node.test) in ELSEWHERE:
        for each in node.orelse:
            yield from _nodes_that_run(each)
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _nodes_that_run(child)


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operand is a text, or types are joined: such mistakes end in an error at once."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | type(None)))
        for side in (node.left, node.right)
    )
