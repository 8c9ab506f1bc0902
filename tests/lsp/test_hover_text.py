"""What is told of the thing at a place."""

from __future__ import annotations

import pytest

from kg.lsp.hover_text import hover_at, hover_text
from kg.lsp.workspace import Workspace
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

CLAIM = "**Naps help memory**\n\nclaim · optimist · naps · 1 for, 0 against\n\nThey do."

SEEN = "**It was seen**\n\nevidence · optimist · naps#seen · 0 for, 0 against\n\nIn a trial."


@pytest.mark.parametrize(
    ("name", "line", "column", "until", "message"),
    [
        ("line.md", 7, 16, 20, CLAIM),
        ("line.md", 7, 20, 20, CLAIM),  # right behind its last letter
        ("naps.md", 8, 1, 19, CLAIM),
        ("naps.md", 12, 20, 32, f"{SEEN}\n\nSource: On naps"),
        ("naps.md", 10, 31, 36, "**On naps**\n\nsource · doe2024\n\nJo Doe · 2024"),
        ("naps.md", 3, 2, 5, "**camp**: The camp, for lines that do not place it."),
        ("naps.md", 3, 8, 15, "**Optimists**\n\ncamp · optimist"),
        ("line.md", 8, 4, 10, "**Skeptics**\n\ncamp · skeptic"),
        ("naps.md", 4, 10, 15, "**sleep**\n\ntopic of 2 statements"),
        ("naps.md", 13, 33, 33, "**method**: How the evidence was obtained."),
        ("naps.md", 15, 5, 14, "**contradicts**: a reason against; one-way as written, "
         "`(mutual:: yes)` makes it both"),
        ("naps.md", 13, 26, 0, None),
        ("naps.md", 13, 27, 33, "**method**: How the evidence was obtained."),
        ("naps.md", 13, 34, 0, None),
        ("naps.md", 15, 30, 0, None),
        ("rest.md", 9, 1, 0, None),
    ],
)  # fmt: skip
def test_hovering_over_a_name_gives_its_text_and_range(
    workspace: Workspace, name: str, line: int, column: int, until: int, message: str | None
) -> None:
    assert workspace.corpus is not None
    hover = hover_at(workspace.corpus, workspace.text(name), line, column)
    assert (hover and hover.text) == message
    if hover is not None:
        assert hover.range.column <= column
        assert (hover.range.line, hover.range.end_line, hover.range.end_column) == (
            line,
            line,
            until,
        )


def test_in_a_title_the_hover_is_on_a_link_and_else_on_the_title(workspace: Workspace) -> None:
    workspace.type("rest.md", "---\ntype: claim\n---\n\n# As [[naps]] say\n")
    corpus, text = workspace.join(), workspace.text("rest.md")
    link, title = hover_at(corpus, text, 5, 8), hover_at(corpus, text, 5, 15)
    assert link
    assert title
    assert " naps ·" in link.text
    assert "claim · rest ·" in title.text


def test_the_hover_of_a_link_to_a_part_is_on_the_part(workspace: Workspace) -> None:
    workspace.type("rest.md", "---\ntype: claim\n---\n\n# Rest\n\nAs [[naps#^seen]] says\n")
    corpus, text = workspace.join(), workspace.text("rest.md")
    for column in (6, 10, 16):  # to the end of its name
        part = hover_at(corpus, text, 7, column)
        assert part
        assert "naps#seen ·" in part.text
    assert hover_at(corpus, text, 7, 19) is None


def test_the_hover_of_an_edge_has_its_reason(workspace: Workspace) -> None:
    corpus = workspace.join()
    edge = next(each for each in corpus.edges if each.target == "rest")
    assert hover_text(corpus, edge.id) == "`naps` contradicts `rest`\n\nrest is not enough"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("It *is* [[x|so]]. And so on.", "It is so."),
        ("Words\nwithout an end", "Words without an end"),
        ("Words\n\nand more", "Words"),
        ("w" * 300, "w" * 300),
        ("w" * 301, "w" * 300 + "…"),
    ],
)
def test_a_hover_has_the_first_sentence_of_a_body(
    workspace: Workspace, body: str, message: str
) -> None:
    workspace.type("rest.md", f"---\ntype: claim\n---\n\n# Rest\n\n{body}\n")
    assert hover_text(workspace.join(), "rest").split("\n\n")[2:] == [message]


HELD = """---
type: claim
topics: [sleep]
---

# Naps help

They do.

> [!evidence] Seen ^seen
> In a trial. [@doe2024] (method:: experiment) (reason:: so)
"""
WORDS = "---\ntype: glossary\n---\n\n- **nap**: a short sleep\n- **sleep**: rest\n"


@every_row(
    ("id", "message"),
    [
        ("naps", "claim · naps · at most probably 0.646 · 1 for, 0 against\n\nThey do."),
        ("naps#seen", "evidence · naps#seen · strength 0.600 · 0 for, 0 against\n\nIn a trial."),
        ("bare", "claim · bare · undecided 0.500 · 0 for, 0 against"),
        ("line", "line · line\n\nAsked."),
        ("sleep", "topic of 1 statement\n\nrest"),
        ("nap", "a short sleep"),
        ("optimist", "camp · optimist"),
    ],
)
def test_every_hover_has_a_name_and_the_strength_if_there_is_one(id: str, message: str) -> None:
    corpus = corpus_of_notes(
        naps=HELD,
        bare="---\ntype: claim\n---\n\n# Bare\n",
        line="---\ntype: line\n---\n\n# Do naps help?\n\nAsked. More.\n",
        glossary=WORDS,
    )
    assert hover_text(corpus, id, corpus).partition("\n\n")[2] == message
    unweighed = hover_text(corpus, id, corpus_of_notes())
    assert unweighed == hover_text(corpus, id)
    assert not any(words in unweighed for words in ("strength", "at most", "undecided"))
