"""Every rule but the default one: each reason counts by itself, and loops are brought to rest."""

__all__ = [
    "plan",
    "proofs",
    "reasons",
    "solve",
]
