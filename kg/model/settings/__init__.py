"""`kg.toml`: its tables as settings, with a default for every key."""
