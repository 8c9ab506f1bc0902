"""Strengths by any other rule: each reason counts by itself, and loops are brought to rest."""
