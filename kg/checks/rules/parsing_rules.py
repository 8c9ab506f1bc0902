"""Rules that are applied while a file is read: its content cannot be used as written."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.rule import RuleViolation, parsing_rule, rule
from kg.corpus import Corpus
from kg.model import Severity
from kg.model.diagnostic import conflict_problem
from kg.notes.note_files import reread_file
from kg.notes.note_listing import README
from kg.text.merge_conflicts import keep_first_versions

unreadable_file = parsing_rule(
    "unreadable-file",
    Severity.ERROR,
    """A file that is not readable UTF-8 text: binary, too large, a pipe, or a link in a circle.

    The rest of the corpus is loaded without it.
    """,
)
broken_front_matter = parsing_rule(
    "broken-front-matter",
    Severity.ERROR,
    """Front matter that is not a YAML mapping: a stray colon, a repeated key, no closing line.

    The note is left out of the graph until this is corrected. Its other problems are reported
    nevertheless, and every other note is read.
    """,
)


@rule(Severity.ERROR)
def merge_conflict(corpus: Corpus) -> Iterator[RuleViolation]:
    """An unresolved git merge conflict: its markers are still in the file.

    The first version is read, and no marker becomes text, not even in a code block. To show an
    example of a conflict, put a space before each marker.
    """
    yield from _violations_in_judgements(corpus, "merge-conflict")
    readme = None if corpus.folder is None else reread_file(corpus.folder, README)
    if readme is not None:
        text = readme.data.decode("utf-8", "replace")
        if conflicts := keep_first_versions(text, markdown=True).conflicts:
            problem = conflict_problem(README, conflicts)
            yield RuleViolation(problem.span, problem.message, problem.help, problem.related)


missing_type = parsing_rule(
    "missing-type",
    Severity.ERROR,
    """A note without a `type`, or with an unknown one.

    Without a type, nothing of the note enters the graph. Its other problems are still reported,
    as far as they can be found.
    """,
)
bad_value = parsing_rule(
    "bad-value",
    Severity.ERROR,
    """A known key with an invalid value, such as a date that does not exist.

    The value is ignored, so that nothing counts that was not understood.
    """,
)
unknown_key = parsing_rule(
    "unknown-key",
    Severity.WARNING,
    """An unknown key, often a misspelling.

    It is kept with the note, never dropped.
    """,
)
unknown_callout = parsing_rule(
    "unknown-callout",
    Severity.WARNING,
    """A callout whose type is almost, but not quite, that of a statement.""",
)
second_title = parsing_rule(
    "second-title",
    Severity.WARNING,
    """A second heading with one `#`: a note makes one statement, and has one title.

    The text below it is read as part of the first statement.
    """,
)
unread_file = parsing_rule(
    "unread-file",
    Severity.WARNING,
    """A file that looks like a note or a bibliography, but is not read as one.

    Names of notes end in `.md`, and those of bibliographies in `.bib` or `.json`.
    """,
)
unknown_unit = parsing_rule(
    "unknown-unit",
    Severity.WARNING,
    """A sample whose unit is not known to be people, conversations, items or models.

    555 scenarios are not 555 participants, so a sample of unknown kind does not raise quality.
    """,
)
outside_link = parsing_rule(
    "outside-link",
    Severity.WARNING,
    """A link that leads out of the notes folder: it is not followed.

    A folder from somebody else could link to any of your files. Links that you trust are followed
    once `KG_FOLLOW_LINKS` names the folder they lead to; `kg.toml` cannot allow it.
    """,
)
missing_target = parsing_rule(
    "missing-target",
    Severity.ERROR,
    """A relation that leads nowhere: `supports::` without a link after it.""",
)
almost_a_field = parsing_rule(
    "almost-a-field",
    Severity.WARNING,
    """A field with one colon, in square brackets, never closed, or outside a callout.

    Its value would be lost.
    """,
)
unread_words = parsing_rule(
    "unread-words",
    Severity.WARNING,
    """Words beside an edge's target that are not marked as its reason by a dash.""",
)
unclosed_bracket = parsing_rule(
    "unclosed-bracket",
    Severity.WARNING,
    """A link, citation, code block or comment that is never closed.

    An unclosed link or citation is plain text; an unclosed code block or comment hides all below.
    """,
)
deep_nesting = parsing_rule(
    "deep-nesting",
    Severity.WARNING,
    """Quotes or lists that nest more than 100 deep in one line: the rest of it is read as words.

    Nobody reads so many, and a parser would take seconds for them.
    """,
)
broken_bibliography = parsing_rule(
    "broken-bibliography",
    Severity.ERROR,
    """A bibliography entry that cannot be read, or whose key is repeated.

    The other entries are read. Two files may use the same key for the same work.
    """,
)
lost_crossref = parsing_rule(
    "lost-crossref",
    Severity.WARNING,
    """An entry that inherits from a missing entry by `crossref` or `xdata`.

    The fields it would inherit, often the book's title and year, are missing.
    """,
)


@rule(Severity.WARNING)
def judgement_file(corpus: Corpus) -> Iterator[RuleViolation]:
    """A file in `judgements` without columns edge, annotator and label, or a column per annotator.

    None of its judgements count.
    """
    return _violations_in_judgements(corpus, "judgement-file")


@rule(Severity.WARNING)
def judgement_column(corpus: Corpus) -> Iterator[RuleViolation]:
    """An unknown or repeated column of judgements: it is not read.

    A model's labels go in a column `model:NAME`, a person's in `annotator:NAME`.
    """
    return _violations_in_judgements(corpus, "judgement-column")


@rule(Severity.WARNING)
def judgement_row(corpus: Corpus) -> Iterator[RuleViolation]:
    """A judgement without edge, annotator or label, or with an invalid label or date.

    The row is ignored; in a row with a column per annotator, only that label is ignored.
    """
    return _violations_in_judgements(corpus, "judgement-row")


@rule(Severity.WARNING)
def judged_edge_unknown(corpus: Corpus) -> Iterator[RuleViolation]:
    """A judgement of an edge that does not exist in the notes, or no longer does.

    The row is ignored. `kg find edges --format ids` lists the existing edges.
    """
    return _violations_in_judgements(corpus, "judged-edge-unknown")


@rule(Severity.INFO)
def judged_twice(corpus: Corpus) -> Iterator[RuleViolation]:
    """One annotator's second judgement of an edge: the later one counts."""
    return _violations_in_judgements(corpus, "judged-twice")


def _violations_in_judgements(corpus: Corpus, name: str) -> Iterator[RuleViolation]:
    if corpus.folder is None or not (corpus.folder / "judgements").is_dir():
        return  # most corpora have none; do not load the reasoning modules for them
    from kg.judgements.edge_labels import judgements_of

    for problem in judgements_of(corpus).diagnostics:
        if problem.rule == name:
            yield RuleViolation(problem.span, problem.message, problem.help, problem.related)
