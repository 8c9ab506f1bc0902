"""`kg find` and `kg search` as a stranger meets them."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from kg.cli import run
from kg.cli.finding import FORMATS_FOR_READING
from kg.cli.shared.selecting import WORD_OPTIONS
from kg.files.cache_files import state_folder
from kg.loader import load_corpus
from kg.rdf.quad_store import as_store
from tests.support.store_endpoints import serve_store

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\ntopics: [norms]\n---\n\n# Talk grounds =1+1\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# It does not\n\n- contradicts:: [[a]] — so\n",
    "c": "---\ntype: claim\ncamp: skeptic\n---\n\n# Nor does it last\n\n- supports:: [[b]]\n",
    "line": "---\ntype: line\n---\n\n# So?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    "- skeptic:: [[c]]\n",
}


def rendered(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):
        run(list(arguments))
    printed = capsys.readouterr()
    assert not printed.err or printed.out in ("", "0\n")  # why nothing was found
    return printed.out


def ids(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return rendered(capsys, *arguments, "--format", "ids").split()


def test_every_format_holds_what_was_found(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = json.loads(rendered(capsys, "find", "claims", "--format", "json"))
    assert [record["id"] for record in item] == ["a", "b", "c"]
    assert rendered(capsys, "find", "claims", "--count") == "3\n"
    assert "a,claim,optimist,Talk grounds =1+1\n" in rendered(
        capsys, "find", "claims", "--format", "csv"
    )
    assert "| a | claim | optimist | Talk grounds =1+1 |" in rendered(
        capsys, "find", "claims", "--format", "markdown"
    )
    table = rendered(capsys, "find", "--contradicts", "a", "--edges")
    assert "1 statement\n" in table
    assert "contradicts" in table
    for format, has_edges in (("markdown", True), ("csv", False)):
        why = rendered(capsys, "find", "--contradicts", "a", "--edges", "--format", format)
        assert ("Why" in why) is has_edges
    sizes = json.loads(rendered(capsys, "find", "claims", "--group-by", "camp", "--format", "json"))
    assert sizes == {"skeptic": 2, "optimist": 1}
    first_two = ("--count", "--sort", "title", "--limit", "2")
    assert rendered(capsys, "find", "claims", *first_two) == "2\n"


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is found, or why nothing may be asked so, or why nothing is found."""
    with suppress(SystemExit):
        run(["find", *arguments, "--format", "ids"])
    printed = capsys.readouterr()
    return printed.out or printed.err


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(
    ("options", "item"),
    [
        ("sources type:misc", "early"),
        ("sources type:book", "no type 'book'"),
        ("sources kind:misc", "early"),
        ("lines kind:evidence", "no word for lines is called 'kind'"),
    ],
)
def test_the_type_of_a_source_is_what_its_record_says(
    capsys: pytest.CaptureFixture[str], options: str, item: str
) -> None:
    assert item in outcome(capsys, *options.split())


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("find", "--camp", "sceptik"), "did you mean skeptic"),
        (("find", "evidence", "--method", "experimental"), "did you mean experiment"),
        (("find", "--sample", "big"), "write 100, >100"),
        (("find", "sources", "--camp", "skeptic"), "no word for sources is called 'camp'"),
        (("find", "claims", "--sort", "titel"), "did you mean title"),
        (("find", "camp:(x"), "camp: takes no bracket"),
        (("find", "claims", "--columns", "id,nothing"), "no field of a statement"),
        (("find", "--topic", ","), "no topic ','"),
        (("find", "--author", "Roe, J"), "no author 'Roe, J'"),
        (("find", "--metod", "survey"), "no such option '--metod'; did you mean --method?"),
        (("find", "sources", "--topic", "norms"), "no topic 'norms': no source has one"),
        (("export", "dot", "--id", "a"), "no such option '--id'\n"),
        (("find", "evidence", "--p", "0.05"), "no such option '--p'; write `p:…`"),
        (("find", "--kind=claim"), "write `kind:…`"),
        (("find", "--cites", "early"), "write `--source`"),
        (("find", "--single-study"), "write `studies:1`"),
        (("find", "--unanswered-by", "b"), "write `-answered_by:(…)`"),
        (("find", "--open"), "write `open:yes`"),
        (("find", "--not-peer-reviewed"), "write `peer_reviewed:no`"),
        (("find", "--mean", "sample"), "write `mean:…`"),
        (("find", "--words", "--format", "json"), "leave out --format"),
        (("find", "claims", "--count", "--sort", "title"), "leave out --sort"),
        (("find", "claims", "--count", "--edges"), "--edges goes with records"),
        (("find", "claims", "--columns", "id", "--format", "ids"), "ask for csv"),
    ],
)
def test_misuse_is_one_clear_message(
    notes: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], hint: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    assert stop.value.code == 2
    assert hint in capsys.readouterr().err


