"""The figures that findings report, in their sentences, with their sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby, pairwise
from typing import NamedTuple

from kg.model import LineId, SeenIn, Statement, StatementId
from kg.publish.components.evidence import objection_in_short
from kg.publish.components.statement_lists import lines_using
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import BLANK, Child, Html, element, table
from kg.publish.markup.phrases import SEEN, render_sample
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of
from kg.text.sentences import sentence_starts

_HTML_TAG = re.compile(r"(<[^>]*>)")
_SEEN_IN_SOURCE = (None, SeenIn.PRIMARY)  # the figures were not seen elsewhere, as far as is known
_HEAD = ("Finding", "Source", "Seen in")
FIGURES_SHOWN = 2000  # more would make a page of several megabytes
_LINK_OR_CODE = re.compile(r"\[\[[^\]]*\]\]|\[[^\]]*@[^\]]*\]|\]\([^)]*\)|`[^`]*`|\[\^[^\]]*\]")
_NUMBER = re.compile(
    r"(?<![\w.,@#/-])[-−]?(?:[$€£]\s?)?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?(?:\s?%|x|×)?(?![\w@])"
    r"|(?<![\w.,@#/-])[-−]?(?:[$€£]\s?)?(?:\d+(?:\.\d+)?|\.\d+)(?:\s?%|x|×| percentage points| "
    r"points)?(?![\w@])"
)
# `3.5` in `the model Claude 3.5`, and in `Claude 3.5 Sonnet` where that begins a sentence
_VERSION = re.compile(
    r"(?<=\w\s)[A-Z][\w-]*\s(\d{1,2}(?:\.\d)?)(?![\w%×]|[.,]\d|\s%)|[A-Z][\w-]*\s(\d{1,2}(?:\.\d)?)(?=\s[A-Z])"
)
_DIGITS = re.compile(r"[^\d.]")  # is no part of a number that is compared
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")


def figure_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one table of figures."""
    yield LazyPage("figures.html", partial(_figures_page, context), WHOLE_CORPUS)


def _figures_page(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "figures.html")
    places = {each.id: _place_in_order(builder, each) for each in corpus.evidence}
    figures = [
        figure
        for each in sorted(corpus.evidence, key=lambda each: (places[each.id], each.id))
        for figure in find_figures(context.statements_with_bodies[each.id])
    ]
    omitted = figures[FIGURES_SHOWN:]
    unseen_figures = [figure for figure in figures if _is_second_hand(figure.statement)]
    builder.add(
        element("p", f"{_numbers_in(omitted):,} of the figures are not listed.", class_="kg-more")
        if omitted
        else None,
        element(
            "div",
            table(
                _HEAD,
                _by_question(builder, figures[:FIGURES_SHOWN], places),
                "Figures",
                "kg-figures",
            ),
            data_kg_sort=True,
            data_kg_only="Only second-hand ones" if unseen_figures else None,
            class_="kg-sortable",
        ),
    )
    description = "The figures that findings report, with their sources."
    lead = _describe_unseen(figures, unseen_figures)
    return builder.overview("Figures", description, "figures", lead, names=("Numbers",))


def _describe_unseen(
    figures: Sequence[FigureSentence], unseen_figures: Sequence[FigureSentence]
) -> str:
    """Count the numbers not seen in the source that they come from. These are at least so many, as
    a note says of its chief number where it was seen.
    """
    findings = count_of(len({figure.statement.id for figure in figures}), "finding")
    numbers = f"{count_of(_numbers_in(figures), 'figure')} from {findings}"
    if not figures:
        return "No finding reports a figure yet."
    if not unseen_figures:
        return f"{numbers}; none is recorded as seen elsewhere than in its source."
    unseen = f"{_numbers_in(unseen_figures):,} we know only from others' accounts"
    return f"{numbers}; at least {unseen}."


class _Place(NamedTuple):
    """Where a finding stands in the table: below which question, those seen in the source first,
    and of these what moves the answer most.
    """

    question: int
    is_second_hand: bool
    move: float


def _by_question(
    builder: PageBuilder, figures: Sequence[FigureSentence], places: Mapping[StatementId, _Place]
) -> Iterator[Sequence[Child]]:
    """A row for each finding, after one for each question that some bear on."""
    questions = [*builder.context.corpus.lines]
    has_heads = len({places[figure.statement.id].question for figure in figures}) > 1
    for number, group in groupby(figures, lambda figure: places[figure.statement.id].question):
        if has_heads:
            name = builder.link_of(questions[number]) if questions[number:] else "In no question"
            yield [element("th", name, scope="rowgroup", colspan=len(_HEAD), data_kg_group=True)]
        for _, piece in groupby(group, lambda figure: figure.statement.id):
            yield _row_of_figures(builder, list(piece))


def _place_in_order(builder: PageBuilder, finding: Statement) -> _Place:
    """The place below the question whose answer a finding moves most, else below the first that
    uses it.
    """
    answers, questions = builder.context.answers, [*builder.context.corpus.lines]
    moves = [answers.effects_on_answer(each).get(finding.id, 0.0) for each in questions]
    move = max(moves, default=0.0)
    line_id = questions[moves.index(move)] if move else _first_line(builder, finding.id)
    number = questions.index(line_id) if line_id else len(questions)
    return _Place(number, _is_second_hand(finding), -move)


