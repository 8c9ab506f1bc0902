"""The search index of the site: stemmed words, in files that a browser loads on demand."""
