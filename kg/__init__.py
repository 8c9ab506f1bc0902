"""Markdown notes that argue, as a knowledge graph of claims and sources."""
