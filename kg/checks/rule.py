"""What a rule is: a function of the corpus with a name, a severity, and its reasons."""

from __future__ import annotations

import enum
import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Diagnostic, Fix, Severity, Span, StatementId


class Finding(NamedTuple):
    """One place where a rule is broken."""

    span: Span
    message: str
    help: str = ""
    related: tuple[Span, ...] = ()
    fix: Fix | None = None


class Scope(enum.Enum):
    """What decides whether a note keeps a rule, and so when an editor may tell of it."""

    NOTE = enum.auto()  # the note alone: told before any other is read
    LINKED = enum.auto()  # the note and what it leads to: told while it is typed
    CORPUS = enum.auto()  # any note: told when all have been joined


Find = Callable[[Corpus], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named check. `find` is None for what is already found while reading a file."""

    name: str
    severity: Severity
    reason: str
    find: Find | None = None
    scope: Scope = Scope.CORPUS

    def run(self, corpus: Corpus) -> Iterator[Diagnostic]:
        """Every breach of the rule in `corpus`, as diagnostics."""
        for finding in self.find(corpus) if self.find else ():
            yield Diagnostic(
                rule=self.name,
                severity=self.severity,
                message=finding.message,
                span=finding.span,
                help=finding.help,
                related=finding.related,
                fix=finding.fix,
            )


def rule(severity: Severity, scope: Scope = Scope.CORPUS) -> Callable[[Find], Rule]:
    """Make a rule of a function: its name in kebab-case, its docstring as the reason."""

    def decorate(find: Find) -> Rule:
        name = find.__name__.replace("_", "-")
        return Rule(name, severity, inspect.getdoc(find) or "", find, scope)

    return decorate


def notes_with_problems(corpus: Corpus, *problems: str) -> set[str]:
    """Paths of the notes in which reading found a problem, from which others may follow."""
    return {each.span.path for each in corpus.diagnostics if each.rule in problems}


def misread_statements(corpus: Corpus) -> set[StatementId]:
    """Statements with a field that could not be read: the last statement that begins above it."""
    begins: defaultdict[str, list[tuple[int, StatementId]]] = defaultdict(list)
    for statement in corpus.statements.values():
        begins[statement.span.path].append((statement.span.line, statement.id))
    found = set()
    for problem in corpus.diagnostics:
        if problem.rule == "almost-a-field":
            above = (each for each in begins[problem.span.path] if each[0] <= problem.span.line)
            found.add(max(above, default=(0, ""))[1])
    return found


def rule_of_reading(name: str, severity: Severity, reason: str) -> Rule:
    """A rule that reading a file applies, listed so that it has a name, a reason and a page."""
    return Rule(name, severity, inspect.cleandoc(reason))
