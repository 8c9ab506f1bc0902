"""The same arguments without numbers: labels and positions after Dung."""

__all__ = [
    "positions",
]
