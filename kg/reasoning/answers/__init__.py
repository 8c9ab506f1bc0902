"""Questions about a line or a statement, one module a question."""
