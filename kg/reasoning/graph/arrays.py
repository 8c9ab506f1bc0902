"""Array helpers shared by the modules that compute strengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kg.reachability import Reachability

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# Arcs up to which a walk in Python takes less time than loading scipy (`strong_components`).
MAX_ARCS_WALKED = 20_000
# 2⁶⁰ divided by the golden ratio, odd: spreads adjacent keys far apart (Fibonacci hashing).
HASH_MULTIPLIER = np.int64(0x9E3779B97F4A7C1)
MAX_LOG_ODDS = 700.0  # bound on log-odds, so that e to their power does not overflow a double
STABLE_DIGITS = 9  # decimal places that do not depend on the order of summation
ROUNDING = 1e-9  # strengths, shares, nats and settings that differ by less count as equal
Array = TypeVar("Array", Floats, Ints, Bools)


def run_of_each(starts: Ints, total: int) -> Ints:
    """Return for each of `total` items the number of the run that contains it."""
    return np.asarray(np.repeat(np.arange(len(starts)), np.diff(np.append(starts, total))))


def align_axes(column: Array, other: NDArray[Any]) -> Array:
    """`column` with an axis added where `other` holds many scenarios side by side."""
    return column[:, None] if other.ndim == 2 and column.ndim == 1 else column


def positions_in_runs(starts: Ints, rows: Ints) -> Ints:
    """Positions starts[r] … starts[r + 1] - 1 of all `rows`, one run after the other."""
    lengths = starts[rows + 1] - starts[rows]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(starts[rows] - (ends - lengths), lengths))


def range_positions(first: Ints, count: Ints) -> Ints:
    """first[k] … first[k] + count[k] - 1 for every k, one run after the other."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(first - (ends - count), count))


def sorted_runs(keys: Ints, size: int) -> tuple[Ints, Ints]:
    """Positions sorted by key (stable), and where each key's run begins (`size` + 1)."""
    # of numbers of 16 bits numpy's stable sort is a radix sort: linear, and as fast as any
    order = np.argsort((keys & 0xFFFF).astype(np.uint16), kind="stable")
    if size > 1 << 16:
        order = order[np.argsort((keys >> 16).astype(np.uint16)[order], kind="stable")]
    return order, np.append(0, np.cumsum(np.bincount(keys, minlength=size)))


def mark_reached(front: Ints, size: int, next_nodes: Callable[[Ints], Ints]) -> Bools:
    """A mask of `size` nodes: those of `front`, and all that steps lead to from these."""
    is_reached = np.zeros(size, dtype=bool)
    while len(front):
        is_reached[front] = True
        following = next_nodes(front)
        front = np.unique(following[~is_reached[following]])
    return is_reached


def strong_components(tails: Ints, heads: Ints, size: int) -> tuple[int, Ints]:
    """The number of strongly connected components of a directed graph with `size` nodes, and the
    component of each node; they are numbered by their first nodes.
    """
    if len(tails) <= MAX_ARCS_WALKED:
        component_of_node = _walk_components(tails, heads, size)
    else:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        table = csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(size, size))
        _, labels = connected_components(table, directed=True, connection="strong")
        component_of_node = labels.astype(np.int64)
    _, first_node, label = np.unique(component_of_node, return_index=True, return_inverse=True)
    rank_of_label = np.argsort(np.argsort(first_node))  # the second sort turns an order into ranks
    return len(first_node), rank_of_label[label]


def _walk_components(tails: Ints, heads: Ints, size: int) -> Ints:
    """The least node of each node's strongly connected component."""
    order, starts = sorted_runs(tails, size)
    ahead = heads[order].tolist()
    ends = starts.tolist()
    graph = Reachability(range(size), lambda node: ahead[ends[node] : ends[node + 1]])
    component_of_node = np.arange(size)
    for circle in graph.circles():
        component_of_node[list(circle)] = min(circle)
    return component_of_node


def run_starts(keys: Ints) -> Ints:
    """Return where runs of equal keys begin."""
    is_start = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_start[1:])
    return np.flatnonzero(is_start)


