"""What a server may answer, as the environment sets it."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping
from typing import NamedTuple

from kg.model.errors import KgError
from kg.model.value import printable


class EndpointError(KgError, RuntimeError):
    """A server that cannot be used as asked; the message says why and what to do."""


class Limits(NamedTuple):
    """What ends the reading of an answer. `KG_ENDPOINT_SECONDS` sets the first, and so on."""

    seconds: float = 600  # from a request to the end of its answer
    bytes: int = 256 * 1024 * 1024  # far more than a page of a pull
    rows: int = 100_000_000  # of all pages of a question together
    pages: int = 100_000  # of a question
    depth: int = 500  # triples in triples: nested by the thousand, they would end the program


USUAL = Limits()
LARGEST = 10**15 - 1
MOST = Limits(threading.TIMEOUT_MAX, LARGEST, LARGEST, LARGEST, depth=1_000)


def variable_of(limit: str) -> str:
    """The variable of the environment that sets a limit."""
    return f"KG_ENDPOINT_{limit.upper()}"


def limits_of(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits as the environment sets them. Raises `EndpointError`."""
    said = {limit: environment.get(variable_of(limit), "").strip() for limit in Limits._fields}
    return Limits(**{limit: _parse(limit, text) for limit, text in said.items() if text})


def _parse(limit: str, said: str) -> int:
    most = int(getattr(MOST, limit))
    if re.fullmatch("0*[1-9][0-9]{0,14}", said) and int(said) <= most:
        return int(said)
    wrong = f"{variable_of(limit)} is no whole number from 1 to {most:,}"
    raise EndpointError(f"{wrong}: {printable(said[:40])}")
