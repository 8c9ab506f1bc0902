"""The query language: builders in Python, words, and short text."""
