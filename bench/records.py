"""What a record costs: msgspec structs beside pydantic models, made the same way."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

import msgspec
from pydantic import BaseModel, ConfigDict

COUNT = 50_000
ROUNDS = 7


class Struct(msgspec.Struct, frozen=True, kw_only=True):
    """An edge as a struct."""

    id: str
    origin: str
    relation: str
    target: str
    reason: str = ""
    nested: bool = False


class Model(BaseModel):
    """The same edge as a model."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    origin: str
    relation: str
    target: str
    reason: str = ""
    nested: bool = False


def median_seconds(make: Callable[..., object]) -> float:
    """Median time to make and keep COUNT records."""
    times = []
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        start = time.process_time()
        kept = [
            make(id=str(n), origin="a", relation="supports", target="b", reason="r")
            for n in range(COUNT)
        ]
        times.append(time.process_time() - start)
        gc.enable()
        del kept
    return statistics.median(times)


if __name__ == "__main__":
    struct, model = median_seconds(Struct), median_seconds(Model)
    print(f"a pydantic model costs {model / struct:.1f} times a msgspec struct")
