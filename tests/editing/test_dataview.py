"""Relations in brackets are links for Dataview's own parser, as decision 0074 says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kg.editing.format_notes import format_text
from tests.support.npm import output_of_script

OWN_NOTES = Path(__file__).parents[2] / "notes"
BRACKETED = re.compile(r"^[ \t]*- \[([\w-]+):: (.*?)\](?=\s|$)(?!\])", re.MULTILINE)


def link_targets(values: list[str]) -> list[list[str] | None]:
    targets: list[list[str] | None] = output_of_script(
        "dataview.cjs", "obsidian-dataview", json.dumps(values).encode()
    )
    return targets


@pytest.mark.integration
@pytest.mark.parametrize(
    ("value", "paths"),
    [
        ("[[x]]", ["x"]),
        ("[[x]], [[y#^b|words]]", ["x", "y"]),
        ("[[x]] — reason", None),
        ("[[x]] ^id", None),
        ("[[x]] with [[y]]", None),
        ("[x](x.md)", None),
    ],
)
def test_dataview_reads_links_where_they_stand_alone(value: str, paths: list[str] | None) -> None:
    assert link_targets([value]) == [paths]


@pytest.mark.integration
@pytest.mark.parametrize(
    "item", ["[[x]]", "[[x]] — reason", "[[x]] — reason ^id", "[[x#^b|words]]"]
)
def test_what_kg_writes_in_brackets_stands_alone(item: str) -> None:
    note = f"---\ntype: claim\n---\n\n# A\n\n- supports:: {item}\n"
    (bracketed_item,) = BRACKETED.finditer(format_text(note, "a.md", bracketed=True))
    assert link_targets([bracketed_item[2]]) == [["x"]]


@pytest.mark.integration
def test_relations_of_our_notes_are_links_once_they_stand_in_brackets() -> None:
    values = []
    for note in sorted(OWN_NOTES.rglob("*.md")):
        text = format_text(note.read_text("utf-8"), note.name, bracketed=True)
        values += [match[2] for match in BRACKETED.finditer(text)]
    assert len(values) > 400
    parts = [[name.partition("#")[0] for name in re.findall(r"\[\[([^\]|]+)", v)] for v in values]
    assert link_targets(values) == parts
