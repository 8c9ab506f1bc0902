"""Blocks, quotes and links of Markdown stand where the author wrote them."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from kg.notes.markdown.blocks import BlockScan, scan_blocks
from tests.support.any_text import any_text
from tests.support.every_row import every_row


def _blocks_of(text: str) -> list[tuple[str, str, int]]:
    return [(b.kind, text[b.start : b.end].rstrip(), b.quote) for b in scan_blocks(text).blocks]


def _links(text: str) -> list[tuple[str, str]]:
    return [
        (text[link.start : link.end], link.destination)
        for block in scan_blocks(text).blocks
        for link in block.links
    ]


@every_row("prefix", ["", "é — ", "🜚 "])
def test_paragraphs_headings_and_items_are_blocks_of_different_kinds(prefix: str) -> None:
    text = f"# {prefix}Title\n\n{prefix}First\nline two\n\n- {prefix}item\n- next\n"
    assert _blocks_of(text) == [
        ("heading", f"# {prefix}Title", -1),
        ("paragraph", f"{prefix}First\nline two", -1),
        ("item", f"- {prefix}item", -1),
        ("item", "- next", -1),
    ]


def test_setext_headings_have_their_level() -> None:
    blocks = scan_blocks("One\n===\n\nTwo\n---\n\n### Three\n").blocks
    assert [(b.kind, b.level) for b in blocks] == [("heading", 1), ("heading", 2), ("heading", 3)]


def test_loose_and_nested_items_end_where_their_first_paragraph_does() -> None:
    text = "- one\n\n  more of one\n\n- two\n  - inner\n  - inner too\n\n3. three\n"
    assert _blocks_of(text) == [
        ("item", "- one", -1),
        ("paragraph", "more of one", -1),
        ("item", "- two", -1),
        ("item", "- inner", -1),
        ("item", "- inner too", -1),
        ("item", "3. three", -1),
    ]


def test_nested_quotes_know_the_quote_around_them() -> None:
    text = "> outer\n>\n> > inner é\n>\n> outer again\n\nafter\n"
    scanned = scan_blocks(text)
    assert _blocks_of(text) == [
        ("paragraph", "outer", 0),
        ("paragraph", "inner é", 1),
        ("paragraph", "outer again", 0),
        ("paragraph", "after", -1),
    ]
    assert [quote.around for quote in scanned.quotes] == [-1, 0]
    inner = scanned.quotes[1]
    assert text[inner.start : inner.end].rstrip() == "> inner é"


@every_row(
    "hidden_text",
    [
        "```\n- supports:: [[x]]\n```",
        "~~~ text\n[[x]]\n~~~",
        "    - supports:: [[x]]",
        "<div>\n- supports:: [[x]]\n</div>",
        "<!-- [[x]]\n- supports:: [[y]] -->",
        "> ```\n> [[x]]\n> ```",
        "[x]: note.md",
        "```\n[[x]] in a fence that is never closed",
    ],
)
def test_code_html_comments_and_definitions_hold_no_text(hidden_text: str) -> None:
    assert _blocks_of(f"Before.\n\n{hidden_text}\n")[1:] == []


def test_code_spans_and_inline_html_are_opaque() -> None:
    text = 'é `a::b` and <b title="[[x]]">bold</b> [[y]]'
    (block,) = scan_blocks(text).blocks
    assert [text[a:b] for a, b in block.opaque] == ["`a::b`", '<b title="[[x]]">', "</b>"]
    assert _links(text) == [("[[y]]", "y")]


def test_links_of_every_form_have_their_place_and_destination() -> None:
    text = (
        "é [[a]], [[b#^c|text]], [d](e.md), [f](<g h.md>), [i](j%20k.md 'l'), [m][r], [r][], [r]\n"
        "and ![pic](p.png) \\[[no]] [no\n\n[r]: s.md\n"
    )
    assert _links(text) == [
        ("[[a]]", "a"),
        ("[[b#^c|text]]", "b#^c"),
        ("[d](e.md)", "e.md"),
        ("[f](<g h.md>)", "g h.md"),
        ("[i](j%20k.md 'l')", "j%20k.md"),
        ("[m][r]", "s.md"),
        ("[r]", "s.md"),
        ("[r]", "s.md"),
    ]


def test_cells_of_tables_and_footnotes_are_text() -> None:
    text = "| a | b |\n|---|---|\n| é [[x]] | y |\n\nText.[^1]\n\n[^1]: Note [[z]].\n"
    assert [kind for kind, _, _ in _blocks_of(text)].count("cell") == 4
    assert _links(text) == [("[[x]]", "x"), ("[[z]]", "z")]


def _require_well_formed(text: str, scanned: BlockScan) -> None:
    for block in scanned.blocks:
        assert 0 <= block.start <= block.end <= len(text)
        for start, end in [*block.opaque, *((link.start, link.end) for link in block.links)]:
            assert 0 <= start < end <= len(text)
        assert -1 <= block.quote < len(scanned.quotes)
    for number, quote in enumerate(scanned.quotes):
        assert 0 <= quote.start < quote.end <= len(text)
        assert -1 <= quote.around < number


PIECES = st.sampled_from(
    [
        "> ",
        ">",
        "- ",
        "1. ",
        "  ",
        "    ",
        "\n",
        "\n\n",
        "# ",
        "```\n",
        "`",
        "``",
        "[[x]]",
        "[x]",
        "(y.md)",
        "]",
        "[",
        "é",
        "🜚",
        "word",
        "<b>",
        "<!--",
        "-->",
        "|",
        "|--|",
        "\\",
        "*",
        "***",
        "---\n",
        "===\n",
        "[^1]",
        "[x]: y\n",
        "\t",
        "\r\n",
        "\u00a0",
        "\u2028",
        "::",
        "[!claim]",
    ]
)


@example(">" * 100_000)
@example("[" * 100_000)
@example("- " * 50_000)
@example("[[a](" * 20_000)
@example("`" * 99_999)
@example("*a_ " * 20_000)
@given(st.lists(PIECES, max_size=50).map("".join) | any_text(max_size=60))
def test_every_place_lies_in_the_text(text: str) -> None:
    """And is found in a moment, however long the nonsense."""
    _require_well_formed(text, scan_blocks(text))


@given(st.lists(PIECES, max_size=30).map("".join))
def test_letters_of_several_bytes_do_not_shift_the_places_of_blocks(text: str) -> None:
    plain = text.replace("é", "e").replace("🜚", "e")
    assert [(b.kind, b.start, b.end) for b in scan_blocks(text).blocks] == [
        (b.kind, b.start, b.end) for b in scan_blocks(plain).blocks
    ]
