"""Changes of notes that people ask for: found, checked, shown as a diff, and written whole."""
