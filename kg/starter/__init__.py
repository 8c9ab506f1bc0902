"""The corpus that `kg init` writes, and what writes it."""
