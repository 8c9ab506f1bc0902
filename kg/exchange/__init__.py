"""The corpus in other formats, and on other engines."""
