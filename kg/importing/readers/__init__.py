"""Readers of other formats, a module each: files in, future notes out; none writes anywhere."""
