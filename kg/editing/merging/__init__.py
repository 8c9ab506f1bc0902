"""Two things that are one: notes, sources or topics, made one."""
