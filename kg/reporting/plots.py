"""Answers as pictures, drawn with matplotlib: strengths on a scale, and what changes them."""

from __future__ import annotations

import importlib.util
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from unicodedata import east_asian_width

from kg.reporting.data_frames import MissingLibrary
from kg.reporting.report import render_signed
from kg.text.printable import printable

if TYPE_CHECKING:
    from matplotlib import axes

Axes: TypeAlias = "axes.Axes"  # so that matplotlib is only loaded for drawing

# For, against, neither and the answer, as on the site; position also shows the side.
PRO, CON, QUIET, INK = "#11502a", "#8f0f55", "#59616e", "#2b4a9b"
WIDE, LINE_INCHES, HEAD = (
    8.0,
    0.17,
    1.3,
)  # inches: a figure, a line of a label, the rest around rows
LABEL_POINTS = 8.3  # the font size of a label
LETTER_WIDTH = 4.8 / 72  # inches: the average character of a label
TITLE_SIZE = 1.2  # of a title relative to a label: matplotlib's "medium" is 10 points
BAND_HEIGHT = 0.7  # as a share of a row
ROW_GAP = 0.7  # between rows, in lines
MAX_LABEL_LINES, MAX_MOVES = 3, 12  # lines of a label; rows in `draw_moves`
LEAST_WIDTH_OF_AXES = 0.55  # as a share of the width, beside long labels
LEAST_MOVE_DRAWN = 0.005  # strengths are shown to two decimal places
STRENGTH_LABEL = "strength (0 to 1)"
NOTHING_TO_SHOW = "no strength was found, so there is nothing to show"
# Options so that matplotlib does not read the text of notes as formulas.
TEXT_WITHOUT_FORMULAS: dict[str, Any] = {"parse_math": False, "usetex": False}


def colour_of_side(side: int) -> str:
    """The colour of what speaks for (+1) or against (-1) a statement, or for neither side."""
    return {1: PRO, -1: CON}.get(side, QUIET)


class Mark(NamedTuple):
    """A strength on the scale, with the ends of its band; None for values that are not known."""

    label: str
    strength: float | None
    colour: str = QUIET
    low: float | None = None
    high: float | None = None


class Bar(NamedTuple):
    """A contribution in nats: above 0 for, below 0 against."""

    label: str
    nats: float


class MovedStrength(NamedTuple):
    """A change, and the strength that it would lead to; None if that is not known."""

    label: str
    strength: float | None


def draw_scale(
    title: str, marks: Sequence[Mark], bars: Sequence[Bar] = (), ax: Axes | None = None
) -> Axes:
    """Draw strengths on a scale from 0 to 1; below, bars for and against from the same middle.

    The axes have strengths as x; the bars have a second x axis, in nats.
    """
    placed_marks = [(mark, mark.strength) for mark in marks if mark.strength is not None]
    if not placed_marks or marks[0].strength is None:
        return draw_note(title, NOTHING_TO_SHOW, ax)
    labels = [
        *(f"{strength:.2f}, {mark.label}" for mark, strength in placed_marks),
        *(bar.label for bar in bars),
    ]
    ax, places, size = _axes_with_rows(title, labels, ax)
    for place, (mark, strength) in zip(places, placed_marks, strict=False):
        if mark.low is not None and mark.high is not None:
            band = mark.high - mark.low
            ax.barh(place, band, BAND_HEIGHT, left=mark.low, color=mark.colour, alpha=0.3)
        ax.plot([strength], [place], "o", color=mark.colour, clip_on=False)
    ax.axvline(0.5, color=QUIET, linewidth=0.8, zorder=0)
    has_band = any(mark.low is not None for mark in marks)
    spans = "; band: 9 in 10 trials" if has_band else ""
    ax.set(xlim=(0.0, 1.0), xlabel=_wrap_to_axes(STRENGTH_LABEL + spans, ax, LEAST_WIDTH_OF_AXES))
    if bars:
        bar_places = places[len(placed_marks) :]
        ax.axhline((places[len(placed_marks) - 1] + bar_places[0]) / 2, color=QUIET, linewidth=0.5)
        _draw_bars_beneath(ax, bars, bar_places, size)
    return ax


