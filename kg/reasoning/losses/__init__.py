"""Losses: what is left of an answer without some of its evidence or sources."""
