"""How all tests run: examples drawn, a cache of their own, garbage, Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import engine

from tests.support.effort import TIMES
from tests.support.short_repr import print_corpora_in_short

# Read when numpy is loaded, which is later: its threads wait for each other by counting, and
# workers share the cores. To encode texts took four times as much of them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# a machine that is busy with something else is no reason to fail
settings.register_profile(
    "kg",
    deadline=None,
    max_examples=int(15 * TIMES),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kg")
print_corpora_in_short()

# A smaller example is looked for while `faulthandler_timeout` lets the worker live: it ended one
# after two of five minutes, and no example was told.
engine.MAX_SHRINKING_SECONDS = 45

os.environ.setdefault("MPLBACKEND", "Agg")  # plots open no window

# What was imported and collected stays to the end; to look through it again and again for garbage
# took 5 of 69 seconds.
gc.set_threshold(20_000, 20, 100)

# A shell ignores Ctrl-C for what it starts in the background, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests leave behind is remembered for them alone, in their processes too.

    Each file of tests has its own: a new folder of a corpus looks through all that are there.
    """
    os.environ["KG_CACHE_DIR"] = str(tmp_path_factory.mktemp("remembered"))
