"""Rules about files that notes link to, and about formulas."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial

from kg.checks.note_places import body_of, fix_word, place_of_key
from kg.checks.rule import RuleViolation, rule
from kg.checks.suggestions import did_you_mean
from kg.corpus import Corpus
from kg.corpus.site_files import is_allowed_host, linked_files
from kg.model import Severity, Span
from kg.notes.body import list_attachments, may_go_with_site
from kg.notes.ignore_globs import IgnoreGlobs
from kg.notes.markdown import (
    ATTACHMENTS,
    PICTURES,
    UnreadableFormula,
    find_formulas,
    read_formula,
    replace_with_spaces,
    scan_blocks,
)
from kg.notes.parsed_note import FileLink
from kg.runtime.memoize import ResultsKeeper, memoize
from kg.text.line_starts import TextLineStarts
from kg.text.spelling import BoundedNameSearch, similar_names

_PUBLISHED_SUFFIXES = ", ".join(f"`.{suffix}`" for suffix in (*PICTURES, *ATTACHMENTS))
_BEGUN = re.compile(r"(?<![\\$])(?:^[ \t>]*(?P<signs>\$\$)(?!\$)|(?P<later>\$\$)(?!\$))", re.M)
_TEX_ALONE = "\\^_={}"
_AT_END = re.compile(r"(?<![\\$])\$\$[ \t]*$", re.M)
_QUOTE_MARKS = re.compile(r"\n[ \t>]+")


@rule(Severity.WARNING)
def missing_file(corpus: Corpus) -> Iterator[RuleViolation]:
    """A picture or another file that a note links to, but that is not in the notes folder.

    The site shows its words as plain text. Only files in the notes folder are published.
    """
    for link, file in linked_files(corpus):
        if file is None and may_go_with_site(link.destination):
            subject = "this picture" if link.shown else "this link"
            message = f"{subject} leads to `{link.destination}`, but there is no such file"
            span = _span_of_link(corpus, link)
            nearest = _near_files(corpus, link)[:1]
            fix = fix_word(corpus, span, link.destination, *nearest or (None,))
            help = did_you_mean(nearest) or "put the file into the notes folder"
            yield RuleViolation(span, message, help, (), fix)


def _near_files(corpus: Corpus, link: FileLink) -> tuple[str, ...]:
    """Files in the notes folder that a link most likely means, as the link would name them."""
    folder = "" if link.wiki else posixpath.dirname(link.span.path) or "."
    return _file_names(corpus).search.nearest(f"{folder}\n{link.destination}") or ()


class _FileNames(ResultsKeeper):
    """The names of the files in the notes folder, as links in each folder write them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)
        self.search = BoundedNameSearch(self._similar_names, len(self._paths))

    def _similar_names(self, folder_and_name: str) -> tuple[str, ...]:
        folder, _, destination = folder_and_name.partition("\n")
        return similar_names(destination, self._names_in_folder(folder))

    @memoize
    def _names_in_folder(self, folder: str) -> list[str]:
        """Names relative to a folder; if empty, bare names as in wikilinks."""
        if not folder:
            return [path.rpartition("/")[2] for path in self._paths]
        return [posixpath.relpath(path, folder).replace(" ", "%20") for path in self._paths]


@memoize
def _file_names(corpus: Corpus) -> _FileNames:
    if corpus.folder is None:
        return _FileNames(())
    return _FileNames(list_attachments(corpus.folder, IgnoreGlobs(corpus.config.ignore)))


@rule(Severity.WARNING)
def file_not_published(corpus: Corpus) -> Iterator[RuleViolation]:
    """A file that is not published with the site, though a note shows it or links to it.

    It is too large, of a kind that browsers run or do not know, or not of the kind its name says.
    """
    for link, file in linked_files(corpus):
        if file is not None and file.trouble:
            message = f"`{file.path}` is not published with the site: {file.trouble}"
            yield RuleViolation(_span_of_link(corpus, link), message)
        elif file is None and not may_go_with_site(link.destination):
            message = (
                f"`{link.destination}` is not published with the site: files of its kind are not"
            )
            yield RuleViolation(
                _span_of_link(corpus, link), message, f"these are: {_PUBLISHED_SUFFIXES}"
            )


@rule(Severity.INFO, of_one_note=True)
def picture_without_words(corpus: Corpus) -> Iterator[RuleViolation]:
    """A picture without alternative text.

    Readers who cannot see it, and searches, do not learn what it shows.
    """
    for link in corpus.files:
        if link.shown and not link.words and _is_picture(link.destination):
            name = link.destination
            help = f"![[{name}|what it shows]]" if link.wiki else f"![what it shows]({name})"
            yield RuleViolation(
                _span_of_link(corpus, link),
                "this picture has no alternative text",
                f"write `{help}`",
            )


