"""What one file holds, before anyone knows where its references lead."""

from __future__ import annotations

from kg.model import (
    Diagnostic,
    EdgeStrength,
    InquiryLine,
    Source,
    Span,
    Statement,
    StatementId,
    Value,
)
from kg.model.records import GlossaryTerm


class PendingEdge(Value, frozen=True):
    """A list item `relation:: target`, its target as written.

    `relation` may be a relation, a camp's id or `next`; `target` is a wikilink's text, or
    `/` and a path for a relative link; empty where the item holds words alone (`reason`).
    `together` are the other premises, written as targets are. `backward` says that it leads from
    the target to the source; a `loose` one that can lead nowhere is a mere link.
    """

    source: StatementId
    relation: str
    target: str
    span: Span
    block: str = ""
    reason: str = ""
    strength: EdgeStrength | None = None
    mutual: bool = False
    nested: bool = False
    scope: str = ""
    by: str = ""
    locator: str = ""
    together: tuple[str, ...] = ()
    backward: bool = False
    loose: bool = False


class PendingMention(Value, frozen=True):
    """A link in running text, its target as written."""

    origin: str
    target: str
    span: Span
    text: str = ""
    context: str = ""


class FileLink(Value, frozen=True):
    """A picture (`shown`) or a link to a file that is no note, its destination as written.

    `words` are what is said of it: of a picture, its alternative text. `remote` names a host.
    """

    origin: str
    destination: str
    span: Span
    wiki: bool = False
    shown: bool = False
    remote: bool = False
    words: str = ""


class PendingMethod(Value, frozen=True):
    """A method that the format does not know; the corpus's settings may.

    `written` is what stands at the place, where that is the word alone.
    """

    statement: StatementId
    word: str
    span: Span
    written: str = ""


class ParsedNote(Value, frozen=True):
    """One file's statements, line, source or terms, with its references still unresolved.

    A note whose type or front matter cannot be understood holds nothing but problems;
    `best_guess` is what it most likely is, so that its other problems are reported along with
    that one. One that is `left_out` was not meant to be read.
    """

    path: str
    id: str
    statements: tuple[Statement, ...] = ()
    line: InquiryLine | None = None
    terms: tuple[GlossaryTerm, ...] = ()
    source: Source | None = None
    edges: tuple[PendingEdge, ...] = ()
    mentions: tuple[PendingMention, ...] = ()
    files: tuple[FileLink, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    methods: tuple[PendingMethod, ...] = ()
    best_guess: ParsedNote | None = None
    left_out: bool = False
