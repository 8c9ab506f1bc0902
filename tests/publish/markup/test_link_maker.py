"""One click to a work: its published version first, an open copy marked."""

from __future__ import annotations

import re

from kg.model import Source, Span
from kg.publish.markup.link_maker import linked_title, paper_link
from tests.support.every_row import every_row

ARXIV, URL = "2311.09144", "https://aclanthology.org/2024.naacl-long.348/"
CASES = [
    ({}, []),
    ({"doi": "10.1/x"}, ["https://doi.org/10.1/x"]),
    ({"url": URL, "arxiv": ARXIV}, [URL, f"https://arxiv.org/abs/{ARXIV}"]),
    ({"doi": "10.1/x", "url": URL}, ["https://doi.org/10.1/x"]),
    ({"url": f"https://arxiv.org/abs/{ARXIV}"}, 2 * [f"https://arxiv.org/abs/{ARXIV}"]),
    ({"doi": f"10.48550/arXiv.{ARXIV}"}, 2 * [f"https://doi.org/10.48550/arXiv.{ARXIV}"]),
    ({"url": "javascript:alert(1)"}, []),
    ({"doi": '10.1/x" onmouseover="x'}, []),
]


@every_row(("fields", "addresses"), CASES)
def test_a_title_leads_to_the_work_and_then_to_an_open_copy(fields, addresses):
    source = Source(key="a", title="A <b>", span=Span("a.bib"), **fields)
    assert re.findall('href="([^"]+)"', linked_title(source)) == addresses
    assert re.findall('href="([^"]+)"', paper_link(source)) == addresses[:1]
    assert ("open copy" in linked_title(source)) is any(
        "arxiv" in each.lower() for each in addresses
    )
    assert "<b>" not in linked_title(source) + paper_link(source)
