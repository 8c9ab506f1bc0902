"""What else the glossary calls things, by which readers look for them."""

from __future__ import annotations

from collections.abc import Iterable

from kg.corpus.corpus import Corpus
from kg.model.records import fold_term


def other_names(corpus: Corpus, names: Iterable[str]) -> list[str]:
    """The further names that the glossary gives to what is called by each of `names`."""
    return [
        other_name
        for name in names
        if (term := corpus.term(name))
        for other_name in term.names
        if fold_term(other_name) != fold_term(name)
    ]
