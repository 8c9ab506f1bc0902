"""SPARQL servers: asked like the corpus, and given it graph by graph."""
