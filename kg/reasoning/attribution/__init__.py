"""Who moved a strength, and by how much: reasons, camps, sources, places of filing."""

__all__ = [
    "beneath",
    "camps",
    "effects",
    "independence",
    "losses",
    "shares",
    "speakers",
]
