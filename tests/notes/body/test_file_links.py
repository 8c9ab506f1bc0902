"""Pictures and files that a note links to are found, and no link is passed over unparsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.notes.body import file_links
from kg.notes.body.body_reader import read_body
from tests.support.effort import examples
from tests.support.every_row import every_row

PIECES = st.sampled_from(
    [
        "![fit](fit.png)",
        "![[fit.PNG|300]]",
        "[data](../data/set.csv)",
        "[[paper.pdf]]",
        "[r]\n\n[r]: a/fit.jpeg",
        "![far](https://example.org/x)",
        "[note](claims/a.md)",
        "[[a.md]]",
        "model.json",
        "`![x](y.png)`",
        "<!-- [[z.pdf]] -->",
        "[site](https://example.org/a.png)",
        "> ",
        "\n\n",
        " and ",
    ]
)


def links_in(text: str) -> list[tuple[str, bool, bool, bool]]:
    files = read_body(text, "claims/n.md", 1, "n").files
    return [(each.destination, each.wiki, each.shown, each.remote) for each in files]


def test_files_that_a_note_shows_or_links_to_are_found() -> None:
    text = "![fit](fit.png) [[paper.pdf]] [a](a.md) [s](https://example.org/a.png) ![f](https://f.org/x)"
    assert links_in(text) == [
        ("fit.png", False, True, False),
        ("paper.pdf", True, False, False),
        ("https://f.org/x", False, True, True),
    ]


@every_row(
    ("destination", "may"),
    [("paper.pdf#page=2", True), ("fit.PNG ", True), ("note.md#fit.png", False), ("x.html", False)],
)
def test_pictures_and_documents_may_be_published_and_other_files_not(
    destination: str, may: bool
) -> None:
    assert file_links.may_go_with_site(destination) is may


def test_of_several_files_of_a_name_the_one_nearest_the_top_folder_is_meant() -> None:
    (link,) = read_body("![[fit.png]]", "claims/n.md", 1, "n").files
    assert file_links.AttachmentFinder(["a/b/fit.png", "z/fit.png"]).find(link) == "z/fit.png"


@examples(50, derandomize=True)
@given(st.lists(PIECES, max_size=6).map("".join))
def test_what_is_not_parsed_holds_none(text: str) -> None:
    quick = links_in(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_links, "_FILE_NAME", re.compile(""))
        assert links_in(text) == quick
