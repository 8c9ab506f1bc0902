"""Indexes of a corpus: ids by values, bounds and words, links, and what a name stands for."""

from __future__ import annotations

import pytest

from kg.corpus import UnknownId
from kg.queries.conditions.corpus_index import (
    CorpusIndex,
    index_of,
    query_values,
    sort_values,
    unknown_value,
)
from kg.queries.conditions.field_types import RecordKind
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


def test_a_record_is_found_under_each_of_its_values() -> None:
    head = "---\ntype: claim\ntopics: [{}]\n---\n\n# A\n"
    index = index_of(
        corpus_of_notes(a=head.format("x, norms"), b=head.format("norms"), c=head.format(""))
    )
    assert index.ids_by_value(RecordKind.STATEMENT, "topic") == {"x": {"a"}, "norms": {"a", "b"}}
    assert index.ids_by_value(RecordKind.STATEMENT, "kind") == {"claim": {"a", "b", "c"}}
    assert index.ids_with_value(RecordKind.STATEMENT, "topic") == {"a", "b"}
    assert index.values_of_few(RecordKind.STATEMENT, "topic", ["c", "a"]) == {"a": ("x", "norms")}


def test_a_name_stands_for_a_record_of_the_sort_that_is_asked_for() -> None:
    index = index_of(
        corpus_of_notes(
            a="---\ntype: claim\naliases: [same]\n---\n\n# A\n",
            l="---\ntype: line\naliases: [asked]\n---\n\n# L?\n",
        )
    )
    assert index.resolve_name(RecordKind.STATEMENT, "same") == "a"
    assert index.resolve_name(RecordKind.LINE, "asked") == "l"
    for record_kind, name in (
        (RecordKind.LINE, "same"),
        (RecordKind.STATEMENT, "asked"),
        (RecordKind.EDGE, "a"),
    ):
        with pytest.raises(UnknownId):
            index.resolve_name(record_kind, name)


HEAD = "---\ntype: evidence\n{}---\n\n# {} seen\n\n{}\n"
BOOKS = "@misc{s, title={T}, author={Ann Roe}, year={2020}}\n@misc{t, title={T}, year={2022}}\n"


@pytest.fixture(scope="module")
def index() -> CorpusIndex:
    line = "---\ntype: line\naliases: [asked]\n---\n\n# L?\n\nEssay. [@t]\n\n- optimist:: [[a]]\n"
    callout = "> [!evidence] Apart ^e\n> x\n"
    return index_of(
        corpus_of_notes(
            a=f"---\ntype: claim\naliases: [other]\n---\n\n# A\n\n{callout}",
            b="---\ntype: claim\n---\n\n# B\n\n- same-as:: [[a]]\n",
            c="---\ntype: claim\n---\n\n# C\n",
            f=HEAD.format("sample: 10 people\np: <.05\n", "Naps", "Deep sleep. [@s]"),
            g=HEAD.format("sample: 20 people\np: .05\n", "Sleep", "[@s; @t]"),
            h=HEAD.format("p: '>.05'\n", "Nothing", ""),
            l=line,
            references=BOOKS,
        )
    )


@every_row(
    ("field", "low", "high", "ids"),
    [
        ("sample", None, None, "f g"),
        ("sample", 10, 20, "f g"),
        ("sample", 11, 20, "g"),
        ("sample", 10, 19, "f"),
        ("sample", None, 10, "f"),
        ("sample", 20, None, "g"),
        ("sample", 21, None, ""),
        ("p", None, 0.05, "f g"),
        ("p", None, 0.049, ""),
        ("p", 0.05, None, "g h"),
        ("p", None, None, "f g h"),
    ],
)
def test_bounds_are_part_of_a_range_and_signs_are_read(
    field: str, low: float | None, high: float | None, ids: str, index: CorpusIndex
) -> None:
    assert sorted(index.ids_between(RecordKind.STATEMENT, field, low, high)) == ids.split()


@every_row(
    ("words", "candidates", "ids"),
    [
        ((), None, "a a#e b c f g h"),
        ((), {"f"}, "f"),
        (("sleep",), None, "f g"),
        (("sleep", "naps"), None, "f"),
        (("sleep", "nothing"), None, ""),
        (("sleep",), {"g", "h"}, "g"),
        (("seen",), {"c"}, ""),
    ],
)
def test_a_record_is_found_if_it_holds_every_word(
    words: tuple[str, ...], candidates: set[str] | None, ids: str, index: CorpusIndex
) -> None:
    assert sorted(index.ids_with_words(RecordKind.STATEMENT, words, candidates)) == ids.split()


