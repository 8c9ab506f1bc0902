"""Texts of whatever characters a file in UTF-8 can hold."""

from __future__ import annotations

from hypothesis import strategies as st


def any_text(min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    """As `st.text`, whose own list of these characters takes a process two seconds to make."""
    characters = st.characters(exclude_categories=["Cs"])
    return st.text(characters, min_size=min_size, max_size=max_size)
