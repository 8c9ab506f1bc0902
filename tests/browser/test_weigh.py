"""What a reader's browser says of an answer that is weighed again, beside what the program says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from kg.loader import load_corpus
from kg.publish.weighing import weighing
from kg.reasoning import assemble
from kg.reasoning.session import Reading
from tests.browser.sample_notes import write_sample
from tests.support.own import own_corpus, own_reading
from tests.support.reasoning_corpus import debate
from tests.support.weighing import random_corpus, random_judgements, random_scenario, told

TREE = Path(__file__).parents[2]
SCRIPT = TREE / "site/assets/weigh.js"
NOTES = (TREE / "kg/starter/notes", TREE / "tests/publish/golden/notes")
ALL = "([data, scenarios]) => scenarios.map((one) => window.kgWeigh.weigh(data, one))"
EQUAL = {"abs": 1e-9, "rel": 0}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """An empty page with the script."""
    page = browser.new_page()
    page.add_script_tag(path=SCRIPT)
    yield page
    page.close()


def agree(page: Page, reading: Reading, name: str, random: Random, count: int) -> int:
    """The browser and the program say the same of a line in `count` scenarios; how many they were:
    none where nothing is to be weighed.
    """
    data = weighing(reading, name)
    if data is None:
        return 0
    ids = [each.id for each in data.statements]
    scenarios = [random_scenario(reading.corpus, ids, random) for _ in range(count)]
    answers = page.evaluate(ALL, [msgspec.to_builtins(data), scenarios])
    for scenario, answer in zip(scenarios, answers, strict=True):
        wanted = told(reading, name, scenario, ids)
        assert answer.pop("word") == wanted.pop("word"), scenario
        for part in ("strengths", "camps"):
            assert answer.pop(part) == pytest.approx(wanted.pop(part), **EQUAL), scenario
        assert answer == pytest.approx(wanted, **EQUAL), scenario
    return count


@pytest.mark.parametrize("name", sorted(own_corpus().lines))
def test_our_own_lines_come_out_the_same(page: Page, name: str) -> None:
    assert agree(page, own_reading(), name, Random(name), 4)


def test_sample_corpora_come_out_the_same(page: Page, tmp_path: Path) -> None:
    random = Random(1)
    for found in (debate(), load_corpus(write_sample(tmp_path)), *map(load_corpus, NOTES)):
        assert sum(agree(page, assemble(found), name, random, 10) for name in found.lines)


@pytest.mark.parametrize("seed", range(10))
def test_random_corpora_come_out_the_same(page: Page, seed: int) -> None:
    random = Random(seed)
    for _ in range(31):
        found = random_corpus(random, random.choice((3, 5, 8)))
        reading = assemble(found, judgements=random_judgements(found, random))
        assert agree(page, reading, "l", random, 3)
