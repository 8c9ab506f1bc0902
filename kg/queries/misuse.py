"""Questions that cannot be asked."""

from __future__ import annotations


class Misuse(Exception):
    """A question that cannot be asked as it stands; the message says why and what would do."""
