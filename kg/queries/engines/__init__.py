"""The engines that run a question: the corpus in memory, or SPARQL, with the same answer.

- `engine` says what an engine can do, resolves names for all, and has the one in memory.
- `sparql_engine` asks a store or a server, in the SPARQL that `compile_query` writes.
- `shown_values` reads from any engine the values by which results are shown, sorted and grouped.
"""
