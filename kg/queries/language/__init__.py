"""The language of questions; nothing here looks anything up.

- `selection` has what every question can do: be narrowed, joined with others, counted, grouped.
- `builders` has the starts (`claims()`, `sources()`) and their methods in Python.
- `query_words` is the table of words, each the name of one of these methods.
- `parse_query` reads a question as text, by that table.
"""
