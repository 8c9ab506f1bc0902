"""Scenarios of a graph, many at once."""

from __future__ import annotations

from dataclasses import dataclass

from kg.reasoning.arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class Columns:
    """Scenarios side by side, one per column: what each changes in a graph.

    `base` (statements × count) replaces base scores, `w` (arcs × count) weights; `voice`
    (statements × count) multiplies what a statement passes on, so 0 mutes it; where `fixed`
    is true the strength is `value` whatever bears on the statement; `gain` and `repeat` (count)
    replace those settings where sources are followed along their routes, and `part` (as long as
    the graph's `unit_part`, × count) the parts that sources have. `None` changes nothing.
    """

    count: int
    base: Floats | None = None
    voice: Floats | None = None
    fixed: Bools | None = None
    value: Floats | None = None
    w: Floats | None = None
    gain: Floats | None = None
    repeat: Floats | None = None
    part: Floats | None = None
