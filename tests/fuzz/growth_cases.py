"""What took ever longer once: notes, questions and imports that hold something again and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kg.checks import check
from kg.checks.citations import find_quoted_words
from kg.corpus import Corpus
from kg.editing.fix_problems import fix_diagnostics
from kg.editing.folder_files import FolderFiles
from kg.editing.format_notes import format_text
from kg.exchange.writers.bibliographies import bibtex_text
from kg.queries.search_text import text_index
from tests.fuzz.import_growth import NUMBERED, Part
from tests.fuzz.targets import corpus

CLAIM = "---\ntype: claim\ncamp: optimist\n---\n\n# Naps help\n\n"
Files = Mapping[str, bytes]
Step = Callable[[Corpus], object] | None


def numbered_parts(part: str, count: int) -> str:
    return "".join(part.replace("N", str(number)) for number in range(count))


def _head(part: str, begin: str = "", end: str = "") -> Callable[[int], Files]:
    """A note with so many parts in its front matter."""

    def make(count: int) -> Files:
        head = f"---\ntype: claim\ncamp: optimist\n{begin}{numbered_parts(part, count)}{end}---\n"
        return {"naps-help.md": f"{head}\n# Naps help\n".encode()}

    return make


def _body(part: str) -> Callable[[int], Files]:
    """A note with so many parts in its body."""
    return lambda count: {"naps-help.md": (CLAIM + numbered_parts(part, count)).encode()}


def _body_of(write: Callable[[int], str]) -> Callable[[int], Files]:
    """A note with such a body."""
    return lambda count: {"naps-help.md": f"{CLAIM}{write(count)}\n".encode()}


def _essay(part: str) -> Callable[[int], Files]:
    """A line with so many parts in its essay."""
    head = "---\ntype: line\nproposition: naps-help\n---\n\n# Do naps help?\n\nSo.\n\n"
    return lambda count: {"line.md": (head + numbered_parts(part, count)).encode()}


def _within(begin: str, sign: str, end: str) -> Callable[[int], Files]:
    """A note with so many signs between two texts."""
    return lambda count: {"naps-help.md": f"{CLAIM}{begin}{sign * count}{end}\n".encode()}


def _people(count: int) -> Files:
    """A work of so many authors, which a note cites."""
    entry = (
        f"@book{{many, title={{On naps}}, author={{{numbered_parts('A, BN and ', count)}C, D}}}}\n"
    )
    return {"many.bib": entry.encode(), "naps-help.md": f"{CLAIM}So. [@many]\n".encode()}


def _notes(body: str) -> Callable[[int], Files]:
    """So many notes."""

    def make(count: int) -> Files:
        text = f"---\ntype: claim\n---\n\n# Claim N\n\n{body}\n"
        return {f"n/c{each}.md": text.replace("N", str(each)).encode() for each in range(count)}

    return make


def _search(changed: Corpus) -> object:
    return text_index(changed).search("naps x")


def _format(changed: Corpus) -> object:
    return [format_text(text.decode(), path) for path, text in changed.unwritten.items()]


def _quoted_words(changed: Corpus) -> object:
    return list(find_quoted_words(changed.statements["naps-help"].body))


def _cite(changed: Corpus) -> object:
    return bibtex_text(changed.sources)


def _fix(changed: Corpus) -> object:
    files = FolderFiles(corpus().folder).with_changes(changed.unwritten)
    return fix_diagnostics(files, [each for each in check(changed) if each.fix])


NOTES: Mapping[str, tuple[Callable[[int], Files], int, Step]] = {
    "keys that nobody knows": (_head("kN:\n"), 8_000, None),
    "keys in other spellings": (_head("K-N:\n"), 7_000, None),
    "topics alike": (_head("tN, ", "topics: [", "t]\n"), 6_000, check),
    "misspelt relations": (_body("- suports:: [[nights-suffer]]\n"), 6_000, _fix),
    "headings of nothing": (_essay("#\n\n"), 6_000, None),
    "bare lines of a quote": (_body(">%%"), 12_000, None),
    "comments that are never closed": (_body("a<!--"), 200_000, None),
    "relations in one paragraph": (_body("supports:: [[camps]]\n"), 3_000, None),
    "targets that are not there, in one relation": (
        _body_of(lambda count: "- supports:: " + numbered_parts("[[no such note N]], ", count)),
        4_000,
        check,
    ),
    "premises in a callout": (
        _body_of(lambda count: "> [!evidence] So\n> " + "(with:: [[work]])" * count),
        12_000,
        None,
    ),
    "premises in an edge": (
        _body_of(lambda count: "- supports:: [[b]] — r " + "(with:: [[work]])" * count),
        12_000,
        None,
    ),
    "spaces in a second line of an edge": (
        lambda count: {"naps-help.md": f"{CLAIM}- supports:: [[b]] — r\n{' ' * count}x\n".encode()},
        3_000,
        None,
    ),
    "signs before no citation": (_within("So [", "@", ""), 25_000, None),
    "quotes that are never closed": (_within("[@doe2019] ", "' ", ""), 10_000, _quoted_words),
    "words that are looked for": (_body("[x"), 30_000, _search),
    "edges within a code block": (
        _within("```\n", "    - supports:: [[a]]\n", "```\n\n    - supports:: [[a]]"),
        8_000,
        None,
    ),
    "spaces within a line": (_within("So ", " ", "it is"), 30_000, _format),
    "callouts with spaces behind them": (_body("\n> [!note] \t"), 10_000, _format),
    "authors of a work": (_people, 2_000, _cite),
    "claims that are all the same": (_notes("- same-as:: [[c0]]"), 1_000, check),
    "links to one missing heading": (_body("[[work#a]] "), 60_000, check),
    "links to no heading of many notes": (
        _notes("> [!claim] B ^b\n\n[[cN#nowhere]]"),
        1_200,
        check,
    ),
}


def question_of(part: str, size: int) -> bytes:
    """A question of about so many characters."""
    fill = numbered_parts(part, size // len(part))[:size].rpartition(" ")[0]
    return f"{fill} naps".encode()


QUESTIONS = ("a ", "-a ", "wN ", "-wN ", "wN OR ", "topic:sleep OR ", "\n ")
IMPORTED: tuple[Part, ...] = (
    *(("csv", *NUMBERED["csv"][number]) for number in (0, 1, 4)),
    *(("argdown", *NUMBERED["argdown"][number]) for number in (1, 6)),
    ("argdown", "-- a\0", "b\n"),
)
