"""Strengths by other rules: each reason counts by itself, and circles are solved by iteration."""
