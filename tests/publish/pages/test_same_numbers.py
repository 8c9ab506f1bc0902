"""What several pages count is the same number on each."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.publish.graphics.explorer import GRAPH
from kg.publish.markup.phrases import CountOfReasons
from tests.publish.pages.shown_pages import FOLDERS, corpus_and_pages, text_without_pictures
from tests.support.own import NOTES, own_pages
from tests.support.page_checks import all_pages

pytestmark = pytest.mark.integration

# A page, what is counted, of what, and the number.
Count = tuple[str, str, str, str]
COUNTED = {
    "claims": r"([\d,]+) claims?\b",
    "evidence": r"([\d,]+) findings?",
    "sources": r"([\d,]+) sources?\b",
    "independent sources": r"([\d,]+) independent sources?\b",
    "lines": r"\b([\d,]+) inquiry lines?\b",
    "statements": r"^([\d,]+) statements? rests? on it",
    "names": r"([\d,]+) names?\b",
}
HEAD = re.compile(r'<ul class="kg-facts">.*?</ul>', re.DOTALL)
ITEM = re.compile(r"<li[^>]*>(.*?)</li>", re.DOTALL)
SIDE = re.compile(
    r'<h3 id="(?:for|against)">(.*?)</h3>(.*?)</div>(?=<div class="kg-side-column|</div>)',
    re.DOTALL,
)
TREE_ROW = re.compile(r"<li")
IDLE_FOLD = re.compile(
    r"<details[^>]*><summary>\d+ ha(?:s|ve) no effect</summary>.*?</details>", re.DOTALL
)
ROW = re.compile(r'<tr>(?!<th scope="rowgroup")(.*?)</tr>', re.DOTALL)  # not of the heads of groups
LINK = re.compile(r'href="([^"#]+)"')


def cells(row: str) -> dict[str, str]:
    """The cells of a row by the names of their columns."""
    matches = re.findall(r'<td data-label="([^"]+)"[^>]*>(.*?)</td>', row, re.DOTALL)
    return {label: text_without_pictures(text).strip() for label, text in matches}


def section(html: str, id: str) -> str:
    """What stands under a heading; nothing where there is no such heading."""
    match = re.search(rf'<h2 id="{id}">.*?(?=<h2 |\Z)', html, re.DOTALL)
    return match[0] if match else ""


def entries(html: str) -> str:
    """How many entries the first list has."""
    return str(len(re.findall("<li>", html.partition("</ul>")[0])))


def in_heads(pages: dict[str, str]) -> Iterator[Count]:
    """What a page says of its own size at its head, and home of all in its own section."""
    basis = text_without_pictures(section(pages["index.html"], "basis"))
    for what in ("evidence", "independent sources"):
        if match := re.search(COUNTED[what], basis):
            yield "index.html", what, "all", match[1]
    for url, html in pages.items():
        about = "all" if url == "index.html" else url
        head = None if url in ("camps/index.html", "gaps.html") else HEAD.search(html)
        for fact in ITEM.findall(head[0]) if head else ():
            for what, pattern in COUNTED.items():
                if match := re.search(pattern, text_without_pictures(fact).strip()):
                    yield url, what, about, match[1]


def in_tables(pages: dict[str, str]) -> Iterator[Count]:
    """What tables of the whole corpus say of each thing's size, and how many rows they have."""
    columns = {
        "topics/index.html": {"Claims": "claims", "Findings": "evidence"},
        "about/index.html": {"Claims": "claims", "Findings": "evidence"},
        "sources/index.html": {"Statements": "statements"},
    }
    for url, known in columns.items():
        for row in ROW.findall(pages.get(url, ""))[1:]:
            about = LINK.search(row)
            assert about
            of = posixpath.normpath(posixpath.join(posixpath.dirname(url), about[1]))
            for label, what in known.items():
                number = re.match(r"[\d,]*", cells(row).get(label, ""))
                if number and number[0].strip(",0"):
                    yield url, what, of, number[0].strip(",")
    rows = ROW.findall(pages["sources/index.html"])[1:]
    yield "sources/index.html", "sources", "all", str(len(rows))


