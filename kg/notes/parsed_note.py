"""The content of one file, before its references are resolved."""

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
from kg.model.glossary_term import GlossaryTerm

NEXT = "next"  # the word of a pending edge from a line to a question that may be asked next
# The word of a pending edge from a line to the statement that it weighs.
PROPOSITION = "proposition"


class PendingEdge(Value, frozen=True):
    """A list item `relation:: target`, its target as written.

    `relation` may be a relation, a camp's id, `NEXT` or `PROPOSITION`; `target` is a wikilink's
    text, or `/` and a path for a relative link; empty if the item has only words (`reason`).
    `together` are the other premises, in the form of targets. A `backward` edge leads from the
    target to the origin; a `loose` one becomes a mere link if it cannot be resolved.
    """

    origin: StatementId
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
    """A picture (`shown`) or a link to a file that is not a note, its destination as written.

    `words` are the link's words, or a picture's alternative text; `remote` ones name a host.
    """

    origin: str
    destination: str
    span: Span
    wiki: bool = False
    shown: bool = False
    remote: bool = False
    words: str = ""


class PendingMethod(Value, frozen=True):
    """A method that is not built in, but may be declared in the corpus's settings.

    `written` is the word as written at that place; empty if it is not found there.
    """

    statement: StatementId
    word: str
    span: Span
    written: str = ""


class ParsedNote(Value, frozen=True):
    """One file's statements, line, source or terms, with its references still unresolved.

    A note whose type or front matter cannot be understood holds only problems; `best_guess` is
    the note it most likely is, so that its other problems can be reported, too. That one
    `has_guessed_type` if the type is the doubtful part. A note that the settings leave out is
    `left_out`.
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
    has_guessed_type: bool = False
    left_out: bool = False
