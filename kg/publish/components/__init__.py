"""Parts of pages that show one thing: a verdict, reasons, evidence, a dial."""

__all__ = [
    "alternates",
    "camps",
    "essay",
    "evidence",
    "notices",
    "reasons",
    "strength_bar",
    "terms",
    "verdict",
    "what_if",
]
