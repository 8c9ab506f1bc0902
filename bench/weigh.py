"""An answer weighed again in the reader's browser, beside `kg whatif` on the same machine.

    python -m bench weigh

Our own lines, and a line on which 500 statements bear, whatever size is asked for: what a page
offers to weigh ends there. A muted statement changes which reasons meet where, a quality does not.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from playwright.sync_api import Page, sync_playwright

import kg
from bench.measure import Row, medians
from kg.model import Edge, EdgeStrength, Relation
from kg.publish.context.weighing import Weighing, weighing
from kg.reasoning import reading_of
from kg.reasoning.reading import Reading
from tests.browser.find_chromium import ARGUMENTS, HELP, find_chromium
from tests.support.corpus_parts import SPAN, claim, corpus_of_parts, evidence, line, source

TREE = Path(__file__).parents[1]
STATEMENTS, CLAIMS, RIVAL_COUNT, SCENARIOS = 500, 150, 8, 30
TIMED_SCRIPT = """([data, scenarios]) => scenarios.map((one) => {
    const start = performance.now();
    window.kgWeigh.weigh(data, one);
    return performance.now() - start;
})"""
Make = Callable[[str], dict[str, Any]]
CHANGES: dict[str, Make] = {
    "a statement muted": lambda id: {"mute": [id]},
    "a quality moved": lambda id: {"base": {id: 0.37}},
}


def report(size: int) -> list[Row]:
    """Medians over scenarios, each of another piece of evidence; `size` changes nothing."""
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit(HELP)
    own, large = reading_of(kg.load(TREE / "notes")), reading_of(large_line())
    lines = {"our own": (own, next(iter(own.corpus.lines))), "500 statements": (large, "l")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page()
        for name in ("weigh-graph.js", "weigh-plan.js", "weigh.js"):
            page.add_script_tag(path=TREE / "site/assets" / name)
        rows = [
            _row(page, f"{where}: {what}", reading, name, make)
            for where, (reading, name) in lines.items()
            for what, make in CHANGES.items()
        ]
        browser.close()
    return rows


def _row(page: Page, what: str, reading: Reading, name: str, make: Make) -> Row:
    data = weighing(reading, name)
    assert data is not None
    ids = [each.id for each in data.statements if each.quality is not None]
    scenarios = [make(id) for id in Random(1).sample(ids, SCENARIOS)]
    found = page.evaluate(TIMED_SCRIPT, [msgspec.to_builtins(data), scenarios])
    floor = medians({"whatif": lambda: kg.whatif(reading, **scenarios[0])}, 3)["whatif"]
    return Row(what, statistics.median(found) / 1000, floor, _size(data))


def _size(data: Weighing) -> str:
    weight = len(msgspec.json.encode(data)) / 1000
    return f"{len(data.statements)} statements, {len(data.edges)} edges, {weight:.0f} kB"


def large_line() -> kg.Corpus:
    """Claims in a tree on one question with evidence on each; some rivals contradict each other,
    and some reasons are undercut.
    """
    random = Random(1)
    claims = [f"c{number}" for number in range(CLAIMS)]
    items = [f"e{number}" for number in range(STATEMENTS - CLAIMS)]
    ends = [
        (name, random.choice(claims[: max(1, at // 2)])) for at, name in enumerate(claims) if at
    ]
    ends += [(name, random.choice(claims)) for name in items for _ in range(2)]
    edges = [_edge(random, *pair, f"r{number}") for number, pair in enumerate(ends)]
    cut = random.sample(edges, 4 * RIVAL_COUNT)
    edges += [
        Edge(
            id=f"u{at}",
            origin=random.choice(items),
            relation=Relation.UNDERCUTS,
            target=each.id,
            span=SPAN,
        )
        for at, each in enumerate(cut)
    ]
    rivals = random.sample(claims[1:], 2 * RIVAL_COUNT)
    edges += [
        Edge(
            id=f"m{at}",
            origin=one,
            relation=Relation.CONTRADICTS,
            target=other,
            span=SPAN,
            mutual=True,
        )
        for at, (one, other) in enumerate(zip(rivals[::2], rivals[1::2], strict=True))
    ]
    works = [f"w{number}" for number in range(len(items) // 2)]
    camps = ("optimist", "skeptic")
    return corpus_of_parts(
        line("l", "c0"),
        *(claim(name, camp=random.choice(camps)) for name in claims),
        *(evidence(name, [random.choice(works)], quality=random.random()) for name in items),
        *map(source, works),
        *edges,
    )


def _edge(random: Random, one: str, other: str, id: str) -> Edge:
    relation = random.choice((Relation.SUPPORTS, Relation.SUPPORTS, Relation.CONTRADICTS))
    strength = random.choice((None, *EdgeStrength))
    return Edge(id=id, origin=one, relation=relation, target=other, span=SPAN, strength=strength)
