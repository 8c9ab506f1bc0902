"""Names: those that links may lead to, and those by which a question names a record."""
