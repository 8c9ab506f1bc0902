"""Front matter means the same whether it is read line by line or by YAML and pydantic."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.notes.frontmatter import note_fields, split
from kg.notes.frontmatter.note_fields import CalloutFields, LineFields, SourceFields, parse_fields
from kg.notes.frontmatter.split import split_front_matter

MODELS = (CalloutFields, SourceFields, LineFields)
KEYS = sorted({key for model in MODELS for key in model.model_fields})
PLAIN = st.text("abz09 .-_/'+:é,[]", max_size=12) | st.sampled_from(
    [
        "null",
        "true",
        "no",
        "12:30",
        "007",
        "1.10",
        "[a, b]",
        "[null, a]",
        "[a b, c:d]",
        "[]",
        "a: b",
    ]
)


@given(st.lists(st.tuples(st.sampled_from(["type", "camp", "topics", "a_b"]), PLAIN), max_size=4))
def test_plain_lines_mean_what_yaml_says(lines: list[tuple[str, str]]) -> None:
    text = "---\n" + "".join(f"{key}: {value}\n" for key, value in lines) + "---\nbody\n"
    with pytest.MonkeyPatch.context() as patch:
        quick = split_front_matter(text)
        patch.setattr(split, "_parse_simple", lambda _: None)
        slow = split_front_matter(text)
    if quick.trouble is None and slow.trouble is None:
        assert quick.mapping == slow.mapping
        assert (quick.body, quick.first_line) == (slow.body, slow.first_line)
    else:
        assert str(quick.trouble) == str(slow.trouble)


@pytest.mark.parametrize("model", MODELS)
def test_what_needs_no_checking_would_pass_it(model: type[note_fields.NoteFields]) -> None:
    values: tuple[str | tuple[str, ...], ...] = ("a word", "x", ("a", "b"), ("x",), ())
    for key, value in itertools.product(model.model_fields, values):
        if (key, type(value)) in note_fields._NEEDS_NO_CHECK:
            assert getattr(model.model_validate({key: value}), key) == value
            assert parse_fields(model, {key: value}).values == {key: value}


def test_a_value_is_checked_for_the_model_that_asks() -> None:
    assert parse_fields(CalloutFields, {"mutual": "yes"}).values == {"mutual": True}
    assert parse_fields(LineFields, {"mutual": "yes"}).extra == {"mutual": "yes"}


@given(
    st.dictionaries(
        st.sampled_from([*KEYS, "Type", "extra-key"]),
        st.none()
        | st.text(max_size=8)
        | st.lists(st.text(max_size=4), max_size=2).map(tuple)
        | st.just({"a": "b"}),
        max_size=4,
    )
)
def test_every_key_is_a_value_an_extra_or_a_trouble(mapping: dict[str, object]) -> None:
    for model in MODELS:
        said = parse_fields(model, mapping)
        told = {*said.extra, *(trouble.key for trouble in said.troubles)}
        told |= {key for key in mapping if key in said.values}
        told |= {key for key, value in mapping.items() if value is None}
        assert told >= {key for key in mapping if note_fields.fold_key(key) not in said.values}
        assert all(said.values[key] is not None for key in said.values)
