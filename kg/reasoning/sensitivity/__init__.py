"""Sensitivity: an answer with other edges, qualities, settings or rules, and with new studies.

Or with one statement held true or false.
"""
