"""Pages for readers: what to show is decided in `pages`, how it becomes files in `build`."""
