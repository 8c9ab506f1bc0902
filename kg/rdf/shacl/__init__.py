"""SHACL: what shapes find wrong with a graph, asked of whole columns of triples at once."""