def test_links_are_found_from_either_end(index: CorpusIndex) -> None:
    assert index.supported_statements == {"a", "b"}
    assert set(index.edges_by_start["a#e"]) == {"a#e--supports--a"}
    assert set(index.edges_by_end["a"]) == {"a#e--supports--a", "b--same-as--a"}
    assert {key: set(ids) for key, ids in index.lines_by_source.items()} == {"t": {"l"}}
    assert {key: set(ids) for key, ids in index.statements_by_source.items()} == {
        "s": {"f", "g"},
        "t": {"g"},
    }
    assert set(index.parts_by_parent["a"]) == {"a#e"}
    assert list(index.reading_order(RecordKind.STATEMENT)) == ["a", "a#e", "b", "c", "f", "g", "h"]


@every_row(
    ("record_kind", "name", "id"),
    [
        (RecordKind.STATEMENT, "other", "a"),
        (RecordKind.STATEMENT, "a#^e", "a#e"),
        (RecordKind.SOURCE, "@s", "s"),
        (RecordKind.LINE, "asked", "l"),
        (RecordKind.EDGE, "b--same-as--a", "b--same-as--a"),
    ],
)
def test_a_name_stands_for_the_record_that_links_would_lead_to(
    record_kind: RecordKind, name: str, id: str, index: CorpusIndex
) -> None:
    assert index.resolve_name(record_kind, name) == id


@every_row(
    ("record_kind", "name", "message"),
    [
        (RecordKind.EDGE, "b--same-as--b", "no edge {} in the corpus; did you mean b--same-as--a?"),
        (
            RecordKind.STATEMENT,
            "optimist",
            "no statement {} in the corpus; did you mean camp:optimist?",
        ),
        (RecordKind.STATEMENT, "s", "no statement {} in the corpus: that is a source"),
        (RecordKind.LINE, "a", "no inquiry line {} in the corpus: that is a claim"),
    ],
)
def test_a_name_of_something_else_is_refused_with_what_may_be_meant(
    record_kind: RecordKind, name: str, message: str, index: CorpusIndex
) -> None:
    with pytest.raises(UnknownId) as error:
        index.resolve_name(record_kind, name)
    assert str(error.value) == message.format(repr(name))


def test_a_camp_is_found_by_its_id_or_label_and_a_method_even_if_unused(index: CorpusIndex) -> None:
    assert [index.camp_of(name) for name in ("optimist", "Sceptic")] == ["optimist", "skeptic"]
    with pytest.raises(UnknownId, match="no camp 'optimists'"):
        index.camp_of("optimists")
    assert index.values_of(RecordKind.STATEMENT, "method", "experiment") == ("experiment",)
    with pytest.raises(UnknownId) as error:
        index.values_of(RecordKind.STATEMENT, "topic", "naps")
    assert str(error.value) == "no topic 'naps': no statement has one"


@every_row(
    ("field", "name", "values"),
    [
        ("author", "Ann Roe", ("Ann Roe",)),
        ("author", "roe, ann", ("Ann Roe",)),
        ("author", "roe", ("Ann Roe", "Bo Roe")),
        ("author", "ann", ("Ann Roe", "ANN Lee")),
        ("topic", "ann roe", ("Ann Roe",)),
    ],
)
def test_a_value_is_found_in_any_case_and_an_author_by_one_name(
    field: str, name: str, values: tuple[str, ...]
) -> None:
    known_values = ["Ann Roe", "Bo Roe", "ANN Lee"]
    assert query_values(RecordKind.SOURCE, field, name, known_values) == values


def test_a_value_that_nothing_has_is_refused_and_a_part_of_it_is_no_topic() -> None:
    for field, name in (("topic", "roe"), ("author", "oe"), ("peer_reviewed", "maybe")):
        with pytest.raises(UnknownId, match=f"no {field.replace('_', ' ')} '{name}'"):
            query_values(RecordKind.SOURCE, field, name, ["Ann Roe"])


@every_row(
    ("name", "count", "limit", "message"),
    [
        ("xyz", 0, None, "no unit 'xyz' in the corpus, which has none"),
        ("xyz", 2, None, "no unit 'xyz' in the corpus, which has value-0, value-1"),
        ("xyz", 4, 4, "no unit 'xyz' in the corpus, which has value-0, value-1, value-2, value-3"),
        ("xyz", 5, 4, "no unit 'xyz' in the corpus, which has 5 others"),
        ("valu-0", 1, None, "no unit 'valu-0' in the corpus; did you mean value-0?"),
        (
            "valu-0",
            1,
            2,
            "no unit 'valu-0' in the corpus, which has value-0; did you mean value-0?",
        ),
        ("valu-0", 1, 1, "no unit 'valu-0' in the corpus; did you mean value-0?"),
    ],
)
def test_values_are_listed_if_they_are_few_and_else_the_nearest_named_or_all_counted(
    name: str, count: int, limit: int | None, message: str
) -> None:
    known_values = [f"value-{number}" for number in range(count)]
    assert str(unknown_value(name, known_values, "unit", limit)) == message


def test_records_without_a_sort_key_are_left_out() -> None:
    assert sort_values({"a": 1, "b": 0}, lambda record: "x" * int(str(record))) == {"a": ("x",)}
