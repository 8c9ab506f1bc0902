from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.publish.build.search.document_slots import (
    assign_slots,
    capacity_for,
    digits_needed,
    encode_number,
)


def test_slots_are_a_power_of_two_and_three_times_the_documents_at_least() -> None:
    found = [capacity_for(count) for count in (0, 1, 85, 86, 170, 171)]
    assert found == [256] * 3 + [512] * 2 + [1024]
    assert [digits_needed(capacity) for capacity in (256, 2048, 4096)] == [2, 2, 3]
    assert [encode_number(number, 2) for number in (0, 63, 64)] == ["--", "-z", "0-"]


@given(st.sets(st.text(max_size=5), max_size=80))
def test_slots_depend_on_the_names_alone_and_never_clash(names: set[str]) -> None:
    capacity = capacity_for(len(names))
    slots = assign_slots(sorted(names), capacity)
    assert slots == assign_slots(sorted(names, reverse=True), capacity)
    assert len(set(slots.values())) == len(names)
    codes = {name: encode_number(slot, digits_needed(capacity)) for name, slot in slots.items()}
    assert sorted(codes, key=codes.__getitem__) == sorted(slots, key=slots.__getitem__)
