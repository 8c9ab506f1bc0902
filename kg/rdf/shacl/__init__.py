"""SHACL validation of a graph, evaluated on whole columns of triples at once."""
