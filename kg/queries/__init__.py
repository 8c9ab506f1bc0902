"""Questions to a corpus, each a module of its own, answered with the edges that justify the answer.

What is asked of `kg find` may be anything, and passes through four folders:

    claims method:survey "next turn"    text, or `claims().method("survey")` in Python
      │  language/      reads it: words, brackets, what is sought
      ▼
    Selection → Query                   of conditions, which are values that run nowhere yet
      │  conditions/    what each condition means: in words, in memory, in SPARQL
      ▼
    Engine.resolve, find_ids            names become ids, conditions become ids of records
      │  engines/       the corpus in memory, or a SPARQL engine that holds it
      ▼
    FoundRecords                        the records, the edges behind them, why there are none
         results/       and how these are shown: table, frame, notebook

`find` puts the four together. All other modules answer one question each, straight from the corpus:
`reason_trees` (`kg why`), `shortest_path`, `timeline`, `comparison`, `line_scope`, `review`,
`search_text` with `search_query` and `search_documents`. `support_groups` counts the independent
evidence beneath a statement, for all of them.
"""

REVIEW_PERIOD_MONTHS = 12  # how long a review is valid, unless a reader asks otherwise
