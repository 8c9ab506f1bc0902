"""A line or a statement as a report: Markdown with Pandoc's citations, and LaTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import find_bearings
from kg.exchange.escaped_text import JsonObject, escape_tex, without_controls
from kg.exchange.writers.bibliographies import bibtex_keys, csl_item
from kg.model import Bearing, Citation, InquiryLine, Kind, Source, SourceKey, Statement
from kg.notes.bibliography import UNNAMED_PEOPLE
from kg.reasoning.answers.verdict import Verdict, leading_sentences, verdict
from kg.reasoning.reading import reading_of
from kg.reporting.report import escape_markdown
from kg.text.plurals import describe_rest

MAX_REASONS = 12  # shown on each side in a report on a statement; the rest is only counted

_MARKUP_AT_START = re.compile(r"^((?:\d+|[A-Za-z]{1,5})(?=[.)])|(?=[-+:%=(]))(.)")
# what Pandoc reads without braces: no two marks beside each other, and none at the end
_PLAIN_KEY = re.compile(r"\w(?:\w|[:.#$%&+?<>~/-](?=\w))*")
_NOT_IN_LATEX_KEYS = re.compile(r"[^A-Za-z0-9:./+_-]")
_HEAD = r"""\documentclass{article}
\usepackage{iftex}
\ifpdftex
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
%s\else
  \usepackage{fontspec}
\fi
\setcounter{secnumdepth}{0}
\begin{document}
"""
# Characters that pdfLaTeX prints, by itself or with the declarations below.
_PDFLATEX_CHARACTERS = {*map(chr, range(0x180)), *"–—‘’‚“”„…†‡•‰‹›€™", "\u2212", "\u2192"}
_MATHS = "\n".join(
    f"  \\DeclareUnicodeCharacter{{{code}}}{{\\ensuremath{{{sign}}}}}"
    for code, sign in (("2212", "-"), ("2192", "\\rightarrow"))
)
_HEADING_COMMANDS = {1: "section", 2: "subsection"}


class ReportBlock(NamedTuple):
    """A heading, a paragraph or a list item: text, then citations, then more text.

    `depth` is the level of a heading or item, from 1.
    """

    style: Literal["heading", "text", "item"]
    text: str
    citations: Sequence[Citation] = ()
    text_after: str = ""
    depth: int = 1


@dataclass(frozen=True)
class WrittenReport:
    """The title and blocks of a report, and the sources it cites, in the order of the text."""

    title: str
    blocks: tuple[ReportBlock, ...]
    sources: Mapping[SourceKey, Source]


def as_report(part: Corpus, corpus: Corpus) -> WrittenReport:
    """The report on the lines of a part, or on its statements if it has no lines."""
    blocks = [
        _line_blocks(corpus, line, _verdict_sentences(corpus, line.id))
        for line in part.lines.values()
    ]
    blocks = blocks or [_statement_blocks(corpus, each) for each in part.statements.values()]
    titles = [each.title for each in (part.lines or part.statements).values()]
    return _make_report(
        corpus, titles[0] if len(titles) == 1 else corpus.config.name, chain(*blocks)
    )


def line_report(corpus: Corpus, line: InquiryLine, verdict: Verdict | None) -> WrittenReport:
    """The report on a line, given the verdict on it."""
    sentences = leading_sentences(verdict) if verdict else ()
    return _make_report(corpus, line.title, _line_blocks(corpus, line, sentences))


def _make_report(corpus: Corpus, title: str, blocks: Iterable[ReportBlock]) -> WrittenReport:
    block_tuple = tuple(blocks)
    cited_keys = dict.fromkeys(
        citation.key for block in block_tuple for citation in block.citations
    )
    return WrittenReport(
        title,
        block_tuple,
        {key: corpus.sources[key] for key in cited_keys if key in corpus.sources},
    )


def _line_blocks(
    corpus: Corpus, line: InquiryLine, sentences: Iterable[str]
) -> Iterator[ReportBlock]:
    yield ReportBlock("heading", line.title)
    if line.standfirst:
        yield ReportBlock("text", line.standfirst)
    yield from (ReportBlock("text", sentence) for sentence in sentences)
    for camp in corpus.config.camps:
        camp_placements = [p for p in line.placements if p.camp == camp.id]
        if placements := [p for p in camp_placements if p.statement in corpus.statements]:
            yield ReportBlock("heading", camp.label, depth=2)
            for placement in placements:
                yield _item_of_statement(
                    corpus.statements[placement.statement], "", placement.reason
                )
                yield from _items_of_reasons(corpus, placement.statement, 2, evidence=True)
    if line.next:
        yield ReportBlock("heading", "What comes next", depth=2)
        for step in line.next:
            other = corpus.lines.get(step.target or "")
            question = step.question or (other.title if other else step.target or "")
            yield ReportBlock("item", question, text_after=_reason_after_dash(step.reason))


def _statement_blocks(corpus: Corpus, statement: Statement) -> Iterator[ReportBlock]:
    yield ReportBlock("heading", statement.title)
    camp = corpus.camp_of(statement.id) or ""
    labels = {each.id: each.label for each in corpus.config.camps}
    kind_and_camp = ", ".join(filter(None, (statement.kind.value, labels.get(camp, camp))))
    yield ReportBlock("text", kind_and_camp.capitalize(), statement.citations, ".")
    yield from (
        ReportBlock("text", sentence) for sentence in _verdict_sentences(corpus, statement.id)
    )
    for side, name in ((1, "For it"), (-1, "Against it")):
        if items := list(_items_of_reasons(corpus, statement.id, 1, side=side)):
            yield ReportBlock("heading", name, depth=2)
            yield from items[:MAX_REASONS]
            if rest := describe_rest(items, MAX_REASONS, "and"):
                yield ReportBlock("item", rest)


def _verdict_sentences(corpus: Corpus, name: str) -> tuple[str, ...]:
    """The verdict on it, in the words of the site."""
    answer = verdict(reading_of(corpus), name)
    return leading_sentences(answer) if isinstance(answer, Verdict) else (answer.sentence,)


def _items_of_reasons(
    corpus: Corpus, id: str, depth: int, *, side: int = 0, evidence: bool = False
) -> Iterator[ReportBlock]:
    """Items for what bears on a statement, on one side or both; with `evidence`, only evidence."""
    for bearing, speaker in find_bearings(corpus, id):
        if side in (0, bearing.side) and (not evidence or speaker.kind is Kind.EVIDENCE):
            words = _describe_lead(corpus, bearing, names_side=not side)
            yield _item_of_statement(speaker, words, bearing.edge.reason, depth)


def _describe_lead(corpus: Corpus, bearing: Bearing, names_side: bool) -> str:
    """`For, together with …: `: the side, unless a heading says it, and the joint premises."""
    joint_titles = [
        corpus.statements[i].title for i in bearing.edge.together if i in corpus.statements
    ]
    words = [{1: "For", -1: "Against"}[bearing.side]] if names_side else []
    words += [f"together with “{'” and “'.join(joint_titles)}”"] if joint_titles else []
    return f"{', '.join(words)}: " if words else ""


def _item_of_statement(statement: Statement, lead: str, reason: str, depth: int = 1) -> ReportBlock:
    return ReportBlock(
        "item", lead + statement.title, statement.citations, _reason_after_dash(reason), depth
    )


def _reason_after_dash(reason: str) -> str:
    return f" – {reason}" if reason else ""


def write_report(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write a report for `pandoc --citeproc`: readable, or to convert to Word, PDF or HTML."""
    file.write_text(report_markdown(as_report(corpus, whole_corpus)), "utf-8")


