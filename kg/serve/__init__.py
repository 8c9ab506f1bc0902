"""Serve the site while notes are being written: watch, rebuild, serve."""

DEFAULT_PORT = 8000  # where `kg serve` serves, if no other port is named