def _draw_bars_beneath(
    ax: Axes, bars: Sequence[Bar], places: Sequence[float], label_size: float
) -> None:
    """Draw bars at `places` of axes whose own scale moves to the top."""
    shares = ax.twiny()  # moves the labels of both axes
    shares.spines[["left", "right"]].set_visible(False)
    for each in (ax, shares):
        each.xaxis.set_label_position("top" if each is ax else "bottom")
        each.xaxis.set_ticks_position("top" if each is ax else "bottom")
    widest = max(abs(bar.nats) for bar in bars)
    # a quarter more than the longest bar, as room for its number
    shares.set(xlim=(-1.25 * widest, 1.25 * widest), xlabel="share, in nats: against ← → for")
    sizes = [bar.nats for bar in bars]
    drawn_bars = shares.barh(places, sizes, 0.9, color=[PRO if n > 0 else CON for n in sizes])
    shares.bar_label(drawn_bars, [render_signed(n) for n in sizes], padding=3, fontsize=label_size)


def draw_moves(
    title: str,
    strength: float | None,
    moves: Sequence[MovedStrength],
    low: float | None = None,
    high: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how far each change would move `strength`, as bars from its value now, longest first.

    The band from `low` to `high` is behind the bars. Only the needed part of the scale is shown.
    """
    if strength is None:
        return draw_note(title, NOTHING_TO_SHOW, ax)
    shifts = {m: m.strength - strength for m in moves if m.strength is not None}
    shifts = {move: shift for move, shift in shifts.items() if abs(shift) >= LEAST_MOVE_DRAWN}
    shown_moves = sorted(shifts, key=lambda move: -abs(shifts[move]))[:MAX_MOVES]
    if not shown_moves:
        limit = f"{LEAST_MOVE_DRAWN} or more"
        text = f"strength {strength:.2f}: nothing that was tried moves it by {limit}"
        return draw_note(title, text, ax)
    ax, places, size = _axes_with_rows(title, [move.label for move in shown_moves], ax)
    lengths = [shifts[move] for move in shown_moves]
    bar_ends = [strength + length for length in lengths]
    ends = [strength, *bar_ends]
    label = f"{STRENGTH_LABEL}; now {strength:.2f}"
    if low is not None and high is not None:
        ax.axvspan(low, high, color=QUIET, alpha=0.15, linewidth=0)
        ends = [*ends, low, high]
        label = f"{label}; grey: 9 in 10 trials"
    colours = [PRO if length > 0 else CON for length in lengths]
    drawn_bars = ax.barh(places, lengths, 0.9, left=strength, color=colours)
    ax.bar_label(drawn_bars, [f"{end:.2f}" for end in bar_ends], padding=3, fontsize=size)
    ax.axvline(strength, color=QUIET, linewidth=1.2)
    ax.axvline(0.5, color=QUIET, linewidth=0.8, linestyle=":")
    room = 0.15 * (max(ends) - min(ends))
    if left_out := len(shifts) - len(shown_moves):
        label += f"; {left_out} more that move it by {LEAST_MOVE_DRAWN} or more are not shown"
    ax.set(xlim=(max(min(ends) - room, 0.0), min(max(ends) + room, 1.0)))
    ax.set_xlabel(_wrap_to_axes(label, ax, LEAST_WIDTH_OF_AXES))
    ax.spines["top"].set_visible(False)
    return ax


def draw_years(
    title: str,
    years: Sequence[int],
    strengths: Sequence[float | None],
    evidence_counts: tuple[Sequence[int], Sequence[int]],
    ax: Axes | None = None,
) -> Axes:
    """Draw a strength by year, and bars that count each year's new evidence: for up, against down.

    The axes have strengths as y; the bars start at the middle and have their own y, in pieces.
    """
    ax = _axes_with_title(title, 4.5, ax)
    from matplotlib.ticker import MaxNLocator

    counts = ax.twinx()
    counts.set_zorder(ax.get_zorder() - 1)
    counts.patch.set(visible=True, facecolor=ax.get_facecolor())
    ax.patch.set_visible(False)
    width = max(0.8, (years[-1] - years[0]) / 80)
    for side, sign, colour in zip(evidence_counts, (1, -1), (PRO, CON), strict=True):
        counts.bar(years, [sign * n for n in side], width, color=colour, alpha=0.45)
    limit = 1.1 * max(1, *evidence_counts[0], *evidence_counts[1])
    counts.set(ylim=(-limit, limit), ylabel="evidence of the year\nagainst ← → for")
    counts.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    counts.yaxis.set_major_formatter(lambda n, _: f"{abs(n):.0f}")
    heights = [float("nan") if strength is None else strength for strength in strengths]
    ax.plot(years, heights, "o-", color=INK, drawstyle="steps-post", clip_on=False)
    ax.axhline(0.5, color=QUIET, linewidth=0.8, zorder=0)
    ax.set(ylim=(0.0, 1.0), ylabel=STRENGTH_LABEL, xlim=(years[0] - width, years[-1] + width))
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    for each in (ax, counts):
        each.spines["top"].set_visible(False)
    return ax


def draw_note(title: str, text: str, ax: Axes | None) -> Axes:
    """Draw a sentence, for when there is nothing else to draw."""
    ax = _axes_with_title(title, 1.6, ax)
    ax.text(
        0.5,
        0.5,
        _wrap_to_axes(text, ax),
        transform=ax.transAxes,
        ha="center",
        va="center",
        **TEXT_WITHOUT_FORMULAS,
    )
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def _axes_with_rows(
    title: str, labels: Sequence[str], ax: Axes | None
) -> tuple[Axes, list[float], float]:
    """Axes with a row for each label, the places of the rows, and the font size of the labels."""
    width, max_lines, size = WIDE, MAX_LABEL_LINES, LABEL_POINTS
    if ax is not None:
        width = ax.get_window_extent().width / ax.figure.dpi
        row = 0.8 * ax.get_window_extent().height / ax.figure.dpi / LINE_INCHES / len(labels)
        max_lines = min(max(int(row), 1), MAX_LABEL_LINES)
        size = min(LABEL_POINTS * row, LABEL_POINTS)
    letters = int(width * (1 - LEAST_WIDTH_OF_AXES) / LETTER_WIDTH)
    lines = [_wrap_text(label, letters, max_lines) for label in labels]
    heights = [len(row) + ROW_GAP for row in lines]
    ax = _axes_with_title(title, HEAD + LINE_INCHES * sum(heights), ax, LEAST_WIDTH_OF_AXES)
    places = [sum(heights[:n]) + high / 2 for n, high in enumerate(heights)]
    ax.set_yticks(places, ["\n".join(row) for row in lines], fontsize=size, **TEXT_WITHOUT_FORMULAS)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(sum(heights), 0.0)
    ax.spines[["left", "right"]].set_visible(False)
    return ax, places, size


def _axes_with_title(title: str, height: float, ax: Axes | None, part: float = 0.95) -> Axes:
    """The axes to draw on, with a title; if none are given, those of a new figure.

    `part` is the share of their width that the axes keep beside their labels.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingLibrary(["matplotlib"], "plots")
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(WIDE, height), layout="constrained")[1]
    ax.set_title(
        _wrap_to_axes(title, ax, part), loc="left", fontsize="medium", **TEXT_WITHOUT_FORMULAS
    )
    return ax


def _wrap_to_axes(text: str, ax: Axes, part: float = 0.95) -> str:
    """Text in lines that fit into a part of the width that the axes have before layout."""
    inches = ax.get_window_extent().width / ax.figure.dpi * part
    letters = int(inches / (LETTER_WIDTH * TITLE_SIZE))
    return "\n".join(_wrap_text(text, letters, MAX_LABEL_LINES))


def _wrap_text(text: str, letters: int, limit: int) -> list[str]:
    """Text as at most `limit` lines of `letters` characters; the last is cut if it is too much."""
    text = printable(text)
    if any(east_asian_width(letter) in "WF" for letter in text):  # twice as wide
        letters //= 2
    letters = max(letters, 8)
    lines = textwrap.wrap(text, letters, max_lines=limit, placeholder=" …", break_on_hyphens=False)
    return [text[: letters - 1] + "…"] if lines in (["…"], [" …"]) else lines or [""]
