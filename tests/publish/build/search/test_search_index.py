"""What a browser searches: stems, the files of terms, and the same index after edits as made anew.

Of `kg/publish/build/search/search_index.py` and `kg/publish/build/search/index_layout.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kg.publish.build.search import index_layout
from kg.publish.build.search.index_layout import (
    assign_buckets,
    capacity_for,
    digits_needed,
    encode_number,
)
from kg.publish.build.search.search_index import INDEX, Indexer, IndexState, load_state, save_state
from kg.publish.build.writer import Writer
from kg.publish.page import Page, Passage
from tests.support.effort import examples


def page(url: str, title: str, text: str, **facets: tuple[str, ...]) -> Page:
    return Page(url=url, kind="x", title=title, html="", search_text=text, facets=facets)


def index(work: Path, pages: list[Page]) -> None:
    with Writer(work) as writer:
        indexer = Indexer(load_state(writer))
        for each in pages:
            indexer.add(each)
        state = indexer.write(writer)
        writer.commit()
        save_state(writer, state)


def files(work: Path) -> dict[str, bytes]:
    return {place.name: place.read_bytes() for place in (work / "html" / "search").iterdir()}


def content(data: bytes) -> Any:
    """What a file of the index calls `kgSearch` with."""
    return json.loads(f"[{data.decode().removeprefix('kgSearch(').rstrip()[:-1]}]")[2]


def shown_results(work: Path) -> dict[str, Any]:
    """What results show, by address."""
    contents = [content(data) for name, data in files(work).items() if name.startswith("d-")]
    return {url: rest for each in contents for url, *rest in each.values()}


def postings(work: Path) -> dict[str, str]:
    contents = [content(data) for name, data in files(work).items() if name.startswith("t-")]
    return {term: text for shard in contents for term, text in shard.items()}


PAGES = st.dictionaries(
    st.sampled_from([f"p{number}.html" for number in range(12)]),
    st.tuples(st.text("ab ", max_size=8), st.text("abcé ", max_size=20), st.sampled_from("xyz")),
)


@examples(4)
@given(history=st.lists(PAGES, min_size=1, max_size=4), limit=st.integers(30, 300))
def test_an_index_after_edits_is_the_one_made_anew(
    history: list[dict[str, tuple[str, str, str]]],
    limit: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_layout, "MAX_FILE_BYTES", limit)
        patch.setattr(index_layout, "SMALLEST_CAPACITY", 8)
        edited, anew = tmp_path_factory.mktemp("edited"), tmp_path_factory.mktemp("anew")
        for pages in history:
            edited_pages = [
                page(url, title, text, kind=(kind,)) for url, (title, text, kind) in pages.items()
            ]
            index(edited, edited_pages)
        index(anew, edited_pages)
    assert files(edited) == files(anew)


def test_one_edit_rewrites_few_files(tmp_path: Path) -> None:
    words = [f"{a}{b}{c}" for a in "bcdfg" for b in "aeiou" for c in "lmnrst"]
    pages = [
        page(f"p{n}.html", f"Title {n}", " ".join(words[n % 97 : n % 97 + 30] * 3))
        for n in range(1200)
    ]
    index(tmp_path, pages)
    before = files(tmp_path)
    pages[7] = page("p7.html", "Title 7", f"{pages[7].search_text} zebra")
    index(tmp_path, pages)
    after = files(tmp_path)
    changed = {name for name in after if before.get(name) != after[name]}
    assert len(after) > 50
    assert len(changed) <= 4
    assert "zebra" in postings(tmp_path)


def test_a_lost_or_changed_file_is_made_again(tmp_path: Path) -> None:
    pages = [page("a.html", "Alpha", "one two"), page("b.html", "Beta", "two three")]
    index(tmp_path, pages)
    whole_files = files(tmp_path)
    assert len(whole_files) > 1
    for name in whole_files:
        (tmp_path / "html" / "search" / name).write_text("scribble")
        index(tmp_path, pages)
        assert files(tmp_path) == whole_files


def test_a_state_of_another_site_is_not_believed(tmp_path: Path) -> None:
    index(tmp_path, [page("a.html", "Alpha", "one")])
    with Writer(tmp_path) as writer:
        save_state(writer, IndexState(files={INDEX: "another"}))
    index(tmp_path, [page("a.html", "Alpha", "two")])
    assert postings(tmp_path).keys() == {"alpha", "two"}


def test_a_title_counts_for_more_than_the_text(tmp_path: Path) -> None:
    index(tmp_path, [page("a.html", "Grounding", "x y"), page("b.html", "Other", "grounding y")])
    width = digits_needed(capacity_for(2))
    text = postings(tmp_path)["ground"]
    weights = [text[position + width] for position in range(0, len(text), width + 1)]
    assert len(set(weights)) == 2


def test_other_names_and_keywords_lead_to_a_page_and_only_names_are_shown(tmp_path: Path) -> None:
    names = ("theory of mind", "theories of mind", "ToM")
    result_page = replace(
        page("a.html", names[0], "Told."), names=names[1:], keywords="mentalising"
    )
    index(tmp_path, [result_page])
    assert postings(tmp_path).keys() == {"theori", "mind", "tom", "told", "mentalis"}
    assert shown_results(tmp_path) == {"a.html": ["theory of mind · ToM", [], "Told.", [], []]}


def test_only_the_page_of_a_line_shows_the_answer_it_gives(tmp_path: Path) -> None:
    pages = [page(f"{kind}.html", kind, "", answer=("yes",)) for kind in ("line", "claim")]
    index(tmp_path, [replace(each, kind=each.title, description="It is.") for each in pages])
    answers = {url: row[3] for url, row in shown_results(tmp_path).items()}
    assert answers == {"line.html": ["It is."], "claim.html": []}


def test_names_are_listed_that_have_synonyms_or_several_words(tmp_path: Path) -> None:
    with Writer(tmp_path) as writer:
        indexer = Indexer()
        indexer.add(page("a.html", "A", "a"))
        indexer.write(writer, [("tom", "theory"), ("theory of mind",), ("alone",)])
        writer.commit()
    assert content(files(tmp_path)["index.js"])["names"] == [["tom", "theory"], ["theory of mind"]]


def test_keywords_weigh_more_than_the_text_and_less_than_the_title(tmp_path: Path) -> None:
    text = "filler " * 40
    index(
        tmp_path,
        [
            page("a.html", "Alpha", f"{text} zebra"),
            replace(page("b.html", "Beta", text), keywords="zebra"),
            page("c.html", "Zebra", text),
        ],
    )
    numbers = postings(tmp_path)["zebra"]
    step = digits_needed(capacity_for(3)) + 1
    weights = {
        numbers[position : position + step - 1]: numbers[position + step - 1]
        for position in range(0, len(numbers), step)
    }
    buckets = assign_buckets(["a.html", "b.html", "c.html"], capacity_for(3))
    text_weight, keyword, title = (
        weights[encode_number(buckets[f"{n}.html"], step - 1)] for n in "abc"
    )
    assert text_weight < keyword < title


def test_a_passage_is_found_by_itself_also_where_its_page_is_kept(tmp_path: Path) -> None:
    links = (("lines/a.html", "a question"),)
    names = ("fine-tuning", "SFT")
    part = Passage(id="term-sft", facet="Term", names=names, text="More training.", links=links)
    whole_page = replace(page("glossary.html", "Glossary", "All words."), passages=(part,))
    index(tmp_path, [whole_page])
    expected = [
        "fine-tuning · SFT",
        ["Term"],
        "More training.",
        [],
        [["lines/a.html", "a question"]],
    ]
    assert shown_results(tmp_path)["glossary.html#term-sft"] == expected
    with Writer(tmp_path) as writer:
        indexer = Indexer(load_state(writer))
        indexer.keep("glossary.html")
        save_state(writer, indexer.write(writer))
        writer.commit()
    assert shown_results(tmp_path)["glossary.html#term-sft"] == expected
    assert content(files(tmp_path)["facets.js"])["kind"].keys() == {"Term"}
    index(tmp_path, [replace(whole_page, passages=())])
    assert shown_results(tmp_path).keys() == {"glossary.html"}


def test_pages_that_are_not_to_be_found_are_left_out(tmp_path: Path) -> None:
    hidden_page = Page(url="h.html", kind="x", title="Hidden", html="", in_search=False)
    index(tmp_path, [hidden_page, page("a.html", "Alpha", "one")])
    assert "hidden" not in postings(tmp_path)


def test_hostile_texts_stay_in_their_strings(tmp_path: Path) -> None:
    hostile = '");alert(1);//</script>\u2028'
    index(tmp_path, [page("a.html", hostile, hostile, topic=(hostile,))])
    documents = [content(data) for name, data in files(tmp_path).items() if name[:2] == "d-"]
    assert [next(iter(each.values()))[1] for each in documents] == [hostile]
    assert content(files(tmp_path)["facets.js"])["topic"].keys() == {hostile}
