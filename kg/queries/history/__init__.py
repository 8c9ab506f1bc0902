"""The corpus at other times: revisions, differences, changed verdicts."""

__all__ = [
    "changes",
    "difference",
    "revision",
]
