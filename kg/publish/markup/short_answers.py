"""An answer of a line in one phrase: both ends of its scale, the end on its side, whole, or cut."""

from __future__ import annotations

from kg.model import InquiryLine
from kg.publish.markup.phrases import capitalize_first
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.answers.verdict_text import qualified_answer, split_answer

_HOLDS, _FAILS = "It holds", "It does not hold"


def answers_at_ends(line: InquiryLine) -> tuple[str, str]:
    """A line's answers up to a colon, should its claim fail and should it hold."""
    fails, holds = (
        split_answer(each)[0].removesuffix(".") for each in (line.answers.fails, line.answers.holds)
    )
    return fails or _FAILS, holds or _HOLDS


def answer_at_end(line: InquiryLine, sureness: str, side: int) -> str:
    """`perhaps not reliably`, `undecided, leaning towards “some of them”`: how sure an answer is,
    and the end of the scale on its side. The side is 1 if the claim holds, or -1; without one, it
    is the word alone.
    """
    answer = answers_at_ends(line)[side > 0] if side else ""
    words = qualified_answer(sureness, side, answer) or sureness
    return f"{words[:1].lower()}{words[1:]}"


def whole_answer(verdict: Verdict | None) -> str:
    """`Probably not: …`, as plain text; empty if the line has no answers."""
    return qualified_answer(verdict.sureness, verdict.side, verdict.answer) if verdict else ""


def answer_without_detail(verdict: Verdict | None) -> str:
    """`Perhaps not reliably`: the answer up to a colon, or else the word of its claim."""
    return split_answer(whole_answer(verdict))[0] or capitalize_first(
        verdict.sureness if verdict else ""
    )