def of_lines(pages: dict[str, str]) -> Iterator[Count]:
    """What is said of the size of each line, on home, in the list of lines and on its page."""
    for url in ("index.html", "lines/index.html"):
        for card in re.findall(r'class="kg-card-title">.*?</p></li>', pages[url], re.DOTALL):
            about = LINK.search(card)
            assert about
            of = posixpath.normpath(posixpath.join(posixpath.dirname(url), about[1]))
            sizes = text_without_pictures(card.rpartition("kg-sizes")[2])
            for what in ("evidence", "sources"):
                if match := re.search(COUNTED[what], sizes):
                    yield url, what, of, match[1]
    for url, html in pages.items():
        if re.fullmatch(r"lines/(?!index).*", url):
            for what, pattern in (
                ("placed", r"All (\d+) statements that the line"),
                ("sources", r"(\d+) sources? on which"),
                ("independent sources", r"The answer counts (\d+) independent"),
                ("independent sources", r"This number rests on (\d+) independent"),
            ):
                if match := re.search(pattern, text_without_pictures(html)):
                    yield url, what, url, match[1]


def of_topics(pages: dict[str, str]) -> Iterator[Count]:
    """How sure the claims of a topic are, in the table and one by one, and its lines."""
    for row in ROW.findall(pages.get("topics/index.html", ""))[1:]:
        about = LINK.search(row)
        assert about
        of = posixpath.normpath(f"topics/{about[1]}")
        perhaps = re.search(r"(\d+) perhaps(?! not)", row)
        yield "topics/index.html", "Perhaps", of, perhaps[1] if perhaps else "0"
        undecided = cells(row)["Undecided"].replace("–", "0")
        yield "topics/index.html", "Undecided", of, undecided
        html = pages[of]
        matches = re.findall(
            r'<span class="kg-small">(.*?)</span>',
            section(html, "claims") + section(html, "no-camp"),
            re.DOTALL,
        )
        bare = [each.partition('<span class="kg-limit"')[0] for each in matches]
        counts = Counter(
            text_without_pictures(each).strip().lower().partition(",")[0] for each in bare
        )
        yield of, "Perhaps", of, str(counts["perhaps"])
        undecided = ("undecided", "not settled")
        yield of, "Undecided", of, str(sum(counts[each] for each in undecided))
        if lines := section(html, "lines"):
            yield of, "lines", of, entries(lines)


def of_replies(pages: dict[str, str]) -> Iterator[Count]:
    """How many reasons a statement has on each side, on its own page and beneath it elsewhere."""
    for url, html in pages.items():
        for href, text in re.findall(r'class="kg-replies" href="([^"#]+)#[^>]*>([^<]+)<', html):
            of = posixpath.normpath(posixpath.join(posixpath.dirname(url), href))
            yield url, "replies", of, text.removeprefix("Replies to this: ")
            heads = dict(re.findall(r'<h3 id="(for|against)">[^<]*<span[^>]*> ([^<]+)<', pages[of]))
            idle = 0
            counted = []
            for side in ("for", "against"):
                parts = heads.get(side, "").split("; ")
                idle += sum(int(each.split()[0]) for each in parts if each.endswith("no effect"))
                counted_parts = [each for each in parts if each and not each.endswith("no effect")]
                counted += [
                    f"{each} {side} it" if each.isdecimal() else each for each in counted_parts
                ]
            yield of, "replies", of, ", ".join(counted) or CountOfReasons(0, 0, 0, idle).idle_words


