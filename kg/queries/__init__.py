"""Queries: questions to a corpus, answered with the edges that justify the answer."""

REVIEW_PERIOD_MONTHS = 12  # how long a review is valid, unless a reader asks otherwise
