"""A report as Markdown with Pandoc's citations, and as LaTeX; each file holds its sources."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.exchange.writers.bibliographies import bibtex_keys, csl_item
from kg.exchange.writers.line_report import ReportBlock, WrittenReport, as_report
from kg.exchange.writers.tex_text import escape_tex, join_lines
from kg.model import Citation, Source
from kg.notes.entries.identifiers import UNNAMED
from kg.report import escape_markdown

_AT_START = re.compile(r"^((?:\d+|[A-Za-z]{1,5})(?=[.)])|(?=[-+:%=(]))(.)")
_PLAIN_KEY = re.compile(r"\w(?:\w|[:.#$%&+?<>~/-](?=\w))*")
_NOT_IN_LATEX_KEYS = re.compile(r"[^A-Za-z0-9:./+_-]")


def write_report(corpus: Corpus, file: Path, whole: Corpus) -> None:
    """A report for `pandoc --citeproc`: to read as it is, or to make Word, PDF or HTML of."""
    file.write_text(report_markdown(as_report(corpus, whole)), "utf-8")


def report_markdown(report: WrittenReport) -> str:
    """The same as text."""
    keys = bibtex_keys(report.sources)
    head: dict[str, object] = {
        "title": escape_pandoc(report.title),
        "references": [
            _reference(source) | {"id": keys[key]} for key, source in report.sources.items()
        ],
    }
    blocks = _render_blocks(report, _citer(keys, _inline_safe, _pandoc, " [{}]", "; "))
    refs = ["\n## Sources\n\n::: {#refs}\n:::"] if keys else []
    text = "\n".join([*blocks, *refs])
    return f"---\n{_yaml(head)}\n---\n{text}\n"


def _reference(source: Source) -> dict[str, Any]:
    """A source as an item of CSL whose words are Markdown, as which Pandoc reads metadata."""
    item = csl_item(source, join_lines)
    if role := item.get("custom", {}).pop(UNNAMED, ""):
        item.setdefault(role, []).append({"literal": "others"})  # for which Pandoc says et al.
    return {name: each if name == "type" else _escape_value(each) for name, each in item.items()}


def _escape_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {_inline_safe(name): _escape_value(each) for name, each in value.items()}
    if isinstance(value, list):
        return [*map(_escape_value, value)]
    return escape_pandoc(value) if isinstance(value, str) else value


def _yaml(head: dict[str, object]) -> str:
    """JSON a line for each, which YAML is, too."""
    return "\n".join(f"{name}: {json.dumps(value)}" for name, value in head.items())


def _render_blocks(
    report: WrittenReport, cite: Callable[[tuple[Citation, ...]], str]
) -> Iterator[str]:
    last = ""
    for block in _without_title(report):
        text = escape_pandoc(block.text) + cite(tuple(block.cited)) + escape_pandoc(block.after)
        if block.style == "heading":
            yield f"\n{'#' * block.depth} {text}"
        elif block.style == "text":
            yield f"\n{text}"
        else:
            yield from [""] * (last != "item")
            yield f"{'    ' * (block.depth - 1)}- {text}"
        last = block.style


@lru_cache(maxsize=4096)
def escape_pandoc(text: str) -> str:
    """Text in which Pandoc finds no mark."""
    made = _inline_safe(text).replace(" - ", r" \- ")
    return _AT_START.sub(r"\1\\\2", made) if not text.startswith(" ") else f" {made}"


def _inline_safe(text: str) -> str:
    return escape_markdown(join_lines(text))


def _pandoc(key: str, prefix: str, locator: str) -> str:
    name = key if _PLAIN_KEY.fullmatch(key) else f"{{{key}}}"
    return f"{prefix} @{name}".strip() + (f", {locator}" if locator else "")


def _citer(
    keys: dict[str, str],
    safe: Callable[[str], str],
    render: Callable[[str, str, str], str],
    around: str,
    between: str,
) -> Callable[[tuple[Citation, ...]], str]:
    """What renders citations; sources that are not known are named by their keys behind them."""

    def cite(cited: tuple[Citation, ...]) -> str:
        found = (
            render(keys[each.key], safe(each.prefix).strip(), safe(each.locator).strip())
            for each in cited
            if each.key in keys
        )
        known = between.join(dict.fromkeys(found))  # in a title and the text is cited once
        gone = ", ".join(dict.fromkeys(safe(each.key) for each in cited if each.key not in keys))
        return (around.format(known) if known else "") + (f" ({gone})" if gone else "")

    return cite


def _without_title(report: WrittenReport) -> tuple[ReportBlock, ...]:
    """The blocks, but for the first heading where it is the title of all."""
    first = report.blocks[:1]
    again = bool(first) and first[0].style == "heading" and first[0].text == report.title
    return report.blocks[again:]


# -- LaTeX -------------------------------------------------------------------------------------

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
_KNOWN = {*map(chr, range(0x180)), *"–—‘’‚“”„…†‡•‰‹›€™", "\u2212", "\u2192"}
"""Signs that pdfLaTeX prints by itself, or by what stands below."""
_MATHS = "\n".join(
    f"  \\DeclareUnicodeCharacter{{{code}}}{{\\ensuremath{{{sign}}}}}"
    for code, sign in (("2212", "-"), ("2192", "\\rightarrow"))
)
_RANKS = {1: "section", 2: "subsection"}


def write_latex(corpus: Corpus, file: Path, whole: Corpus) -> None:
    """A report as an article that compiles by itself; XeLaTeX and LuaLaTeX know all scripts."""
    file.write_text(report_latex(as_report(corpus, whole)), "utf-8")


def report_latex(report: WrittenReport) -> str:
    """The same as text."""
    keys = bibtex_keys(report.sources, _NOT_IN_LATEX_KEYS)
    rows = [f"\\title{{{escape_tex(report.title)}}}\\date{{}}", "\\maketitle"]
    rows += _latex(report, _citer(keys, escape_tex, _cite_in_tex, "{}", ""))
    if keys:
        rows += ["", "\\begin{thebibliography}{99}"]
        rows += [f"\\bibitem{{{keys[key]}}} {_entry(each)}" for key, each in report.sources.items()]
        rows.append("\\end{thebibliography}")
    body = "\n".join([*rows, "\\end{document}", ""])
    return _HEAD % f"{_MATHS}\n{_find_unknown_signs(body)}" + body


def _find_unknown_signs(body: str) -> str:
    """Declarations that print `[U+263A]` for signs at which pdfLaTeX would stop."""
    codes = [f"{ord(sign):04X}" for sign in sorted({*body} - _KNOWN)]
    return "".join(f"  \\DeclareUnicodeCharacter{{{each}}}{{[U+{each}]}}\n" for each in codes)


def _latex(report: WrittenReport, cite: Callable[[tuple[Citation, ...]], str]) -> Iterator[str]:
    open_lists = 0
    for block in [*_without_title(report), ReportBlock("text", "")]:
        wanted = block.depth if block.style == "item" else 0
        for depth in range(max(open_lists, wanted), min(open_lists, wanted), -1):
            yield "\\end{itemize}" if wanted < depth <= open_lists else "\\begin{itemize}"
        open_lists = wanted
        text = (
            _escape_with_space(block.text)
            + cite(tuple(block.cited))
            + _escape_with_space(block.after)
        )
        if block.style == "heading":
            yield f"\n\\{_RANKS[block.depth]}{{{text}}}"
        elif block.style == "item":
            yield f"\\item {{}}{text}"
        elif text:
            yield f"\n{text}"


def _escape_with_space(text: str) -> str:
    return " " * text.startswith(" ") + escape_tex(text)


def _cite_in_tex(key: str, prefix: str, locator: str) -> str:
    before = f" {prefix}" if prefix else ""
    return f"{before}~\\cite{f'[{{{locator}}}]' if locator else ''}{{{key}}}"


def _entry(source: Source) -> str:
    """A work as a list of sources names it."""
    where = source.doi and f"doi:{source.doi}"
    where = where or (source.arxiv and f"arXiv:{source.arxiv}") or source.url
    by = ", ".join(source.authors)
    parts = (f"{by} ({source.year})" if source.year else by, source.title, source.venue, where)
    return " ".join(f"{escape_tex(part).rstrip('.')}." for part in parts if part)
