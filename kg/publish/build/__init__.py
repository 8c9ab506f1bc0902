"""The build: which pages to render again, the theme they are put in, and writing the files."""
