"""Words unknown to the format, what they most likely mean, and how to correct them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from kg.model import Diagnostic, Fix, Relation, Severity, Span
from kg.model.diagnostic import fix_at
from kg.text.spelling import LEAST_SIMILARITY, most_similar_name

KEY_SYNONYMS = {
    "authors": "asserted_by",
    "author": "asserted_by",
    "category": "topics",
    "categories": "topics",
    "date": "created",
    "keywords": "topics",
    "kind": "type",
    "label": "title",
    "name": "title",
    "position": "camp",
    "side": "camp",
    "stance": "camp",
    "study_type": "method",
    "subjects": "topics",
    "synonyms": "aliases",
    "tag": "topics",
    "tags": "topics",
}
TYPE_SYNONYMS = {
    "argument": "claim",
    "article": "source",
    "assertion": "claim",
    "book": "source",
    "counter-argument": "counter-claim",
    "counter-evidence": "evidence",
    "counterargument": "counter-claim",
    "data": "evidence",
    "debate": "line",
    "experiment": "evidence",
    "definitions": "glossary",
    "finding": "evidence",
    "hypothesis": "claim",
    "inquiry": "line",
    "literature": "source",
    "objection": "counter-claim",
    "observation": "evidence",
    "opinion": "claim",
    "paper": "source",
    "publication": "source",
    "question": "line",
    "rebuttal": "counter-claim",
    "reference": "source",
    "reply": "counter-claim",
    "result": "evidence",
    "statement": "claim",
    "study": "evidence",
    "terms": "glossary",
    "thesis": "claim",
    "vocabulary": "glossary",
}
CALLOUT_SYNONYMS = {
    "against": "counter-evidence",
    "argument": "claim",
    "counter": "counter-claim",
    "counter-argument": "counter-claim",
    "counter-example": "counter-evidence",
    "counterargument": "counter-claim",
    "counterevidence": "counter-evidence",
    "data": "evidence",
    "finding": "evidence",
    "objection": "counter-claim",
    "proof": "evidence",
    "rebuttal": "counter-claim",
    "reply": "counter-claim",
    "result": "evidence",
    "study": "evidence",
    "support": "evidence",
}
RELATION_SYNONYMS = {word: each.value for each in Relation for word in each.entry.synonyms}
INVERSE_RELATIONS = {
    word: each.value
    for each in Relation
    if not each.is_symmetric
    for word in (each.entry.inverse, *each.entry.synonyms_back)
}
VALUE_SYNONYMS = {
    "high": "strong",
    "low": "weak",
    "medium": "moderate",
}
# Only methods low on the ladder: a guess must not strengthen evidence.
METHOD_SYNONYMS = {
    "case-study": "qualitative",
    "essay": "argument",
    "interview": "qualitative",
    "interviews": "qualitative",
    "opinion": "argument",
    "systematic-review": "review",
    "theory": "argument",
}

# Least similarity of a misspelt key to the one meant: one letter in four may differ. Notes hold
# keys of other programs, too; of 80 of these, one, `related`, is that close to a key of kg.
KEY_SIMILARITY = 0.75
# How many characters after the place of a problem are searched for the words to replace.
MAX_FIX_DISTANCE = 4_000


class NearMiss(NamedTuple):
    """A likely slip, at an offset in the text that was searched.

    If there is one way to correct it, `new` replaces `old`; `about` is that of the diagnostic.
    """

    rule: str
    message: str
    help: str
    offset: int
    old: str = ""
    new: str = ""
    about: str = ""


def note_problem(
    rule: str,
    message: str,
    span: Span,
    help: str = "",
    severity: Severity = Severity.ERROR,
    fix: Fix | None = None,
    about: str = "",
) -> Diagnostic:
    """A diagnostic from reading a note; an error by default."""
    return Diagnostic(
        rule=rule, severity=severity, message=message, span=span, help=help, fix=fix, about=about
    )


def find_intended(
    word: str,
    choices: Iterable[str],
    synonyms: Mapping[str, str] = {},
    *,
    cutoff: float = LEAST_SIMILARITY,
) -> str | None:
    """The one of `choices` that `word` stands for or is a misspelling of."""
    choices = list(choices)
    if (synonym := synonyms.get(word)) in choices:
        return synonym
    return most_similar_name(word, choices, cutoff)


def find_fix(text: str, offset: int, old: str, new: str, span: Callable[[int], Span]) -> Fix | None:
    """The fix that replaces the first `old` after `offset`, in any case, with `new`.

    None if `old` is not found within the paragraph.
    """
    if not old:
        return None
    part = text[offset : offset + MAX_FIX_DISTANCE].partition("\n\n")[0]
    start = part.find(old)
    if start < 0:
        start = part.casefold().find(old.casefold()) if part.isascii() else -1
    if start < 0:
        return None
    return fix_at(span(offset + start), part[start : start + len(old)], new)
