"""Front matter is YAML 1.2, and every scalar stays as its author wrote it."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.notes.frontmatter.yaml import find_scalars, offset_of_key, offset_of_value, parse_mapping
from kg.notes.frontmatter.yaml_errors import YamlError
from tests.support.every_row import every_row


@every_row(
    "text",
    [
        "no",
        "yes",
        "on",
        "12:30",
        "12:30:45",
        "007",
        "1.10",
        "0.5",
        "1e3",
        "0x1F",
        "0o17",
        "1_000",
        "_1",
        "._1",
        "+_1",
        "_1e3",
        "+5",
        "-0",
        ".inf",
        "True",
        "FALSE",
        "2026-11-20",
        "2021-13-45",
        "99999999999999999999",
        "R&D",
        "a@b.org",
        "lab:x",
        "Null-model",
        "~x",
        "v1.2.3",
        "3D",
        "1st",
        "0b1",
        ".5",
        "1.",
    ],
)
def test_a_scalar_stays_as_written(text: str) -> None:
    assert parse_mapping(f"key: {text}\nother: [{text}]") == {
        "key": text,
        "other": [text],
    }


def test_truth_and_whole_numbers_are_read_as_such() -> None:
    assert parse_mapping("a: true\nb: false\nc: 42") == {"a": True, "b": False, "c": 42}


@every_row("more", ["", "\nz: 007"])
def test_an_empty_value_is_none_and_a_quoted_one_is_text(more: str) -> None:
    mapping = parse_mapping(f"a:\nb: ~\nc: null\nd: ''\ne: 'no'\nf: \"12\"{more}")
    assert mapping.pop("z", "007") == "007"
    assert mapping == {
        "a": None,
        "b": None,
        "c": None,
        "d": "",
        "e": "no",
        "f": "12",
    }


def test_lists_blocks_and_comments_are_read() -> None:
    text = "a: [x, [[y]]]  # seen\nb:\n  - one\n  - two: 2\nc: |\n  1\n  2\nd: >-\n  on\n  e\n"
    assert parse_mapping(text) == {
        "a": ["x", [["y"]]],
        "b": ["one", {"two": 2}],
        "c": "1\n2\n",
        "d": "on e",
    }
    assert parse_mapping("# nothing but a comment") == {}


def _mapping_or_error(text: str) -> dict[str, object] | YamlError:
    try:
        return parse_mapping(text)
    except YamlError as error:
        return error


@every_row(
    "bomb",
    [
        "a: " + "[" * 30_000 + "]" * 30_000,
        "a: " + "[" * 60_000,
        "a:\n" + "- " * 30_000 + "x",
        "? " * 30_000,
        "a: " + "{a: " * 15_000,
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]",
        "<<: &a {b: *a}",
        "\n".join(" " * depth + "a:" for depth in range(300)),
        "a: " + "9" * 100_000,
        "a: 1\n" * 200_000,
    ],
)
def test_yaml_bombs_are_refused_or_read_without_expansion(bomb: str) -> None:
    mapping = _mapping_or_error(bomb)
    assert len(mapping) == 1 if isinstance(mapping, dict) else str(mapping)


@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
    | st.lists(st.sampled_from(["a: ", "1: ", "~: ", "b", "\n", "- ", "[", "]", "'"])).map("".join)
)
@example("1: a\n~: b\n")
def test_any_text_is_a_mapping_or_refused(text: str) -> None:
    mapping = _mapping_or_error(text)
    if isinstance(mapping, YamlError):
        assert 1 <= mapping.line <= text.count("\n") + 2
    else:
        assert all(type(key) is str for key in mapping)


WORDS = st.text("ab0179+.:_/' -#[]{}&*!|>%@`,é", max_size=10)


@given(st.dictionaries(st.sampled_from("abcdef"), WORDS | st.lists(WORDS, max_size=3)))
def test_quoted_words_come_back_as_they_went_in(words: dict[str, str | list[str]]) -> None:
    def quoted_word(word: str) -> str:
        return "'" + word.replace("'", "''") + "'"

    def line(key: str, value: str | list[str]) -> str:
        listed = "[" + ", ".join(map(quoted_word, value)) + "]"
        return f"{key}: {quoted_word(value) if isinstance(value, str) else listed}"

    assert parse_mapping("\n".join(line(key, value) for key, value in words.items())) == words


@every_row(
    ("key", "word", "text_there"),
    [
        ("type", "", "claim"),
        ("camp", "", "x # so"),
        ("sample", "", "5"),
        ("topics", "lab", "lab"),
        ("list", "b", "b"),
        ("bare", "", "bare:"),
    ],
)
def test_a_value_is_found_where_it_stands(key: str, word: str, text_there: str) -> None:
    text = (
        "type: claim\n'camp' : x # so\nsample_unit: y\nsample: 5\ntopics: [lab-work, lab]\n"
        "list:\n  - a\n  - b\nbare:\nlast: b\n"
    )
    assert text[offset_of_value(text, key, word) :].startswith(text_there)
    assert text[offset_of_key(text, key) :].lstrip("'").startswith(key)


def test_a_key_that_is_not_there_is_looked_for_at_the_top() -> None:
    assert offset_of_key("type: claim\n", "gone") == offset_of_value("type: claim\n", "gone") == 0


@every_row(
    "hidden_text",
    ["'a: \"': {} # \"", "x: ['abc\nk: \"', {} # \"", 'x: ["abc\nk: ", {} # "'],
)
def test_depth_cannot_be_hidden_behind_quotes(hidden_text: str) -> None:
    depth = 30_000
    with pytest.raises(YamlError):
        parse_mapping(hidden_text.replace("{}", "[" * depth + "]" * depth))


@every_row("part", ["[", "{[", "- ", "? ", ": ", "- [", "-\t"])
@every_row("quote", ['"', "'"])
def test_brackets_inside_a_text_do_not_count_as_depth(part: str, quote: str) -> None:
    text = part * 100
    assert parse_mapping(f"title: {quote}{text}{quote}") == {"title": text}
    assert parse_mapping(f"title: |\n  {text}x") == {"title": f"{text}x"}


@every_row(
    "deep",
    [
        *("x: [{}]", "- {}a", "x:\n- {}a", 'x: {}"a', '\'"\': ""\nx: "\n  "\ny:\n- {}a'),
        'x: [{}"',
    ],
)
@every_row("part", ["- ", "? ", "[", "{", '["]",', "['}'],[", "{a: ", "- - [] \n- "])
def test_texts_that_look_deeply_nested_are_read_or_refused_quickly(deep: str, part: str) -> None:
    text = deep.replace("{}", part * (20_000 // len(part)))
    began = process_time()
    for read in (parse_mapping, lambda text: list(find_scalars(text))):
        with suppress(YamlError):
            read(text)
    assert process_time() - began < 2


@every_row("depth", [31, 32])
@every_row("parts", [("[", "]"), ('["]",', "]"), ("{a: ", "}")])
def test_depth_is_counted_and_not_guessed(parts: tuple[str, str], depth: int) -> None:
    first, last = parts
    text = f"type: claim\ntitle: {first * depth}1{last * depth}"
    noted = text + '\nnote: "' + "- " * 40 + '"'
    if depth == 31:
        assert parse_mapping(noted)["type"] == "claim"
    else:
        with pytest.raises(YamlError, match="nested too deeply"):
            parse_mapping(noted)
