"""Notes that were not written for `kg`, read by `[map]` of its settings and left as they are."""
