"""What answers a selection: the corpus in memory, a store, or a server."""
