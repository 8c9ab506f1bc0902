"""The corpus at other times: revisions, differences, changed verdicts."""

__all__ = [
    "changes",
    "corpora",
    "difference",
    "line_outcomes",
    "past",
    "revision",
    "step",
]
