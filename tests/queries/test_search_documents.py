"""Markdown read as a reader hears it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.queries.search_documents import as_prose
from tests.support.every_row import every_row


@every_row(
    ("markdown", "prose"),
    [
        ("Some *words* and `code` are **plain**.", "Some words and code are plain."),
        ("So it is [@shaikh2024, p. 3; @wu2025].", "So it is."),
        (
            "See [[an-id]] or [[an-id|the claim]], [there](http://x).",
            "See an-id or the claim, there.",
        ),
        ("Measured twice. ^gap", "Measured twice."),
        ("- one\n- two ^b", "one\ntwo"),
        ("> [!evidence] Seen ^a\n> Told. (method:: survey)", "Seen ^a Told."),
        ("a <script>alert(1)</script> b", "a alert(1) b"),
        ("## Head\n\nText ![a picture](p.png)", "Head\nText a picture"),
        ("5 < 6, f(x) [sic] 2 ^ 3", "5 < 6, f(x) [sic] 2 ^ 3"),
    ],
)
def test_prose_is_what_a_reader_sees_of_markdown(markdown: str, prose: str) -> None:
    assert as_prose(markdown) == prose


@given(st.text(max_size=80))
def test_any_text_has_some_prose(text: str) -> None:
    assert "\n\n" not in as_prose(text.encode("utf-8", "replace").decode())
