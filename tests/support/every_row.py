"""A table of rows as one test: pytest takes longer for a case than most rows do."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def every_row(
    names: str | tuple[str, ...], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one case that tells each row that fails.

    Each row has a `tmp_path`, a `monkeypatch` and the output of `capsys` to itself. Other fixtures
    are shared: not for tests that alter one.
    """
    several = isinstance(names, tuple)
    table = [row if several else (row,) for row in rows]
    assert table, "a test of no rows cannot fail"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        columns = names if isinstance(names, tuple) else (names,)

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for number, row in enumerate(table):
                try:
                    with _fixtures_of_row(fixtures, number) as own:
                        test(**dict(zip(columns, row, strict=True)), **own)
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"row: {row if several else row[0]!r}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} rows", failures)

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in columns]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate


@contextmanager
def _fixtures_of_row(fixtures: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = own["tmp_path"] / f"row{number}"
        own["tmp_path"].mkdir()
    if "capsys" in own:
        own["capsys"].readouterr()
    if "monkeypatch" not in own:
        yield own
        return
    with own["monkeypatch"].context() as own["monkeypatch"]:
        yield own
