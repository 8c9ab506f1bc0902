"""Where sentences end: the one rule for all text that is read or shown by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

STOP = r"[.!?][\"”’)*_]*"  # what ends a sentence, with the marks that close within it, as a pattern
# no digit begins one, nor a small letter: `p. 4`, `e.g. sleep`
_GAP = re.compile(rf"{STOP}\s+(?=[^\W\d_a-z]|[\"“‘(*_\[])")


def sentence_starts(text: str, start: int = 0, stop: int | None = None) -> Iterator[int]:
    """Where each sentence but the first begins, from `start` to before `stop`."""
    gaps = _GAP.finditer(text, start, len(text) if stop is None else stop)
    return (gap.end() for gap in gaps)


def split_sentences(text: str) -> list[str]:
    """The sentences, each with the space after it; one even of empty text."""
    starts = [0, *sentence_starts(text)]
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], None], strict=True)]


def first_sentence(text: str) -> str:
    """The text before the second sentence."""
    return text[: next(sentence_starts(text), None)].rstrip()


def quote_title(title: str) -> str:
    """A title in quotation marks, without its closing punctuation."""
    return f"“{title.rstrip('.?!')}”"
