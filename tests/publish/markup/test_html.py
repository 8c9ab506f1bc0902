"""Elements escape what they are given, and nothing else."""

from __future__ import annotations

import html
import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from kg.publish.markup.html import (
    EMPTY,
    Html,
    as_script_json,
    collapse_after,
    collapsed_list,
    definition_list,
    element,
    escape,
    escape_json,
    fact_row,
    item_list,
    join,
    join_children,
    page_kind_line,
    table,
    table_collapsed_after,
    title_in_html,
    web_address,
)
from kg.publish.markup.link_maker import with_marks
from tests.support.any_text import any_text
from tests.support.effort import examples


class Texts(HTMLParser):
    """The text and attribute values that a browser would see."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.text = ""
        self.values: list[str | None] = []
        self.tags: list[str] = []
        self.feed(markup)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value for _, value in attrs]


TAGS = {"i", "b", "span", "p", "ul", "li", "dl", "div", "dt", "dd", "details", "summary"}
# HTML has no way to carry these: a browser replaces them.
WORDS = st.text("<>&;\"' =ab") | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r")
)


@given(WORDS, WORDS)
def test_any_text_is_read_back_as_it_was(text: str, value: str) -> None:
    read = Texts(element("p", text, title=value))
    assert (read.text, read.values, read.tags) == (text, [value], ["p"])


OTHER = "a text that no table holds of its own, as one holds 0"


@given(WORDS)
def test_texts_are_escaped_as_the_standard_library_does(text: str) -> None:
    assert escape(text) == html.escape(text)


@given(WORDS)
def test_pieces_that_are_written_as_strings_show_any_text_as_it_is(text: str) -> None:
    sign, title = Html("<b>!</b>"), text.strip()
    for piece, wording in (
        (with_marks(title, EMPTY), title),
        (with_marks(title, sign), title + "!"),
        (fact_row(text), text),
        (page_kind_line(text), text),
        (definition_list([(text, text)]), text + text),
        (collapsed_list([text], text), text),
        (collapsed_list([text, text], "thing"), "2 things" + text + text),
    ):
        read = Texts(piece)
        assert read.text == wording
        assert set(read.tags) <= TAGS
    read = Texts(table((text,), [[text]], text, text))
    assert read.text == text + text
    assert read.tags == ["div", "table", "thead", "tr", "th", "tbody", "tr", "td"]
    other = Texts(table((OTHER,), [[OTHER]], OTHER, OTHER))
    assert read.values.count(text) == other.values.count(text) + 2


def test_html_is_not_escaped_again() -> None:
    assert element("p", element("b", "a & b")) == "<p><b>a &amp; b</b></p>"


def test_attributes_are_named_as_html_names_them_and_left_out_when_false() -> None:
    assert element("a", class_="x", data_kg_map=True, hidden=False, id=None, aria_label="y") == (
        '<a class="x" data-kg-map aria-label="y"></a>'
    )


def test_void_elements_are_not_closed() -> None:
    assert element("br") == "<br>"


def test_children_may_be_nested_numbers_or_nothing() -> None:
    assert join_children(["a", None, 1, 2.5, ["<", Html("<b>")]]) == "a12.5&lt;<b>"


def test_join_escapes_its_separator() -> None:
    assert join(" < ", ["a", Html("<b>")]) == "a &lt; <b>"


def test_only_web_addresses_are_links() -> None:
    assert web_address("https://example.org/a?b=c#d") == "https://example.org/a?b=c#d"
    for other in (
        "javascript:alert(1)",
        "data:text/html,x",
        " https://x",
        "//x",
        "https://x\n",
        'https://x"',
        "file:///etc",
    ):
        assert web_address(other) is None


@examples(5)
@given(
    st.recursive(
        WORDS | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner)
    )
)
def test_script_json_is_the_same_value_and_cannot_leave_a_script(value: object) -> None:
    text = as_script_json(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


def test_the_rest_is_collapsed_if_enough_is_left_and_without_items_there_is_no_list() -> None:
    kept_element = element("li", "c", class_="kg-more")
    assert item_list(["a", ["b", 1], kept_element]) == (
        f'<ul class="kg-plain"><li>a</li><li>b1</li>{kept_element!s}</ul>'
    )
    assert item_list([]) == ""
    assert "<details" not in collapse_after("abc", 2, "1 more", item_list)
    first, _, rest = collapse_after("abcd", 2, "2 more", item_list, more=Html("!")).partition(
        "<details"
    )
    assert first == item_list("ab")
    assert rest.endswith(f"<summary>2 more</summary>{item_list('cd')!s}!</details>")


def test_a_table_of_many_rows_goes_on_collapsed() -> None:
    rows = [["a"], ["b"], ["c"]]
    html = table_collapsed_after(["X"], rows, 1, "2 more", "Letters")
    assert html.count("<table") == 2
    assert html.index('aria-label="Letters"') < html.index('aria-label="Letters, continued"')
    assert table_collapsed_after(["X"], rows, 2, "1 more", "Letters") == table(
        ["X"], rows, "Letters"
    )


@examples(10)
@given(any_text() | st.dictionaries(any_text(max_size=9), st.lists(any_text(), max_size=3)))
def test_json_in_a_script_stays_json_and_ends_no_script(value: object) -> None:
    text = escape_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")


@given(WORDS)
def test_a_title_reads_as_it_is(text: str) -> None:
    assert Texts(title_in_html(text)).text == text


def test_a_name_with_a_number_stays_in_one_line() -> None:
    title = "GPT-4.5 & Mistral-7B beat well-known models, say 3-4"
    whole = '<span class="kg-nowrap">{}</span>'
    names = {name: whole.format(name) for name in ("GPT-4.5", "Mistral-7B")}
    expected = escape(title)
    for name, span in names.items():
        expected = expected.replace(name, span)
    assert title_in_html(title) == expected
