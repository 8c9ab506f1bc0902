"""Questions as values: a `Query` of conditions on fields and on related records.

- `condition` and `related_records` have the conditions: each says itself in words, and finds ids in
  memory or makes a pattern of SPARQL.
- `fields` is the table of fields (`field_types` says what one is, `value_ranges` reads `100..`).
- `corpus_index` and `link_index` answer conditions in memory, `sparql_patterns` writes SPARQL.
- `inherited_conditions` asks claims through their evidence, and evidence through its claims.
- `ordering` sorts what was found.
"""
