"""Parts of pages that show one thing: a verdict, reasons, evidence, a dial."""

__all__ = [
    "alternates",
    "camps",
    "essay",
    "evidence",
    "reasons",
    "strength_bar",
    "verdict",
    "what_if",
]
