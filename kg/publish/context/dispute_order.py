"""The order of disputed claims, for their page and the table of statements."""

from __future__ import annotations

from kg.corpus.same_and_superseded import superseded_statements
from kg.model import StatementId
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import Standing

_CLEAR_STEPS = 2  # of sureness: “perhaps” is one from “undecided”, “probably” two


def most_disputed(context: SiteContext) -> list[StatementId]:
    """The claims with heavy reasons on both sides and no clear answer, the most disputed first; not
    those that are superseded.
    """
    tensions = context.standings.tensions
    superseded_ids = superseded_statements(context.corpus)
    disputes = {
        each.statement: how_disputed(context.standings.of(each.statement))
        for each in (tensions.conflicts if tensions else ())
        if each.statement not in superseded_ids
    }
    return sorted(filter(disputes.get, disputes), key=lambda id: -disputes[id])


def how_disputed(standing: Standing) -> float:
    """The weight of a claim's lighter side, times how near it comes to the heavier; 0 if its answer
    is “probably” or surer.
    """
    if abs(standing.sureness_steps) >= _CLEAR_STEPS or not (standing.pro and standing.con):
        return 0.0
    return min(standing.pro, standing.con) ** 2 / max(standing.pro, standing.con)
