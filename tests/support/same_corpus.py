"""Whether two corpora say the same."""

from __future__ import annotations

import msgspec

from kg.corpus import Corpus


def require_same(one: Corpus, two: Corpus) -> None:
    """That two corpora say the same, in whatever order."""
    assert dict(one.statements) == dict(two.statements)
    assert sorted(one.edges, key=lambda e: e.id) == sorted(two.edges, key=lambda e: e.id)
    assert dict(one.sources) == dict(two.sources)
    assert dict(one.lines) == dict(two.lines)
    whole = msgspec.json.encode  # two mentions may show themselves alike and differ in place
    assert sorted(one.mentions, key=whole) == sorted(two.mentions, key=whole)
    assert one.config.camps == two.config.camps
    assert one.config.base_iri == two.config.base_iri
