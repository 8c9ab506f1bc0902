"""The table of lines under other settings and rules, computed anew. `UPDATE_SPECS=1` writes it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.reasoning import Reading, robustness, verdict
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.asked_question import SEMANTICS_IN_WORDS
from kg.reasoning.sureness_words import answer_phrase
from kg.reporting.report import Table, markdown_table
from tests.support.own import new_reading

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conventions.md"


def cell(word: str, strength: float | None) -> str:
    return word if strength is None else f"{answer_phrase(word)} {strength:.2f}"


def as_it_is(reading: Reading, line: str) -> str:
    """The word that the site and `kg verdict` say, with the strength."""
    answer = verdict(reading, line)
    return f"{answer_phrase(answer.word, answer.sureness)} {answer.strength:.2f}"


def computed_table() -> str:
    """A row per setting or rule, a column per line; the first row is what is in force."""
    reading = new_reading()
    answer = {id: robustness(reading, id, 1) for id in reading.corpus.lines}
    robust = {id: one for id, one in answer.items() if isinstance(one, Robustness)}
    columns = list(robust.values())
    rows = [("as it is", *(as_it_is(reading, id) for id in robust))]
    for each in zip(*(one.other_settings for one in columns), strict=True):
        assert len({one.setting for one in each}) == 1
        rows.append((each[0].setting, *(cell(one.word, one.strength) for one in each)))
    others = [one.other_rules for one in columns]
    for rule in others[0].strengths:
        cells = (cell(one.words[rule], one.strengths[rule]) for one in others)
        rows.append((f"rule: {SEMANTICS_IN_WORDS[rule]}", *cells))
    rows.append(("rule: objections alone (Dung)", *(one.grounded for one in others)))
    return markdown_table(Table("", ("setting or rule", *robust), rows)).strip() + "\n"


@pytest.mark.integration
def test_the_table_shows_what_is_computed() -> None:
    text = PAGE.read_text("utf-8")
    head, bar, table = text.partition("| setting or rule |")
    if os.environ.get("UPDATE_SPECS"):
        PAGE.write_text(head + computed_table(), "utf-8")
    else:
        assert bar + table == computed_table()
