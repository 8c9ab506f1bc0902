"""The answer of a line, its robustness, and how it was computed."""
