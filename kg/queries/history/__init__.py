"""The corpus at other revisions: differences, changed verdicts, past answers.

- `revision` loads the corpus of a commit.
- `match_records` tells which statement and edge of one state is which of the other.
- `find_changes` finds what differs between two states; `changes` is what it returns.
- `change_summary` shortens the changes for readers, so that they can be cached.
- `moved_answers` compares the answers of two states; `move_causes` says why a reason in them weighs
  more or less.
- `past_answers` follows the answers from commit to commit.
- `corpus_comparison` compares two corpora, neither of which need be older.
"""
