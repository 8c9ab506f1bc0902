"""Claims, and evidence from sources of some years."""

from __future__ import annotations

from kg.corpus import Corpus
from tests.support.corpora import corpus_of_notes

CLAIM = "---\ntype: claim\n---\n\n# {0}\n\n{1}\n"
BOOKS = (
    "@misc{old, title={O}, year={2019}}\n@misc{new, title={N}, year={2024}}\n@misc{none, title={X}}"
)
HOSTILE = "<script>alert(1)</script> [a](javascript:x)"


def evidence_text(cited_text: str, edge: str) -> str:
    return f"---\ntype: evidence\nmethod: experiment\n---\n\n# E [@{cited_text}]\n\n- {edge}\n"


def small_debate() -> Corpus:
    """Two claims that contradict each other, one with evidence, which a third undercuts."""
    return corpus_of_notes(
        references=BOOKS,
        a="---\ntype: claim\ncamp: optimist\n---\n\n# Talk grounds\n",
        b=CLAIM.format(HOSTILE, "- contradicts:: [[a]] — it <i>does</i> not"),
        e=evidence_text("old", "supports:: [[a]] — it was tried ^e"),
        d=CLAIM.format("D", "- undercuts:: [[e#^e]]"),
    )
