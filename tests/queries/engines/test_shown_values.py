"""What is shown, sorted and grouped is what conditions read: any field in any way.

Of `kg/queries/find.py`, `kg/queries/conditions/ordering.py`, too.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import combinations_with_replacement, product

import pytest

from kg.corpus import Corpus
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.model.errors import KgError
from kg.queries.conditions.field_types import Field, FieldType, RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND, UnknownWord
from kg.queries.connection import connect_store
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.shown_values import ShownValues
from kg.queries.find import find
from kg.queries.language.builders import claims, edges, evidence, lines, sources, statements
from kg.queries.language.parse_query import parse_request
from kg.queries.language.selection import NotCounted, Selection
from kg.queries.results.counts_and_summaries import SUMMARIES, MixedMeasures
from kg.rdf.quad_store import as_store
from kg.reasoning import quality
from tests.support.corpora import corpus_of_notes

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\ntopics: [talk]\n---\n\n# Talk grounds\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\ntopics: [norms]\n---\n\n# It does not\n",
    "e": "---\ntype: evidence\nmethod: survey\nsample: 40\n---\n\n# Asked [@late]\n\n"
    "- supports:: [[b]]\n- contradicts:: [[a]]\n",
    "line": "---\ntype: line\nproposition: a\n---\n\n# So?\n\n"
    "- optimist:: [[b]]\n- skeptic:: [[a]]\n",
}
BOOKS = "@misc{early, title={Early}, year={2019}}\n@misc{late, title={Late}, year={2025}}"
STARTS: dict[RecordKind, tuple[Selection, ...]] = {
    RecordKind.STATEMENT: (statements(), claims(), evidence(), evidence().line("line")),
    RecordKind.SOURCE: (sources(),),
    RecordKind.LINE: (lines(),),
    RecordKind.EDGE: (edges(),),
}


@pytest.fixture
def corpus() -> Corpus:
    return corpus_of_notes(references=BOOKS, **NOTES)


@pytest.mark.parametrize("record_kind", RecordKind)
def test_any_field_sorts_groups_and_shows(corpus: Corpus, record_kind: RecordKind) -> None:
    stored, memory = connect_store(as_store(corpus)), MemoryEngine(corpus)
    for start in STARTS[record_kind]:
        everything = set(find(memory, start).ids)
        for field in FIELDS_BY_KIND[record_kind]:
            sizes = find(memory, start.group_by(field).count())
            for name in (field.replace("_", "-"), f"{field}s"):
                assert set(find(memory, start.order_by(name)).ids) == everything
                assert find(memory, start.group_by(name).count()) == sizes
            for order in (field, f"-{field}"):
                answer = find(memory, start.order_by(order))
                assert set(answer.ids) == everything
                assert stored.find(start.order_by(order)).ids == answer.ids
            assert dict(stored.find(start.group_by(field).count())) == dict(sizes)
            rows = [row[0] for row in answer.rows(field)]
            assert len(rows) == len(everything)
            assert all(rows) == (None not in sizes)


def takes(field: Field, summary: str) -> bool:
    """Days have a first and a last; years a mean, too; what is counted or measured, a sum."""
    kinds = {
        FieldType.NUMBER: SUMMARIES,
        FieldType.YEAR: ("mean", "min", "max"),
        FieldType.DAY: ("min", "max"),
    }
    return summary in kinds.get(field.type, ())


@pytest.mark.parametrize("record_kind", RecordKind)
def test_any_field_is_summed_up_or_refused_in_one_line(
    corpus: Corpus, record_kind: RecordKind
) -> None:
    stored, memory = connect_store(as_store(corpus)), MemoryEngine(corpus)
    for start in STARTS[record_kind]:
        for field, known in FIELDS_BY_KIND[record_kind].items():
            for summary in SUMMARIES:
                groups = start.group_by("id")
                query = partial(groups.aggregate, **{summary: field})
                if not takes(known, summary):
                    with pytest.raises(KgError, match=rf"^{field} has no {summary}: .*$"):
                        query()
                    continue
                sizes = find(memory, query())
                assert set(find(memory, start).ids) == set(sizes)
                assert stored.find(query()).figures == sizes.figures
                assert len(json.loads(sizes.to_json())) == len(sizes)
                assert len(sizes.to_csv().splitlines()) == len(sizes) + 1


@pytest.mark.parametrize("record_kind", RecordKind)
def test_any_two_fields_group_without_losing_a_record(
    corpus: Corpus, record_kind: RecordKind
) -> None:
    memory = MemoryEngine(corpus)
    start = STARTS[record_kind][-1]
    for one, other in combinations_with_replacement(FIELDS_BY_KIND[record_kind], 2):
        reply = find(memory, start.group_by(one, other))
        ids = [id for answer in reply.values() for id in answer.ids]
        assert {*ids} == {*find(memory, start).ids}
        assert {key[0] for key in reply} == {*find(memory, start.group_by(one))}
        assert find(memory, start.group_by(one, other).count()) == reply.sizes()


def test_an_unknown_field_is_refused_in_one_line() -> None:
    for shape in (Selection.order_by, Selection.group_by):
        with pytest.raises(UnknownWord, match=r"^no field of a statement is called 'colour'.*$"):
            shape(claims(), "colour")
    with pytest.raises(NotCounted, match="takes a field"):
        claims().group_by()


def test_groups_are_summed_up_by_mean_and_maximum(corpus: Corpus) -> None:
    memory = MemoryEngine(corpus)
    aggregate = statements().group_by("kind", "method").aggregate(mean="sample", max=["year", "p"])
    assert parse_request("group:kind,method mean:sample max:year,p") == aggregate
    sizes = find(memory, aggregate)
    assert repr(sizes).split("\n") == [
        "kind      method      count  sample recorded  mean sample  max year  max p",
        "claim     survey      2      2                66.67        2025      –",
        "claim     experiment  1      1                80.00        2025      –",
        "evidence  experiment  1      1                120.00       2019      –",
        "evidence  survey      1      1                40.00        2025      –",
    ]
    assert sizes["claim", "survey"] == 2
    assert sizes.to_csv().splitlines()[2] == "claim,experiment,1,1,80.00,2025,"
    assert (
        sizes.to_markdown().splitlines()[3] == "| claim | experiment | 1 | 1 | 80.00 | 2025 | – |"
    )
    assert json.loads(sizes.to_json())[1] == {
        "kind": "claim",
        "method": "experiment",
        "count": 1,
        "sample recorded": 1,
        "mean sample": 80.0,
        "max year": 2025,
        "max p": None,
    }
    frame = sizes.to_frame("pandas")
    assert list(frame["mean sample"]) == pytest.approx([200 / 3, 80, 120, 40])
    plain = find(memory, evidence().group_by("method"))
    assert json.loads(plain.sizes().to_json()) == {"experiment": 1, "survey": 1}


def test_effects_of_several_measures_come_to_no_number() -> None:
    note = "---\ntype: evidence\nmethod: survey\neffect: {}\nsample: {}\n---\n\n# Seen\n"
    text = {"d": ("d=0.4", "9 talks"), "e": ("d=0.2", "9 people"), "f": ("OR=2", "9 people")}
    corpus = corpus_of_notes(**{name: note.format(*values) for name, values in text.items()})
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        for summary, field in product(SUMMARIES, ("effect", "effect_low", "effect_high")):
            mixed = evidence().group_by("method").aggregate(**{summary: field})
            if field == "effect":
                with pytest.raises(MixedMeasures, match=r"several measures \(d, OR\).*effect_kind"):
                    ask(mixed)
            else:
                assert ask(mixed).figures[f"{summary} {field}"] == {"survey": None}
        answer_apart = ask(evidence().group_by("effect_kind").aggregate(mean="effect"))
        assert answer_apart.figures["mean effect"] == {"d": pytest.approx(0.3), "OR": 2.0}
        sizes = ask(evidence().group_by("method").aggregate(mean="sample"))
        assert sizes.figures["sample units"] == {"survey": "people, talks"}
        assert sizes.to_csv().splitlines()[1] == 'survey,3,3,"people, talks",9.00'


def test_figures_of_all_are_those_of_one_group() -> None:
    note = "---\ntype: evidence\nmethod: survey\nsample: 9 people\n---\n\n# Seen\n"
    corpus = corpus_of_notes(d=note, e=note, f=note.replace("sample: 9 people\n", ""))
    aggregate = evidence().aggregate(sum="sample")
    assert parse_request("evidence sum:sample") == aggregate
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        (line,) = ask(aggregate).to_csv().splitlines()[1:]
        assert line == "3,2,people,18"


def test_an_answer_counts_its_records(corpus: Corpus) -> None:
    answer = find(MemoryEngine(corpus), claims())
    assert answer.count() == len(answer) == 2
    assert (answer.count("a"), answer.count(answer[1]), answer.count("e")) == (1, 1, 0)


def rows_by_id(corpus: Corpus, selection: Selection, *fields: str) -> dict[str, tuple[str, ...]]:
    rows = find(MemoryEngine(corpus), selection).rows("id", *fields)
    return {row[0]: row[1:] for row in rows}


def test_claims_show_what_their_evidence_has(corpus: Corpus) -> None:
    assert rows_by_id(corpus, claims(), "method", "year") == {
        "a": ("experiment, survey", "2019, 2025"),
        "b": ("survey", "2025"),
    }
    assert rows_by_id(corpus, claims().directly(), "method") == {"a": ("",), "b": ("",)}
    assert list(find(MemoryEngine(corpus), claims().order_by("year")).ids) == ["a", "b"]
    assert list(find(MemoryEngine(corpus), claims().order_by("-sample")).ids) == ["a", "b"]


def test_evidence_stands_where_its_claims_stand(corpus: Corpus) -> None:
    assert rows_by_id(corpus, evidence(), "topic", "line") == {
        "a#tried": ("talk", "line"),
        "e": ("norms, talk", "line"),
    }
    assert rows_by_id(corpus, evidence(), "camp") == {"a#tried": ("optimist",), "e": ("skeptic",)}
    engine, query = MemoryEngine(corpus), evidence().query
    assert ShownValues(engine, query, engine.find_ids(query)).values("camp") == {
        "a#tried": ("optimist",),
        "e": ("skeptic",),
    }


def test_frames_and_json_hold_what_columns_show(corpus: Corpus) -> None:
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        for start in STARTS[RecordKind.STATEMENT]:
            answer = ask(start)
            columns = json.loads(answer.to_json(*FIELDS_BY_KIND[RecordKind.STATEMENT]))
            frame = answer.to_frame("pandas")
            assert list(frame.columns) == list(columns[0])
            records = json.loads(answer.to_json())
            alone = {"camp": json.loads(answer.to_json("camp"))}  # not that of the line beside it
            for name in ("method", "sample", "camp", "line", "year"):
                values = [each[name] for each in alone.get(name, columns)]
                assert [frame or None for frame in frame[name]] == [each or None for each in values]
                assert [each.get(name) for each in records] == [each or None for each in values]
            topics = [each["topic"] for each in columns]
            assert [each.get("topics", []) for each in records] == topics


def test_a_field_that_may_hold_several_values_holds_lists(corpus: Corpus) -> None:
    memory = MemoryEngine(corpus)
    frame = find(memory, evidence()).to_frame("pandas").set_index("id")
    assert frame.loc["e", ["camp", "topic", "method"]].to_list() == [
        *(["skeptic"], ["norms", "talk"], "survey")
    ]
    frame = find(memory, claims()).to_frame("pandas").set_index("id")
    assert frame.loc["b", ["camp", "method"]].to_list() == ["skeptic", ["survey"]]
    frame = find(memory, claims().line("line")).to_frame("pandas").set_index("id")
    assert frame.loc["b", ["camp", "method", "year"]].to_list() == ["optimist", ["survey"], [2025]]
    own_answer = find(memory, statements().directly())
    frame = own_answer.to_frame("pandas").set_index("id")
    assert frame.loc["e", ["topic", "method"]].to_list() == [[], "survey"]
    (a, *_) = json.loads(own_answer.to_json())
    assert (a["camp"], a["topics"], "method" in a) == ("optimist", ["talk"], False)


def test_a_group_is_shown_as_it_was_asked(corpus: Corpus) -> None:
    memory = MemoryEngine(corpus)
    direct = find(memory, statements().directly().group_by("kind"))
    assert direct["evidence"].rows("id", "topic") == [("a#tried", ""), ("e", "")]
    placed = find(memory, evidence().line("line").group_by("kind"))["evidence"]
    assert placed.rows("id", "camp") == [("a#tried", "skeptic"), ("e", "optimist")]


def test_quality_is_one_number_wherever_it_is_shown(corpus: Corpus) -> None:
    graph = as_network(corpus)
    answer = find(MemoryEngine(corpus), evidence().order_by("-quality"))
    qualities = dict(zip(answer.ids, answer.to_frame("pandas")["quality"], strict=True))
    assert qualities == {id: graph.nodes[id]["quality"] for id in ("a#tried", "e")}
    assert list(qualities) == sorted(qualities, key=lambda id: -qualities[id])
    assert quality(corpus, "e").base == pytest.approx(qualities["e"])
    best = claims().has("quality", f">={max(qualities.values())}")
    assert find(MemoryEngine(corpus), best).ids == connect_store(as_store(corpus)).find(best).ids


WORKS = """@misc{x, title={X}, author={Anna Zuse and Bo Abel}, year={2020}}
@misc{y, title={Y}, author={Young, Zoe and others}, year={2021}}
@misc{z, title={Z}, author={others}, year={2022}}
@misc{w, title={W}, author={Zora Adams and Anna Zuse}, year={2023}}
"""


def test_authors_are_those_named_and_sort_by_the_family_name_of_the_first() -> None:
    corpus = corpus_of_notes(references=WORKS, **NOTES)
    for ask in (partial(find, MemoryEngine(corpus)), connect_store(as_store(corpus)).find):
        assert ask(sources().order_by("author")).ids == ("w", "y", "x", "z")
        assert ask(sources().order_by("-author")).ids == ("x", "y", "w", "z")
        assert set(ask(sources().has("author")).ids) == {"w", "x", "y"}
        groups = ask(sources().group_by("author"))
        assert {str(name) for name in groups} == {
            *("Anna Zuse", "Bo Abel", "Zoe Young", "Zora Adams", "None")
        }
        assert "Young et al." in str(ask(sources().year("2021")))
