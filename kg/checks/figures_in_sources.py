"""Find the figures of evidence in its quotations and in its sources' texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kg.checks.citations import find_quoted_words
from kg.corpus import Corpus
from kg.files.read_files import read_input
from kg.model import Source, SourceKey, Statement, StatementId
from kg.model.figures import PERCENTAGES
from kg.runtime.memoize import memoize
from kg.text.figures_in_text import digits_for_words, text_has_number

MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024  # a text of several books
QUOTED, ARCHIVED, ABSTRACT = "the quoted passage", "the archived text", "the abstract"


class RecordedFigure(NamedTuple):
    """A figure of evidence: what it is called, its text and value, and whether it is a share."""

    name: str
    text: str
    value: float
    is_percentage: bool


class FigureInSources(NamedTuple):
    """A figure of evidence, and which of the texts searched has it; empty if no text has."""

    name: str
    figure_text: str
    text_with_figure: str
    searched_texts: tuple[str, ...]

    def __str__(self) -> str:
        if self.text_with_figure:
            return f"{self.figure_text}: seen in {self.text_with_figure}"
        return f"{self.figure_text}: not seen in {' or '.join(self.searched_texts)}"


class SourceText(NamedTuple):
    """The available text of a source: `ARCHIVED`, or the figures in its `ABSTRACT`."""

    source: Source
    name: str
    text: str


@memoize
def figures_by_statement(corpus: Corpus) -> Mapping[StatementId, tuple[FigureInSources, ...]]:
    """Find where the sample, effect and p of each piece of evidence stand in its sources.

    Evidence without quotations and without texts of its sources is left out.
    """
    figures_by_id = {
        evidence.id: tuple(find_figures_in_sources(corpus, evidence))
        for evidence in corpus.evidence
    }
    return {id: figures for id, figures in figures_by_id.items() if figures}


def find_figures_in_sources(corpus: Corpus, evidence: Statement) -> Iterator[FigureInSources]:
    """Find where the figures of one piece of evidence stand in its quotations and sources."""
    figures = list(_figures_of_evidence(evidence))
    if not figures:
        return
    quotations = [each.text for each in evidence.quotations]
    quotations += (words for _, words in find_quoted_words(evidence.body))
    texts = [(QUOTED, digits_for_words("\n".join(quotations)))] if quotations else []
    texts += ((each.name, each.text) for each in source_texts(corpus, evidence))
    searched_texts = tuple(dict.fromkeys(name for name, _ in texts))
    for figure in figures if texts else ():
        names = (
            name
            for name, text in texts
            if text_has_number(text, figure.value, figure.is_percentage)
        )
        yield FigureInSources(figure.name, figure.text, next(names, ""), searched_texts)


def _figures_of_evidence(evidence: Statement) -> Iterator[RecordedFigure]:
    """The figures of a piece of evidence."""
    if evidence.sample is not None:
        sample = f"{evidence.sample} {evidence.sample_unit}".strip()
        yield RecordedFigure("sample", sample, evidence.sample, is_percentage=False)
    if evidence.effect is not None:
        is_percentage = evidence.effect_kind in PERCENTAGES
        yield RecordedFigure("effect", evidence.effect_text, evidence.effect, is_percentage)
    if evidence.p is not None:
        p_text = f"p {evidence.p_sign or '='} {evidence.p:g}"
        yield RecordedFigure("p", p_text, evidence.p, is_percentage=False)


def source_texts(corpus: Corpus, evidence: Statement) -> Iterator[SourceText]:
    """The available texts of the sources that a statement cites, with numbers in digits."""
    for key in evidence.sources:
        if (source := corpus.sources.get(key)) and (
            text := _archived_text_in_digits(corpus, key)
        ) is not None:
            yield SourceText(source, ARCHIVED, text)
        elif key in corpus.figures_in_abstracts:
            yield SourceText(corpus.sources[key], ABSTRACT, corpus.figures_in_abstracts[key])


@memoize
def _archived_text_in_digits(corpus: Corpus, key: SourceKey) -> str | None:
    text = archived_text(corpus, corpus.sources[key])
    return None if text is None else digits_for_words(text)


def archived_text(corpus: Corpus, source: Source) -> str | None:
    """The archived text of a source; None if it is not a text inside the notes folder."""
    if corpus.folder is None or not source.snapshot:
        return None
    try:
        path = corpus.folder / source.snapshot
        return read_input(path, MAX_SNAPSHOT_BYTES, corpus.folder).decode("utf-8")
    except (OSError, ValueError):  # also for a name with NUL
        return None
