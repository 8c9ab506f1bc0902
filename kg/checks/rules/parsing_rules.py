"""Rules that apply while a file is read: what it holds cannot be used as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from kg.checks.rule import Finding, rule, rule_of_reading
from kg.corpus import Corpus
from kg.model import Severity
from kg.model.value import conflict_problem
from kg.notes.discover import README, reread_file
from kg.text.merge_conflicts import settle_conflicts

unreadable_file = rule_of_reading(
    "unreadable-file",
    Severity.ERROR,
    """A file that is not readable UTF-8 text: binary, too large, a pipe, or a link in a circle.

    The rest of the corpus is loaded without it.
    """,
)
broken_front_matter = rule_of_reading(
    "broken-front-matter",
    Severity.ERROR,
    """Front matter that is no YAML mapping: a stray colon, a repeated key, no closing line.

    The note stays out of the graph until it is mended. Its other problems are told all the same,
    and every other note is read.
    """,
)


@rule(Severity.ERROR)
def merge_conflict(corpus: Corpus) -> Iterator[Finding]:
    """A merge conflict of git's that nobody settled: its marks stand in the file.

    The first version is read, and no mark becomes text, in a code block neither. An example of a
    conflict has a space before each mark.
    """
    yield from _problems(corpus, "merge-conflict")
    readme = None if corpus.folder is None else reread_file(corpus.folder, README)
    if readme is not None:
        text = readme.data.decode("utf-8", "replace")
        if conflicts := settle_conflicts(text, markdown=True).conflicts:
            problem = conflict_problem(README, conflicts)
            yield Finding(problem.span, problem.message, problem.help, problem.related)


missing_type = rule_of_reading(
    "missing-type",
    Severity.ERROR,
    """A note that does not say what it is, or says it with an unknown word.

    Without a type, nothing of the note enters the graph. Its other problems are told all the same,
    where they can be known.
    """,
)
bad_value = rule_of_reading(
    "bad-value",
    Severity.ERROR,
    """A known key with a value that it cannot have, such as a date that does not exist.

    The value is left out, so that nothing is counted that was not understood.
    """,
)
unknown_key = rule_of_reading(
    "unknown-key",
    Severity.WARNING,
    """A key that means nothing here: often a misspelling.

    It is kept with the note, never dropped.
    """,
)
unknown_callout = rule_of_reading(
    "unknown-callout",
    Severity.WARNING,
    """A callout whose word is almost, but not quite, that of a statement.""",
)
second_title = rule_of_reading(
    "second-title",
    Severity.WARNING,
    """A second heading with one `#`: a note makes one statement, and has one title.

    What stands below it is read as the first statement's text.
    """,
)
unread_file = rule_of_reading(
    "unread-file",
    Severity.WARNING,
    """A file that looks like a note or a bibliography, and is not read as one.

    Names of notes end in `.md`, and those of bibliographies in `.bib` or `.json`.
    """,
)
unknown_unit = rule_of_reading(
    "unknown-unit",
    Severity.WARNING,
    """A sample of something that is not known to be people, conversations, items or models.

    555 scenarios are not 555 participants, so a sample of an unknown kind lifts no quality.
    """,
)
outside_link = rule_of_reading(
    "outside-link",
    Severity.WARNING,
    """A link that leads out of the notes folder: it is not followed.

    Whoever sends a folder could link to any file of yours. Links that you trust are followed
    once `KG_FOLLOW_LINKS` names the folder that they lead to; nothing in `kg.toml` can say so.
    """,
)
missing_target = rule_of_reading(
    "missing-target",
    Severity.ERROR,
    """A relation that leads nowhere: `supports::` without a link behind it.""",
)
almost_a_field = rule_of_reading(
    "almost-a-field",
    Severity.WARNING,
    """A field with one colon, in square brackets, never closed, or outside a callout.

    What it says would be lost.
    """,
)
unread_words = rule_of_reading(
    "unread-words",
    Severity.WARNING,
    """Words beside an edge's target that no dash marks as its reason.""",
)
unclosed_bracket = rule_of_reading(
    "unclosed-bracket",
    Severity.WARNING,
    """A link, citation, code block or comment that is begun and never closed.

    An open link or citation is neither; an open code block or comment hides all that follows.
    """,
)
broken_bibliography = rule_of_reading(
    "broken-bibliography",
    Severity.ERROR,
    """A bibliography entry that cannot be read, or whose key stands twice.

    The other entries are read. In two files the same key may stand for the same work.
    """,
)
lost_crossref = rule_of_reading(
    "lost-crossref",
    Severity.WARNING,
    """An entry that takes something from another, by `crossref` or `xdata`, that is not there.

    What it would have taken over, often the book's title and year, is missing.
    """,
)


@rule(Severity.WARNING)
def judgement_file(corpus: Corpus) -> Iterator[Finding]:
    """A file in `judgements` without the columns edge, annotator and label, or a column per judge.

    None of its judgements count.
    """
    return _problems(corpus, "judgement-file")


@rule(Severity.WARNING)
def judgement_column(corpus: Corpus) -> Iterator[Finding]:
    """A column of judgements that is none of ours, or stands there twice: it is not read.

    A model's labels stand in a column `model:NAME`, a person's in `annotator:NAME`.
    """
    return _problems(corpus, "judgement-column")


@rule(Severity.WARNING)
def judgement_row(corpus: Corpus) -> Iterator[Finding]:
    """A judgement without edge, annotator or label, or with a label or date that is none.

    The row does not count; of a row with a column per judge, the label does not.
    """
    return _problems(corpus, "judgement-row")


@rule(Severity.WARNING)
def judged_edge_unknown(corpus: Corpus) -> Iterator[Finding]:
    """A judgement of an edge that the notes do not have, or no longer have.

    The row does not count. `kg find edges --format ids` lists those there are.
    """
    return _problems(corpus, "judged-edge-unknown")


@rule(Severity.INFO)
def judged_twice(corpus: Corpus) -> Iterator[Finding]:
    """One annotator's second judgement of an edge: the later one counts."""
    return _problems(corpus, "judged-twice")


def _problems(corpus: Corpus, name: str) -> Iterator[Finding]:
    if corpus.folder is None or not (corpus.folder / "judgements").is_dir():
        return  # most corpora have none, and are checked without loading what reasons
    from kg.reasoning.judgements import judgements_of

    for problem in judgements_of(corpus).diagnostics:
        if problem.rule == name:
            yield Finding(problem.span, problem.message, problem.help, problem.related)
