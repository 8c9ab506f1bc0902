"""Parts of pages that show one thing: a verdict, reasons, evidence, a dial."""

__all__ = [
    "alternates",
    "camps",
    "essay",
    "evidence",
    "notices",
    "reasons",
    "statement_lists",
    "strength_bar",
    "terms",
    "turning_points",
    "verdict",
]
