"""Two states of a corpus compared: what changed, which answers moved, answers of earlier days.

    two states ─ match_records ─▶ pairs of ids ─ find_changes ─▶ Changes ─ change_summary ─▶ pages
                                                     │
    kg/reasoning (of each state) ─▶ moved_answers ───┘ ─ move_causes ─▶ why their reasons moved

- `revision` loads the corpus of a commit, `past_answers` follows the answers from commit to commit.
- `match_records` tells which statement and edge of one state is which of the other.
- `find_changes` finds what differs; `changes` is what it returns, `change_summary` that in short.
- A `MovedAnswer` is a line's answer in two states, its `MovedReason`s are those that moved it, and
  a `MoveCause` is what happened at or beneath such a reason.
- `corpus_comparison` compares two corpora, neither of which need be older.
"""
