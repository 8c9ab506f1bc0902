"""Graphs to explore: plain text, the heaviest first, drawn by a script of the site itself."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from kg.corpus import Corpus
from kg.publish.build.theme.shell import read_vis_script
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.argument import argument_of
from kg.publish.graphics.explorer import describe_effect, graph_file
from kg.publish.markup.address import Addresses
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text, corpus_with_question, evidence_text

TITLE = '<a href="javascript:alert(1)">x</a></script>'


def _graph(corpus: Corpus) -> dict[str, Any]:
    context, line = SiteContext(Addresses(corpus)), corpus.lines["here"]
    file = graph_file(context, line, argument_of(context, line, "asked"))
    assert file.suffix == ".graph.js"
    return _read(str(file.content))


def _read(script: str) -> dict[str, Any]:
    assert script.startswith("kgGraph(")
    assert script.endswith(");\n")
    assert not set("<>&") & set(script), "titles stay text and cannot leave the script"
    data: dict[str, Any] = json.loads(script[len("kgGraph(") : -3])
    return data


def _with_reasons(count: int) -> Corpus:
    reasons = {
        f"n{position}": evidence_text(
            f"N{position} {TITLE}", 0.9 - position / 20, f"contradicts:: [[asked]] — {TITLE}"
        )
        for position in range(count)
    }
    return corpus_with_question(**reasons)


def test_a_graph_holds_its_statements_with_the_marks_of_their_camps() -> None:
    con = claim_text("Con", "skeptic", "contradicts:: [[asked]]")
    note_text = evidence_text("Found", 0.9, "supports:: [[con]]")
    graph = _graph(corpus_with_question(con=con, found=note_text))
    assert graph["bar"] < 0.5  # the end of the answer's bar on its scale
    assert [(node["id"], node["mark"], node["kind"]) for node in graph["nodes"]] == [
        ("asked", "●", "Optimist claim"),
        ("con", "◆", "Sceptic claim"),
        ("found", "□", "Finding"),
    ]
    assert [(edge["origin"], edge["target"], edge["share"] > 0) for edge in graph["edges"]] == [
        ("con", "asked", False),
        ("found", "con", True),
    ]


def test_a_link_says_how_it_bears_why_and_how_much_it_adds() -> None:
    graph = _graph(_with_reasons(1))
    [edge] = graph["edges"]
    assert edge["title"] == f"contradicts: {TITLE}."
    assert edge["dashes"]
    assert edge["adds"] in ("little", "some", "much")
    assert graph["nodes"][1]["label"] == f"N0 {TITLE}"


def test_an_objection_to_a_link_says_which_and_how_much_less_the_reason_counts() -> None:
    notes = {
        "found": evidence_text("Found", 0.9, "supports:: [[asked]] ^step"),
        "doubt": evidence_text("Doubt", 0.9, "undercuts:: [[found#^step]] (strength:: weak) — why"),
    }
    _, alone = _graph(corpus_with_question(**notes))["edges"]
    notes["other"] = evidence_text("Other", 0.9, "undercuts:: [[found#^step]] (strength:: weak)")
    together = _graph(corpus_with_question(**notes))["edges"][1]
    assert (alone["origin"], alone["target"], alone["conclusion"]) == ("doubt", "found", "asked")
    assert re.fullmatch("doubts the link to “Asked.*”: Why\\.", alone["title"])
    loss, more_loss = (
        re.fullmatch(rf"with {objections} the reason counts (\d+)% less", edge["loss"])
        for objections, edge in (("it", alone), ("all objections", together))
    )
    assert loss
    assert more_loss
    assert 0 < int(loss[1]) < int(more_loss[1]) < 100


def test_the_heaviest_reasons_come_first_in_the_graph() -> None:
    graph = _graph(_with_reasons(4))
    assert [edge["origin"] for edge in graph["edges"]] == ["n0", "n1", "n2", "n3"]


def test_a_reason_that_adds_nothing_has_a_count_and_no_node() -> None:
    idle = claim_text("Idle", "skeptic", "supports:: [[asked]]")
    note_text = evidence_text("Found", 0.9, "supports:: [[asked]]")
    query, other = _graph(corpus_with_question(idle=idle, found=note_text))["nodes"]
    assert query["counts"] == "1 for it"
    assert ("beyond" in query, "counts" in other) == (False, False)


def test_evidence_has_its_sources_with_name_title_and_the_work_itself() -> None:
    note_text = evidence_text("Found", 0.9, "supports:: [[asked]] [@doe2020; @gone]")
    works = (
        "@book{doe2020, title = {A Study}, author = {Doe, Ann}, year = {2020}, doi = {10.1000/x}}"
    )
    graph = _graph(corpus_with_question(references=works, found=note_text))
    query, node = graph["nodes"]
    assert "sources" not in query
    assert node["sources"] == [
        {
            "name": "Doe 2020",
            "label": "A Study",
            "page": "sources/doe2020.html",
            "paper": "https://doi.org/10.1000/x",
        }
    ]


@every_row(
    ("field", "words"),
    [
        ("", "Not recorded where it was seen"),
        ("seen_in: primary\n", "Read in the paper or its abstract"),
        ("seen_in: secondary\n", "Second-hand: seen in a source about it"),
    ],
)
def test_evidence_says_whether_it_was_read_or_is_second_hand(field: str, words: str) -> None:
    text = evidence_text("Found", 0.9, "supports:: [[asked]]").replace("---\n", f"---\n{field}", 1)
    query, node = _graph(corpus_with_question(found=text))["nodes"]
    assert (node["seen"], "seen" in query) == (words, False)


@every_row(
    ("strength", "side", "sureness", "words"),
    [
        (0.4, -1, "perhaps", "the opposite"),
        (0.5, 0, "undecided", "undecided"),
        (0.7, 1, "probably", "surer, “probably”"),
        (0.7, 1, "undecided, leaning towards", "less sure, “undecided, leaning towards yes”"),
        (0.75, 1, "perhaps", "somewhat stronger"),
        (0.65, 1, "perhaps", "somewhat weaker"),
        (0.67, 1, "perhaps", ""),
    ],
)
def test_the_answer_without_a_reason_is_in_words_where_it_is_plain(
    strength: float, side: int, sureness: str, words: str
) -> None:
    corpus = corpus_with_question(found=evidence_text("Found", 0.9, "supports:: [[asked]]"))
    verdict = SiteContext(Addresses(corpus)).answers.verdict("here")
    answer = msgspec.structs.replace(verdict, strength=0.7, sureness="perhaps")
    assert answer.side == 1
    assert describe_effect(answer, strength, side, sureness) == words


def test_the_same_corpus_gives_the_same_graph() -> None:
    corpus = _with_reasons(12)
    assert _graph(corpus) == _graph(corpus)


def test_the_script_of_the_graph_is_vis_network_from_pyvis() -> None:
    assert b"vis-network" in read_vis_script()[:200]
