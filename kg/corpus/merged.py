"""A source that is told of in two places, a bibliography and a note."""

from __future__ import annotations

import msgspec

from kg.model import Source


def titled(source: Source) -> Source:
    """The source, which has no title, called by its key."""
    return msgspec.structs.replace(source, title=source.key)


def merged(entry: Source, note: Source) -> Source:
    """A bibliography entry with what its note says laid over it."""
    said = {
        name: value
        for name in note.__struct_fields__
        if name not in {"key", "type", "entry", "title"}
        and (value := getattr(note, name)) not in ((), "", None, {})
    }
    return msgspec.structs.replace(entry, **said)
