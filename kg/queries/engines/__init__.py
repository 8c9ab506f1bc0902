"""Engines that run selections: the corpus in memory, a store, or a server."""
