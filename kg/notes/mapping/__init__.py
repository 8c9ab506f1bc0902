"""Read notes that were not written for `kg`, by `[map]` in its settings, without changing them."""
