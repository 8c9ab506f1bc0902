"""The bill of reasons: a row for each of weight, and what each side comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.model import Relation, StatementId, Value
from kg.model.wording import many
from kg.reasoning.report import Reason

LEAST = 0.005
"""The share from which a reason has a row of its own."""


class Balance(Value, frozen=True, omit_defaults=False):
    """What is weighed, in nats: reasons for, reasons against, their sum, and how even they are.

    `conflict` is 2 · min(pro, con) / (pro + con): 0 where nobody objects, 1 at a tie.
    """

    pro: float
    con: float
    volume: float
    conflict: float


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the bill: the nats that a reason adds; `None` stands for `lighter` reasons that
    share a row.
    """

    nats: float
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
        return _signed(self.nats)


@dataclass(frozen=True, slots=True)
class Bill:
    """The reasons for and against, heaviest first, and the statements that are linked to the
    answer but add nothing directly.
    """

    pro: tuple[Item, ...]
    con: tuple[Item, ...]
    idle: tuple[StatementId, ...]
    balance: Balance

    def total(self, side: int) -> str:
        """What one side (1 for, -1 against) comes to."""
        return _signed(self.balance.pro if side > 0 else -self.balance.con)

    def is_rounded(self, side: int) -> bool:
        """Whether the rows of a side, as printed, come to something else than its total."""
        printed = sum(round(item.nats, 2) for item in (self.pro if side > 0 else self.con))
        return _signed(printed) != self.total(side) and bool(printed)


def _signed(nats: float) -> str:
    return f"{nats:+.2f}".replace("-", "−")


def bill_items(
    reasons: Sequence[Reason], shown: int
) -> tuple[tuple[Item, ...], tuple[StatementId, ...]]:
    """The rows of one side, and the statements too light for any."""
    own = [reason for reason in reasons if abs(reason.share) >= LEAST][:shown]
    rest = reasons[len(own) :]
    left = sum(reason.share for reason in rest)
    items = [Item(reason.share, reason) for reason in own]
    if abs(left) < LEAST:
        return tuple(items), tuple(reason.statement for reason in rest)
    return (*items, Item(left, None, len(rest))), ()


def limited(reasons: Sequence[Reason], side: int) -> str:
    """That nothing contradicts what comes out as refuted, as a sentence more."""
    against = [reason for reason in reasons if reason.share <= -LEAST]
    if side >= 0 or any(reason.relation is not Relation.QUALIFIES for reason in against):
        return ""
    return (
        " Nothing contradicts it: all that speaks against it qualifies it, so it may still hold "
        "within limits."
    )
