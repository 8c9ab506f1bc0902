"""What the scales of a line offer is what the program weighs, and what the page counts."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.publish.components.line.scales import DATA
from kg.publish.context.site_answers import LEAST_EFFECT_SHOWN
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.explorer import GRAPH, describe_effect
from kg.publish.markup.address import Addresses
from kg.publish.page import Page
from kg.publish.pages.line import line_page
from kg.reasoning import reading_of, verdict, whatif
from kg.reasoning.reading import Reading
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.strength_words import side_of
from kg.reasoning.sureness import sureness_of
from kg.reasoning.sureness_words import greatest_sureness, is_held_back
from tests.publish.weighing import program_answer
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.golden import NOTES
from tests.support.note_texts import claim_text, line_text, visible_text

BOOKS = """
@article{s, title={S}, author={Doe, Jo}, year={2019}, independence={team:x}}
@article{t, title={T}, author={Roe, Al}, year={2021}, independence={team:x}}
@article{u, title={U}, author={Poe, Ed}, year={2023}}
@article{v, title={V}, author={Lee, Su}, year={2024}}
@article{w, title={W}, author={Moe, Al}, year={2024}}
@article{x, title={X}, author={Zoe, An}, year={2024}}
"""


def study(cited_text: str, quality: float, edge: str, more: str = "") -> str:
    """A piece of evidence from one work, seen in the work itself unless `more` says otherwise."""
    head = f"type: evidence\nquality: {quality}\n{more or 'seen-in: primary'}"
    return f"---\n{head}\n---\n\n# By {cited_text}\n\nSeen [@{cited_text}].\n\n- {edge}\n"


def team_corpus() -> Corpus:
    """An answer that rests on two works of one team and on two others; one reason adds nothing."""
    return corpus_of_notes(
        references=BOOKS,
        asked=claim_text("Asked", "optimist"),
        by_s=study("s", 0.8, "supports:: [[asked]]", "peer-reviewed: yes"),
        by_t=study("t", 0.7, "supports:: [[asked]]"),
        by_u=study("u", 0.3, "contradicts:: [[asked]]"),
        helper=claim_text("Helper", "optimist", "supports:: [[asked]]"),
        by_v=study("v", 0.6, "supports:: [[helper]]", "peer-reviewed: yes"),
        by_w=study("w", 0.7, "supports:: [[asked]]"),
        slight=study("x", 0.03, "supports:: [[asked]]"),
        idle=claim_text("Idle", "optimist", "supports:: [[asked]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )


CORPORA = {"team": (team_corpus, "here"), "all": (lambda: load_corpus(NOTES), "should-one-nap")}
"""Corpora by name, with the line that is asked."""


@cache
def scales_of(name: str) -> tuple[Reading, str, Page]:
    """A reading in which nothing is that the page worked out, the line, and its page."""
    make, line_id = CORPORA[name]
    corpus = make()
    page = line_page(SiteContext(Addresses(corpus)), corpus.lines[line_id])
    return reading_of(make()), line_id, page


def data_beside(name: str, suffix: str) -> dict[str, Any]:
    """What a file beside the page of a line holds."""
    page = scales_of(name)[2]
    script = next(each.data.decode() for each in page.alternates if each.suffix == suffix)
    content: dict[str, Any] = json.loads(script[script.index("(") + 1 : script.rindex(")")])
    return content


@pytest.mark.parametrize("name", CORPORA)
def test_the_statements_that_a_link_leaves_out_undo_the_answer(name: str) -> None:
    reading, line_id, page = scales_of(name)
    address = re.search(r'href="#weigh\?([^"]+)"', str(page.html))
    assert address
    data = data_beside(name, DATA)
    ids = [each["id"] for each in data["weighing"]["statements"]]
    answer = program_answer(reading, line_id, parse_qs(unescape(address[1])), ids)
    assert data["words"][answer["word"]][0] == 0


@pytest.mark.parametrize("name", CORPORA)
def test_the_graph_says_what_the_answer_is_without_each_of_its_reasons(name: str) -> None:
    """As `kg whatif` has it."""
    graph, (reading, line_id, _) = data_beside(name, GRAPH), scales_of(name)
    graph_ids = [each["id"] for each in graph["nodes"]]
    asked_id, answer = graph_ids[0], verdict(reading, line_id)
    effects = {e["origin"]: e.get("without") for e in graph["edges"] if e["target"] == asked_id}
    assert any(effects.values())
    for id, words in effects.items():
        program = program_answer(reading, line_id, {"mute": [id]}, [*graph_ids])
        turns = [each for each in whatif(reading, mute=id).verdicts if each.line == line_id]
        sureness = turns[0].sureness_after if turns else answer.sureness
        strength = program["strengths"][asked_id]
        effect = describe_effect(answer, strength, side_of(program["word"]), sureness)
        if abs(strength - (answer.strength or 0.0)) < LEAST_EFFECT_SHOWN:
            assert words is None
            assert not effect, "what is too little to be named has no word"
        else:
            assert words == (f"without it the answer is {effect}" if effect else None), id


@pytest.mark.parametrize("name", CORPORA)
def test_the_scales_list_the_reasons_that_the_graph_draws(name: str) -> None:
    graph = data_beside(name, GRAPH)
    asked_id = graph["nodes"][0]["id"]
    drawn_ids = {"for": set(), "against": set()}
    for edge in graph["edges"]:
        if edge["target"] == asked_id:
            drawn_ids["for" if edge["share"] > 0 else "against"].add(edge["origin"])
    reasons = data_beside(name, DATA)["reasons"]
    assert {side: set(ids) for side, ids in reasons.items()} == drawn_ids
    assert all(drawn_ids.values())


@pytest.mark.parametrize("name", CORPORA)
def test_each_doubt_counts_fewer_statements_than_there_are(name: str) -> None:
    data = data_beside(name, DATA)
    assert data["doubts"]
    assert data["doubts"].keys() <= data["parts"].keys()
    for words in data["doubts"].values():
        counted_items, total = words.rpartition(" (")[2].removesuffix(")").split(" of ")
        assert int(counted_items) < int(total)


@pytest.mark.parametrize("name", CORPORA)
def test_what_two_ticks_leave_has_the_word_that_the_program_gives_it(name: str) -> None:
    data, (reading, line_id, _) = data_beside(name, DATA), scales_of(name)
    findings = [each for each in data["weighing"]["statements"] if "quality" in each]
    pairs = [each for each in data["parts"] if "+" in each and "since" not in each]
    assert len(pairs) == math.comb(sum("since" not in each for each in data["doubts"]), 2)
    for pair in pairs:
        counted_findings = [
            each for each in findings if all(each.get(name) for name in pair.split("+"))
        ]
        left_out = [each["id"] for each in findings if each not in counted_findings]
        question = with_muted_statements(reading, left_out).question(line_id)
        sureness, strength, _ = data["parts"][pair]
        assert (sureness, strength) == (
            sureness_of(question).sureness,
            pytest.approx(question.strength_or_nan),
        )


@pytest.mark.parametrize("name", CORPORA)
def test_why_an_answer_is_no_surer_is_said_as_the_page_and_the_program_say_it(name: str) -> None:
    data, (reading, line_id, page) = data_beside(name, DATA), scales_of(name)
    answer = verdict(reading, line_id)
    start, end = "", "."
    if is_held_back(answer.strength, answer.held_strength):
        start, end = data["heldBack"]
    words = {"{surest}": greatest_sureness(answer.word).sureness, "{sureness}": answer.sureness}
    for name, word in words.items():
        start, end = (each.replace(name, word.partition(",")[0]) for each in (start, end))
    reason = f"{start}{data['why']}{end}"
    assert not data["why"] or reason in visible_text(page.html)
    assert bool(data["why"]) is bool(answer.sureness_basis.limit.besides_strength)
    findings = [each for each in data["weighing"]["statements"] if "quality" in each]
    left_out = [each["id"] for each in findings if not each.get("reviewed")]
    question = with_muted_statements(reading, left_out).question(line_id)
    sureness, strength, why = data["parts"]["reviewed"]
    limit = sureness_of(question).limit.besides_strength
    assert (sureness, strength) == (
        sureness_of(question).sureness,
        pytest.approx(question.strength_or_nan),
    )
    assert bool(why) is (sureness != "undecided" and bool(limit))


@every_row(("name", "has_team"), [("team", True), ("all", False)])
def test_works_that_fall_together_say_what_they_share(name: str, has_team: bool) -> None:
    losses = data_beside(name, DATA)["lost"]
    assert any(others for _, others, *_ in losses) is has_team
    for _, others, *_, shared in losses:
        assert bool(others) == shared.startswith(". They count as one source: ")
    reasons = {shared for *_, shared in losses if shared}
    assert reasons == (
        {". They count as one source: the same team (Zoe 2024)."} if has_team else set()
    )
