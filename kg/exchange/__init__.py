"""The corpus in other formats."""
