"""Plain text, whatever it is about: misspelled names, merge conflicts, figures in words."""
