"""Serve the site while notes are being written: watch, rebuild, serve."""
