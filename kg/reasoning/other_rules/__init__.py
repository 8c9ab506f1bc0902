"""Strengths by any other rule: each reason counts by itself, and loops are brought to rest."""

__all__ = [
    "counted_reasons",
    "dung_labelling",
    "loop_plan",
    "semantics",
    "strengths_by_reasons",
]
