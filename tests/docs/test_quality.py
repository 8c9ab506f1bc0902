"""The page about quality lists what the program knows."""

from __future__ import annotations

import re
from pathlib import Path

from kg.model.figures import SampleClass, sample_class_of

PAGE = Path(__file__).parents[2] / "docs" / "quality.md"


def test_every_word_of_the_page_has_its_class() -> None:
    text = PAGE.read_text("utf-8").partition("### Words of units")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (\w+) \| (\w+,.*) \|$", text, re.MULTILINE))
    assert {*rows} == {each.value for each in SampleClass} - {SampleClass.UNKNOWN.value}
    for name, words in rows.items():
        assert {sample_class_of(word) for word in words.split(", ")} == {SampleClass(name)}
