"""Pages are made again where, and only where, something that they were made from changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.files.cache_files import state_folder
from kg.loader import load_corpus
from kg.model import InquiryLine
from kg.publish.build.site import build_site
from kg.publish.components.answer_history import answer_history
from kg.publish.context.site_context import SiteContext
from kg.publish.page import LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.publish.pages.recent import recent_pages
from kg.publish.pages.statement import statement_pages
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.repository import LINE, commit, moving_corpus_folder

pytestmark = pytest.mark.integration

IDS = ("a", "b", "c", "d")
RELATIONS = ("supports", "contradicts", "qualifies", "depends-on", "same-as", "supersedes")
TITLES = ("Sleep helps", "Rest heals & soothes", "Naps <b>")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "site"


def site(work: Path) -> dict[str, bytes]:
    html = work / "html"
    files = (place for place in html.rglob("*") if place.is_file())
    return {place.relative_to(html).as_posix(): place.read_bytes() for place in files}


def note(
    kind: str = "claim",
    title: str = TITLES[0],
    head: str = "",
    body: str = "",
    edges: tuple[str, ...] = (),
) -> str:
    rows = "".join(f"- {edge}\n" for edge in edges)
    return f"---\ntype: {kind}\n{head}---\n\n# {title}\n\n{body}\n\n{rows}"


def pages_built(corpus: Corpus, work: Path) -> set[str]:
    return set(build_site(corpus, work).written)


def test_an_edit_of_a_text_makes_that_page_anew_and_no_other_statement(work: Path) -> None:
    others = {f"n{n}": note(title=f"N{n}") for n in range(5)}
    build_site(corpus_of_notes(a=note(body="One."), **others), work)
    texts = pages_built(corpus_of_notes(a=note(body="Two."), **others), work)
    assert "statements/a.html" in texts
    assert not {f"statements/n{n}.html" for n in range(5)} & texts


def test_an_edit_of_a_text_weighs_nothing_again(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {
        "b": note("evidence", head="p: 0.01\n", edges=("supports:: [[a]] — because",)),
        "line": "---\ntype: line\nproposition: a\n---\n\n# Which?\n",
    }
    build_site(corpus_of_notes(a=note(body="One."), **others), work)
    with monkeypatch.context() as patch:
        patch.delattr("kg.reasoning.reading_of")
        assert "statements/a.html" in pages_built(
            corpus_of_notes(a=note(body="Two."), **others), work
        )
    others["b"] = others["b"].replace("supports", "contradicts")
    texts = pages_built(corpus_of_notes(a=note(body="Two."), **others), work)
    assert {"statements/a.html", "lines/line.html", "llms.txt"} <= texts


def test_what_moves_within_its_file_makes_no_page_of_another_anew(
    work: Path, tmp_path: Path
) -> None:
    def corpus(body: str) -> Corpus:
        return corpus_of_notes(
            a=note(), b=note("evidence", body=body, edges=("supports:: [[a]] — so",))
        )

    build_site(corpus("One."), work)
    texts = pages_built(corpus("One.\n\nTwo."), work)
    assert "statements/b.html" in texts
    assert "statements/a.html" not in texts
    build_site(corpus("One.\n\nTwo."), tmp_path / "anew")
    assert site(work) == site(tmp_path / "anew")


def test_a_new_title_reaches_every_page_that_shows_it(work: Path) -> None:
    linking = {
        "edge": note("evidence", edges=("supports:: [[a]] — because",)),
        "text": note(body="As in [[a]]."),
        "apart": note(),
    }
    build_site(corpus_of_notes(a=note(title="Old"), **linking), work)
    texts = pages_built(corpus_of_notes(a=note(title="New"), **linking), work)
    assert {"statements/a.html", "statements/edge.html", "statements/text.html"} <= texts
    assert "statements/apart.html" not in texts
    assert not any(b">Old<" in page for page in site(work).values())


def test_a_second_work_of_the_same_year_renames_the_first_wherever_it_is_named(work: Path) -> None:
    entry = "@article{{{0}, title = {{{0}}}, author = {{Ann Doe}}, year = {{2020}}}}\n"
    notes = {"a": note(body="As shown [@one]."), "b": note(title="B")}
    build_site(corpus_of_notes(references=entry.format("one"), **notes), work)
    page = work / "html/statements/a.html"
    assert "Doe 2020<" in page.read_text("utf-8")
    both = corpus_of_notes(references=entry.format("one") + entry.format("another"), **notes)
    assert "statements/b.html" not in pages_built(both, work)
    assert "Doe 2020b<" in page.read_text("utf-8")


def test_a_link_that_led_nowhere_finds_the_note_that_came(work: Path) -> None:
    build_site(corpus_of_notes(a=note(body="See [[b]].")), work)
    assert b"(missing)" in site(work)["statements/a.html"]
    build_site(corpus_of_notes(a=note(body="See [[b]]."), b=note()), work)
    assert b"(missing)" not in site(work)["statements/a.html"]


def test_pages_lead_to_the_readme_as_soon_as_there_is_one(work: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text(note(body="Said [@s]."), "utf-8")
    source = "---\ntype: source\nverification: A\n---\n\n# S\n"
    (notes / "s.md").write_text(source, "utf-8")
    build_site(load_corpus(notes), work)
    (notes / "README.md").write_text("# How\n\nSo.\n", "utf-8")
    expected = {"about.html", "sources/s.html"}
    assert expected <= pages_built(load_corpus(notes), work)
    (notes / "README.md").write_text("# How\n\nElse.\n", "utf-8")
    assert expected & pages_built(load_corpus(notes), work) == {"about.html"}
    (notes / "README.md").unlink()
    build_site(load_corpus(notes), work)
    assert b"Else." not in site(work)["about.html"]


def test_a_page_that_somebody_changed_is_made_anew(work: Path) -> None:
    corpus = corpus_of_notes(a=note())
    build_site(corpus, work)
    before = site(work)
    record = "api/v1/records/statements-0.json"
    (work / "html" / record).write_text("{}", "utf-8")
    assert pages_built(corpus, work) == {record}
    assert site(work) == before


def test_a_state_that_is_older_than_the_site_is_not_believed(work: Path) -> None:
    """As after a build that was killed between its last two steps."""
    first, second = corpus_of_notes(a=note(body="One.")), corpus_of_notes(a=note(body="Two."))
    build_site(first, work)
    room = state_folder(work)
    assert room is not None
    memory = room / "pages"
    state = memory.read_bytes()
    build_site(second, work)
    memory.write_bytes(state)
    build_site(first, work)
    assert b"One." in site(work)["statements/a.html"]


def answers_moved(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each line, of how its answer moved."""
    for line in context.corpus.lines.values():
        url = f"moved/{line.id}.html"

        def make(line: InquiryLine = line, url: str = url) -> Page:
            builder = PageBuilder(context, url, line.id)
            builder.add(answer_history(builder, line))
            return builder.page("line", line.title, "")

        yield LazyPage(url, make, ("lines", line.id))


