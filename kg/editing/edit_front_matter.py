"""Edit front matter with as few changes as possible, keeping all else as written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from kg.editing.change import ChangeBuilder
from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit
from kg.notes.frontmatter import (
    Scalar,
    YamlError,
    find_scalars,
    fold_key,
    parse_mapping,
    split_front_matter,
)
from kg.text.merge_conflicts import keep_first_versions

_KEY_LINE = re.compile(r"^([\"']?)([^\s#:\-\"'][^\n:\"']*)\1\s*:", re.MULTILINE)


def yaml_word(word: str) -> str:
    """A word as YAML, also within a list; quoted only if it would otherwise be misread."""
    try:
        plain = parse_mapping(f"k: [{word}]") == {"k": [word]} and "#" not in word
    except YamlError:
        plain = False
    return word if plain and word == word.strip() else json.dumps(word, ensure_ascii=False)


def replace_value(text: str, start: int, end: int, word: str) -> TextEdit:
    """The edit that replaces a value by `word`, in the same quotes."""
    quote = text[start - 1 : start]
    if quote == text[end : end + 1] and quote in ("'", '"'):
        inner = word.replace("'", "''") if quote == "'" else json.dumps(word, ensure_ascii=False)
        return TextEdit(start, end, inner if quote == "'" else inner[1:-1])
    return TextEdit(start, end, yaml_word(word))


def add_words(builder: ChangeBuilder, path: str, key: str, words: Iterable[str]) -> None:
    """Add missing words to a list in the front matter of a note, creating the list if needed."""
    text = builder.files.text(path).text
    values = _scalars_of_key(text, path, key)
    present_words = {value.value for value in values}
    new_words = [yaml_word(word) for word in dict.fromkeys(words) if word not in present_words]
    if not new_words:
        return
    listed = ", ".join(new_words)
    region = _span_of_value(text, key)
    if region is None:
        add_line(builder, path, f"{key}: [{listed}]")
        return
    start, end = region
    raw_value = text[start:end]
    value = raw_value.strip()
    if not values:
        value_start = start + len(raw_value) - len(raw_value.lstrip(" "))
        stop = value_start + len(value) if value.startswith("[") else value_start
        space = "" if raw_value.startswith(" ") else " "
        builder.edit(path, value_start, stop, f"{space}[{listed}]")
        return
    first = values[0]
    last = values[-1]
    first_start = _range_with_quotes(text, first)[0]
    stop = _range_with_quotes(text, last)[1]
    before_first = text[text.rfind("\n", 0, first_start) + 1 : first_start]
    if value.startswith("["):
        builder.edit(path, stop, stop, f", {listed}")
    elif before_first.strip() == "-":
        builder.edit(path, stop, stop, "".join(f"\n{before_first}{word}" for word in new_words))
    else:
        quoted = text[first_start:stop] if first_start != first.start else yaml_word(first.value)
        builder.edit(path, first_start, stop, f"[{quoted}, {listed}]")


def remove_word(builder: ChangeBuilder, path: str, key: str, word: str) -> None:
    """Remove a word from a list in the front matter, and the whole list with its last word."""
    text = builder.files.text(path).text
    values = _scalars_of_key(text, path, key)
    region = _span_of_value(text, key)
    numbers = [number for number, value in enumerate(values) if value.value == word]
    if not numbers or region is None:
        return
    if len(values) == 1:
        line_start = text.rfind("\n", 0, region[0]) + 1
        builder.edit(path, line_start, region[1], "")
        return
    number = numbers[0]
    start, stop = _range_with_quotes(text, values[number])
    if text[region[0] : region[1]].strip().startswith("["):
        if number:
            start = _range_with_quotes(text, values[number - 1])[1]
        else:
            stop = _range_with_quotes(text, values[1])[0]
    else:
        start = text.rfind("\n", 0, start) + 1
        stop = text.index("\n", stop) + 1
    builder.edit(path, start, stop, "")


def set_word(builder: ChangeBuilder, path: str, key: str, word: str) -> None:
    """Set a key to one word, replacing its value."""
    text = builder.files.text(path).text
    values = _scalars_of_key(text, path, key)
    if len(values) == 1:
        builder.edit(path, *replace_value(text, values[0].start, values[0].end, word))
    elif values:
        raise NotEditable(f"{builder.files.shown_path(path)}: `{key}` has more than one word")
    elif region := _span_of_value(text, key):
        builder.edit(path, region[0], region[1], f" {yaml_word(word)}\n")
    else:
        add_line(builder, path, f"{key}: {yaml_word(word)}")


def add_line(builder: ChangeBuilder, path: str, new_line: str) -> None:
    """Add a line at the end of a note's front matter, creating front matter if needed."""
    text = builder.files.text(path).text
    front = split_front_matter(text)
    if front.problem is not None:
        raise NotEditable(
            f"{builder.files.shown_path(path)}: its front matter cannot be read: {front.problem}"
        )
    if len(front.body) == len(text):
        builder.edit(path, 0, 0, f"---\n{new_line}\n---\n\n")
        return
    front_end = text.index("\n") + 1 + len(front.text)
    builder.edit(path, front_end, front_end, f"{new_line}\n")


def _scalars_of_key(text: str, path: str, key: str) -> list[Scalar]:
    """The words under a key, with offsets in the whole text."""
    front = split_front_matter(text)
    start = text.find("\n") + 1
    try:
        return [
            scalar._replace(start=scalar.start + start, end=scalar.end + start)
            for scalar in find_scalars(front.text)
            if fold_key(scalar.key) == key and scalar.value
        ]
    except YamlError as error:
        raise NotEditable(f"{path}: its front matter cannot be read: {error}") from None


def _span_of_value(text: str, key: str) -> tuple[int, int] | None:
    """The range from a key's colon to the next key, or to the end of the front matter."""
    front = split_front_matter(text)
    start = text.find("\n") + 1
    keys = list(_KEY_LINE.finditer(front.text))
    for number, match in enumerate(keys):
        if fold_key(match[2]) == key:
            end = keys[number + 1].start() if number + 1 < len(keys) else len(front.text)
            return start + match.end(), start + end
    return None


def _range_with_quotes(text: str, value: Scalar) -> tuple[int, int]:
    """The range of a value with its quotes."""
    quoted = text[value.start - 1] in "'\"" and text[value.end : value.end + 1] in ("'", '"')
    return (value.start - 1, value.end + 1) if quoted else (value.start, value.end)


def require_no_conflict(files: FolderFiles, path: str) -> None:
    """Raise `NotEditable` for a note with a merge conflict."""
    if conflicts := keep_first_versions(files.text(path).text, markdown=True).conflicts:
        place = f"{files.shown_path(path)}:{conflicts[0].first}"
        raise NotEditable(f"{place}: there is a merge conflict; resolve it first")
