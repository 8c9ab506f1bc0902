"""What is wrong with front matter is said in its author's terms, at its place."""

from __future__ import annotations

import pytest

from kg.notes.frontmatter.yaml import parse_mapping
from kg.notes.frontmatter.yaml_errors import YamlError
from tests.support.every_row import every_row


@every_row(
    ("text", "line", "column", "word"),
    [
        ("a: 1\nb: 2\na: 3", 3, 1, "twice"),
        ("a: x\nb:\n\t- c", 3, 1, "tab"),
        ("a: [1, 2\nb: 3", 1, 4, "never closed"),
        ("a: {x: 1", 1, 4, "this `{` is never closed"),
        ("t: x  #y\ncamp: [", 2, 7, "this `[` is never closed"),
        ("a: [  # seen\n  b,", 1, 4, "this `[` is never closed"),
        ("a: {", 1, 4, "this `{` is never closed"),
        ("a: [b, #c]", 1, 8, "begins a comment"),
        ("a: [,\nb: @e", 1, 4, "never closed"),
        ("a: [b,, c]", 1, 7, "a value is missing here"),
        ('x: y\na: "b', 2, 4, "never closed"),
        ("- a\n- b", 1, 1, "key: value"),
        ("type:claim", 1, 1, "space"),
        ("just text", 1, 1, "key: value"),
        ("a: 1\ntype claim", 2, 1, "colon"),
        ("a: 1\ntype claim\nb: 2", 2, 1, "colon"),
        ("title: What: a question", 1, 12, "quotes"),
        ("a: {holds: No: it is not, fails: Yes}", 1, 14, "quotes"),
        ("a: &x 1\nb: *x", 1, 4, "anchors"),
        ("a: [*x]", 1, 5, "quotes"),
        ("a: *bold* word", 1, 4, "quotes"),
        ("a: !!python/object:os.system x", 1, 4, "tags"),
        ("a: @smith2020", 1, 4, "quotes"),
        ("a: `code`", 1, 4, "quotes"),
        ("a: 1\nb: %x", 2, 4, "quotes"),
        ("a: 'it's'", 1, 8, "quotes"),
        ("a: - b", 1, 4, "[a, b]"),
        ("a: b\n...\nc: d", 3, 1, "one piece"),
        ('a: "\\ud800"', 1, 7, "escape"),
    ],
)
def test_what_is_not_a_mapping_is_refused_with_its_place(
    text: str, line: int, column: int, word: str
) -> None:
    with pytest.raises(YamlError) as caught:
        parse_mapping(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert word in f"{caught.value}; {caught.value.help}"
