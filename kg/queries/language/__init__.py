"""How a question is put: builders in Python, words, and short text."""
