"""Sentences on how a line's answer moved, and on where answers stand now."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus import Corpus
from kg.history.moved_answers import MovedAnswer, MovedReason
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.markup.html import Child, Html, row_name, table
from kg.publish.markup.phrases import capitalize_first
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page_builder import PageBuilder
from kg.reasoning.line_answers import question_and_proposition_titles
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import HOLDS_BACK, Sureness, answer_phrase, describe_undecided
from kg.text.plurals import number_in_words


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


def count_moves(moves: Sequence[MovedAnswer], all_count: int) -> str:
    """`all five answers shifted; one changed its word: `, before the question of the first of the
    `moves`.
    """
    count, changed = len(moves), sum(map(has_changed_word, moves))
    words = f"{number_in_words(count)} {'answer' if count == 1 else 'answers'} shifted"
    if count == all_count > 1:
        words = words.replace("two", "both", 1) if count == 2 else f"all {words}"
    which = "first " if changed > 1 else "" if count == 1 else "most "
    if not 0 < changed < count:
        return f"{words}, {which}that to "
    if changed == 1:
        return f"{words}; one changed its word: "
    return f"{words}; {number_in_words(changed)} changed their word: first that to "


def describe_answer_move(change: MovedAnswer, settings: Reasoning) -> str:
    """Describe how an answer moved, in words of sureness and in strengths: `It went from
    “undecided” (0.65 added up; no other rule agrees) to “probably” (0.89).`
    """
    words = change.sureness_before, change.sureness_after
    if all(words) and words[0] == words[1] and not has_changed_side(change):
        old, new = (
            render_standing("", each, settings)
            for each in (change.strength_before, change.strength_after)
        )
        still = f"It is still “{answer_phrase(change.word_after, Sureness(words[1]))}”"
        if change.limit_after in HOLDS_BACK:
            still += f" ({change.limit_after}); added up, its reasons"
        else:
            still += "; its strength"
        return f"{still} went from {old} to {new}."
    old, new = standings_of(change, settings)
    has_sides = side_of(change.word_before) and side_of(change.word_after)
    turned = has_sides and has_changed_side(change) and not change.reworded
    return f"It {'turned round,' if turned else 'went'} from {old} to {new}."


def standings_of(change: MovedAnswer, settings: Reasoning) -> tuple[str, str]:
    """The answer before and after: `“perhaps” (0.65 added up; depends on one source)`; without a
    word of sureness, which was not tried for all, the strength alone.
    """
    strengths = change.strength_before, change.strength_after
    if not (change.sureness_before and change.sureness_after):
        words = change.word_before, change.word_after
        old, new = (
            render_standing(word, strength, settings)
            for word, strength in zip(words, strengths, strict=True)
        )
        return old, new
    old_word = answer_phrase(change.word_before, Sureness(change.sureness_before))
    new_word = answer_phrase(change.word_after, Sureness(change.sureness_after))
    return (
        _describe_standing(old_word, strengths[0], change.limit_before, settings),
        _describe_standing(new_word, strengths[1], change.limit_after, settings),
    )


def has_changed_word(change: MovedAnswer) -> bool:
    """Return whether an answer changed sides, or has another word of sureness."""
    return has_changed_side(change) or change.sureness_before != change.sureness_after


def _describe_standing(word: str, strength: float | None, limit: str, settings: Reasoning) -> str:
    # a number that a check holds back would contradict the word
    added_up = " added up" if limit in HOLDS_BACK else ""
    parts = (f"{render_standing('', strength, settings)}{added_up}", limit)
    return f"“{word}” ({'; '.join(filter(None, parts))})"


def render_standing(word: str, strength: float | None, settings: Reasoning) -> str:
    """An answer's strength: `0.72`, or `0.52 (undecided)`."""
    if strength is None:
        return "no number"
    undecided = f" ({describe_undecided(word)})" if word and not side_of(word) else ""
    return f"{render_strength(strength, settings)}{undecided}"


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
