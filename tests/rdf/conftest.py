"""The corpus of two camps that tests of SPARQL ask."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from tests.support.corpora import corpus_of_notes


@pytest.fixture(scope="session")
def two_camps() -> Corpus:
    """Two camps in one line; a reason that is undercut; a retracted source that both sides cite."""
    return corpus_of_notes(
        reward="---\ntype: claim\ncamp: skeptic\ntopics: [reward]\n---\n# Rewards cut questions\n\n"
        "> [!evidence] Fewer questions ^few\n> Counted. [@old] (method:: benchmark)\n\n"
        "- contradicts:: [[grows]] — no repair ^no\n",
        grows="---\ntype: claim\ncamp: optimist\n---\n# Use makes ground\n\nSeen. [@old]\n",
        undone="---\ntype: counter-claim\ncamp: optimist\n---\n# It comes back\n\n"
        "- undercuts:: [[reward#^no]] — training brings it back\n- supports:: [[grows]]\n",
        alone="---\ntype: claim\ncamp: skeptic\n---\n# Nobody says why\n",
        line="---\ntype: line\nproposition: grows\n---\n# Does use make ground?\n\nSo.\n\n"
        "## Camps\n\n"
        "- optimist:: [[grows]]\n- skeptic:: [[reward]]\n- skeptic:: [[alone]]\n",
        old="---\ntype: source\nintegrity: retracted\n---\n",
        references="@article{old, title={An old paper}, year={1999}}",
    )
