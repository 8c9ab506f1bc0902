"""The corpus with its strengths elsewhere: a networkx graph, a store of RDF, in memory or not."""
