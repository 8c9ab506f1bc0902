"""Long lists show as many entries as they promise; the rest is collapsed or left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.publish.pages.statement import statement_page
from tests.support.corpora import corpus_of_notes


def claim(title: str, *edges: str, head: str = "") -> str:
    rows = "".join(f"- {edge}\n" for edge in edges)
    return f"---\ntype: claim\ncamp: optimist\n{head}---\n\n# {title}\n\n{rows}"


def line(ids: Iterable[str]) -> str:
    rows = "".join(f"- optimist:: [[{id}]]\n" for id in ids)
    return f"---\ntype: line\n---\n\n# Here?\n\nAsked.\n\n## Camps\n\n{rows}"


def part(html: str, start: str, end: str) -> str:
    """What stands from one id to the next."""
    return html[html.index(f'id="{start}"') : html.index(f'id="{end}"')]


def numbers(html: str) -> str:
    """The digits of `Number 0`, `Number 1` … in a text, in order."""
    return "".join(re.findall(r"Number (\d)", re.sub(r"<[^>]+>|\(claim[^)]*\)", "", html)))


def line_of(notes: dict[str, str]) -> str:
    corpus = corpus_of_notes(**notes, here=line(notes))
    return line_page(SiteContext(Addresses(corpus)), corpus.lines["here"]).html


def test_a_line_collapses_its_cautions() -> None:
    notes = {f"n{number}": claim("So", head=f"open: Number {number}?\n") for number in range(3)}
    open_part, collapsed, *_ = part(line_of(notes), "turns", "about").split("<details")
    assert (numbers(open_part), numbers(collapsed)) == ("", "012")
    assert "<summary>What the authors of the notes call unsettled</summary>" in collapsed


def test_a_line_shows_five_pairs() -> None:
    def pairs(count: int) -> str:
        rivals = {
            f"n{number}": claim(f"Number {number}", "contradicts:: [[asked]]")
            for number in range(count)
        }
        sides = part(line_of({**rivals, "asked": claim("Asked")}), "sides", "about")
        return sides.partition(", camp by camp")[0]

    assert "of opposed statements</summary>" not in pairs(5)
    open_part, _, collapsed, _ = pairs(7).split("<details")
    assert (numbers(open_part), numbers(collapsed)) == ("01234", "56")
    assert "<summary>2 more pairs of opposed statements</summary>" in collapsed


def test_a_statement_shows_three_reasons_and_collapses_no_single_one() -> None:
    def reasons(count: int) -> str:
        edges = {
            f"n{number}": claim(f"Number {number}", "supports:: [[asked]]")
            for number in range(count)
        }
        corpus = corpus_of_notes(**edges, asked=claim("Asked"))
        html = statement_page(SiteContext(Addresses(corpus)), corpus.statements["asked"]).html
        return html[html.index('<ul class="kg-tree">') : html.index('id="against"')]

    assert "<details" not in reasons(4)
    open_part, collapsed = reasons(5).split("<details")
    assert (numbers(open_part), numbers(collapsed)) == ("012", "34")
    assert "<summary>2 lighter ones</summary>" in collapsed
