"""The static site: `pages` decides what to show, `build` turns it into files."""