def release_ready_nodes(waiting: Ints, is_left: Bools, arrivals: Ints) -> Ints:
    """Kahn's step: decrement `waiting` once per entry of `arrivals`, and return the nodes in
    `is_left` that wait for nothing more.
    """
    # counting over all nodes costs less than sorting, once a sixteenth of them is reached
    if len(arrivals) > len(is_left) // 16:
        waiting -= np.bincount(arrivals, minlength=len(is_left))
        return np.flatnonzero(is_left & (waiting == 0))
    unique, counts = np.unique(arrivals, return_counts=True)
    waiting[unique] -= counts
    return np.asarray(unique[waiting[unique] == 0])


def mark_first_extremes(items: Floats, starts: Ints, owner: Ints) -> Bools:
    """Marks the first largest positive and the first smallest negative item of each run.

    `owner` is the run of each item, as `run_of_each` gives it.
    """
    best = np.maximum.reduceat(items, starts, axis=0)[owner]
    worst = np.minimum.reduceat(items, starts, axis=0)[owner]
    is_best = mark_first_of_runs((items > 0.0) & (items == best), starts, owner)
    return is_best | mark_first_of_runs((items < 0.0) & (items == worst), starts, owner)


def mark_first_of_runs(marks: Bools, starts: Ints, owner: Ints) -> Bools:
    """Keeps the first mark of each run; `owner` is the run of each."""
    if np.count_nonzero(marks) == np.count_nonzero(np.logical_or.reduceat(marks, starts, axis=0)):
        return marks  # one in each run at most, as nearly always
    # a running count over all runs, minus its value where each begins
    count: Ints = np.cumsum(marks, axis=0)
    count_before = count[starts] - marks[starts]
    return np.asarray(marks & (count - count_before[owner] == 1))


def mark_repeated(keys: Ints) -> Bools:
    """Marks the keys that occur more than once."""
    # hashing first leaves few keys to sort, which costs a third of sorting them all
    bits = max(4 * len(keys), 16).bit_length()
    # the low bits of a product follow from those of the keys alone; the higher ones mix all
    bucket = ((keys * HASH_MULTIPLIER) >> 17) & ((1 << bits) - 1)
    is_repeated = np.bincount(bucket, minlength=1 << bits)[bucket] > 1
    likely = np.flatnonzero(is_repeated)
    order = likely[np.argsort(keys[likely])]
    same = np.flatnonzero(np.diff(keys[order]) == 0)
    is_repeated[:] = False
    is_repeated[order[same]] = True
    is_repeated[order[same + 1]] = True
    return np.asarray(is_repeated)


def logit(p: float) -> float:
    """Log-odds; infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return float(np.log(p) - np.log1p(-p))


def bounded_logit(p: Floats) -> Floats:
    """Log-odds, clipped to ±`MAX_LOG_ODDS`."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(np.log(p) - np.log1p(-p), -MAX_LOG_ODDS, MAX_LOG_ODDS))


def round_off_or_none(value: float | np.floating[Any]) -> float | None:
    """`value` rounded so that the order of summation does not show; `None` for NaN."""
    return None if np.isnan(value) else round(float(value), STABLE_DIGITS) + 0.0


def round_off(value: float | np.floating[Any]) -> float:
    """`value` rounded so that the order of summation does not show."""
    return round(float(value), STABLE_DIGITS) + 0.0


def effective_source_counts(totals: Floats, squares: Floats) -> Floats:
    """Return (Σ m)² / Σ m² of each statement, from the sums of m and of m²; 0 where no source has a
    part.
    """
    return np.divide(totals**2, squares, out=np.zeros(len(totals)), where=squares > 0.0)


def effective_sources(mass: Floats) -> float:
    """The effective number of sources, (Σ m)² / Σ m²; 0 if none has a part."""
    sums = (values.sum(keepdims=True) for values in (mass, mass * mass))
    return float(effective_source_counts(*sums)[0])
