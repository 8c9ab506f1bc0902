"""The results of a question, and the forms in which they are shown.

- `found_records` is the sequence of records found; `edges_behind` are the edges that justify it.
- `counts_and_summaries` has numbers by group, `explain_empty` the reason for finding nothing.
- `tables` makes columns and cells of records, `notebook` their HTML; `edge_drawing` draws edges.
- `reported_result` is the base of the results of other modules (`kg compare`, `kg why --by-year`).
"""
