"""A site grows as its notes do, also where each of many pages could list all the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from kg.loader import load_changed
from kg.publish.page import Page
from kg.publish.page_builder import MAX_ITEMS_REPEATED
from tests.fuzz.targets import corpus
from tests.support.page_checks import all_pages

FEW = 30
MOST_GROWTH = 2.1  # where notes double; lists of all on each page come to 2.18 and more

HEAD = "---\ntype: claim\ncamp: optimist\n---\n\n# "
Files = Mapping[str, str]


def _each(body: str) -> Callable[[int], Files]:
    """So many claims, each with this body."""
    return lambda count: {
        f"c{n}.md": f"{HEAD}Claim {n}\n\nSo.\n\n{body}\n".replace("NUMBER", str(n))
        for n in range(count)
    }


def _works(count: int, field: str = "") -> Files:
    one = "@article{{b{0}, title={{On naps {0}}}, author={{A, B{0}}}{1}}}\n"
    return {"more.bib": "".join(one.format(n, field) for n in range(count))}


def _same(body: str = "") -> Callable[[int], Files]:
    """Claims that are all the same, each with a reason of its own."""

    def make(count: int) -> Files:
        reasons = {f"r{n}.md": f"{HEAD}Reason {n}\n\n- supports:: [[c{n}]]\n" for n in range(count)}
        return {**_works(count), **_each(f"- same-as:: [[c0]]\n\n{body}")(count), **reasons}

    return make


def _premises(count: int) -> Files:
    """A link of very many premises."""
    others = "".join(f" (with:: [[c{n}]])" for n in range(1, count))
    return {
        **_each("")(count),
        "c0.md": f"{HEAD}Claim 0\n\nSo.\n\n- supports:: [[naps-help]]{others}\n",
    }


# Of each shape the number of claims from which lists of all on each page are told from short ones.
SIZES = {"works of one team": 30}
SIZE = MAX_ITEMS_REPEATED
TRIAL = "> [!evidence] Trial NUMBER ^e\n> It did. [@bNUMBER]"
SHAPES: Mapping[str, Callable[[int], Files]] = {
    "statements that are the same": _same(),
    "such, with evidence": _same(TRIAL),
    "premises of one link": _premises,
    "works of one team": lambda n: {**_works(n, ", independence={team}"), **_each(TRIAL)(n)},
    "lines of one claim": lambda n: {
        f"l{each}.md": f"---\ntype: line\nproposition: naps-help\n---\n\n# Do naps help {each}?\n"
        for each in range(n // 2)
    },
}


def _pages(files: Files) -> dict[str, Page]:
    changed = load_changed(corpus().folder, {name: text.encode() for name, text in files.items()})
    return {page.url: page for page in all_pages(changed)}


@pytest.mark.integration
@pytest.mark.parametrize("name", SHAPES)
def test_pages_of_twice_the_notes_have_about_twice_the_size(name: str) -> None:
    size = SIZES.get(name, SIZE)
    few, many = (
        sum(len(page.html) for page in _pages(SHAPES[name](count)).values())
        for count in (size, 2 * size)
    )
    assert many <= MOST_GROWTH * few


@pytest.mark.integration
def test_the_first_page_lists_everything_and_the_others_link_to_it() -> None:
    pages = _pages(_same(TRIAL)(FEW))
    first, other = pages["statements/c0.html"].html, pages["statements/c7.html"].html
    for n in range(1, FEW):
        assert f"c{n}.html" in first
        assert f"r{n}.html" in first
    left = FEW - 1 - MAX_ITEMS_REPEATED
    assert f"<span>{left} more on the page of <a" in other
    assert "c60.html" not in other
    assert "r60.html" not in other


@pytest.mark.integration
def test_a_link_of_many_premises_names_all_where_it_is_written() -> None:
    pages = _pages(_premises(FEW))
    assert all(f"c{n}.html" in pages["statements/c0.html"].html for n in range(1, FEW))
    assert "c60.html" not in pages["statements/c7.html"].html
    assert f"{FEW - 1 - MAX_ITEMS_REPEATED} more on the page of" in pages["statements/c7.html"].html


@pytest.mark.integration
def test_a_short_list_is_repeated_on_every_page() -> None:
    pages = _pages(_same()(MAX_ITEMS_REPEATED))
    for n in range(MAX_ITEMS_REPEATED):
        page = pages[f"statements/c{n}.html"].html
        assert "more on the page of" not in page
        assert all(f"c{each}.html" in page for each in range(MAX_ITEMS_REPEATED) if each != n)
