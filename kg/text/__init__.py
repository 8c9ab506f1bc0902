"""Helpers for plain text: similar names, merge conflicts, plurals, figures, what can be printed."""
