"""Notes that differ between two states of a corpus."""

from __future__ import annotations

CLAIM = "---\ntype: claim\ncamp: {camp}\n---\n\n# {title}\n\n{body}\n"
LINE = (
    "---\ntype: line\nproposition: p\nreviewed: {day}\n---\n\n# Q?\n\n[[a]] and [[b]].\n\n{camps}\n"
)


def claim_text(title: str, body: str = "", camp: str = "optimist") -> str:
    return CLAIM.format(camp=camp, title=title, body=body)


def line_text(day: str = "2026-01-01", camps: str = "- optimist:: [[a]]\n- skeptic:: [[b]]") -> str:
    return LINE.format(day=day, camps=camps)


def evidence_text(edge: str, extra: str = "method: experiment\nsample: 900") -> str:
    return f"---\ntype: evidence\n{extra}\n---\n\n# E [@s]\n\n- {edge}\n"


BOOKS = "@misc{s, title={S}, year={2020}}"