def test_a_commit_makes_anew_what_tells_of_the_past(work: Path, tmp_path: Path) -> None:
    notes = moving_corpus_folder(tmp_path)
    commit(notes, "2026-01-09", other=LINE.format("apart"), apart=note())
    makers = (recent_pages, answers_moved, statement_pages)
    build_site(load_corpus(notes), work, pages=makers)
    (notes / "con0.md").unlink()
    (notes / "con1.md").unlink()
    text = set(build_site(load_corpus(notes), work, pages=makers).written)
    assert "moved/it.html" in text, "which shows the answer of now"
    assert "moved/other.html" not in text
    commit(notes, "2026-01-12")
    text = set(build_site(load_corpus(notes), work, pages=makers).written)
    assert text == {"feed.xml", "moved/it.html", "recent.html"} | {
        name for name in text if name.startswith(("statements/", "sitemap"))
    }
    anew = tmp_path / "anew"
    build_site(load_corpus(notes), anew, pages=makers)
    assert site(work) == site(anew)
    assert build_site(load_corpus(notes), work, pages=makers).written == ()


EDGE = st.builds(
    lambda relation, id, reason: f"{relation}:: [[{id}]] — {reason}",
    st.sampled_from(RELATIONS),
    st.sampled_from((*IDS, "was-a", "nowhere")),
    st.sampled_from(("because", "see [[b]]", "as [@smith2020]")),
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "kind": st.sampled_from(("claim", "counter-claim", "evidence")),
    "title": st.sampled_from(TITLES),
    "head": st.sampled_from(
        ("", "topics: [rest]\n", "topics: [rest, work]\nabout: [GPT]\n", "aliases: [was-a]\n")
    ),
    "body": st.sampled_from(
        (
            "",
            "Text [[a]] and [[was-a|so]].",
            "Said [@smith2020, p. 3].",
            "> [!evidence] Found ^x\n> It is so.",
        )
    ),
    "edges": st.lists(EDGE, min_size=1, max_size=2).map(tuple),
}
NOTE = st.fixed_dictionaries(FIELDS)
EDIT = st.one_of(
    *[st.tuples(st.sampled_from(IDS), st.just(name), value) for name, value in FIELDS.items()],
    st.tuples(st.sampled_from(IDS), st.just("note"), st.none() | NOTE),
    st.tuples(st.just("line"), st.just("a"), st.sampled_from(("optimist", "skeptic"))),
    st.tuples(st.just("line"), st.just("proposition"), st.sampled_from(IDS)),
    st.tuples(st.just("references"), st.just("year"), st.sampled_from((2020, 2021))),
)
Notes = dict[str, dict[str, Any] | None]


