"""Move part of a note: a section, a callout, or the whole into another note."""
