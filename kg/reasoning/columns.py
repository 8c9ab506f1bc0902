"""Scenarios of a graph, many at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kg.reasoning.arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class Columns:
    """Scenarios side by side, one per column: what each changes in a graph.

    `base` (statements × count) replaces base scores, `w` (arcs × count) weights; `voice`
    (statements × count) multiplies what a statement passes on, so 0 mutes it; where `fixed`
    is true the strength is `value` whatever bears on the statement. `None` changes nothing.
    """

    count: int
    base: Floats | None = None
    voice: Floats | None = None
    fixed: Bools | None = None
    value: Floats | None = None
    w: Floats | None = None

    def cut(self, first: int, last: int) -> Columns:
        """The scenarios `first` … `last` - 1."""
        parts = {
            name: None if array is None else array[:, first:last]
            for name in ("base", "voice", "fixed", "value", "w")
            for array in (getattr(self, name),)
        }
        return replace(self, count=min(last, self.count) - first, **parts)
