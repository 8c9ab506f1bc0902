"""Rules about evidence: its figures fit together, and so do the sources that it names."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from kg.checks.citations import (
    find_bare_citations,
    find_quotations,
    fold_quotation,
    is_quoted_from,
    list_citations,
)
from kg.checks.figures_in_sources import archived_text
from kg.checks.note_places import fix_word, place_in_entry, place_of
from kg.checks.rule import RuleViolation, is_exempt, misread_statements, rule
from kg.corpus import Corpus
from kg.corpus.independent_sources import fold_doi, independent_sources
from kg.model import Integrity, Kind, Method, Severity, Source
from kg.model.figures import NO_EFFECT, SIGNIFICANCE_LEVEL, is_significant
from kg.text.spelling import similar_names

_YEAR = re.compile(r"(?<![\dX])\d[\dX]{3}(?![\dX])")
_MONTH = re.compile(r"(?<!\d)\d{4}-(\d\d)(?!\d)")
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_LAST_SEASON = 41  # in ISO 8601-2, which numbers seasons and quarters from 21
_FIELDS_OF_EVIDENCE = ("method", "sample", "effect_text", "p", "seen_in", "quality")
_OWN_WORDS = frozenset((Method.ARGUMENT, Method.DEMONSTRATION, Method.ANECDOTE))
_PRINTED = re.compile(r"([A-Za-z]{0,9})(\d{1,20})\s*[-–—]+\s*\1(\d{1,20})")
_PAGES_CITED = re.compile(r"\b(?:pp?|pages?|S)\.?\s*(\d+)(?:\s*[-–—]+\s*(\d+))?(?!\d)")
_ORGANISATION = ("organization", "institution", "school", "authority", "holder")
_BY_PUBLISHER = frozenset(
    ("report", "webpage", "software", "dataset", "online", "legislation", "standard", "manual")
)
# a law, a case and a reference work are cited by their titles
_LAWS = ("legislation", "legal_case", "jurisdiction", "bill", "treaty", "patent")
_REFERENCE_WORKS = ("collection", "periodical", "proceedings", "reference", "mvreference", "set")
_BY_NOBODY = frozenset((*_LAWS, *_REFERENCE_WORKS))


@rule(Severity.WARNING)
def unsourced_evidence(corpus: Corpus) -> Iterator[RuleViolation]:
    """Evidence without a source that is not an argument, demonstration or anecdote.

    Nobody can look it up, and it counts as independent of all other evidence.
    """
    misread = misread_statements(corpus)
    other_methods = {each.span.path for each in corpus.diagnostics if each.about == "method"}
    for evidence in corpus.evidence:
        if evidence.citations or evidence.asserted_by or evidence.method in _OWN_WORDS:
            continue
        if evidence.id in misread or evidence.span.path in other_methods:
            continue  # the unreadable field may be the source, or a method that needs none
        if not is_exempt(corpus, evidence) and not any(
            find_bare_citations(corpus, evidence.body, evidence.citations)
        ):
            # suggest the weakest of the methods that need no source
            help = "cite where it was found, `[@key]`; what cannot be looked up is an anecdote"
            if "[@" in evidence.title:
                help = "cite in the text below the title, where citations are read"
            yield RuleViolation(evidence.span, "this evidence names no source", help)


@rule(Severity.WARNING, of_one_note=True)
def contradictory_figures(corpus: Corpus) -> Iterator[RuleViolation]:
    """A p below .05 with an interval that includes no effect, or the reverse.

    The interval is assumed to be a 95 % one. One of the two is wrong, or means something else.
    """
    for evidence in corpus.evidence:
        null = NO_EFFECT.get(evidence.effect_kind)
        p, sign = evidence.p, evidence.p_sign
        if p is None or null is None or evidence.effect_low is None or evidence.effect_high is None:
            continue
        if p == SIGNIFICANCE_LEVEL and not sign:
            continue  # it may be rounded from either side
        includes_null = evidence.effect_low < null < evidence.effect_high
        excludes_null = null < evidence.effect_low or evidence.effect_high < null
        significant = is_significant(p, sign)
        not_significant = not significant and p >= SIGNIFICANCE_LEVEL and sign != "<"
        if (includes_null and significant) or (excludes_null and not_significant):
            verb = "includes" if includes_null else "excludes"
            message = (
                f"p {sign or '='} {p:g}, but the interval of "
                f"`{evidence.effect_text}` {verb} {null:g}"
            )
            help = "look both up again, or record only the one you are sure of"
            yield RuleViolation(evidence.span, message, help)


@rule(Severity.WARNING)
def doubtful_entry(corpus: Corpus) -> Iterator[RuleViolation]:
    """A bibliography entry without a title, or with an invalid year or date.

    The source is kept, but cannot be sorted by year.
    """
    for source in corpus.sources.values():
        year = source.entry.get("year", "")
        if year and not re.fullmatch(r"\W*\d{4}[a-z]?\W*", year):
            help = "write four digits; words such as `in press` go into `note`"
            if "=" in year:
                help = "put a comma after the year"
            yield RuleViolation(
                source.span, f"the year of {_describe_entry(source)} is `{year[:60]}`", help
            )
        for field, field_words in (("date", "date"), ("urldate", "`urldate`")):
            date = source.entry.get(field, "")
            if date and not _is_date(date):
                help = "write it as `2024`, `2024-05` or `2024-05-31`"
                yield RuleViolation(
                    source.span,
                    f"the {field_words} of {_describe_entry(source)} is `{date[:60]}`",
                    help,
                )
        has_entry = source.entry or not source.note
        if has_entry and source.title == source.key and "title" not in source.entry:
            nearest = similar_names("title", source.entry)[:1]
            help = f"did you mean `title` for `{nearest[0]}`?" if nearest else "add `title = {…}`"
            yield RuleViolation(source.span, f"{_describe_entry(source)} has no title", help)


def _is_date(date_text: str) -> bool:
    """Return whether a date has a year, and any month and day in digits are in the calendar."""
    days = [tuple(map(int, parts)) for parts in _DAY.findall(date_text)]
    months = [int(month) for month in _MONTH.findall(date_text)]
    days_exist = all(
        1 <= day <= monthrange(year, month)[1] for year, month, day in days if 0 < month < 13
    )
    in_calendar = all(1 <= month <= 12 or 21 <= month <= _LAST_SEASON for month in months)
    return bool(_YEAR.search(date_text)) and in_calendar and days_exist


def _describe_entry(source: Source) -> str:
    """The name of an entry in a message; with `the entry of` if the violation is at a note."""
    return f"the entry of `{source.key}`" if source.note else f"`{source.key}`"


@rule(Severity.WARNING)
def retracted_source(corpus: Corpus) -> Iterator[RuleViolation]:
    """A statement that cites a retracted source.

    The source counts for nothing in verdicts.
    """
    for statement in corpus.statements.values():
        citation_by_key = {citation.key: citation for citation in reversed(statement.citations)}
        for citation in citation_by_key.values() if not is_exempt(corpus, statement) else ():
            source = corpus.sources.get(citation.key)
            if source and source.integrity is Integrity.RETRACTED:
                yield RuleViolation(
                    citation.span,
                    f"`{source.key}` has been retracted",
                    "find another source, or retire the statement",
                    (source.span,),
                )


@rule(Severity.INFO)
def study_beside_another(corpus: Corpus) -> Iterator[RuleViolation]:
    """A work that other evidence also cites, cited together with one that nothing else cites.

    Evidence is divided equally among the works it cites, so the study counts again in part with
    the new work. With a shared `independence` key, its notes count once.
    """
    evidence = [item for item in corpus.evidence if not is_exempt(corpus, item)]
    citation_counts = Counter(key for item in evidence for key in item.sources)
    ids_with_key = independent_sources(corpus).evidence_keys
    for item in evidence:
        shared_keys = [key for key in item.sources if citation_counts[key] > 1]
        single_keys = [key for key in item.sources if citation_counts[key] == 1]
        if shared_keys and single_keys and item.id not in ids_with_key:
            shared = shared_keys[0]
            single = single_keys[0]
            yield RuleViolation(
                item.span,
                f"`{shared}` is also cited elsewhere; with `{single}` it counts again in part",
                f"give all notes of one study the same `independence: [data:{shared}]`",
            )


@rule(Severity.ERROR)
def misquoted_source(corpus: Corpus) -> Iterator[RuleViolation]:
    """A quotation that is not in the archived text of its source.

    Only quotations from sources with a `snapshot` are checked: block quotes above a citation, and
    four words or more in quotes before one. Case, spaces, hyphens and typographic quotes are
    ignored, and `…` or words in `[ ]` may mark omissions and changes.
    """
    text_by_key: dict[str, str | None] = {}
    if not any(source.snapshot for source in corpus.sources.values()):
        return
    for quotation in find_quotations(corpus):
        source = corpus.sources.get(quotation.key)
        if source is None or not source.snapshot:
            continue
        if source.key not in text_by_key:
            snapshot_text = archived_text(corpus, source)
            text_by_key[source.key] = (
                None if snapshot_text is None else fold_quotation(snapshot_text)
            )
        text = text_by_key[source.key]
        if text is not None and not is_quoted_from(quotation.text, text):
            yield RuleViolation(
                quotation.span,
                f"these words are not in the snapshot of `{source.key}`",
                f"compare them with {source.snapshot}",
                (source.span,),
            )


@rule(Severity.ERROR)
def missing_snapshot(corpus: Corpus) -> Iterator[RuleViolation]:
    """A source whose archived text is missing, unreadable, or outside the notes folder."""
    for source in corpus.sources.values():
        if source.snapshot and archived_text(corpus, source) is None:
            span = place_of(corpus, source, "snapshot", source.snapshot)
            help = "the path is relative to the notes folder, and must not lead out of it"
            fix = None
            path_from_note = f"{source.span.path.rpartition('/')[0]}/{source.snapshot}".lstrip("/")
            if archived_text(corpus, replace(source, snapshot=path_from_note)) is not None:
                help = f"did you mean `{path_from_note}`? The path is relative to the notes folder"
                fix = fix_word(corpus, span, source.snapshot, path_from_note)
            message = f"there is no readable text at `{source.snapshot}`"
            yield RuleViolation(span, message, help, (), fix)


@rule(Severity.WARNING, of_one_note=True)
def figures_of_a_claim(corpus: Corpus) -> Iterator[RuleViolation]:
    """A claim with fields that only evidence can have: a method, a sample, a quality ….

    They have no effect: a claim rests on what supports it.
    """
    for statement in corpus.statements.values():
        if statement.kind is Kind.EVIDENCE:
            continue
        field_names = [
            name for name in _FIELDS_OF_EVIDENCE if getattr(statement, name) not in (None, (), "")
        ]
        if field_names:
            names_text = ", ".join(f"`{name}`" for name in field_names)
            help = "move it to the evidence, a callout `> [!evidence] …` for instance"
            yield RuleViolation(
                statement.span, f"a {statement.kind.value} records {names_text}", help
            )


def parse_cited_pages(locator: str) -> list[tuple[int, int]]:
    """The first and last pages that a locator names: `p. 3`, `pp. 823–8`."""
    return [_page_range(first, last or first) for first, last in _PAGES_CITED.findall(locator)]


def parse_printed_pages(pages: str) -> list[tuple[int, int]]:
    """The ranges of an entry's `pages`; none if it is open-ended (`823+`), and none for pages with
    letters before their numbers.
    """
    if "+" in pages:
        return []
    return [_page_range(*match.group(2, 3)) for match in _PRINTED.finditer(pages) if not match[1]]


def _page_range(first: str, last: str) -> tuple[int, int]:
    """The first and last page; `823–8` ends on page 828."""
    if len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return int(first), int(last)


@rule(Severity.WARNING)
def same_work_twice(corpus: Corpus) -> Iterator[RuleViolation]:
    """Two entries for one work: the same DOI, or the same title, first author and year.

    Or two keys that differ only in case. With one DOI they count as one source, but queries for
    one miss the other. Entries alike in title, author and year count as two unless they share an
    `independence` key; with different DOIs they are two works.
    """
    source_by_doi: dict[str, Source] = {}
    source_by_work: dict[tuple[str, str, int], Source] = {}
    source_by_key: dict[str, Source] = {}
    for source in corpus.sources.values():
        other = source_by_key.setdefault(source.key.casefold(), source)
        if other is not source and other.span.path == source.span.path:
            message = f"`{source.key}` differs from `{other.key}` only in case"
            yield RuleViolation(source.span, message, "give one of them another key", (other.span,))
            continue
        doi = fold_doi(source)
        if doi and (other := source_by_doi.setdefault(doi, source)) is not source:
            message = f"`{source.key}` has the DOI of `{other.key}`"
            yield _same_work(corpus, source, other, "doi", message)
            continue
        work = _title_author_year(source)
        if work and (other := source_by_work.setdefault(work, source)) is not source:
            is_told_apart = bool(doi and other.doi)
            if not is_told_apart and not {*source.independence} & {*other.independence}:
                message = f"`{source.key}` has the title, first author and year of `{other.key}`"
                message += ", but counts as another source"
                yield _same_work(corpus, source, other, "title", message)


def _title_author_year(source: Source) -> tuple[str, str, int] | None:
    """Return what identifies a work without a DOI; None if its entry lacks one of the three."""
    if not (source.year and source.authors) or source.title == source.key:
        return None
    letters = "".join(filter(str.isalnum, source.title.casefold()))
    return letters, source.first_author.casefold(), source.year


def _same_work(
    corpus: Corpus, source: Source, other: Source, field: str, message: str
) -> RuleViolation:
    kept_source, merged_source = (
        (source, other) if source.note and not other.note else (other, source)
    )
    help = f"`kg merge {kept_source.key} {merged_source.key}` merges them"
    span = place_in_entry(corpus, source, field)
    return RuleViolation(span, message, help, (other.span,))


@rule(Severity.WARNING)
def missing_author(corpus: Corpus) -> Iterator[RuleViolation]:
    """A cited source whose entry names no author, editor or organisation.

    It is cited and sorted by its title instead.
    """
    cited_keys = {citation.key for citation in list_citations(corpus)}
    for source in corpus.sources.values():
        if source.key in cited_keys and source.entry and not _names_somebody(source):
            help = "add `author`, in double braces for an organisation: `{{World Bank}}`"
            yield RuleViolation(source.span, f"`{source.key}` has no author", help)


def _names_somebody(source: Source) -> bool:
    if source.authors or source.type in _BY_NOBODY:
        return True
    if source.type in _BY_PUBLISHER and source.entry.get("publisher"):
        return True
    return any(source.entry.get(name) for name in (*_ORGANISATION, "translator"))


@rule(Severity.WARNING)
def page_out_of_range(corpus: Corpus) -> Iterator[RuleViolation]:
    """A citation of a page outside the `pages` of the entry, or of a reversed page range.

    Often it is the page of a PDF, or of another edition; readers cannot find the passage by it.
    """
    for citation in list_citations(corpus):
        cited_ranges = parse_cited_pages(citation.locator)
        for low, high in cited_ranges:
            if high < low:
                message = f"pages {low}–{high} run backwards"
                yield RuleViolation(citation.span, message, "correct one of the two")
        source = corpus.sources.get(citation.key)
        if source is None or not citation.locator:
            continue
        pages = source.entry.get("pages") or source.entry.get("page") or ""
        printed_ranges = parse_printed_pages(pages)
        if not printed_ranges:
            continue
        for first, last in cited_ranges:
            pages_outside = [
                page
                for page in (first, last)
                if not any(low <= page <= high for low, high in printed_ranges)
            ]
            if pages_outside:
                yield RuleViolation(
                    citation.span,
                    f"page {pages_outside[0]} is not among pages {pages.replace('--', '–')} "
                    f"of `{source.key}`",
                    "give the page as printed, not that of a PDF",
                    (source.span,),
                )
                break
