"""Claims, and evidence from sources of some years."""

from __future__ import annotations

CLAIM = "---\ntype: claim\n---\n\n# {0}\n\n{1}\n"
BOOKS = (
    "@misc{old, title={O}, year={2019}}\n@misc{new, title={N}, year={2024}}\n@misc{none, title={X}}"
)


def evidence_text(cited_text: str, edge: str) -> str:
    return f"---\ntype: evidence\nmethod: experiment\n---\n\n# E [@{cited_text}]\n\n- {edge}\n"
