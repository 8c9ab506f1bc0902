"""Values of keys mean the same whether they are checked or need no checking."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from kg.notes.frontmatter import note_fields
from kg.notes.frontmatter.note_fields import CalloutFields, LineFields, SourceFields, parse_fields
from tests.support.any_text import any_text
from tests.support.every_row import every_row

MODELS = (CalloutFields, SourceFields, LineFields)
KEYS = sorted({key for model in MODELS for key in model.model_fields})


@every_row("model", MODELS)
def test_what_needs_no_checking_would_pass_it(model: type[note_fields.NoteFields]) -> None:
    values: tuple[str | tuple[str, ...], ...] = ("a word", "x", ("a", "b"), ("x",), ())
    for key, value in itertools.product(model.model_fields, values):
        if (key, type(value)) in note_fields._NEEDS_NO_CHECK:
            assert getattr(model.model_validate({key: value}), key) == value
            assert parse_fields(model, {key: value}).values == {key: value}


@every_row(
    ("value", "message"),
    [
        ("20.11.2026", "2026-11-20, not '20.11.2026'"),
        ("20.11.2026 noon", "a date such as 2026-11-20"),
    ],
)
def test_a_date_in_another_order_is_meant_if_it_stands_alone(value: str, message: str) -> None:
    (bad,) = parse_fields(LineFields, {"created": value}).bad_values
    assert message in bad.message


def test_a_value_is_checked_for_the_model_that_asks() -> None:
    assert parse_fields(CalloutFields, {"mutual": "yes"}).values == {"mutual": True}
    assert parse_fields(LineFields, {"mutual": "yes"}).extra == {"mutual": "yes"}


@given(
    st.dictionaries(
        st.sampled_from([*KEYS, "Type", "extra-key"]),
        st.none()
        | any_text(max_size=8)
        | st.lists(any_text(max_size=4), max_size=2).map(tuple)
        | st.just({"a": "b"}),
        max_size=4,
    )
)
def test_every_key_is_a_value_an_extra_or_a_trouble(mapping: dict[str, object]) -> None:
    for model in MODELS:
        fields = parse_fields(model, mapping)
        keys = {*fields.extra, *(bad.key for bad in fields.bad_values)}
        keys |= {key for key in mapping if key in fields.values}
        keys |= {key for key, value in mapping.items() if value is None}
        assert keys >= {key for key in mapping if note_fields.fold_key(key) not in fields.values}
        assert all(fields.values[key] is not None for key in fields.values)
