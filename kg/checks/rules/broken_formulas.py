"""A rule about formulas that cannot be rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from kg.checks.note_places import body_of
from kg.checks.rule import Finding, Scope, rule
from kg.corpus import Corpus
from kg.model import Severity, Span
from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.inline_syntax import replace_with_spaces
from kg.notes.markdown.maths import UnreadableFormula, find_formulas, read_formula
from kg.text.line_starts import LineStarts

_BEGUN = re.compile(r"(?<![\\$])(?:^[ \t>]*(?P<signs>\$\$)(?!\$)|(?P<later>\$\$)(?!\$))", re.M)
_TEX_ALONE = "\\^_={}"
_AT_END = re.compile(r"(?<![\\$])\$\$[ \t]*$", re.M)
_QUOTE_MARKS = re.compile(r"\n[ \t>]+")


@rule(Severity.WARNING, Scope.NOTE)
def broken_formula(corpus: Corpus) -> Iterator[Finding]:
    r"""A formula that cannot be rendered: `$\frac{1$`. The site shows it as written.

    The same holds for one that begins with `$$` and is never closed.
    """
    for path in _notes_with_dollars(corpus):
        body = body_of(corpus, path)
        span_at = partial(_span_at, path, body.first_line, LineStarts(body.text))
        for offset, latex, display in _formulas_in_dollars(body.text):
            try:
                read_formula(latex, display)
            except UnreadableFormula as error:
                yield Finding(span_at(offset), "this formula cannot be rendered", str(error))
        if (unclosed_offset := _unclosed_display_offset(body.text)) is not None:
            help = "end it with `$$` before the next blank line"
            yield Finding(span_at(unclosed_offset), "this formula is never closed", help)


def _span_at(path: str, first_line: int, lines: LineStarts, offset: int) -> Span:
    line, column = lines.place(offset)
    return Span(path, first_line + line - 1, column)


def _notes_with_dollars(corpus: Corpus) -> Iterable[str]:
    """The notes that may hold formulas."""
    texts = [(s.span.path, f"{s.title} {s.body}") for s in corpus.statements.values()]
    texts += [(e.span.path, f"{e.title} {e.standfirst} {e.essay}") for e in corpus.lines.values()]
    texts += [(source.span.path, source.body) for source in corpus.sources.values()]
    texts += [(term.span.path, term.text) for term in corpus.terms]
    texts += [(edge.span.path, edge.reason) for edge in corpus.edges]
    return dict.fromkeys(path for path, text in texts if "$" in text)


def _formulas_in_dollars(text: str) -> Iterator[tuple[int, str, bool]]:
    """Formulas between dollar signs: offset, TeX, and whether they are displays (`$$`)."""
    for first, raw in _blocks_without_code(text):
        for start, end in find_formulas(raw):
            latex = raw[start:end].lstrip("$")
            signs = end - start - len(latex)
            if signs:
                yield first + start, _QUOTE_MARKS.sub("\n", latex[:-signs]), signs > 1


def _unclosed_display_offset(text: str) -> int | None:
    """The offset of the first `$$` that is not closed within its paragraph."""
    # `$$` at the end of a line may mean money. It is taken for an opening one only if the next
    # unclosed `$$` begins a line, as a closing one would.
    offset_at_end = None
    for first, raw in _blocks_without_code(text):
        rest = replace_with_spaces(raw, find_formulas(raw)) if "$$" in raw else ""
        if match := _find_unclosed_display(rest):
            start = first + max(match.start("signs"), match.start("later"))
            return start if offset_at_end is None or match["later"] else offset_at_end
        if offset_at_end is None and (match_at_end := _AT_END.search(rest)):
            offset_at_end = first + match_at_end.start()
    return None


def _find_unclosed_display(text: str) -> re.Match[str] | None:
    """The first `$$` that does not mean money: it begins its line, or a character that only TeX
    uses follows it.
    """
    last_tex_sign = max(map(text.rfind, _TEX_ALONE))
    displays = (
        each for each in _BEGUN.finditer(text) if each["signs"] or each.end() <= last_tex_sign
    )
    return next(displays, None)


def _blocks_without_code(text: str) -> Iterator[tuple[int, str]]:
    """The offset of each block, and its text with code blanked out."""
    for block in scan_blocks(text).blocks if text.count("$") > 1 else ():
        start = block.start
        code = [(a - start, b - start) for a, b in block.opaque if text[a] != "$"]
        yield start, replace_with_spaces(text[start : block.end], code)
