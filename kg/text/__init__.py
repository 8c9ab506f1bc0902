"""Helpers for plain text: misspelled names, merge conflicts, search, figures in words."""
