"""The site while notes are being written: watch, rebuild, show."""