def with_edit(notes: Notes, id: str, field: str, value: Any) -> Notes:
    """The notes after one edit; whole notes come and go under the field `note`."""
    if field == "note":
        return {**notes, id: value}
    return {**notes, id: {**(notes[id] or {}), field: value}} if notes[id] else notes


def note_texts(notes: Notes) -> dict[str, str]:
    """The notes as text."""
    texts = {id: note(**parsed) for id in IDS if (parsed := notes[id])}
    line, source = notes["line"] or {}, notes["references"] or {}
    texts["line"] = (
        f"---\ntype: line\nproposition: {line['proposition']}\n---\n\n# Which?\n\nSee [[b]].\n\n"
        f"## Camps\n\n- {line['a']}:: [[a]] — so\n- skeptic:: [[c]] — too\n"
    )
    texts["references"] = f"@article{{smith2020, title={{On rest}}, year={{{source['year']}}}}}"
    return texts


@examples(3, suppress_health_check=list(HealthCheck))
@given(start=st.lists(NOTE, min_size=4, max_size=4), edits=st.lists(EDIT, min_size=1, max_size=3))
def test_over_any_history_the_site_is_that_of_a_build_from_nothing(
    start: list[dict[str, Any]],
    edits: list[tuple[str, str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """With every kind of page, to the byte, edit after edit."""
    notes: Notes = dict(zip(IDS, start, strict=True))
    notes |= {"line": {"proposition": "a", "a": "optimist"}, "references": {"year": 2020}}
    kept_folder = tmp_path_factory.mktemp("kept")
    build_site(corpus_of_notes(**note_texts(notes)), kept_folder)
    for edit in edits:
        notes = with_edit(notes, *edit)
        corpus = corpus_of_notes(**note_texts(notes))
        build_site(corpus, kept_folder)
    anew = tmp_path_factory.mktemp("anew")
    build_site(corpus, anew)
    assert site(kept_folder) == site(anew)
