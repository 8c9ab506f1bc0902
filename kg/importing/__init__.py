"""Import data of other programs as new notes, drafted as a change."""
