"""Requested changes of notes: made, checked, shown as a diff, and written atomically."""