def test_a_word_taken_away_is_no_option(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole_words = rendered(capsys, "find", "claims", "--format", "ids").split()
    without = rendered(capsys, "find", "claims", "-topic:norms", "--format", "ids").split()
    assert set(without) < set(whole_words)


def test_escape_codes_are_inert_in_every_format(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "odd\x1b[31m.md").write_text("---\ntype: claim\n---\n\n# O\x1b[31mdd\n", "utf-8")
    for format in ("table", "json", "csv", "markdown", "ids"):
        output = rendered(capsys, "find", "dd", "--format", format)
        assert "dd" in output, format
        assert "\x1b" not in output, format


def test_words_that_find_nothing_say_which_of_them_do_not(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for format in ("table", "json", "csv", "markdown", "ids"):
        with suppress(SystemExit):
            run(["find", "which claims rest on a single study", "--format", format])
        printed = capsys.readouterr()
        # beside the answer where a program reads it, in it where a person does
        remarks, other = (printed.err, printed.out)[:: -1 if format in FORMATS_FOR_READING else 1]
        assert remarks.count("no statement saying 'which'") == 1, format
        assert "no statement" not in other, format


def test_a_camp_where_an_id_is_meant_gets_a_hint(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(["find", "claims", "-answered_by:optimist"])
    assert "did you mean camp:optimist?" in capsys.readouterr().err


def test_help_sorts_options_under_headings(capsys: pytest.CaptureFixture[str]) -> None:
    text = rendered(capsys, "find", "--help")
    heads = [line for line in text.splitlines() if line.endswith(":") and line[:1].isupper()]
    assert heads == [f"{title}:" for title in (*WORD_OPTIONS, "Answer")]


@pytest.mark.usefixtures("notes")
def test_an_end_of_an_edge_is_a_word_a_column_and_a_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ends = rendered(capsys, "find", "edges", "--columns", "origin,target", "--format", "csv")
    assert ends.splitlines() == ["origin,target", "a#tried,a", "b,a", "c,b"]
    assert rendered(capsys, "find", "edges", "origin:b", "--count") == "1\n"
    assert rendered(capsys, "find", "edges", "target:a", "--count") == "2\n"
    grouped = rendered(capsys, "find", "edges", "--group-by", "target", "--format", "csv")
    assert grouped.splitlines() == ["target,count", "a,2", "b,1"]


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (("nor", "tried"), "Nothing has all the words. With some of them:\n\n"),
        (("does", "not"), "It does not  statement b\n"),
    ],
)
def test_a_search_says_from_where_on_words_are_missing(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], begins: str
) -> None:
    assert rendered(capsys, "search", *words).startswith(begins)


@pytest.mark.usefixtures("notes")
def test_a_search_says_what_else_has_some_of_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nNothing else has all the words. With some of them:\n" in rendered(
        capsys, "search", "does", "not"
    )


@pytest.mark.usefixtures("notes")
def test_a_search_counts_what_it_found_unless_there_is_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for limit, count in (("1", "the 1 best"), ("2", "2 found"), ("3", "2 found")):
        printed = rendered(capsys, "search", "not", "does", "last", "--limit", limit)
        assert printed.splitlines()[-1] == count


@pytest.fixture
def third_note(notes: Path) -> Path:
    """One more note, with words on grounding in its text and not in its title."""
    file = notes / "third.md"
    file.write_text("---\ntype: claim\n---\n\n# Third\n\nWords on grounding.\n", "utf-8")
    return file


@pytest.mark.usefixtures("third_note")
def test_search_finds_word_beginnings_and_refuses_a_query_without_a_word(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ids(capsys, "search", "ground*") == ["a", "third"]
    assert ids(capsys, "search", "early", "--of", "sources") == ["early"]
    hits = json.loads(rendered(capsys, "search", "words", "--format", "json"))
    assert [(hit["id"], hit["text"]) for hit in hits] == [("third", "Words on grounding.")]
    state = state_folder(notes)
    assert state is not None
    assert (state / "text").is_file()
    with pytest.raises(SystemExit):
        run(["search", "--", "-"])
    assert "no word to search for" in capsys.readouterr().err


@pytest.mark.usefixtures("third_note")
def test_a_word_that_nothing_has_is_taken_for_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with suppress(SystemExit):
        run(["search", "groundig", "--format", "ids"])
    printed = capsys.readouterr()
    assert printed.out == "third\na\n"
    assert printed.err == "'groundig' not found; searching for 'grounding'\n"


def test_an_endpoint_is_asked_instead_of_notes(
    notes: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = as_store(load_corpus(notes))
    monkeypatch.chdir(tmp_path.parent)
    with serve_store(store) as url:
        for command in (
            ("find", "--contradicts", "a", "--endpoint", url),
            ("find", "contradicts:a", "--endpoint", url),
        ):
            assert ids(capsys, *command) == ["b"]
            assert "It does not" in rendered(capsys, *command, "--edges")
