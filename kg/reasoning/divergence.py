"""How far two distributions of labels are apart."""

from __future__ import annotations

import numpy as np

from kg.reasoning.arrays import Floats


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """Jensen-Shannon divergence of rows, in bits, 0 to 1."""
    middle = (p + q) / 2.0
    return np.asarray(np.maximum((_relative(p, middle) + _relative(q, middle)) / 2.0, 0.0))


def _relative(p: Floats, q: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p > 0.0, p * np.log2(p / q), 0.0).sum(axis=-1))
