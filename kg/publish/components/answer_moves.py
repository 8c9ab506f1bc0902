"""Sentences on how a line's answer moved, and on where answers stand now."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.history.moved_answers import MovedAnswer, MovedReason
from kg.publish.markup.html import Child, Html, row_name, table
from kg.publish.markup.phrases import capitalize_first
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import question_and_proposition_titles
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import describe_undecided


def has_changed_side(change: MovedAnswer) -> bool:
    """Return whether an answer changed sides, became undecided, or was decided."""
    return side_of(change.word_before) != side_of(change.word_after)


def is_asked_now(corpus: Corpus, change: MovedAnswer) -> bool:
    """Return whether a line still asks the same question in the same words as when its answer
    moved.
    """
    line_id = corpus.find_id(change.line) or ""
    return (
        line_id in corpus.lines and question_and_proposition_titles(corpus, line_id) == change.asked
    )


def describe_answer_move(change: MovedAnswer) -> str:
    """Describe how an answer moved: from word to word, if it keeps its side and is surer or less
    sure; else in numbers, by the weights alone: `The answer was decided: from 0.52 (undecided) to
    0.71.` A number beside a word could contradict it.
    """
    sides = side_of(change.word_before), side_of(change.word_after)
    if any(change.sureness_with_limits) and sides[0] == sides[1]:
        words = change.sureness_before, change.sureness_after
        first_words = [each.partition(",")[0] for each in words]
        before, after = first_words if first_words[0] != first_words[1] else words
        return f"The answer moved from “{before}” to “{after}”."
    verb = "moved"
    if sides[0] != sides[1]:
        verb = "turned:" if all(sides) else "became undecided:" if sides[0] else "was decided:"
    old_standing = render_standing(change.word_before, change.strength_before)
    new_standing = render_standing(change.word_after, change.strength_after)
    return f"The answer {verb} from {old_standing} to {new_standing}."


def describe_asked_anew(change: MovedAnswer) -> str:
    """The answers to a line's former and its new question."""
    old_standing = render_standing(change.word_before, change.strength_before)
    new_standing = render_standing(change.word_after, change.strength_after)
    return (
        f"The answer to the old question stood at {old_standing}, "
        f"that to the new one at {new_standing}."
    )


def render_standing(word: str, strength: float | None) -> str:
    """An answer's strength: `0.72`, or `0.52 (undecided)`. Only the current answer is described
    in words of reliance.
    """
    if strength is None:
        return "no number"
    return f"{render_strength(strength)}{'' if side_of(word) else f' ({describe_undecided(word)})'}"


def describe_link(word: str, *, was: bool = False) -> str:
    """Say with a verb how much a link carries according to the notes."""
    if word == "full":
        return "counted in full" if was else "counts in full"
    return f"{'was' if was else 'is'} called {word}"


def describe_moved_reason(reason: MovedReason) -> str:
    """Say what happened to a reason: it was added, removed, or has another weight in the answer."""
    if reason.share_before is None or reason.share_after is None:
        return "is a new reason" if reason.share_before is None else "is no longer a reason"
    if reason.share_before * reason.share_after < 0:
        return "speaks for the other side"
    return "weighs more" if abs(reason.share_after) > abs(reason.share_before) else "weighs less"


def answers_now(builder: PageBuilder) -> Html | None:
    """The present answer of each line, so that an old one is not taken for it."""
    context = builder.context
    rows: list[list[Child]] = [
        [
            row_name(builder.link_of(line.id)),
            [
                builder.sureness_word(
                    verdict.sureness,
                    capitalize_first(answer_at_end(line, verdict.sureness, verdict.side)),
                ),
                builder.why_so(context.strengths.of(line.proposition or "")),
            ],
        ]
        for line in context.corpus.lines.values()
        if (verdict := context.line_answers.verdict(line.id)) is not None
    ]
    return table(("Question", "Answer"), rows, "The answers now") or None
