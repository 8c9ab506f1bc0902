"""Sentences on how a line's answer moved, and on where answers stand now."""

from __future__ import annotations

from kg.corpus import Corpus
from kg.history.moved_answers import MovedAnswer, MovedReason
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.markup.html import Child, Html, row_name, table
from kg.publish.markup.phrases import capitalize_first
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import question_and_proposition_titles
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import Sureness, answer_phrase, describe_undecided


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


def describe_answer_move(change: MovedAnswer, settings: Reasoning) -> str:
    """Describe how an answer moved, in words of sureness and in strengths: `It went from
    “undecided” (0.65; no other rule agrees) to “perhaps” (0.73; another rule says the opposite).`
    """
    words = change.sureness_before, change.sureness_after
    if all(words) and words[0] == words[1] and not has_changed_side(change):
        old, new = (
            render_standing("", each, settings)
            for each in (change.strength_before, change.strength_after)
        )
        word = answer_phrase(change.word_after, Sureness(words[1])).partition(",")[0]
        return f"It is still “{word}”; its strength went from {old} to {new}."
    old, new = standings_of(change, settings)
    has_sides = side_of(change.word_before) and side_of(change.word_after)
    turned = has_sides and has_changed_side(change) and not change.reworded
    return f"It {'turned round,' if turned else 'went'} from {old} to {new}."


def standings_of(change: MovedAnswer, settings: Reasoning) -> tuple[str, str]:
    """The answer before and after: `“perhaps” (0.65; hangs on one source)`; without a word of
    sureness, which was not tried for all, the strength alone.
    """
    strengths = change.strength_before, change.strength_after
    if not (change.sureness_before and change.sureness_after):
        words = change.word_before, change.word_after
        old, new = (
            render_standing(word, strength, settings)
            for word, strength in zip(words, strengths, strict=True)
        )
        return old, new
    old_word, new_word = phrases_apart(change)
    return (
        _describe_standing(old_word, strengths[0], change.limit_before, settings),
        _describe_standing(new_word, strengths[1], change.limit_after, settings),
    )


def has_changed_word(change: MovedAnswer) -> bool:
    """Return whether an answer changed sides, or has another word of sureness."""
    return has_changed_side(change) or change.sureness_before != change.sureness_after


def phrases_apart(change: MovedAnswer) -> tuple[str, str]:
    """The sureness with its side before and after: `undecided` for `undecided, leaning towards
    yes`, if the other is not undecided.
    """
    words = [
        answer_phrase(word, Sureness(sureness))
        for word, sureness in (
            (change.word_before, change.sureness_before),
            (change.word_after, change.sureness_after),
        )
    ]
    before, after = (each.partition(",")[0] for each in words)
    return (before, after) if before != after else (words[0], words[1])


def _describe_standing(word: str, strength: float | None, limit: str, settings: Reasoning) -> str:
    parts = (render_standing("", strength, settings), limit)
    return f"“{word}” ({'; '.join(filter(None, parts))})"


def render_standing(word: str, strength: float | None, settings: Reasoning) -> str:
    """An answer's strength: `0.72`, or `0.52 (undecided)`."""
    if strength is None:
        return "no number"
    undecided = f" ({describe_undecided(word)})" if word and not side_of(word) else ""
    return f"{render_strength(strength, settings)}{undecided}"


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
    return "counts more" if abs(reason.share_after) > abs(reason.share_before) else "counts less"


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
                builder.why_so(context.standings.of(line.proposition or "")),
            ],
        ]
        for line in context.corpus.lines.values()
        if (verdict := context.answers.verdict(line.id)) is not None
    ]
    return table(("Question", "Answer"), rows, "The answers now") or None
