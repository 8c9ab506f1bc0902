"""The two wordings of a change under each other, with the words marked that differ."""

from __future__ import annotations

from difflib import SequenceMatcher

from kg.publish.markup.html import Child, Html, element

MAX_WORDS_COMPARED = 400  # of each wording; longer ones are shown without marks


def before_and_after(name: str, old_text: str, new_text: str) -> Html:
    """A wording as it was and as it is now, under each other; either may be empty."""
    rows = [element("dt", name)]
    if old_text:
        rows.append(
            element(
                "dd",
                element("span", "before: ", class_="kg-when"),
                *marked_words(old_text, new_text, "del"),
            )
        )
    words = marked_words(old_text, new_text, "ins") if new_text else ["none"]
    rows.append(
        element("dd", element("span", "now: " if old_text else "new: ", class_="kg-when"), *words)
    )
    return element("dl", *rows, class_="kg-wording kg-small")


def marked_words(old_text: str, new_text: str, mark: str) -> list[Child]:
    """The words of `old_text` with those marked that are gone (`mark` is `del`), or of `new_text`
    with those marked that are new (“ins”). Wordings without a word in common are not marked.
    """
    old_words, new_words = old_text.split(), new_text.split()
    shown_words = old_words if mark == "del" else new_words
    if not (old_words and new_words) or max(len(old_words), len(new_words)) > MAX_WORDS_COMPARED:
        return [" ".join(shown_words)]
    blocks = SequenceMatcher(None, old_words, new_words, autojunk=False).get_matching_blocks()
    common_runs = [(b.a if mark == "del" else b.b, b.size) for b in blocks if b.size]
    if not common_runs:
        return [" ".join(shown_words)]
    parts: list[Child] = []
    position = 0
    for start, size in [*common_runs, (len(shown_words), 0)]:
        if start > position:
            parts.append(element(mark, " ".join(shown_words[position:start])))
        if size:
            parts.append(" ".join(shown_words[start : start + size]))
        position = start + size
    return [part for each in parts for part in (" ", each)][1:]
