"""Notes' Markdown as HTML: links find their pages, citations their sources, and nothing acts.

Of `kg/publish/markup/prose.py`, too.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.markup import render_markdown
from kg.publish.markup.address import Addresses
from kg.publish.markup.link_maker import LinkMaker
from kg.publish.markup.render_markdown import Renderer, TextPlace
from kg.publish.markup.shown_files import LinkTargets
from tests.support.any_text import any_text
from tests.support.corpora import HOSTILE, corpus_of_notes
from tests.support.page_checks import FORBIDDEN, PageElements

NOTES = {
    "references": "@misc{lyre2024, title = {T}, author = {Lyre, Holger}, year = {2024}}",
    "use": "---\ntype: claim\ncamp: optimist\naliases: [old]\n---\n\n# Grounding grows\n\n> "
    "[!evidence] E ^child\n> x [@lyre2024]\n",
    "line": "---\ntype: line\n---\n\n# Q?\n\n## Camps\n\n- skeptic:: [[use]]\n",
}
WORDS = st.lists(
    st.sampled_from(
        [
            *HOSTILE,
            "[[use]]",
            "[@lyre2024]",
            "[",
            "](",
            "<b>",
            "</b>",
            "\n\n",
            "> ",
            "> [!note] ",
            "\n> ",
            "- ",
            "#",
            "|",
            "[^1]",
            "[^1]: ",
            "`",
            "*",
            "**",
            "![",
            "x",
        ]
    )
).map("".join)
TAG = re.compile(r"<(/?\w+)([^<>]*)>")


@pytest.fixture
def renderer() -> Renderer:
    return _renderer(corpus_of_notes(**NOTES))


def _renderer(corpus: Corpus) -> Renderer:
    return Renderer(LinkMaker(corpus, Addresses(corpus)), LinkTargets(corpus))


def _html(
    renderer: Renderer,
    text: str,
    path: str = "note.md",
    line: str | None = None,
    flat: bool = False,
) -> str:
    return renderer.render(text, TextPlace(path=path, root="../", line_id=line, flat=flat)).html


@pytest.mark.parametrize(
    "link",
    [
        "[[use]]",
        "[[old]]",
        "[[USE]]",
        "[[use|words]]",
        "[words](use.md)",
        "[words](use.md#anywhere)",
        "[[folder/use.md]]",
    ],
)
def test_every_way_to_name_a_note_leads_to_its_page(renderer: Renderer, link: str) -> None:
    html = _html(renderer, f"See {link}.")
    assert 'href="../statements/use.html"' in html
    assert 'class="kg-chip kg-camp-1"' in html


def test_a_nested_statement_has_its_own_page(renderer: Renderer) -> None:
    assert 'href="../statements/use.child.html"' in _html(renderer, "[[use#^child]]")


@pytest.mark.parametrize("link", ["[x](#^child)", "[[#^child]]"])
def test_a_link_to_a_block_alone_leads_within_its_note(renderer: Renderer, link: str) -> None:
    html = _html(renderer, link, path="use.md")
    assert 'href="../statements/use.child.html"' in html


def test_relative_links_are_read_from_the_folder_of_their_note(renderer: Renderer) -> None:
    assert 'href="../statements/use.html"' in _html(renderer, "[x](../use.md)", path="lines/l.md")


def test_a_link_without_words_shows_the_title(renderer: Renderer) -> None:
    assert ">Grounding grows<" in _html(renderer, "[[use]]")


def test_a_statement_is_marked_with_its_camp_in_the_line_that_is_read(renderer: Renderer) -> None:
    assert "kg-chip kg-camp-1" in _html(renderer, "[[use]]")
    assert "kg-chip kg-camp-2" in _html(renderer, "[[use]]", line="line")


@pytest.mark.parametrize(
    "link", ["[[nowhere|w]]", "[w](nowhere.md)", "[[use#^nothing|w]]", "[w](#^nothing)"]
)
def test_a_link_to_nothing_is_text_and_says_so(renderer: Renderer, link: str) -> None:
    html = _html(renderer, link)
    assert "<a" not in html
    assert "w<span" in html
    assert "(missing)" in html


def test_citations_are_links_with_authors_and_years(renderer: Renderer) -> None:
    html = _html(renderer, "Said [see @lyre2024, p. 4; @unknown].")
    assert '(see <a class="kg-cite" href="../sources/lyre2024.html"' in html
    assert ">Lyre 2024</a>, p. 4; " in html
    assert "@unknown<span" in html


def test_code_holds_no_links_and_no_citations(renderer: Renderer) -> None:
    assert "<a" not in _html(renderer, "`[[use]] [@lyre2024]`\n\n```\n[[use]] [@lyre2024]\n```\n")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//evil.example",
        "file:///x",
        "JaVaScRiPt:x",
    ],
)
def test_only_web_addresses_are_links(renderer: Renderer, address: str) -> None:
    assert "href" not in _html(renderer, f"[x]({address}) ![y]({address})")


def test_links_to_the_web_say_that_they_lead_out(renderer: Renderer) -> None:
    html = _html(renderer, "[x](https://example.org/a)")
    assert (
        html == '<p><a href="https://example.org/a" rel="noopener noreferrer external" '
        'class="kg-out">x</a></p>'
    )


def test_raw_html_stands_as_text_but_for_a_few_tags_without_attributes(renderer: Renderer) -> None:
    html = _html(renderer, "a <sub>2</sub> <b onclick=x>c</b> <script>d</script><!-- gone -->")
    assert "<sub>2</sub>" in html
    assert "&lt;b onclick=x&gt;" in html
    assert "&lt;script&gt;" in html
    assert "gone" not in html


def test_a_tag_left_open_ends_with_its_paragraph(renderer: Renderer) -> None:
    assert _html(renderer, "<b>one\n\ntwo") == "<p><b>one</b></p><p>two</p>"


def test_headings_are_listed_lowered_and_have_ids_of_their_own(renderer: Renderer) -> None:
    prose = renderer.render(
        "## Same\n\n## Same\n\n### `code` and *more*", TextPlace(path="n.md", mark="m-", deeper=1)
    )
    assert [(h.id, h.text, h.level) for h in prose.headings] == [
        ("m-same", "Same", 3),
        ("m-same-2", "Same", 3),
        ("m-code-and-more", "code and more", 4),
    ]


def test_tables_and_footnotes_are_rendered(renderer: Renderer) -> None:
    html = _html(renderer, "| a | b |\n|---|--:|\n| 1 | 2[^n] |\n\nAgain[^n]\n\n[^n]: Note.\n")
    assert '<th scope="col">a</th>' in html
    assert '<th scope="row">1</th><td data-label="b" class="kg-right">2' in html
    assert (html.count('href="#fn-note-1"'), html.count('id="fn-ref-1"')) == (2, 1)
    assert '<li id="fn-note-1"><p>Note. <a href="#fn-ref-1"' in html


@pytest.mark.parametrize(
    ("head", "cell", "bar"),
    [
        (
            "kept (80%)",
            "at most 43.6 %, not 90%",
            ' kg-at-most" aria-hidden="true"><i class="kg-wide-80">',
        ),
        ("kept (80%)", "43.6 %", '" aria-hidden="true"><i class="kg-wide-80"></i></span></td>'),
        ("kept (80%)", "none", None),
        ("kept (80%)", "250%", None),
        ("kept (250%)", "43.6%", None),
        ("kept", "43.6%", None),
    ],
)
def test_a_percentage_in_a_head_asks_for_bars_beneath_it(
    renderer: Renderer, head: str, cell: str, bar: str | None
) -> None:
    html = _html(renderer, f"| a | {head} |\n|---|---|\n| 9% | {cell} |\n")
    assert html.count("kg-percent") == (bar is not None)
    assert bar is None or f"kg-percent kg-wide-44{bar}" in html


def test_what_a_table_shows_as_bars_can_be_drawn_elsewhere(renderer: Renderer) -> None:
    table = "| a | kept (fair: 80%) |\n|---|---|\n| One | at most 43.6 %, not 90% |\n| Two | – |\n"
    (chart,) = renderer.render(
        f"{table}\n| a | b |\n|---|---|\n| 9% | 8% |\n", TextPlace(path="note.md")
    ).charts
    assert (chart.measure_and_mark, chart.mark) == (("kept", "fair: 80%"), 80)
    assert [(each.name, each.percentage, each.figure) for each in chart.bars] == [
        ("One", 44, "at most 43.6 %")
    ]


def test_a_footnote_that_nothing_defines_is_marked(renderer: Renderer) -> None:
    assert "kg-footnotes" not in _html(renderer, "x[^n]")


def test_a_footnote_is_what_is_defined_first_and_leads_back_only_where_it_is_cited(
    renderer: Renderer,
) -> None:
    html = _html(renderer, "x[^n]\n\n[^n]: First.\n\n[^n]: Second.\n\n[^m]: Uncited.\n")
    assert "First." in html
    assert "Second." not in html
    assert '<li id="fn-note-2"><p>Uncited.</p>' in html


def test_a_block_of_html_is_shown_as_text_unless_it_is_a_comment(renderer: Renderer) -> None:
    assert "kg-raw" in _html(renderer, "x\n\n<div>y</div>")
    assert "kg-raw" not in _html(renderer, "x\n\n<!-- y -->")


def test_other_callouts_are_asides(renderer: Renderer) -> None:
    html = _html(renderer, "> [!note] Mind *this*\n> Text.")
    assert html == (
        '<div class="kg-aside" role="note"><p class="kg-aside-title">Mind '
        "<em>this</em></p><p>Text.</p></div>"
    )


def test_the_title_of_an_aside_ends_where_no_element_is_open(renderer: Renderer) -> None:
    html = _html(renderer, "> [!note] Mind *this\n> word* `x`<br>\n> Text.")
    assert html == (
        '<div class="kg-aside" role="note"><p class="kg-aside-title">Mind '
        "<em>this\nword</em> <code>x</code><br></p><p>Text.</p></div>"
    )


def test_block_ids_are_not_shown(renderer: Renderer) -> None:
    assert _html(renderer, "A paragraph. ^here") == "<p>A paragraph.</p>"


def test_a_line_of_text_has_no_blocks(renderer: Renderer) -> None:
    html = _html(renderer, "# A\n\n- b [[use|c]]\n\n> d", flat=True)
    assert not {"h1", "h2", "p", "ul", "li", "blockquote"} & {
        tag for tag, _ in PageElements(html).elements
    }
    assert "<a " in html


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "Ä",
                "word",
                "1",
                "12",
                ".",
                ")",
                "(",
                " ",
                ",",
                ";",
                ":",
                "-",
                "–",
                "’",
                "_",
                "%",
            ]
        )
        | st.characters(categories=["L", "N"])
        | st.sampled_from(HOSTILE)
    ).map("".join)
)
@example("_so_")
def test_plain_words_are_what_the_parser_would_make_of_them(text: str) -> None:
    context = SiteContext(Addresses(corpus_of_notes(use=NOTES["use"])))
    html = _html(context.renderer, text, flat=True)
    assert context.inline_html(text, "note.md", "../").strip() == html.strip()


@given(WORDS | any_text())
def test_whatever_is_written_is_whole_and_inert(text: str) -> None:
    renderer = _renderer(corpus_of_notes(bibliography=NOTES["references"], use=NOTES["use"]))
    read_back = PageElements(renderer.render(text, TextPlace(path="n.md", root="../")).html)
    assert read_back.wrong == []
    for tag, attributes in read_back.elements:
        assert tag not in FORBIDDEN
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert attributes.get("href", "#").startswith(("#", "../", "http"))


@pytest.mark.parametrize("part", ["*a* ", "`a` ", "[[use]] ", "a\n", "$a$ "])
def test_the_words_of_a_long_paragraph_are_copied_once_for_each_mark_around_them(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    copied: list[int] = []

    class CountingList(list[str]):
        def append(self, words: str) -> None:
            copied.append(len(words))
            super().append(words)

    opened = render_markdown.OpenElement
    monkeypatch.setattr(
        render_markdown, "OpenElement", lambda what, close: opened(what, close, raw=CountingList())
    )
    text = part * 1000
    assert "a" in _html(renderer, text)
    # by the emphasis, by the paragraph, and by the note
    assert 1000 <= sum(copied) <= 3 * len(text)
