"""Strengths by other rules: each reason counts by itself, and loops are solved by iteration."""