def report_markdown(report: WrittenReport) -> str:
    """With the references in its front matter, so that Pandoc needs no other file."""
    keys = bibtex_keys(report.sources)
    head: dict[str, object] = {
        "title": escape_pandoc(report.title),
        "references": [
            _csl_reference(source) | {"id": keys[key]} for key, source in report.sources.items()
        ],
    }
    blocks = _render_blocks(
        report, _citation_renderer(keys, _inline_safe, _cite_in_pandoc, " [{}]", "; ")
    )
    refs = ["\n## Sources\n\n::: {#refs}\n:::"] if keys else []
    text = "\n".join([*blocks, *refs])
    # JSON values, one per line, are YAML as well
    yaml = "\n".join(f"{name}: {json.dumps(value)}" for name, value in head.items())
    return f"---\n{yaml}\n---\n{text}\n"


def _csl_reference(source: Source) -> JsonObject:
    """A source as a CSL item with text in Markdown, as Pandoc reads metadata as Markdown."""
    item = csl_item(source, without_controls)
    if role := item.get("custom", {}).pop(UNNAMED_PEOPLE, ""):
        item.setdefault(role, []).append({"literal": "others"})  # which Pandoc renders as et al.
    return {name: each if name == "type" else _escape_value(each) for name, each in item.items()}


def _escape_value(value: object) -> Any:
    if isinstance(value, dict):
        return {_inline_safe(name): _escape_value(each) for name, each in value.items()}
    if isinstance(value, list):
        return [*map(_escape_value, value)]
    return escape_pandoc(value) if isinstance(value, str) else value


def _render_blocks(
    report: WrittenReport, cite: Callable[[tuple[Citation, ...]], str]
) -> Iterator[str]:
    last_style = ""
    for block in _drop_title(report):
        text = (
            escape_pandoc(block.text)
            + cite(tuple(block.citations))
            + escape_pandoc(block.text_after)
        )
        if block.style == "heading":
            yield f"\n{'#' * block.depth} {text}"
        elif block.style == "text":
            yield f"\n{text}"
        else:
            if last_style != "item":
                yield ""
            yield f"{'    ' * (block.depth - 1)}- {text}"
        last_style = block.style


