"""Parts of pages that show one thing: a verdict, reasons, evidence, a dial."""

__all__ = [
    "alternates",
    "argument",
    "camps",
    "clash",
    "essay",
    "evidence",
    "line_scope",
    "meter",
    "turning",
    "verdict",
]
