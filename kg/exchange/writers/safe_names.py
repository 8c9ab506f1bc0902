"""Names that a format can hold, for ids and keys that it cannot."""

from __future__ import annotations

import re
from collections.abc import Collection


def assign_safe_names(names: Collection[str], bad: re.Pattern[str]) -> dict[str, str]:
    """A name for each: itself where nothing in it is bad, else one with `_` that no other has."""
    found: dict[str, str] = {}
    taken = {name for name in names if not bad.search(name)}
    for name in names:
        made = found[name] = name if name in taken else bad.sub("_", name)
        number = 1
        while made != name and found[name] in taken:
            number += 1
            found[name] = f"{made}-{number}"
        taken.add(found[name])
    return found
