"""What the scales of our own lines offer is what the program weighs, and what the pages count."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest

from kg.publish.components.scales import DATA
from kg.publish.context.site_strengths import LEAST_EFFECT
from kg.publish.graphics.explorer import GRAPH, describe_effect
from kg.reasoning import verdict, whatif
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness import sureness_of
from kg.reasoning.sureness_words import is_held_back
from tests.publish.weighing import program_answer
from tests.support.own import new_reading, own_corpus, own_pages

pytestmark = pytest.mark.integration
LINES = sorted(own_corpus().lines)


@cache
def data_beside(line: str, suffix: str) -> dict[str, Any]:
    """What a file beside the page of a line holds."""
    page = next(each for each in own_pages() if each.url == f"lines/{line}.html")
    script = next(each.data.decode() for each in page.alternates if each.suffix == suffix)
    found: dict[str, Any] = json.loads(script[script.index("(") + 1 : script.rindex(")")])
    return found


@pytest.mark.parametrize("line", LINES)
def test_the_statements_that_a_link_leaves_out_undo_the_answer(line: str) -> None:
    page = next(each for each in own_pages() if each.url == f"lines/{line}.html")
    address = re.search(r'href="#weigh\?([^"]+)"', str(page.html))
    assert address
    data = data_beside(line, DATA)
    ids = [each["id"] for each in data["weighing"]["statements"]]
    answer = program_answer(new_reading(), line, parse_qs(unescape(address[1])), ids)
    assert data["words"][answer["word"]][0] == 0


@pytest.mark.parametrize("line", LINES)
def test_the_graph_says_what_the_answer_is_without_each_of_its_reasons(line: str) -> None:
    """As `kg whatif` has it."""
    graph, reading = data_beside(line, GRAPH), new_reading()
    graph_ids = [each["id"] for each in graph["nodes"]]
    asked, now = graph_ids[0], verdict(reading, line)
    told = {each["from"]: each.get("without") for each in graph["edges"] if each["to"] == asked}
    assert any(told.values())
    heaviest = {words: id for id, words in reversed(told.items())}  # of those told the same words
    for words, id in heaviest.items():  # each takes the trials of a whole verdict
        then = program_answer(reading, line, {"mute": [id]}, [*graph_ids])
        turns = [each for each in whatif(reading, mute=id).verdicts if each.line == line]
        sureness = turns[0].sureness_after if turns else now.sureness
        strength = then["strengths"][asked]
        effect = describe_effect(now, strength, side_of(then["word"]), sureness)
        if abs(strength - (now.strength or 0.0)) < LEAST_EFFECT:
            assert words is None
            assert not effect, "what is not told is no word"
        else:
            assert words == (f"without it the answer is {effect}" if effect else None), id


@pytest.mark.parametrize("line", LINES)
def test_the_scales_list_the_reasons_that_the_graph_draws(line: str) -> None:
    graph = data_beside(line, GRAPH)
    asked = graph["nodes"][0]["id"]
    drawn = {"for": set(), "against": set()}
    for edge in graph["edges"]:
        if edge["to"] == asked:
            drawn["for" if edge["share"] > 0 else "against"].add(edge["from"])
    told = data_beside(line, DATA)["reasons"]
    assert {side: set(ids) for side, ids in told.items()} == drawn


@pytest.mark.parametrize("line", LINES)
def test_each_doubt_counts_fewer_statements_than_there_are(line: str) -> None:
    data = data_beside(line, DATA)
    assert data["doubts"].keys() <= data["parts"].keys()
    for words in data["doubts"].values():
        counted, total = words.rpartition(" (")[2].removesuffix(")").split(" of ")
        assert int(counted) < int(total)


@pytest.mark.parametrize("line", LINES)
def test_why_an_answer_is_no_surer_is_said_as_the_page_and_the_program_say_it(line: str) -> None:
    data, reading = data_beside(line, DATA), new_reading()
    page = next(each for each in own_pages() if each.url == f"lines/{line}.html")
    held = verdict(reading, line)
    start, end = "No surer, because ", "."
    if is_held_back(held.strength, held.held_strength):
        start, end = data["heldBack"]
    told = f"{start}{data['why']}{end}".replace("{}", held.sureness.partition(",")[0])
    assert not data["why"] or told in page.html
    assert bool(data["why"]) is bool(verdict(reading, line).sureness_basis.limit.besides_strength)
    findings = [each for each in data["weighing"]["statements"] if "quality" in each]
    left_out = [each["id"] for each in findings if not each.get("reviewed")]
    then = with_muted_statements(reading, left_out).question(line)
    sureness, strength, why = data["parts"]["reviewed"]
    limit = sureness_of(then).limit.besides_strength
    assert (sureness, strength) == (sureness_of(then).word, pytest.approx(then.strength))
    assert bool(why) is (sureness != "undecided" and bool(limit))


def test_works_that_fall_together_say_what_they_share() -> None:
    for line in LINES:
        for _, others, *_, shared in data_beside(line, DATA)["lost"]:
            assert bool(others) == shared.startswith(". They count as one source: ")
