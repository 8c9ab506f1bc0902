"""The bill of reasons: rows that add up to the sums as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kg.model import StatementId
from kg.model.wording import many
from kg.reasoning.report import Reason

LEAST = 0.005
"""The share from which a reason has a row of its own."""


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the bill: what a reason adds, in hundredths of a nat; `None` stands for `lighter`
    reasons that share a row.
    """

    hundredths: int
    reason: Reason | None
    lighter: int = 0

    @property
    def title(self) -> str:
        """What the row is called."""
        if self.reason is None:
            return many(self.lighter, "lighter reason")
        together = self.reason.together
        return self.reason.words + (f" (together with {', '.join(together)})" if together else "")

    @property
    def statement(self) -> StatementId:
        """The id of the reason; empty where there is no single one."""
        return self.reason.statement if self.reason else ""

    @property
    def share(self) -> str:
        """What it adds, with its sign."""
        return _signed(self.hundredths)


@dataclass(frozen=True, slots=True)
class Bill:
    """The reasons for and against, heaviest first, whose rows add up to the sums as printed, and
    the statements that are linked to the answer but move nothing.
    """

    pro: tuple[Item, ...]
    con: tuple[Item, ...]
    idle: tuple[StatementId, ...]

    @staticmethod
    def total(items: Sequence[Item]) -> str:
        """What one side adds up to."""
        return _signed(sum(item.hundredths for item in items))


def _signed(count: int) -> str:
    return f"{count / 100:+.2f}".replace("-", "−")


def bill_items(
    reasons: Sequence[Reason], total: float, shown: int
) -> tuple[tuple[Item, ...], tuple[StatementId, ...]]:
    """The rows of one side, and the statements too light for any."""
    own = [reason for reason in reasons if abs(reason.share) >= LEAST][:shown]
    rest = reasons[len(own) :]
    left = sum(reason.share for reason in rest)
    shares = [reason.share for reason in own]
    if abs(left) >= LEAST:
        shares.append(left)
    rounded = hundredths(shares, total)
    items = [Item(n, reason) for n, reason in zip(rounded, own, strict=False)]
    if abs(left) < LEAST:
        return tuple(items), tuple(reason.statement for reason in rest)
    return (*items, Item(rounded[-1], None, len(rest))), ()


def hundredths(shares: Sequence[float], total: float) -> list[int]:
    """Shares of one sign in hundredths that add up to those of `total`; none is off by one."""
    sizes = [abs(share) * 100 for share in shares]
    found = [math.floor(size) for size in sizes]
    missing = round(abs(total) * 100) - sum(found)
    for k in sorted(range(len(sizes)), key=lambda k: (found[k] - sizes[k], k))[: max(missing, 0)]:
        found[k] += 1
    return [-n if total < 0.0 else n for n in found]
