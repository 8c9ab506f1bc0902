"""A corpus without its drafts is the one that would be there had they not been written."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import kg
from kg.checks import check
from kg.corpus import Corpus
from kg.corpus.drafts import find_drafts, without_links
from kg.loader import load_corpus, load_remembered
from kg.notes.new_note import PLACEHOLDER_TITLE, NewNote, render_template
from tests.support.every_row import every_row

NOTES = {
    "a": "type: claim\n---\n# A\n\n[[d]] and [[nick]] ![](a.png)\n\n- supports:: [[b]] — x ^e\n"
    "- supports:: [[d]] — y\n",
    "b": "type: claim\n---\n# B\n\n> [!evidence] E ^e\n> (method:: anecdote)\n",
    "d": "type: claim\nstatus: draft\naliases: [nick]\n---\n# D\n\n![](d.png)\n\n"
    "> [!evidence] Of D ^e\n> x\n\n"
    "- undercuts:: [[a#^e]] — z ^u\n- supports:: [[b]] — w\n- supports:: [[nowhere]] — w\n",
    "u": "type: claim\n---\n# U\n\n- undercuts:: [[d#^u]] — z ^v\n"
    "- supports:: [[b]] (with:: [[d]]) — z\n",
    "l": "type: line\nproposition: d\n---\n# Q?\n\n- optimist:: [[d]]\n- skeptic:: [[a]]\n"
    "- next:: [[m]]\n",
    "m": "type: line\nstatus: draft\n---\n# Draft question?\n\n- optimist:: [[a]]\n",
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        (tmp_path / f"{name}.md").write_text(f"---\n{text}")
    return tmp_path


def test_nothing_of_a_draft_and_nothing_that_leads_to_one_is_left(notes: Path) -> None:
    corpus = load_corpus(notes)
    assert set(corpus.statements) == {"a", "b", "b#e", "u"}
    assert [(edge.origin, edge.target) for edge in corpus.edges] == [("a", "b"), ("b#e", "b")]
    (line,) = corpus.lines.values()
    assert line.proposition is None
    assert [placed.statement for placed in line.placements] == ["a"]
    assert line.next == ()
    assert corpus.mentions == corpus.dead_links == corpus.unresolved_edges == ()
    assert not corpus.aliases
    assert [link.destination for link in corpus.files] == ["a.png"]


@every_row(
    ("title", "key", "count"),
    [
        (PLACEHOLDER_TITLE, "key", 0),
        ("Naps were counted", "key", 1),
        (PLACEHOLDER_TITLE, "doe2019", 1),
    ],
)
def test_the_evidence_of_a_new_note_bears_on_nothing_until_some_of_it_is_filled_in(
    tmp_path: Path, title: str, key: str, count: int
) -> None:
    text = render_template(NewNote("claim", "Naps help")).replace(PLACEHOLDER_TITLE, title)
    text = text.replace("[@key]", f"[@{key}]")
    (tmp_path / "naps-help.md").write_text(text)
    corpus = load_corpus(tmp_path)
    assert (len(corpus.claims), len(corpus.evidence), len(corpus.edges)) == (1, count, count)
    assert "unknown-citation" in {each.rule for each in check(kg.load(tmp_path, drafts=True))}


def test_the_names_of_drafts_left_out_are_known(notes: Path) -> None:
    drafts = load_corpus(notes).drafts
    assert drafts is not None
    assert {"d", "nick", "/d.md", "m"} <= drafts.keys()


@every_row(
    ("link", "words"),
    [
        ("[[d]]", "a draft"),
        ("![[d|so]]", "so"),
        ("[so](d.md)", "so"),
        ('[so](d.md "A title")', "so"),
        ("[so](<d e.md>)", "so"),
        ('[so](other.md "D")', '[so](other.md "D")'),
    ],
)
def test_links_to_drafts_are_replaced_as_notes_write_them(link: str, words: str) -> None:
    names = {"d": "d", "/d.md": "d", "/d e.md": "d e"}
    assert without_links(f"See {link}.", "n.md", names) == f"See {words}."


def test_drafts_are_loaded_if_asked_for(notes: Path) -> None:
    corpus = kg.load(notes, drafts=True)
    assert corpus.drafts is None
    assert set(find_drafts(corpus)) == {"d", "d#e", "m"}
    assert "d" not in kg.load(notes)


def test_the_cache_serves_loads_with_and_without_drafts(
    notes: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache") / "notes"
    for _ in range(3):
        assert "d" in load_remembered(notes, cache, drafts=True)
        assert "d" not in load_remembered(notes, cache)


def test_edges_on_edges_on_a_draft_go_with_it(tmp_path: Path) -> None:
    """However long the chain, in time with its length."""
    (tmp_path / "d.md").write_text("---\ntype: claim\nstatus: draft\n---\n# D\n")
    rows = ["- supports:: [[d]] — x ^e0"]
    rows += [f"- undercuts:: [[a#^e{n}]] — x ^e{n + 1}" for n in range(2000)]
    (tmp_path / "a.md").write_text("---\ntype: claim\n---\n# A\n\n" + "\n".join(rows))
    assert load_corpus(tmp_path).edges == ()
    assert len(load_corpus(tmp_path, drafts=True).edges) == 2001


@every_row(("status", "is_kept"), [("stable", True), ("draft", False)])
def test_problems_and_duplicate_names_of_a_draft_go_with_it(
    tmp_path: Path, status: str, is_kept: bool
) -> None:
    head = f"---\ntype: claim\nstatus: {status}\ncolour: red\n---\n# A\n\n"
    (tmp_path / "a.md").write_text(f"{head}> [!evidence] Seen ^seen\n> x\n")
    (tmp_path / "a.bib").write_text("@misc{a#seen, title={T}}")
    corpus = load_corpus(tmp_path)
    assert [each.rule for each in corpus.diagnostics] == ["unknown-key"] * is_kept
    assert [each.id for each in corpus.duplicates] == ["a#seen"] * is_kept


@every_row(
    ("first", "second", "problems"),
    [
        ("draft", "stable", ["unknown-key", "duplicate-id"]),
        ("stable", "draft", []),
        ("draft", "draft", []),
    ],
)
def test_a_draft_whose_id_is_taken_goes_with_its_problems(
    tmp_path: Path, first: str, second: str, problems: list[str]
) -> None:
    """But not what a draft takes the id of: its author must know that it is left out."""
    for folder, status in (("x", first), ("y", second), ("z", second)):
        (tmp_path / folder).mkdir()
        text = f"---\ntype: claim\nstatus: {status}\n---\n# A\n\n- supports:: [[b]] — x\n"
        (tmp_path / folder / "a.md").write_text(
            text if folder == "x" else text.replace("status", "colour: red\nstatus")
        )
    (tmp_path / "b.md").write_text("---\ntype: claim\n---\n# B\n")
    of_duplicates = [
        each.rule for each in check(load_corpus(tmp_path)) if each.span.path in ("y/a.md", "z/a.md")
    ]
    assert of_duplicates == [*problems, *problems]


SAME = {
    "figures_in_abstracts",
    "left_out",
    "guessed_types",
    "config",
    "folder",
    "known_camps",
    "unwritten",
}


def test_every_field_of_a_corpus_is_known_to_hold_drafts_or_not(notes: Path) -> None:
    """Who adds a field tells which: in `without_drafts`, or in `SAME`."""
    more = {
        "d": NOTES["d"].replace("draft\n", "draft\ncolour: red\n") + "\n[[gone]] [[b#Gone]]\n",
        "f": "type: claim\nstatus: draft\n---\n# F\n\n> [!evidence] Of F ^e\n> x\n",
        "glossary": "type: glossary\n---\n# Terms\n\n- **Nap**: as [[d]] says\n",
        "s": "type: source\n---\n# S\n\nAs [[d]] says.\n",
        "untyped": "status: stable\n---\n# No type\n",
    }
    (notes / "a.bib").write_text("@misc{f#e, title={T}}")
    for name, text in more.items():
        (notes / f"{name}.md").write_text(f"---\n{text}")
    with_drafts, corpus = (load_corpus(notes, drafts=drafts) for drafts in (True, False))
    names = {field.name for field in fields(Corpus) if field.init}
    changed = {name for name in names if getattr(with_drafts, name) != getattr(corpus, name)}
    assert changed == names - SAME
