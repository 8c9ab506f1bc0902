"""Sensitivity: an answer with other edges, grades, settings or rules, and with new studies."""
