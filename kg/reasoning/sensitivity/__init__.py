"""Sensitivity: an answer with other edges, qualities, settings or rules, with new studies, and were a
statement certain.
"""
