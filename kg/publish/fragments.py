"""Pieces of HTML that several pages share, made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from kg.publish.html import Html

ROOM = 8_000_000  # more is hardly faster, and takes as much more memory
_Piece: TypeAlias = tuple[Html, tuple[int, ...]]


class Fragments:
    """Keeps pieces of HTML, and what was read to make each.

    Every page that shows a piece has read that too: `log` gains it whenever a piece is given out.
    Pieces live in two generations of at most `ROOM` characters: when the young one is full it
    becomes the old one, and what nobody asked for since the last time is dropped.
    """

    def __init__(self) -> None:
        self.log: list[int] = []
        self._young: dict[Hashable, _Piece] = {}
        self._old: dict[Hashable, _Piece] = {}
        self._room = ROOM

    def once(self, key: Hashable, make: Callable[..., Html], *given: object) -> Html:
        """The piece under `key`, made of what is `given` where it is not at hand."""
        piece = self._young.get(key)
        if piece is None:
            piece = self._old.get(key)
            if piece is None:
                start = len(self.log)
                html = make(*given)
                self._keep(key, (html, tuple(set(self.log[start:]))))
                return html
            self._keep(key, piece)
        self.log += piece[1]
        return piece[0]

    def _keep(self, key: Hashable, piece: _Piece) -> None:
        self._room -= len(piece[0])
        if self._room < 0:
            self._young, self._old = {}, self._young
            self._room = ROOM - len(piece[0])
        self._young[key] = piece
