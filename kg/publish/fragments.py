"""Pieces of HTML that several pages share, made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from kg.publish.html import Html

MOST = 8_192


class Fragments:
    """Keeps pieces of HTML, and what was read to make each.

    Every page that shows a piece has read that too: `log` gains it whenever a piece is given out.
    """

    def __init__(self) -> None:
        self.log: list[int] = []
        self._kept: dict[Hashable, tuple[Html, tuple[int, ...]]] = {}

    def once(self, key: Hashable, make: Callable[[], Html]) -> Html:
        """The piece under `key`, made where it is not at hand."""
        found = self._kept.get(key)
        if found is not None:
            self.log += found[1]
            return found[0]
        start = len(self.log)
        html = make()
        if len(self._kept) >= MOST:
            self._kept.clear()
        self._kept[key] = html, tuple(set(self.log[start:]))
        return html