def of_all(pages: dict[str, str], statements: int) -> Iterator[Count]:
    """What overviews say of the whole."""
    text = {
        "statements/index.html": ("claims", r"Of ([\d,]+) claims?"),
        "disputes.html": ("pairs", r"([\d,]+) pairs? of claims"),
    }
    for url, (what, pattern) in text.items():
        if match := re.search(pattern, text_without_pictures(pages.get(url, ""))):
            yield url, what, "all", match[1]
    yield "the corpus", "statements", "all", str(statements)
    camps = re.findall(
        r"(\d+) claims?", text_without_pictures(HEAD.findall(pages["camps/index.html"])[0])
    )
    yield "camps/index.html", "claims", "all", str(sum(map(int, camps)))
    yield "glossary.html", "terms", "all", str(pages.get("glossary.html", "").count("<dt "))


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_the_same_thing_has_the_same_number_everywhere(folder: Path) -> None:
    corpus, pages = corpus_and_pages(folder)
    counts = [
        *in_heads(pages),
        *in_tables(pages),
        *of_lines(pages),
        *of_topics(pages),
        *of_replies(pages),
        *of_all(pages, len(corpus.statements)),
    ]
    numbers: defaultdict[tuple[str, str], dict[str, set[str]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for url, what, of, number in counts:
        numbers[what, of][number].add(url)
    assert len(counts) > 1.3 * len(numbers) > len(corpus.topics)
    assert {key: dict(places) for key, places in numbers.items() if len(places) > 1} == {}


def graphs_of(folder: Path) -> dict[str, dict[str, Any]]:
    """What the graph of each line holds, by the address of the line's page."""
    pages = own_pages() if folder == NOTES else all_pages(corpus_and_pages(folder)[0])
    return {
        page.url: json.loads(str(each.content)[len("kgGraph(") : -3])
        for page in pages
        for each in page.alternates
        if each.suffix == GRAPH
    }


def first_numbers(text: str) -> list[int]:
    """The numbers before `have no effect`, and the sum of the others, of a heading."""
    idle = sum(map(int, re.findall(r"(\d+)(?: more)? ha(?:s|ve) no effect", text)))
    return [sum(map(int, re.findall(r"\d+", text))) - idle, idle]


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_a_graph_and_the_pages_of_its_statements_count_the_same_reasons(folder: Path) -> None:
    _, pages = corpus_and_pages(folder)
    graphs = graphs_of(folder)
    assert graphs
    for graph in graphs.values():
        for node in graph["nodes"]:
            if node.get("beyond"):
                continue
            heads = re.findall(r'<h3 id="(?:for|against)">(.*?)</h3>', pages[node["page"]])
            listed = [first_numbers(text_without_pictures(head)) for head in heads] or [[0, 0]]
            to_it = [
                edge
                for edge in graph["edges"]
                if edge["target"] == node["id"] and "conclusion" not in edge
            ]
            assert sum(counted for counted, _ in listed) == len(to_it), node
            if not to_it:
                idle = re.search(r"(\d+) ha(?:s|ve) no effect", node.get("counts", ""))
                assert sum(idle for _, idle in listed) == int(idle[1] if idle else 0), node


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_a_heading_counts_the_reasons_below_it_but_those_set_apart(folder: Path) -> None:
    _, pages = corpus_and_pages(folder)
    counts = [
        (url, sum(first_numbers(text_without_pictures(head))), len(TREE_ROW.findall(counted)))
        for url, html in pages.items()
        for head, below in SIDE.findall(html)
        for counted in [IDLE_FOLD.sub("", below)]
    ]
    assert any(heading for _, heading, _ in counts)
    assert [each for each in counts if each[1] != each[2]] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_a_graph_and_the_pages_of_its_evidence_name_the_same_sources(folder: Path) -> None:
    corpus, pages = corpus_and_pages(folder)
    nodes = [node for graph in graphs_of(folder).values() for node in graph["nodes"]]
    assert any("sources" in node for node in nodes)
    for node in nodes:
        sources = {each["page"] for each in node.get("sources", ())}
        cited_sources = corpus.statements[node["id"]].sources if "inding" in node["kind"] else ()
        assert len(sources) == len([key for key in cited_sources if key in corpus.sources]), node
        linked_ends = {
            posixpath.normpath(f"statements/{each}") for each in LINK.findall(pages[node["page"]])
        }
        assert sources <= linked_ends, node
        assert sources <= {*pages}, node


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_a_graph_and_both_sides_of_its_line_name_the_same_reasons(
    folder: Path,
) -> None:
    _, pages = corpus_and_pages(folder)
    for url, graph in graphs_of(folder).items():
        middle = graph["nodes"][0]
        address_of = {node["id"]: f"../{node['page']}" for node in graph["nodes"]}
        drawing = {
            frozenset(
                address_of[edge["origin"]]
                for edge in graph["edges"]
                if edge["target"] == middle["id"] and (edge["share"] > 0) is pro
            )
            for pro in (True, False)
        }
        sides = re.split(r"<h3>", section(pages[url], "sides"))[1:3]
        listed = {
            frozenset(
                address
                for rows in re.findall(r'<ul class="kg-pairs">(.*?)</ul>', side, re.DOTALL)
                for row in ITEM.findall(rows)
                for address in LINK.findall(row)[:1]
            )
            for side in sides
        }
        assert drawing == listed, url
