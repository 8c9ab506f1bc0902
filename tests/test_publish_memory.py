"""Pages are made again where, and only where, something that they were made from changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.publish.inputs import find_inputs
from kg.publish.shell import build_shell
from kg.publish.site import build_site

IDS = ("a", "b", "c", "d")
RELATIONS = ("supports", "contradicts", "qualifies", "depends-on", "same-as", "supersedes")
TITLES = ("Sleep helps", "Rest heals & soothes", "Naps <b>")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shell that every corpus here shares, since MkDocs takes its time."""
    folder = tmp_path_factory.mktemp("shell")
    build_shell(find_inputs(), folder)
    return folder / "shell"


@pytest.fixture
def work(shell: Path, tmp_path: Path) -> Path:
    return fresh(shell, tmp_path / "site")


def fresh(shell: Path, folder: Path) -> Path:
    shutil.copytree(shell, folder / "shell")
    return folder


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


def built(corpus: Corpus, work: Path) -> set[str]:
    return set(build_site(corpus, work).written)


def test_an_edit_of_a_text_makes_that_page_and_lists_of_texts_anew(
    corpus_of: Callable[..., Corpus], work: Path
) -> None:
    others = {f"n{n}": note(title=f"N{n}") for n in range(5)}
    build_site(corpus_of(a=note(body="One."), **others), work)
    written = built(corpus_of(a=note(body="Two."), **others), work)
    assert "statements/a.html" in written
    assert not {f"statements/n{n}.html" for n in range(5)} & written


def test_a_new_title_reaches_every_page_that_shows_it(
    corpus_of: Callable[..., Corpus], work: Path
) -> None:
    linking = {
        "edge": note("evidence", edges=("supports:: [[a]] — because",)),
        "text": note(body="As in [[a]]."),
        "apart": note(),
    }
    build_site(corpus_of(a=note(title="Old"), **linking), work)
    written = built(corpus_of(a=note(title="New"), **linking), work)
    assert {"statements/a.html", "statements/edge.html", "statements/text.html"} <= written
    assert "statements/apart.html" not in written
    assert not any(b">Old<" in page for page in site(work).values())


def test_a_link_that_led_nowhere_finds_the_note_that_came(
    corpus_of: Callable[..., Corpus], work: Path
) -> None:
    build_site(corpus_of(a=note(body="See [[b]].")), work)
    assert b"(missing)" in site(work)["statements/a.html"]
    build_site(corpus_of(a=note(body="See [[b]]."), b=note()), work)
    assert b"(missing)" not in site(work)["statements/a.html"]


def test_a_page_that_somebody_changed_is_made_anew(
    corpus_of: Callable[..., Corpus], work: Path
) -> None:
    corpus = corpus_of(a=note())
    build_site(corpus, work)
    before = site(work)
    (work / "html" / "statements" / "a.json").write_text("{}", "utf-8")
    assert built(corpus, work) == {"statements/a.json"}
    assert site(work) == before


def test_a_state_that_is_older_than_the_site_is_not_believed(
    corpus_of: Callable[..., Corpus], work: Path
) -> None:
    """As after a build that was killed between its last two steps."""
    first, second = corpus_of(a=note(body="One.")), corpus_of(a=note(body="Two."))
    build_site(first, work)
    state = (work / "pages.state").read_bytes()
    build_site(second, work)
    (work / "pages.state").write_bytes(state)
    build_site(first, work)
    assert b"One." in site(work)["statements/a.html"]


EDGE = st.builds(
    lambda relation, id, reason: f"{relation}:: [[{id}]] — {reason}",
    st.sampled_from(RELATIONS),
    st.sampled_from((*IDS, "was-a", "nowhere")),
    st.sampled_from(("because", "see [[b]]", "as [@smith2020]")),
)
BODY = st.sampled_from(
    (
        "",
        "Text [[a]] and [[was-b|so]].",
        "Said [@smith2020, p. 3].",
        "> [!evidence] Found ^x\n> It.",
    )
)
HEAD = st.sampled_from(
    ("", "topics: [rest]\n", "topics: [rest, work]\nabout: [GPT]\n", "camp: skeptic\n")
)
STATEMENT = st.builds(
    lambda kind, title, head, body, edges: note(kind, title, head, body, tuple(edges)),
    st.sampled_from(("claim", "counter-claim", "evidence")),
    st.sampled_from(TITLES),
    HEAD,
    BODY,
    st.lists(EDGE, max_size=2),
)
LINE = st.builds(
    lambda title, head, body, places: (
        f"---\ntype: line\n{head}---\n\n# {title}?\n\nIs it so?\n\n{body}\n\n## Camps\n\n"
        + "".join(f"- {camp}:: [[{id}]] — so\n" for camp, id in places)
    ),
    st.sampled_from(TITLES),
    st.sampled_from(("", "proposition: a\n", "proposition: b\ntopics: [rest]\n")),
    BODY,
    st.lists(st.tuples(st.sampled_from(("optimist", "skeptic")), st.sampled_from(IDS)), max_size=3),
)
BIBLIOGRAPHY = st.sampled_from(
    (
        "",
        "@article{smith2020, title={On rest}, author={Smith, Ann}, year={2020}}",
        "@article{smith2020, title={On work}, author={Smith, Ann}, year={2021}}",
    )
)
EDIT = st.one_of(
    st.tuples(st.sampled_from(IDS), st.none() | STATEMENT),
    st.tuples(st.just("line"), st.none() | LINE),
    st.tuples(st.just("references"), BIBLIOGRAPHY),
)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=st.lists(st.lists(EDIT, min_size=1, max_size=4), min_size=2, max_size=4))
def test_over_any_history_the_site_is_that_of_a_build_from_nothing(
    history: list[list[tuple[str, str | None]]],
    corpus_of: Callable[..., Corpus],
    shell: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """With every kind of page, to the byte."""
    edited = fresh(shell, tmp_path_factory.mktemp("edited"))
    files: dict[str, str] = {}
    for edits in history:
        for name, text in edits:
            files.pop(name, None)
            if text:
                files[name] = text
        corpus = corpus_of(**files)
        build_site(corpus, edited)
    anew = fresh(shell, tmp_path_factory.mktemp("anew"))
    build_site(corpus, anew)
    assert site(edited) == site(anew)
