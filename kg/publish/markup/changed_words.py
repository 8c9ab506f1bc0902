"""Two wordings of one thing, with the words marked in which they differ."""

from __future__ import annotations

from difflib import SequenceMatcher

from kg.publish.markup.html import Child, Html, element

MAX_WORDS_COMPARED = 400  # of each wording; longer ones are shown without marks


def before_and_after(name: str, was: str, now: str) -> Html:
    """A wording as it was and as it is now, under each other; either may be empty."""
    rows = [element("dt", name)]
    if was:
        rows.append(
            element(
                "dd", element("span", "before: ", class_="kg-when"), *marked_words(was, now, "del")
            )
        )
    words = marked_words(was, now, "ins") if now else ["none"]
    rows.append(
        element("dd", element("span", "now: " if was else "new: ", class_="kg-when"), *words)
    )
    return element("dl", *rows, class_="kg-wording kg-small")


def marked_words(was: str, now: str, mark: str) -> list[Child]:
    """The words of `was` with those marked that are gone (`mark` is `del`), or of `now` with those
    marked that are new (`ins`). Wordings without a word in common are not marked.
    """
    olds, news = was.split(), now.split()
    shown = olds if mark == "del" else news
    if not (olds and news) or max(len(olds), len(news)) > MAX_WORDS_COMPARED:
        return [" ".join(shown)]
    blocks = SequenceMatcher(None, olds, news, autojunk=False).get_matching_blocks()
    kept = [(b.a if mark == "del" else b.b, b.size) for b in blocks if b.size]
    if not kept:
        return [" ".join(shown)]
    parts: list[Child] = []
    at = 0
    for start, size in [*kept, (len(shown), 0)]:
        if start > at:
            parts.append(element(mark, " ".join(shown[at:start])))
        if size:
            parts.append(" ".join(shown[start : start + size]))
        at = start + size
    return [part for each in parts for part in (" ", each)][1:]