def _first_line(builder: PageBuilder, id: StatementId) -> LineId | None:
    """The first line that uses a finding, else what it speaks for or against."""
    corpus = builder.context.corpus
    ends = [each.target for each in corpus.bearings_from(id) if each.target in corpus.statements]
    for ids in ([id], ends):
        used_in = {line_id for each in ids for line_id in lines_using(builder.context, each)}
        if first := next((line_id for line_id in corpus.lines if line_id in used_in), None):
            return first
    return None


def _numbers_in(figures: Iterable[FigureSentence]) -> int:
    return sum(len(figure.numbers) for figure in figures)


def _row_of_figures(builder: PageBuilder, figures: list[FigureSentence]) -> list[Child]:
    """Render one finding: its title, its other sentences with numbers, its sources."""
    statement = figures[0].statement
    title = statement.title.rstrip(".")
    numbers = [n for f in figures if f.sentence.rstrip(".") == title for n in f.numbers]
    rest = [f for f in figures if f.sentence.rstrip(".") != title]
    places = "; ".join(dict.fromkeys(c.locator for c in statement.citations if c.locator))
    return [
        element(
            "th",
            embolden(builder.statement(statement.id), numbers),
            *[_bold_sentence(builder, figure) for figure in rest],
            objection_in_short(builder, statement.id),
            scope="row",
        ),
        [
            builder.link_maker.papers(statement.sources, builder.root) or BLANK,
            f", {places}" if places else None,
        ],
        _where_author_saw_it(statement),
    ]


def _bold_sentence(builder: PageBuilder, figure: FigureSentence) -> Html:
    words = builder.inline_html(figure.sentence, figure.statement.span.path)
    return element("span", embolden(words, figure.numbers), class_="kg-reason")


def embolden(text: Html, numbers: Iterable[str]) -> Html:
    """HTML with these numbers in bold; the insides of tags are left unchanged."""
    longest = sorted({escape(number) for number in numbers}, key=len, reverse=True)
    if not longest:
        return text
    pattern = re.compile(rf"(?<![\w.,])(?:{'|'.join(map(re.escape, longest))})(?!\w|[.,]\d)")
    parts = _HTML_TAG.split(text)
    parts[::2] = [pattern.sub(_embolden_number, part) for part in parts[::2]]
    return Html("".join(parts))


def _embolden_number(match: re.Match[str]) -> str:
    return element("strong", Html(match[0]), class_="kg-number")


def _is_second_hand(statement: Statement) -> bool:
    return statement.seen_in not in _SEEN_IN_SOURCE


def _where_author_saw_it(statement: Statement) -> Html | str:
    words = SEEN[statement.seen_in] if statement.seen_in else "not recorded"
    if not _is_second_hand(statement):
        return words
    return element("span", f"second-hand: {words}", data_kg_marked=True)


class FigureSentence(NamedTuple):
    """The numbers in one sentence of a statement."""

    statement: Statement
    sentence: str
    numbers: tuple[str, ...]


def find_figures(statement: Statement) -> list[FigureSentence]:
    """The numbers of a statement, by sentence; years and names are left out."""
    text = statement.title + ".\n\n" + statement.body if statement.title else statement.body
    figures: list[FigureSentence] = []
    numbers_seen: set[tuple[str, ...]] = set()
    text_in_one_line = " ".join(text.split())
    line_without_links = _LINK_OR_CODE.sub(lambda m: "x" * len(m[0]), text_in_one_line)
    ends = [0, *sentence_starts(line_without_links), len(text_in_one_line)]
    for start, end in pairwise(ends):
        # as in most; to look for numbers takes long
        if not _DIGIT.search(line_without_links, start, end):
            continue
        sentence = text_in_one_line[start:end].strip()
        version_offsets = {
            m.start(m.lastindex or 0) for m in _VERSION.finditer(line_without_links, start, end)
        }
        number_texts = (
            m[0].strip()
            for m in _NUMBER.finditer(line_without_links, start, end)
            if m.start() not in version_offsets
        )
        numbers = tuple(number for number in number_texts if not _YEAR.match(number))
        if numbers and numbers not in numbers_seen:
            numbers_seen.add(numbers)
            figures.append(FigureSentence(statement, sentence, numbers))
    return figures + _recorded_figures(statement, figures)


def _recorded_figures(
    statement: Statement, figures: Iterable[FigureSentence]
) -> list[FigureSentence]:
    """The sample and the effect as recorded, if no sentence says the same number."""
    numbers_said = {_comparable_digits(number) for figure in figures for number in figure.numbers}
    records = ("Sample", render_sample(statement)), ("Effect", statement.effect_text)
    texts = [
        (f"{name}: {words}", words)
        for name, words in records
        if words and _comparable_digits(words) not in numbers_said
    ]
    words = "; ".join(each for each, _ in texts)
    return [FigureSentence(statement, words, tuple(number for _, number in texts))] if texts else []


def _comparable_digits(number: str) -> str:
    """A number as compared with others: `-.79` is `0.79`, and `5,734 people` is `5734`."""
    return _DIGITS.sub("", number).lstrip("0")
