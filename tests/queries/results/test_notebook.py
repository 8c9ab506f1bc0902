"""An answer in a notebook: links, and a drawing of its edges.

Of `kg/queries/results/edge_drawing.py`, `kg/queries/results/reported_result.py`, too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.loader import load_corpus
from kg.queries.conditions.field_types import RecordKind
from kg.queries.language.builders import claims, sources
from kg.queries.results import notebook
from kg.queries.results.edge_drawing import GraphDot, draw_edges
from kg.queries.results.notebook import address_of, render_records
from kg.queries.results.reported_result import caption_of_statement, edge_table, report_under
from kg.reporting.report import Table, TextLine
from tests.queries.results.conftest import NOTES, Ask
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import edge
from tests.support.every_row import every_row


def test_links_lead_to_sources_on_the_web_alone(ask: Ask) -> None:
    html = ask(sources())._repr_html_()
    assert 'href="https://example.org/s"' in html
    assert "javascript:" not in html
    assert "&lt;b&gt;S" in html


def test_a_drawing_shows_the_edges(ask: Ask) -> None:
    html = ask(claims().contradicting("a"))._repr_html_()
    assert html.count("<line ") == 1
    assert html.count("<circle ") == 2
    assert "<svg" not in ask(claims().camp("skeptic"))._repr_html_()


@every_row(("limit", "ending"), [(4, "<p>4 claims</p>"), (3, "<p>4 claims, the first 3 shown</p>")])
def test_a_long_answer_is_cut_and_says_so(
    limit: int, ending: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "MAX_NOTEBOOK_ROWS", limit)
    html = render_records(ask(claims()))
    assert html.count("<tr>") == 1 + limit
    assert html.endswith(ending)


@every_row(
    ("count", "height"), [(1, None), (2, 80), (3, 120), (8, 320), (9, 320), (24, 320), (25, None)]
)
def test_a_drawing_grows_with_its_statements_and_is_left_out_of_few_or_many(
    count: int, height: int | None
) -> None:
    ids = [f"s{n}" for n in range(count)]
    edges = [edge(f"s{n} supports s{(n + 1) % count}") for n in range(count)]
    drawing = draw_edges(edges, {id: GraphDot(id) for id in ids})
    assert re.findall(r'<svg viewBox="0 0 640 (\d+)"', drawing) == ([str(height)] if height else [])
    places = [(int(x), int(y)) for x, y in re.findall(r'<circle cx="(\d+)" cy="(\d+)"', drawing)]
    assert len(places) == (count if height else 0)
    if height:  # the drawing fills its space up to a margin of 24, in one direction at least
        middle, room = height / 2, height / 2 - 24
        across, down = (max(map(abs, each)) for each in _offsets(places, middle))
        assert across == 296 or down == room
        assert across <= 296
        assert down <= room


def _offsets(places: list[tuple[int, int]], middle: float) -> tuple[list[float], list[float]]:
    """How far from the middle of the drawing its dots lie, across and down."""
    return [x - 320 for x, _ in places], [y - middle for _, y in places]


def test_an_edge_is_drawn_if_both_its_ends_are() -> None:
    dots = {"a": GraphDot("A", "#123456", ringed=True), "b": GraphDot("B")}
    joint = edge("a contradicts b", together=("c", "d"), reason="so <b>")
    drawing = draw_edges([joint, edge("a supports z"), edge("z supports b")], dots)
    assert 'aria-label="1 edge"' in drawing
    tooltip = "<title>a contradicts b, together with c, d: so &lt;b&gt;</title>"
    assert re.findall(
        r'stroke="(#\w+)" stroke-width="2" marker.*?(<title>.*?</title>)', drawing
    ) == [("#c62828", tooltip)]
    assert re.findall(r'fill="(#\w+)" stroke="(#\w+)"', drawing) == [
        ("#123456", "#000000"),
        ("#555555", "#ffffff"),
    ]


def test_records_are_read_in_their_notes_and_sources_on_the_web(tmp_path: Path) -> None:
    folder = tmp_path / "my notes"
    folder.mkdir()
    (folder / "a.md").write_text(NOTES["a"])
    (folder / "r.bib").write_text(
        "".join(
            f"@misc{{{key}, title={{T}}, url={{{url}}}}}\n"
            for key, url in (("s", "https://x.test/s"), ("h", "http://x.test/h"), ("f", "ftp://x"))
        )
    )
    corpus = load_corpus(folder)
    path = f"{folder.as_posix()}/a.md"
    quoted_path = path.replace(" ", "%20")
    assert address_of(corpus, RecordKind.STATEMENT, "a#t") == quoted_path
    assert address_of(corpus, RecordKind.STATEMENT, "gone") == ""
    addresses = {key: address_of(corpus, RecordKind.SOURCE, key) for key in ("s", "h", "f", "gone")}
    assert addresses == {"s": "https://x.test/s", "h": "http://x.test/h", "f": "", "gone": ""}
    label = caption_of_statement(corpus, "a#t")
    colour = next(each.colour for each in corpus.config.camps if each.id == "optimist")
    assert (label.title, label.camp, label.note, label.colour) == (
        "Tried",
        "optimist",
        path,
        colour,
    )
    unread = corpus_of_notes(a=NOTES["b"])
    assert (
        address_of(unread, RecordKind.STATEMENT, "a")
        == caption_of_statement(unread, "a").note
        == ""
    )


def test_a_report_begins_with_a_line_in_bold() -> None:
    table, supports = Table("t", ("id",), [("a",)]), edge("a supports b")
    report = report_under(("First.", "Second."), [table], [supports])
    assert report.parts == (TextLine("First.", "strong"), TextLine("Second."), table)
    assert report.edges == (supports,)


def test_a_table_of_edges_has_both_ends_and_the_reason() -> None:
    table = edge_table("t", [edge("a supports b", reason="so")])
    columns = ("origin", "relation", "target", "reason")
    assert table == Table("t", columns, [("a", "supports", "b", "so")])
