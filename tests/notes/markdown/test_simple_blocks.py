"""The short way through plain notes sees exactly what the Markdown parser sees."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from kg.notes.body.body_reader import read_body
from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.simple_blocks import scan_simple
from tests.support.every_row import every_row

PLAIN = """# Title é

Words with `code::span`, [[a|b]], [c](../d%20e.md#^f) and [@k, p. 4].
77.5% of *them* (so they say).

> [!evidence] Found ^found
> Counted [@k]. (method:: survey)

> “Quoted.” [@k]

```text
- supports:: [[nothing]]

[no](link.md)
```

## Camps
- supports:: [[a]] — because – or -- not ^why
- undercuts:: [[a#^b]]
- [qualifies:: [[a]]] — so ^how
- contradicts:: [[c]] (strength:: weak) — d: e

- plain item
"""


def test_the_fast_scanner_reads_common_forms_as_the_parser_does() -> None:
    assert scan_simple(PLAIN) == scan_blocks(PLAIN)
    assert [block.edge[0] for block in scan_blocks(PLAIN).blocks if block.edge] == [
        "supports",
        "undercuts",
        "qualifies",
    ]


@every_row(
    "odd",
    [
        "para\n- item",
        "Title\n===",
        "- a\n  - b",
        "- a\n\n  b",
        "- a\nlazy",
        "> a\nlazy",
        "> a\n>\n> b",
        "> - a",
        "1. a",
        "    code",
        "```\nnever closed",
        "<b>x</b>",
        "a\\b",
        "a ``b`` c",
        "a `b",
        "![[a]]",
        "![a](b.md)",
        "a[^1]",
        "[a]: b.md",
        "[a [b](c.md)](d.md)",
        "[[a]",
        "a]",
        "| a |\n|---|",
        "***",
        "a\tb",
        "# a #",
        "text\n\n  indented",
    ],
)
def test_the_fast_scanner_leaves_uncommon_forms_to_the_parser(odd: str) -> None:
    assert scan_simple(f"Text.\n\n{odd}\n") is None


LINES = st.sampled_from(
    [
        *PLAIN.split("\n"),
        "",
        "",
        "word",
        "- item",
        "> quote",
        "## H",
        "```",
        "1. one",
        "  in",
        "---",
        "===",
        "|--|",
        "> > deep",
        ">",
        "-",
        "*a*",
        "**",
        "[a]: b",
        "[x]",
        "[@k]: y",
        "a `b",
        "c` d",
        "- [x] done",
        "- a — [[b]]",
        "- supports:: [[a]] — x `y` z",
        "- supports:: [[a|b]] — c",
        "- [supports:: [[a]]] — c ^d",
        "- [supports:: [[a]] — c",
        "- supports:: [[a]]] — c",
        "- supports:: [[a]] — x  y ",
        "- supports:: [[a]] ^b ",
        "- supports:: [[é]]",
        "#",
        "# ",
        "a  ",
        "![[a]]",
        "[[a]](b.md)",
        "[a](b.md)(c)",
        "[a][b]",
        "[[a]][b]",
        "[[[a]]]",
        "[[a]]]",
        "[](x.md)",
        "a < b",
        "<https://x.org>",
        "&amp; [a](b&amp;c.md)",
        "[[a&amp;b]]",
        "\u00a0x",
        "x\u2028y",
        "\x0c",
    ]
)
PIECES = st.sampled_from(
    [
        "[",
        "]",
        "(",
        ")",
        "[[",
        "]]",
        "`",
        "``",
        "|",
        "@k",
        "a",
        "é",
        " ",
        "\n",
        "\n\n",
        "- ",
        "> ",
        "#",
        "supports::",
        " — ",
        " ^id",
        "x.md",
        "!",
        "^",
        ":",
        "<",
        "*",
        "_",
        "~",
        "1.",
        "\x85",
        "\u3000",
    ]
)


@given(st.lists(LINES, max_size=12).map("\n".join) | st.lists(PIECES, max_size=25).map("".join))
def test_the_fast_scanner_gives_the_blocks_of_the_parser_or_none(text: str) -> None:
    assert scan_simple(text) in (None, scan_blocks(text))


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_a_body_reads_the_same_with_and_without_the_fast_scanner(text: str) -> None:
    assert read_body(text, "n.md", 3, "n") == read_body(text, "n.md", 3, "n", fast=False)


WORDS = st.text("ab é-–—:.()'\"*_^@1", max_size=20).map(" ".join(["", ""]).join) | st.sampled_from(
    ["why", "a -- b", "x^2", "p. 4", "(see b)", "77.5%", "a  b"]
)


@given(
    st.sampled_from(["supports", "Undercuts", "x-y"]),
    st.sampled_from(["a", "a-b#^c", "ä_1"]),
    st.sampled_from(["", " — ", " – ", " -- "]),
    WORDS,
    st.sampled_from(["", " ^id", " ^a-1", " ^a_1"]),
)
@example("supports", "a", " — ", "why", " ^a_1")
def test_an_edge_in_its_common_form_is_read_like_any_other(
    word: str, target: str, dash: str, reason: str, name: str
) -> None:
    item = f"- {word}:: [[{target}]]{dash}{reason if dash else ''}{name}"
    # A link's text takes an item out of the common form, and means nothing to an edge.
    other = item.replace(f"[[{target}]]", f"[[{target}|]]".replace("|]]", "|x]]"))
    here, there = (read_body(text, "n.md", 1, "n") for text in (item, other))
    assert here.edges == there.edges
    assert here.parts[0].citations == there.parts[0].citations
    assert [p.rule for p in here.diagnostics] == [p.rule for p in there.diagnostics]


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_blocks_come_in_reading_order(text: str) -> None:
    starts = [block.start for block in scan_blocks(text).blocks]
    assert all(a <= b for a, b in pairwise(starts))
