"""Notes that were not written for `kg`, read by `[map]` of its settings and left as they are."""

__all__ = [
    "mapped_note",
    "note_links",
    "proposal",
]
