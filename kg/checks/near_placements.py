"""Items of an essay that are almost a placement of a claim in a camp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import InquiryLine


def find_near_placements(corpus: Corpus, line: InquiryLine) -> Iterator[tuple[str, str]]:
    """Camp and first words of each item that is almost a placement in a camp."""
    camps = "|".join(map(re.escape, corpus.config.camp_ids))
    if not camps:
        return
    item = re.compile(
        rf"^[ \t]*([-*+] [*_`]*({camps})[*_`]*[ \t]*(?::|=|->|→)[*_`]*)[ \t]*\[", re.I | re.M
    )
    for match in item.finditer(f"{line.standfirst}\n{line.essay}"):
        yield match[2].lower(), match[1]
