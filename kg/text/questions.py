"""Tell if a text is a question, in any script."""

from __future__ import annotations

_QUESTION_MARKS = ("?", "？", "؟")


def is_question(text: str) -> bool:
    """Return whether it ends as questions do."""
    return text.rstrip().endswith(_QUESTION_MARKS)
