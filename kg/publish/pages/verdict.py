"""The verdict on a line in words and meters, how it was computed, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kg.model import InquiryLine
from kg.publish.html import EMPTY, Child, Html, element
from kg.publish.pages.evidence import table
from kg.publish.pages.meter import standing_line
from kg.publish.pages.sheet import Sheet
from kg.publish.words import count

if TYPE_CHECKING:
    from kg.reasoning.flips import Flip, Flips
    from kg.reasoning.independence import SourceEffect
    from kg.reasoning.verdict import CampView, Verdict

_SCALE = 600
_REASONS = 8

CAVEAT = (
    "Strength says how far this corpus backs a statement, from 0 to 1. It is not a "
    "probability of truth, and not a vote."
)


# -- lines ---------------------------------------------------------------------------------


def line_verdict(sheet: Sheet, line: InquiryLine) -> Html | None:
    """The answer of a line: word, meter, who sees it how, and how that was computed."""
    if line.proposition is None:
        return None
    found = sheet.press.scales.verdict(line.id)
    weighed = element(
        "p",
        element("span", "What is weighed: ", class_="kg-label"),
        sheet.statement(line.proposition),
        class_="kg-weighed",
    )
    if found is None:
        return element("div", standing_line(sheet, line.proposition), weighed, class_="kg-verdict")
    strength = f"{found.strength:.2f}" if found.strength is not None else "–"
    return element(
        "div",
        element(
            "p",
            element("strong", found.word.capitalize()),
            element("span", f" strength {strength}", class_="kg-small"),
            class_="kg-verdict-words",
        ),
        weighed,
        _balance(sheet, found),
        _scale(sheet, found),
        _flags(found),
        _computed(sheet, found),
        class_="kg-verdict",
    )


def _balance(sheet: Sheet, found: Verdict) -> Html:
    """Graded weight on either side, as one bar."""
    total = found.balance.volume or 1.0
    wide = _SCALE * found.balance.pro / total
    pro, con = _sides(sheet, found.camps)
    gap = 2 if found.balance.pro and found.balance.con else 0
    said = f"Weight of the reasons: {found.balance.pro:.2f} for, {found.balance.con:.2f} against"
    drawn = element(
        "svg",
        element("title", said),
        element(
            "rect",
            x=0,
            y=0,
            width=f"{max(0.0, wide - gap):.1f}",
            height=12,
            class_=f"kg-weight {pro}",
        ),
        element(
            "rect",
            x=f"{wide:.1f}",
            y=0,
            width=f"{_SCALE - wide:.1f}",
            height=12,
            class_=f"kg-weight {con}",
        ),
        viewBox=f"0 0 {_SCALE} 12",
        preserveAspectRatio="none",
        role="img",
        class_="kg-balance",
    )
    ends = element(
        "p",
        element(
            "span", f"for {found.balance.pro:.2f} ({found.balance.pro / total:.0%})", class_=pro
        ),
        element(
            "span", f"against {found.balance.con:.2f} ({found.balance.con / total:.0%})", class_=con
        ),
        class_="kg-ends",
    )
    return element("div", drawn, ends)


def _sides(sheet: Sheet, views: Iterable[CampView]) -> tuple[str, str]:
    """The colours of the camps that argue for and against."""
    classes = {view.side: sheet.chips.camp_class(view.camp) for view in views}
    return classes.get(1, "kg-camp-none"), classes.get(-1, "kg-camp-none")


def _scale(sheet: Sheet, found: Verdict) -> Html:
    """Where each camp alone would see the answer, and what it rests on."""
    marks: list[Child] = [
        element(
            "li",
            sheet.chips.camp(view.camp, sheet.root),
            f" alone: {view.strength:.2f}",
            element("span", f" from {count(view.statements, 'statement')}", class_="kg-small"),
        )
        for view in found.camps
        if view.strength is not None
    ]
    sources = element(
        "li", f"worth {found.effective_sources:.1f} equal independent sources, of {found.sources}"
    )
    undone = (
        element(
            "li",
            f"{count(found.fail_safe, 'flawless contrary study', 'flawless contrary studies')} "
            f"would undo it",
        )
        if found.fail_safe
        else None
    )
    return element("ul", *marks, sources, undone, class_="kg-facts kg-views")


def _flags(found: Verdict) -> Html | None:
    words = []
    if found.depends_on_semantics:
        words.append("Other semantics come out on the other side.")
    if found.depends_on_grounded:
        words.append(f"As a plain argument graph: {found.grounded_says}.")
    if found.feedback_sensitive:
        words.append("The number depends on how circles of reasons are counted.")
    if found.unsupported > 0.2:
        words.append(
            f"{found.unsupported:.0%} of the weight comes from claims that no evidence supports."
        )
    return element("p", " ".join(words), class_="kg-caution") if words else None


def _computed(sheet: Sheet, found: Verdict) -> Html:
    """The reasons that add up to the verdict, and the other ways of weighing it."""
    rows: list[list[Child]] = [
        [
            element("th", sheet.statement(reason.statement), scope="row"),
            "–" if reason.strength is None else f"{reason.strength:.2f}",
            f"{reason.weight:+.2f}",
            f"{reason.share:+.2f}",
        ]
        for reason in found.reasons[:_REASONS]
    ]
    rest = len(found.reasons) - len(rows)
    names = {"qe": "quadratic energy", "dfquad": "DF-QuAD", "logistic": "logistic"}
    others = ", ".join(
        f"{names.get(name, name)} {value:.2f}"
        for name, value in found.others.items()
        if value is not None
    )
    settings = found.asked.parameters
    proof = found.asked.certificate
    return element(
        "details",
        element("summary", "How is this computed?"),
        element("p", CAVEAT),
        element(
            "p",
            f"It starts at {found.base:.2f}, which says nothing either way. Each reason passes "
            f"on what it has earned above that, times its weight; "
            "the shares below add up in log-odds. Pieces of evidence from one source count once "
            "per claim. Arguments without studies behind them weigh little, and a claim that "
            "stands below the middle passes nothing on: it is not refuted, it is not weighed.",
        ),
        table(
            ("Reason", "Strength", "Weight", "Share"), rows, "Reasons that add up to the verdict"
        ),
        element("p", f"and {rest} lighter ones.", class_="kg-more") if rest > 0 else None,
        element(
            "p",
            f"Computed otherwise: {others}; as a plain argument graph the claim is "
            f"“{found.grounded}”.",
            class_="kg-small",
        ),
        element(
            "p",
            f"Settings: {settings.semantics} semantics, {settings.loops} loops, "
            f"{settings.transfer} transfer, gain {settings.gain:g}.",
            f" Certificate: {proof.name}." if proof else None,
            class_="kg-small",
        ),
    )


def turning_points(sheet: Sheet, line: InquiryLine) -> Html:
    """The cruxes of a line, and what would turn its answer."""
    if line.proposition is None:
        return EMPTY
    scales = sheet.press.scales
    cruxes, flips, sources = scales.cruxes(line.id), scales.flips(line.id), scales.sources(line.id)
    if cruxes is None or flips is None:
        return element(
            "p",
            "Too many statements bear on this line to search them all while the site is built.",
            class_="kg-none",
        )
    parts: list[Child] = []
    rows: list[list[Child]] = [
        [
            element("th", sheet.statement(crux.statement), scope="row"),
            *[f"{view:.2f}" if view is not None else "–" for view in crux.views.values()],
            f"{crux.if_true:.2f}",
            f"{crux.if_false:.2f}",
            "yes" if crux.turns else "no",
        ]
        for crux in cruxes.cruxes
    ]
    camps = [
        f"{sheet.chips.camp_label(camp)} sees"
        for camp in (cruxes.cruxes[0].views if cruxes.cruxes else ())
    ]
    if rows:
        lead = (
            "What the camps see most differently and the answer hangs on most. If it were "
            "settled, the answer would move to:"
        )
        parts += [
            element("p", lead, class_="kg-lead-in"),
            table(("Crux", *camps, "if true", "if false", "turns it"), rows, "Cruxes"),
        ]
    parts.append(
        element(
            "p",
            _flip_words(flips.singles, len(flips.minimal[0].removed) if flips.minimal else 0),
            class_="kg-flips",
        )
    )
    parts.append(_flip_list(sheet, flips))
    if sources and sources.effects:
        parts.append(_heaviest(sheet, sources.effects[0]))
    return element("div", *parts)


def _flip_list(sheet: Sheet, flips: Flips) -> Html | None:
    """Which losses would turn the answer, and to what strength."""
    if flips.singles:
        items = [
            element("li", sheet.statement(id), " ", element("span", _left(flip), class_="kg-small"))
            for flip in flips.singles
            for id in flip.removed
        ]
        label = "Each of these, if it were lost"
    elif flips.minimal:
        smallest = flips.minimal[0]
        items = [element("li", sheet.statement(id)) for id in smallest.removed]
        label = f"These together, if they were lost: {_left(smallest)}"
    else:
        return None
    return element("details", element("summary", label), element("ul", *items, class_="kg-plain"))


def _left(flip: Flip) -> str:
    strength = "" if flip.strength is None else f", {flip.strength:.2f}"
    return f"{flip.word}{strength}"


def _flip_words(singles: tuple[object, ...], smallest: int) -> str:
    if singles:
        return (
            f"The loss of {count(len(singles), 'single piece', 'single pieces')} of "
            f"evidence, each alone, would turn the answer: take it across 0.50."
        )
    if smallest:
        return f"No single piece of evidence turns the answer; {smallest} together would."
    return "No loss of evidence that was found turns the answer."


def _heaviest(sheet: Sheet, effect: SourceEffect) -> Html:
    name: Child = sheet.chips.sources(effect.sources, sheet.root) or "evidence without a source"
    after = (
        f"; without it the strength would be {effect.strength:.2f}"
        if effect.strength is not None
        else ""
    )
    return element("p", "The heaviest source is ", name, after + ".")
