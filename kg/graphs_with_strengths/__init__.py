"""The corpus with its strengths as other libraries hold it: a networkx graph, a store of RDF."""
