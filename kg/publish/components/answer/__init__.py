"""The answer of a line, how firm it is, and how it was computed."""
