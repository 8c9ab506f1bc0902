"""A rule: a function of the corpus with a name, a severity and a reason."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Diagnostic, Fix, InquiryLine, Severity, Span, Statement, StatementId, Status


class RuleViolation(NamedTuple):
    """One place where a rule is broken."""

    span: Span
    message: str
    help: str = ""
    related_spans: tuple[Span, ...] = ()
    fix: Fix | None = None


FindViolations = Callable[[Corpus], Iterator[RuleViolation]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named check; `find` is None for a rule that is applied while reading a file.

    One `of_one_note` reads no resolved link to another note: an editor tells it at once.
    """

    name: str
    severity: Severity
    reason: str
    find: FindViolations | None = None
    of_one_note: bool = False

    def run(self, corpus: Corpus) -> Iterator[Diagnostic]:
        """A diagnostic for every violation of the rule in `corpus`."""
        for violation in self.find(corpus) if self.find else ():
            yield Diagnostic(
                rule=self.name,
                severity=self.severity,
                message=violation.message,
                span=violation.span,
                help=violation.help,
                related=violation.related_spans,
                fix=violation.fix,
            )


def rule(severity: Severity, *, of_one_note: bool = False) -> Callable[[FindViolations], Rule]:
    """Turn a function into a rule, with its name in kebab-case and its docstring as reason."""

    def decorate(find: FindViolations) -> Rule:
        name = find.__name__.replace("_", "-")
        return Rule(name, severity, inspect.getdoc(find) or "", find, of_one_note)

    return decorate


def is_exempt(corpus: Corpus, record: Statement | InquiryLine) -> bool:
    """Return whether what a record lacks is not reported: it is retired, or its note's type is a
    guess.
    """
    return record.status is Status.RETIRED or record.id in corpus.guessed_types


def notes_with_diagnostics(corpus: Corpus, *problems: str) -> set[str]:
    """Paths of the notes with one of these problems, from which others may follow."""
    return {each.span.path for each in corpus.diagnostics if each.rule in problems}


def misread_statements(corpus: Corpus) -> set[StatementId]:
    """Statements with an unreadable field: the last statement that begins above it."""
    starts_by_path: defaultdict[str, list[tuple[int, StatementId]]] = defaultdict(list)
    for statement in corpus.statements.values():
        starts_by_path[statement.span.path].append((statement.span.line, statement.id))
    misread_ids = set()
    for problem in corpus.diagnostics:
        if problem.rule == "almost-a-field":
            starts_above = [
                each for each in starts_by_path[problem.span.path] if each[0] <= problem.span.line
            ]
            if starts_above:
                misread_ids.add(max(starts_above)[1])
    return misread_ids


def parsing_rule(name: str, severity: Severity, reason: str) -> Rule:
    """A rule applied while reading a file, declared to give it a name, a reason and a page."""
    return Rule(name, severity, inspect.cleandoc(reason))
