"""The verdict on a line in words and on a scale, and how it was computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import InquiryLine
from kg.publish.html import Child, Html, element
from kg.publish.pages.cases import cases
from kg.publish.pages.dial import dial
from kg.publish.pages.evidence import table
from kg.publish.pages.meter import MEANING, standing_line
from kg.publish.pages.sheet import Sheet
from kg.publish.words import (
    CERTIFICATES,
    LOOPS,
    SEMANTICS,
    TRANSFERS,
    count,
    signed,
    verdict_sentence,
)

if TYPE_CHECKING:
    from kg.reasoning.verdict import Verdict

_REASONS = 8
_OTHER_WAYS = "how-to-read.html#other-ways-of-weighing"

CAVEAT = (
    "Strength says how far the notes of this site back a statement, from 0 to 1. It is not a "
    "probability of truth, and not a vote."
)


def line_verdict(sheet: Sheet, line: InquiryLine) -> Html:
    """The answer of a line: word, scale, who sees it how, and how that was computed."""
    if line.proposition is None:
        words = "This line weighs no single claim, so it gives no answer; the camps follow."
        return element("p", words, class_="kg-none")
    found = sheet.press.scales.verdict(line.id)
    weighed = element(
        "p",
        element("span", "What is weighed: ", class_="kg-label"),
        sheet.statement(line.proposition),
        class_="kg-weighed",
    )
    even = found is not None and sheet.press.scales.is_even(found.strength)
    if found is None:
        return element("div", standing_line(sheet, line.proposition), weighed, class_="kg-verdict")
    return element(
        "div",
        element("div", _answer(found, even), weighed, dial(sheet, found), class_="kg-glance"),
        cases(sheet, line, found),
        _mover(sheet, line),
        _flags(sheet, found),
        _computed(sheet, line, found),
        class_="kg-verdict",
    )


def _answer(found: Verdict, even: bool) -> list[Html]:
    """The answer in a word and a sentence, with its number where there is one."""
    number = (
        ""
        if found.strength is None
        else element("span", f" ▾ {found.strength:.2f}", class_="kg-number")
    )
    return [
        element("p", "The answer so far", class_="kg-label kg-answer-label"),
        element(
            "p",
            element("strong", found.word.capitalize()),
            number,
            element("span", f" {verdict_sentence(found.word, found.strength, even)}"),
            class_="kg-verdict-words",
        ),
    ]


def _mover(sheet: Sheet, line: InquiryLine) -> Html | None:
    """The claim that would move the answer most, if it were settled."""
    cruxes = sheet.press.scales.cruxes(line.id)
    first = cruxes.cruxes[0] if cruxes and cruxes.cruxes else None
    if first is None or not first.score:
        return None
    to = f" (to {first.if_true:.2f} if true, to {first.if_false:.2f} if false)"
    return element(
        "p",
        element("span", "Settling this would move it most: ", class_="kg-label"),
        sheet.statement(first.statement),
        element("span", to, class_="kg-small"),
        class_="kg-weighed",
    )


def _flags(sheet: Sheet, found: Verdict) -> Html | None:
    words: list[Child] = []
    if found.depends_on_semantics:
        words.append("Another way of weighing the same reasons comes out on the other side. ")
    if found.depends_on_grounded:
        words.append(
            f"Without weights, by who answers whom alone, the claim does not hold: "
            f"{found.grounded_says}. "
            if found.side > 0
            else f"Without weights, by who answers whom alone, the claim holds: "
            f"{found.grounded_says}. "
        )
    if found.feedback_sensitive:
        words.append(
            "Some reasons and objections go in circles, and how those are counted changes "
            "the number. "
        )
    if found.unsupported > 0.2:
        share = f"{found.unsupported:.0%}"
        words.append(f"{share} of the weight comes from claims that no evidence supports. ")
    if not words:
        return None
    more = element("a", "What does this mean?", href=sheet.root + _OTHER_WAYS)
    return element("p", element("strong", "Handle with care. "), *words, more, class_="kg-caution")


def _computed(sheet: Sheet, line: InquiryLine, found: Verdict) -> Html:
    """The reasons that add up to the verdict, and the other ways of weighing it."""
    return element(
        "details",
        element("summary", "How is this computed?"),
        element(
            "p", CAVEAT, " ", element("a", "What the words mean", href=sheet.root + MEANING), "."
        ),
        element(
            "p",
            f"The claim starts at {found.base:.2f}, which says nothing either way. Each reason "
            "passes on what it has earned above that, times its weight; the shares below add up "
            "in log-odds. Pieces of evidence from one source count once per claim. Arguments "
            "without studies behind them weigh little, and a claim that stands below the middle "
            "passes nothing on: it is not refuted, it is not weighed.",
        ),
        _reasons(sheet, found),
        element("p", _scope(sheet, line, found)),
        element("p", _otherwise(found)),
        element("p", _method(found), class_="kg-small"),
    )


def _reasons(sheet: Sheet, found: Verdict) -> Html:
    rows: list[list[Child]] = [
        [
            element("th", sheet.statement(reason.statement), scope="row"),
            "–" if reason.strength is None else f"{reason.strength:.2f}",
            signed(reason.weight),
            signed(reason.share),
        ]
        for reason in found.reasons[:_REASONS]
    ]
    rest = len(found.reasons) - len(rows)
    more = element("p", f"and {rest} lighter ones.", class_="kg-more") if rest > 0 else None
    total = (
        f"In all {found.balance.pro:.2f} for and {found.balance.con:.2f} against, "
        f"which gives the strength {found.strength:.2f}."
        if found.strength is not None
        else "No stable strength was found."
    )
    head = ("Reason", "Strength", "Weight", "Share")
    name = "Reasons that add up to the verdict"
    return element("div", table(head, rows, name), more, element("p", total))


def _scope(sheet: Sheet, line: InquiryLine, found: Verdict) -> str:
    """Everything that has a part in the number, which is more than the line's own statements."""
    statements = count(sheet.press.scales.bearing(line.id), "statement")
    undone = (
        f" {count(found.fail_safe, 'flawless contrary study', 'flawless contrary studies')} "
        "would be enough to undo it."
        if found.fail_safe
        else ""
    )
    return (
        f"Through chains of reasons {statements} of the whole corpus have a part in this number, "
        f"with {count(found.sources, 'independent source')} among them (sources that share a team "
        f"or data count as one). Some weigh far more than others: together they are worth "
        f"{found.effective_sources:.1f} sources of equal weight.{undone}"
    )


def _otherwise(found: Verdict) -> str:
    others = ", ".join(
        f"{SEMANTICS.get(name, name)} gives {value:.2f}"
        for name, value in found.others.items()
        if value is not None
    )
    plain = f"Without weights, by who answers whom alone: {found.grounded_says}."
    return f"Weighed otherwise, {others}. {plain}" if others else plain


def _method(found: Verdict) -> str:
    settings, proof = found.asked.parameters, found.asked.certificate
    proved = f" {CERTIFICATES[proof.name]}" if proof and proof.name in CERTIFICATES else ""
    return (
        f"Method: {SEMANTICS.get(settings.semantics, settings.semantics)}; "
        f"{LOOPS[settings.loops]}; {TRANSFERS[settings.transfer]}; gain {settings.gain:g}.{proved}"
    )
