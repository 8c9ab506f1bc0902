"""The guide to asking, run: every block of Python in it works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.queries.language.query_words import WORDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "asking.md").read_text("utf-8")


@pytest.mark.integration
def test_every_block_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    for block in blocks:
        exec(compile(block, "asking.md", "exec"), names)
    assert len(blocks) == 7
    assert "did you mean sycophancy" in capsys.readouterr().out


def test_every_method_is_named() -> None:
    names = set(re.findall(r"`(\w+)", PAGE))
    methods = {
        name if word.method == "has" else word.method
        for words in WORDS.values()
        for name, word in words.items()
    }
    assert methods - names - {"named", "replications", "open"} == set()
