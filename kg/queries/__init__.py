"""Queries: questions to a corpus, answered with the edges that justify the answer."""
