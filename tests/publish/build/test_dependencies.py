"""What a page reads is written down, and what nobody thought of counts as everything.

Of `kg/publish/context/read_log.py` and `kg/publish/context/read_marks.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from inspect import isfunction, unwrap

import pytest

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.judgements.edge_labels import judgements_of
from kg.loader import load_corpus
from kg.model import StatementId
from kg.publish.build.dependencies import (
    INPUT_TABLES,
    TABLES_OF_INPUT_KEYS,
    WHOLE_TABLE,
    TrackedTable,
    tracked_context,
)
from kg.publish.context.read_log import EVERYTHING, ReadLog
from kg.publish.context.read_marks import compared_whole, follows_inputs, members_of
from kg.publish.context.site_answers import SiteAnswers
from kg.publish.context.site_context import SiteContext
from kg.publish.context.site_standings import SiteStandings
from kg.publish.page import LazyPage, make_page
from kg.publish.pages import PAGES
from kg.runtime.memoize import memoize
from tests.support.corpora import corpus_of_notes
from tests.support.golden import NOTES as NOTES_OF_ALL

NOTES = {
    "a": "---\ntype: claim\n---\n\n# A\n",
    "b": "---\ntype: claim\n---\n\n# B\n\n- supports:: [[a]] — so\n",
}


@pytest.fixture
def log() -> ReadLog:
    return ReadLog()


@pytest.fixture
def tracked(log: ReadLog) -> Corpus:
    return tracked_context(corpus_of_notes(**NOTES), log).corpus


def look_ups_taken(log: ReadLog) -> list[tuple[str, str]]:
    names = {number: (table, key) for table, of in log.keys.items() for key, number in of.items()}
    return [names[number] for number in log.take_numbers_read()]


def test_each_lookup_is_logged_with_its_table_and_key(tracked: Corpus, log: ReadLog) -> None:
    assert tracked.statements["a"].title == "A"
    assert tracked.edges_to.get("nowhere") is None
    assert "b" in tracked.statements
    assert look_ups_taken(log) == [
        ("statements", "a"),
        ("edges_to", "nowhere"),
        ("statements?", "b"),
    ]
    assert look_ups_taken(log) == []


@pytest.mark.parametrize(
    "read",
    [
        lambda corpus: corpus.mentions,
        lambda corpus: corpus.suggest("a"),
        judgements_of,
    ],
)
def test_a_read_that_no_table_covers_counts_as_reading_everything(
    tracked: Corpus, log: ReadLog, read: Callable[[Corpus], object]
) -> None:
    read(tracked)
    assert EVERYTHING in log.take_numbers_read()


def test_reading_the_sides_of_a_statement_depends_on_these_alone(
    tracked: Corpus, log: ReadLog
) -> None:
    """So that a note that supersedes another makes only the pages anew that ask for that."""
    assert [reason.origin for reason in reasons_by_side(tracked, "a").pro] == ["b"]
    assert look_ups_taken(log) == [("sides", "a")]


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("statements", lambda corpus: list(corpus.statements.values())),
        ("statements", lambda corpus: corpus.claims),
        ("statements", lambda corpus: corpus.evidence),
        ("statements", lambda corpus: len(corpus)),
        ("edges_by_id", lambda corpus: corpus.edges),
        ("lines", lambda corpus: corpus.placements),
        ("topics", lambda corpus: list(corpus.topics)),
        ("edges_to", lambda corpus: list(corpus.edges_to)),
        ("glossary", lambda corpus: corpus.terms),
    ],
)
def test_iterating_over_a_table_counts_as_reading_all_of_it(
    tracked: Corpus, log: ReadLog, table: str, read: Callable[[Corpus], object]
) -> None:
    read(tracked)
    assert look_ups_taken(log) == [(table, WHOLE_TABLE)]


def test_a_statement_is_looked_up_without_its_text(log: ReadLog) -> None:
    """So that an edit of the text leaves pages alone that show the title."""
    context = tracked_context(corpus_of_notes(a=NOTES["a"] + "\nText.\n"), log)
    with pytest.raises(AttributeError, match="statements_with_bodies"):
        _ = context.corpus.statements["a"].body
    assert look_ups_taken(log) == [("statements", "a")]
    assert context.statements_with_bodies["a"].body == "Text."
    assert look_ups_taken(log) == [("statements_with_bodies", "a")]


@pytest.mark.integration
def test_no_kind_of_page_depends_on_all_tables(log: ReadLog) -> None:
    """Else an edit anywhere makes it anew."""
    context = tracked_context(load_corpus(NOTES_OF_ALL), log)
    drafts = [draft for make in PAGES for draft in make(context) if isinstance(draft, LazyPage)]
    whole = []
    for draft in drafts:
        log.begin_page(draft.about)
        make_page(draft)
        whole += [draft.url] if EVERYTHING in log.take_numbers_read() else []
    assert drafts
    assert whole == []


def test_a_digest_follows_its_value() -> None:
    def digest(title: str) -> bytes:
        log = ReadLog()
        tracked_context(
            corpus_of_notes(**NOTES | {"a": NOTES["a"].replace("# A", f"# {title}")}), log
        )
        return log.digests("statements", ["a"])

    assert digest("A") == digest("A") != digest("Other")


def test_a_log_continues_the_numbers_of_an_earlier_one(tracked: Corpus, log: ReadLog) -> None:
    assert tracked.statements["b"]
    number = log.take_numbers_read()
    later = ReadLog()
    again = tracked_context(corpus_of_notes(**NOTES), later).corpus
    later.resume(log.keys, log.next_number)
    assert again.statements["a"]
    assert again.statements["b"]
    assert number[0] in later.take_numbers_read()
    with pytest.raises(ValueError, match="numbers were given already"):
        later.resume(log.keys, log.next_number)


def test_two_tables_cannot_share_a_name(log: ReadLog) -> None:
    TrackedTable(log, "t", dict)
    with pytest.raises(ValueError, match="two tables are called 't'"):
        TrackedTable(log, "t", dict)


def test_a_tracked_function_cannot_be_tested_for_keys(tracked: Corpus, log: ReadLog) -> None:
    """A mapping of nothing would say of every id that it is not there."""
    assert tracked.find_id("a") == "a"
    assert look_ups_taken(log) == [("names", "a")]
    with pytest.raises(TypeError):
        assert "a" in tracked.find_id  # type: ignore[operator]


def test_every_cached_property_of_the_context_is_tracked(log: ReadLog) -> None:
    context = tracked_context(corpus_of_notes(**NOTES), log)
    names = {name for name, each in vars(SiteContext).items() if isinstance(each, cached_property)}
    assert names <= vars(context).keys()
    assert {"texts_beside_notes", "statements_by_name", "link_maker"} <= names


@pytest.mark.parametrize(
    ("kind", "attribute"), [(SiteStandings, "standings"), (SiteAnswers, "answers")]
)
def test_no_member_that_weighs_counts_as_reading_everything(
    kind: type, attribute: str, log: ReadLog
) -> None:
    """A page with one that did would be made anew at each edit of a text, with all it weighs: mark
    a new method (`kg/publish/context/read_marks.py`).
    """
    part = getattr(tracked_context(corpus_of_notes(**NOTES), log), attribute)
    for name, method in vars(kind).items():
        if name[0] != "_" and isfunction(unwrap(method)):
            getattr(part, name)
            assert EVERYTHING not in log.take_numbers_read(), name


def test_tables_that_follow_from_what_was_weighed_exist(tracked: Corpus, log: ReadLog) -> None:
    """One that was renamed would make pages anew without a word."""
    assert log.keys.keys() >= INPUT_TABLES | TABLES_OF_INPUT_KEYS


def test_members_are_read_as_their_types_and_marks_say() -> None:
    class Example:
        by_name: Mapping[str, int]
        texts: dict[str, str]
        _own: Mapping[str, str]

        @cached_property
        def by_topic(self) -> Mapping[str, int]:
            return {}

        @memoize
        def word(self, id: StatementId) -> str:
            return id

        @memoize
        @follows_inputs
        def pair(self, id: str, other: str) -> str:
            return id + other

        @property
        @compared_whole
        def total(self) -> int:
            return 0

        def unmarked(self, ids: list[str]) -> None:
            """Counts as the whole corpus."""

    assert members_of(Example) == (["by_name", "by_topic"], ["word"], {"pair"}, {"total"})


def test_only_what_the_inputs_determine_is_not_compared_while_they_stay(
    tracked: Corpus, log: ReadLog
) -> None:
    """Of statements, whether there is one, but not what it says."""
    corpus = {"statements?", "edges_to", "edges_to?", "sides", "superseded", "addresses.things"}
    weights = {"standings.of", "standings.SiteStandings", "record_files", "disputed"}
    assert log.input_tables >= corpus | weights
    compared = {"statements", "edges_from", "edges_from?", "key_uses", "glossary", "files"}
    assert log.input_tables.isdisjoint(compared | {"texts_beside_notes", "addresses.topics"})


def test_a_table_is_looked_at_by_key_and_as_a_whole(log: ReadLog) -> None:
    table = TrackedTable(log, "names", lambda: {"a": 1})
    assert (table.value("a"), table.value("b"), table.value(WHOLE_TABLE)) == (1, None, [("a", 1)])
    assert (table.holds("a"), table.holds("b")) == (True, False)
    assert look_ups_taken(log) == []
