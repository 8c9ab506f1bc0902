"""What every page is made with: its builder, and what all pages of a corpus share."""

__all__ = [
    "site_context",
    "strengths",
]
