"""Rules about lines: camps are named, and the answer is in the question's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.checks.rule import Finding, notes_with, rule
from kg.corpus import Corpus
from kg.corpus.assemble import PROPOSITION
from kg.model import InquiryLine, Severity, Status


def find_near_placements(corpus: Corpus, line: InquiryLine) -> Iterator[tuple[str, str]]:
    """The camp that each such item names, and how the item begins."""
    camps = "|".join(map(re.escape, corpus.config.camp_ids))
    if not camps:
        return
    item = re.compile(
        rf"^[ \t]*([-*+] [*_`]*({camps})[*_`]*[ \t]*(?::|=|->|→)[*_`]*)[ \t]*\[", re.I | re.M
    )
    for found in item.finditer(f"{line.standfirst}\n{line.essay}"):
        yield found[2].lower(), found[1]


HELP = 'add `answers: {holds: "Yes: …", fails: "No: …"}`, in the question\'s words'


@rule(Severity.WARNING)
def line_without_answers(corpus: Corpus) -> Iterator[Finding]:
    """An inquiry line that weighs a proposition, and does not say what follows for its question.

    A question may be the opposite of its proposition, or no yes/no question at all. Then
    "supported" answers nothing.
    """
    told = {
        each.span.path
        for each in corpus.diagnostics
        if each.message.casefold().startswith("`answers`")
    }
    told |= notes_with(corpus, "broken-front-matter")
    for line in corpus.lines.values():
        open_ = line.proposition and not line.answers.written
        if open_ and line.status is not Status.RETIRED and line.span.path not in told:
            message = f"if `{line.proposition}` holds, what is the answer to this question?"
            yield Finding(line.span, message, HELP)


@rule(Severity.ERROR)
def answers_without_proposition(corpus: Corpus) -> Iterator[Finding]:
    """Answers in a line that weighs no proposition: nothing tells which of them is given."""
    named = {item.edge.source for item in corpus.unresolved if item.edge.relation == PROPOSITION}
    for line in corpus.lines.values():
        if line.answers.written and line.proposition is None and line.id not in named:
            yield Finding(
                line.span,
                "`answers` say what follows from a proposition, and this line weighs none",
                "add `proposition:` and the id of a yes/no claim",
            )
