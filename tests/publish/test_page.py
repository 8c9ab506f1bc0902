"""A page as a value, and the files that stand beside it."""

from __future__ import annotations

from kg.publish.page import Alternate, LazyPage, Page, alternate_url, make_page
from tests.support.every_row import every_row

PAGE = Page(url="claims/x.html", kind="claim", title="X", html="")


@every_row("suffix", ["bib", ".bib"])
def test_a_file_beside_a_page_has_its_address_with_another_suffix(suffix: str) -> None:
    assert alternate_url(PAGE, Alternate(suffix, "text/plain", "")) == "claims/x.bib"


@every_row(("content", "data"), [("é", "é".encode()), (b"\xff", b"\xff")])
def test_a_file_beside_a_page_is_text_or_bytes(content: str | bytes, data: bytes) -> None:
    assert Alternate("bib", "text/plain", content).data == data


def test_a_page_made_on_demand_is_made() -> None:
    assert make_page(LazyPage("claims/x.html", lambda: PAGE)) is PAGE
    assert make_page(PAGE) is PAGE
