"""Other shapes of a corpus, made from it on demand and never edited."""
