"""The theme that pages are put into: its shell, cut at the places that they fill."""
