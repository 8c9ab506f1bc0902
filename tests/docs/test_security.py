"""The page on security names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.every_row import every_row

ROOT = Path(__file__).parents[2]
PAGE, _ = (ROOT / "docs" / "security.md").read_text("utf-8").split("## What kg depends on")
TABLES = "".join(re.findall(r"^\| promise \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M))
ROWS = re.findall(r"^\| (.*?) \| (.*) \|$", TABLES, re.M)
TESTS = {
    name
    for place in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^ *(?:async )?def (test_\w+)", place.read_text("utf-8"), re.M)
}


def test_the_page_has_promises() -> None:
    assert len(ROWS) > 20


@every_row(("promise", "tests"), ROWS)
def test_a_promise_is_shown_by_tests_that_there_are(promise: str, tests: str) -> None:
    names = set(re.findall(r"`(test_\w+)`", tests))
    assert names <= TESTS
    assert names, promise
