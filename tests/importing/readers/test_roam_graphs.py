from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.importing.import_records import BadInput
from kg.importing.readers.roam_graphs import MAX_BODY_BLOCKS, MAX_INDENT_STEPS
from kg.model import Kind
from tests.importing.conftest import Import, load

CLAIM = "[[CLM]] - Parrots sing"
EVIDENCE = "[[EVD]] - Nine parrots sang - [[@roe2020]]"
AGAINST = "[[EVD]] - Two parrots were silent - @doe2019"
QUESTION = "[[QUE]] - Can birds sing?"
PAGES = [
    {
        "title": QUESTION,
        "uid": "q",
        "children": [
            {
                "string": f"[[{CLAIM}]]",
                "children": [
                    {"string": "[[OpposedBy]]", "children": [{"string": f"[[{AGAINST}]] twice"}]}
                ],
            }
        ],
    },
    {
        "title": CLAIM,
        "uid": "c",
        "children": [
            {"string": f"Supported By:: [[{EVIDENCE}]]"},
            {"string": "%% [[x]] - supports:: [[y]] [@z] <b> $q$ ^here"},
        ],
    },
    {
        "title": EVIDENCE,
        "uid": "e",
        "children": [{"string": "Informs::", "children": [{"string": f"[[{QUESTION}]]"}]}],
    },
    {"title": AGAINST, "uid": "a"},
    {"title": "@roe2020", "children": [{"string": "Title:: On parrots"}]},
    {"title": "May 5th, 2021", "children": [{"string": "a day"}]},
]


def _check(notes: Path) -> None:
    corpus = load(notes)
    titles = {
        id: each.title for group in (corpus.statements, corpus.lines) for id, each in group.items()
    }
    assert {(titles[e.origin], e.relation.value, titles[e.target]) for e in corpus.edges} == {
        ("Nine parrots sang", "supports", "Parrots sing"),
        ("Two parrots were silent", "contradicts", "Parrots sing"),
        ("Nine parrots sang", "relates", "Can birds sing?"),
    }
    cited_sources = {
        e.title: e.sources for e in corpus.statements.values() if e.kind is Kind.EVIDENCE
    }
    assert cited_sources == {
        "Nine parrots sang": ("roe2020",),
        "Two parrots were silent": ("doe2019",),
    }


def test_pages_with_relations_in_their_blocks_become_notes(notes: Path, bring: Import) -> None:
    change = bring("roam", {"g.json": json.dumps(PAGES)})
    _check(notes)
    corpus = load(notes)
    assert corpus.sources["roe2020"].title == "On parrots"
    assert {each.origin for each in corpus.mentions} == {
        "can-birds-sing",
        "parrots-sing",
        "nine-parrots-sang",
    }
    assert change.remarks == ("g.json: not carried: 1 page of no known type",)
    assert bring("roam", {"g.json": json.dumps(PAGES)}).files_after == {}


def test_a_type_counts_as_a_link_or_bare(notes: Path, bring: Import) -> None:
    pages = [{"title": "CLM - Owls hoot"}, {"title": "[[CLM]] - Larks sing"}, {"title": "clm - No"}]
    remarks = bring("roam", {"g.json": json.dumps(pages)}).remarks
    assert {each.title for each in load(notes).statements.values()} == {"Owls hoot", "Larks sing"}
    assert remarks == ("g.json: not carried: 1 page of no known type",)


def test_a_page_that_is_too_long_is_cut_and_said_to_be(notes: Path, bring: Import) -> None:
    maximum = [{"string": f"block {number}"} for number in range(MAX_BODY_BLOCKS)]
    page = {"title": "[[CLM]] - Long", "children": maximum}
    assert bring("roam", {"g.json": json.dumps([page])}).remarks == ()
    page["children"] = [*maximum, {"string": "one more"}]
    remarks = bring("roam", {"g.json": json.dumps([page])}).remarks
    assert "g.json: not carried: what '[[CLM]] - Long' holds behind 2,000 blocks" in remarks


def test_relations_that_the_extension_exports_become_edges(notes: Path, bring: Import) -> None:
    nodes = [{**page, "children": []} for page in PAGES]
    relations = [
        {"source": "e", "label": "Supports", "target": "c"},
        {"source": "c", "label": "Opposed By", "target": "a"},
        {"source": "q", "label": "Informed By", "target": "e"},
        {"source": "e", "label": "Informs", "target": "nobody"},
    ]
    graph = {"title": "g", "grammar": [], "nodes": nodes, "relations": relations}
    change = bring("roam", {"g.json": json.dumps(graph)})
    _check(notes)
    assert "g.json: not carried: 'Informs' of a page that is no node" in change.remarks


@pytest.mark.parametrize("text", ["{", "{}", "7", "[7]", '{"nodes": 7}', "[" * 99_999])
def test_what_is_no_graph_is_an_error_of_one_line(bring: Import, text: str) -> None:
    with pytest.raises(BadInput, match=r"^g\.json") as error:
        bring("roam", {"g.json": text})
    assert "\n" not in str(error.value)


def test_blocks_that_are_too_deep_are_indented_alike(notes: Path, bring: Import) -> None:
    block: dict[str, object] = {"string": f"depth {MAX_INDENT_STEPS + 1}"}
    for depth in reversed(range(MAX_INDENT_STEPS + 1)):
        block = {"string": f"depth {depth}", "children": [block]}
    bring("roam", {"g.json": json.dumps([{"title": "[[CLM]] - Deep", "children": [block]}])})
    rows = (notes / "claims" / "deep.md").read_text("utf-8").split("\n")
    indents = [len(row) - len(row.lstrip()) for row in rows if row.lstrip().startswith("- depth")]
    steps = [*range(MAX_INDENT_STEPS + 1), MAX_INDENT_STEPS]
    assert indents == [2 * step for step in steps]


def test_wrong_types_and_deep_pages_do_no_harm(notes: Path, bring: Import) -> None:
    page: dict[str, object] = {"string": "deep"}
    for _ in range(200):
        page = {"string": "x", "children": [page, 7, None]}
    pages = [
        {"title": "[[CLM]] - ../../out", "children": [page]},
        {"title": 7, "uid": []},
        {"title": "[[CLM]] - A", "children": {"string": "x"}},
        {"title": "[[CLM]] - A", "children": [{"string": 7}]},
        {"title": "@../../x"},
    ]
    bring("roam", {"g.json": json.dumps(pages)})
    assert {each.parent for each in notes.rglob("*.md")} <= {notes / "claims", notes / "sources"}
    assert len(load(notes).statements) == 2
