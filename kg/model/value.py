"""The base of every record: frozen, compared by content, cheap to make by the hundred thousand."""

from __future__ import annotations

import msgspec

StatementId = str
SourceKey = str
LineId = str
EdgeId = str
CampId = str


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that never changes after it is made."""
