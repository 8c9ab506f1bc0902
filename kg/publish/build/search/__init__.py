"""The search index of the site: words cut to stems, files that a browser asks for."""
