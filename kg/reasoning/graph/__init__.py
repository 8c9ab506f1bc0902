"""The corpus as a graph of numbers: statements are nodes, edges arcs, in arrays."""