def escape_pandoc(text: str) -> str:
    """Text with all of Pandoc's markup escaped."""
    escaped_text = _inline_safe(text).replace(" - ", r" \- ")
    if text.startswith(" "):
        return f" {escaped_text}"
    return _MARKUP_AT_START.sub(r"\1\\\2", escaped_text)


def _inline_safe(text: str) -> str:
    return escape_markdown(without_controls(text))


def _cite_in_pandoc(key: str, prefix: str, locator: str) -> str:
    name = key if _PLAIN_KEY.fullmatch(key) else f"{{{key}}}"
    return f"{prefix} @{name}".strip() + (f", {locator}" if locator else "")


def _citation_renderer(
    keys: dict[str, str],
    safe: Callable[[str], str],
    render: Callable[[str, str, str], str],
    template: str,
    separator: str,
) -> Callable[[tuple[Citation, ...]], str]:
    """A function that renders citations; keys of unknown sources follow in parentheses."""

    def cite(citations: tuple[Citation, ...]) -> str:
        rendered_citations = (
            render(keys[each.key], safe(each.prefix).strip(), safe(each.locator).strip())
            for each in citations
            if each.key in keys
        )
        known_text = separator.join(
            dict.fromkeys(rendered_citations)
        )  # a source cited in title and text is shown once
        unknown_text = ", ".join(
            dict.fromkeys(safe(each.key) for each in citations if each.key not in keys)
        )
        return (template.format(known_text) if known_text else "") + (
            f" ({unknown_text})" if unknown_text else ""
        )

    return cite


def _drop_title(report: WrittenReport) -> tuple[ReportBlock, ...]:
    """The blocks without the first heading if that repeats the report's title."""
    first = report.blocks[:1]
    is_repeated = bool(first) and first[0].style == "heading" and first[0].text == report.title
    return report.blocks[is_repeated:]


# -- LaTeX -------------------------------------------------------------------------------------


def write_latex(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write a report as a standalone article; XeLaTeX and LuaLaTeX support all scripts."""
    file.write_text(report_latex(as_report(corpus, whole_corpus)), "utf-8")


def report_latex(report: WrittenReport) -> str:
    """An article with its bibliography, which needs no other file."""
    keys = bibtex_keys(report.sources, _NOT_IN_LATEX_KEYS)
    rows = [f"\\title{{{escape_tex(report.title)}}}\\date{{}}", "\\maketitle"]
    rows += _latex_rows(report, _citation_renderer(keys, escape_tex, _cite_in_tex, "{}", ""))
    if keys:
        rows += ["", "\\begin{thebibliography}{99}"]
        rows += [
            f"\\bibitem{{{keys[key]}}} {_list_entry(each)}" for key, each in report.sources.items()
        ]
        rows.append("\\end{thebibliography}")
    body = "\n".join([*rows, "\\end{document}", ""])
    return _HEAD % f"{_MATHS}\n{_find_unknown_signs(body)}" + body


def _find_unknown_signs(body: str) -> str:
    """Declarations that print `[U+263A]` for characters at which pdfLaTeX would fail."""
    codes = [f"{ord(sign):04X}" for sign in sorted({*body} - _PDFLATEX_CHARACTERS)]
    return "".join(f"  \\DeclareUnicodeCharacter{{{each}}}{{[U+{each}]}}\n" for each in codes)


def _latex_rows(
    report: WrittenReport, cite: Callable[[tuple[Citation, ...]], str]
) -> Iterator[str]:
    open_lists = 0
    for block in [*_drop_title(report), ReportBlock("text", "")]:
        item_depth = block.depth if block.style == "item" else 0
        for depth in range(max(open_lists, item_depth), min(open_lists, item_depth), -1):
            yield "\\end{itemize}" if item_depth < depth <= open_lists else "\\begin{itemize}"
        open_lists = item_depth
        text = (
            _escape_with_space(block.text)
            + cite(tuple(block.citations))
            + _escape_with_space(block.text_after)
        )
        if block.style == "heading":
            yield f"\n\\{_HEADING_COMMANDS[block.depth]}{{{text}}}"
        elif block.style == "item":
            yield f"\\item {{}}{text}"
        elif text:
            yield f"\n{text}"


def _escape_with_space(text: str) -> str:
    return " " * text.startswith(" ") + escape_tex(text)


def _cite_in_tex(key: str, prefix: str, locator: str) -> str:
    text_before = f" {prefix}" if prefix else ""
    return f"{text_before}~\\cite{f'[{{{locator}}}]' if locator else ''}{{{key}}}"


def _list_entry(source: Source) -> str:
    """A work as an entry in a list of sources."""
    identifier = source.doi and f"doi:{source.doi}"
    identifier = identifier or (source.arxiv and f"arXiv:{source.arxiv}") or source.url
    authors = ", ".join(source.authors)
    parts = (
        f"{authors} ({source.year})" if source.year else authors,
        source.title,
        source.venue,
        identifier,
    )
    return " ".join(f"{escape_tex(part).rstrip('.')}." for part in parts if part)
