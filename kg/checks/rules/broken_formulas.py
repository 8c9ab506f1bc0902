"""A rule about formulas that cannot be drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kg.checks.locate import body_of
from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.mathml import UnreadableFormula, read_formula
from kg.model import Severity, Span
from kg.notes.markdown.blocks import scan
from kg.notes.markdown.inline import blank_out
from kg.notes.markdown.maths import find_formulas

_QUOTE_MARKS = re.compile(r"\n[ \t>]+")


@rule(Severity.WARNING)
def broken_formula(corpus: Corpus) -> Iterator[Finding]:
    r"""A formula that cannot be drawn: `$\frac{1$`. On the site it stands as it was written."""
    for path in _with_dollars(corpus):
        body = body_of(corpus, path)
        for at, latex, display in _in_dollars(body.text):
            try:
                read_formula(latex, display)
            except UnreadableFormula as error:
                line = body.first_line + body.text.count("\n", 0, at)
                column = at - body.text.rfind("\n", 0, at)
                yield Finding(Span(path, line, column), "this formula cannot be drawn", str(error))


def _with_dollars(corpus: Corpus) -> Iterable[str]:
    """The notes that may hold formulas."""
    texts = [(s.span.path, f"{s.title} {s.body}") for s in corpus.statements.values()]
    texts += [(e.span.path, f"{e.title} {e.standfirst} {e.essay}") for e in corpus.lines.values()]
    texts += [(source.span.path, source.body) for source in corpus.sources.values()]
    texts += [(term.span.path, term.text) for term in corpus.terms]
    texts += [(edge.span.path, edge.reason) for edge in corpus.edges]
    return dict.fromkeys(path for path, text in texts if "$" in text)


def _in_dollars(text: str) -> Iterator[tuple[int, str, bool]]:
    """Formulas between dollar signs: place, TeX, and whether two of them stand on each side."""
    for block in scan(text).blocks if text.count("$") > 1 else ():
        first = block.start
        code = [(a - first, b - first) for a, b in block.opaque if text[a] != "$"]
        raw = blank_out(text[first : block.end], code)
        for start, end in find_formulas(raw):
            latex = raw[start:end].lstrip("$")
            signs = end - start - len(latex)
            if signs:
                yield first + start, _QUOTE_MARKS.sub("\n", latex[:-signs]), signs > 1
