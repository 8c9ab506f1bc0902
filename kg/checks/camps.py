"""List items of a line that name a camp and are not written as placements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import InquiryLine


def find_near_placements(corpus: Corpus, line: InquiryLine) -> Iterator[tuple[str, str]]:
    """The camp that each such item names, and how the item begins."""
    camps = "|".join(map(re.escape, corpus.config.camp_ids))
    if not camps:
        return
    item = re.compile(
        rf"^[ \t]*([-*+] [*_`]*({camps})[*_`]*[ \t]*(?::|=|->|→)[*_`]*)[ \t]*\[", re.I | re.M
    )
    for found in item.finditer(f"{line.standfirst}\n{line.essay}"):
        yield found[2].lower(), found[1]