def _span_of_link(corpus: Corpus, link: FileLink) -> Span:
    return place_of_key(corpus, link.span, link.destination)


def _is_picture(destination: str) -> bool:
    suffix = destination.partition("#")[0].rpartition(".")[2].strip().lower()
    return suffix in PICTURES or suffix not in ATTACHMENTS


@rule(Severity.INFO)
def remote_picture(corpus: Corpus) -> Iterator[RuleViolation]:
    """A picture on another host, which pages do not load: they show a link to it.

    Readers' browsers would tell that host who reads what, and the picture may disappear one day.
    """
    for link in corpus.files:
        if link.shown and link.remote and not is_allowed_host(corpus.config, link.destination):
            help = "copy it into the notes folder, or name its host in `image_hosts` in `kg.toml`"
            yield RuleViolation(
                _span_of_link(corpus, link), "pages show only a link in place of this picture", help
            )


@rule(Severity.WARNING, of_one_note=True)
def broken_formula(corpus: Corpus) -> Iterator[RuleViolation]:
    r"""A formula that cannot be rendered: `$\frac{1$`. The site shows it as written.

    The same holds for one that begins with `$$` and is never closed.
    """
    for path in _paths_with_dollars(corpus):
        body = body_of(corpus, path)
        span_at = partial(_span_at, path, body.first_line, TextLineStarts(body.text))
        for offset, latex, display in _formulas_in_dollars(body.text):
            try:
                read_formula(latex, display)
            except UnreadableFormula as error:
                yield RuleViolation(span_at(offset), "this formula cannot be rendered", str(error))
        if (unclosed_offset := _unclosed_display_offset(body.text)) is not None:
            help = "end it with `$$` before the next blank line"
            yield RuleViolation(span_at(unclosed_offset), "this formula is never closed", help)


def _span_at(path: str, first_line: int, lines: TextLineStarts, offset: int) -> Span:
    line, column = lines.place(offset)
    return Span(path, first_line + line - 1, column)


def _paths_with_dollars(corpus: Corpus) -> Iterable[str]:
    """The paths of the notes with a `$` in a text that pages show: there alone formulas may be."""
    texts = [(s.span.path, f"{s.title} {s.body}") for s in corpus.statements.values()]
    texts += [(e.span.path, f"{e.title} {e.standfirst} {e.essay}") for e in corpus.lines.values()]
    texts += [(source.span.path, source.body) for source in corpus.sources.values()]
    texts += [(term.span.path, term.text) for term in corpus.terms]
    texts += [(edge.span.path, edge.reason) for edge in corpus.edges]
    texts += [(each.edge.span.path, each.edge.reason) for each in corpus.unresolved_edges]
    return dict.fromkeys(path for path, text in texts if "$" in text)


def _formulas_in_dollars(text: str) -> Iterator[tuple[int, str, bool]]:
    """Formulas between dollar signs: offset, TeX, and whether they are displays (`$$`)."""
    for first, raw in _blocks_without_code(text):
        for start, end in find_formulas(raw):
            latex = raw[start:end].lstrip("$")
            signs = end - start - len(latex)
            if signs:
                yield first + start, _QUOTE_MARKS.sub("\n", latex[:-signs]), signs > 1


def _unclosed_display_offset(text: str) -> int | None:
    """The offset of the first `$$` that is not closed within its paragraph."""
    # `$$` at the end of a line may mean money. It is taken for an opening one only if the next
    # unclosed `$$` begins a line, as a closing one would.
    offset_at_end = None
    for first, raw in _blocks_without_code(text):
        rest = replace_with_spaces(raw, find_formulas(raw)) if "$$" in raw else ""
        if match := _find_unclosed_display(rest):
            start = first + max(match.start("signs"), match.start("later"))
            return start if offset_at_end is None or match["later"] else offset_at_end
        if offset_at_end is None and (match_at_end := _AT_END.search(rest)):
            offset_at_end = first + match_at_end.start()
    return None


def _find_unclosed_display(text: str) -> re.Match[str] | None:
    """The first `$$` that does not mean money: it begins its line, or a character that only TeX
    uses follows it.
    """
    last_tex_sign = max(map(text.rfind, _TEX_ALONE))
    displays = (
        each for each in _BEGUN.finditer(text) if each["signs"] or each.end() <= last_tex_sign
    )
    return next(displays, None)


def _blocks_without_code(text: str) -> Iterator[tuple[int, str]]:
    """The offset of each block, and its text with code blanked out."""
    for block in scan_blocks(text).blocks if text.count("$") > 1 else ():
        start = block.start
        code = [(a - start, b - start) for a, b in block.opaque if text[a] != "$"]
        yield start, replace_with_spaces(text[start : block.end], code)
