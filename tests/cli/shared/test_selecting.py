"""Options that narrow a question, and the part of the notes that a command takes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from kg.cli import run
from kg.cli.finding import find_command
from kg.cli.shared.selecting import select_part
from kg.queries.conditions.field_types import RecordKind
from kg.queries.language.parse_query import BadRequest
from kg.queries.language.query_words import WORDS, ArgumentType
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\ntopics: [norms]\n---\n\n# Talk grounds =1+1\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# It does not\n\n- contradicts:: [[a]] — so\n",
    "c": "---\ntype: claim\ncamp: skeptic\n---\n\n# Nor does it last\n\n- supports:: [[b]]\n",
    "line": "---\ntype: line\n---\n\n# So?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    "- skeptic:: [[c]]\n",
}

ALL_OPTIONS = {flag for option in find_command.params for flag in option.opts}


def printed_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):
        run(list(arguments))
    printed = capsys.readouterr()
    assert not printed.err or printed.out in ("", "0\n")  # why nothing was found
    return printed.out


def ids(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return printed_text(capsys, *arguments, "--format", "ids").split()


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is found, or why nothing may be asked so, or why nothing is found."""
    with suppress(SystemExit):
        run(["find", *arguments, "--format", "ids"])
    printed = capsys.readouterr()
    return printed.out or printed.err


def found_or_refused(text: str) -> str:
    """An outcome without the words of a refusal, which name what was typed."""
    return "refused" if "no word" in text else text


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("start", ["claims", "evidence", "sources", "lines", "edges"])
def test_an_option_narrows_every_sort_as_its_word_does_or_is_refused(
    capsys: pytest.CaptureFixture[str], start: str
) -> None:
    """What an option is ignored for would find everything."""
    of_things = {
        RecordKind.STATEMENT: "b",
        RecordKind.SOURCE: "early",
        RecordKind.LINE: "line",
        RecordKind.EDGE: "x",
    }
    words = {
        name: word
        for record_kind in RecordKind
        for name, word in WORDS[record_kind].items()
        if name != "text"
    }
    for name, word in words.items():
        value = of_things[word.argument_kind] if word.argument_type is ArgumentType.THING else "3"
        option = name.replace("_", "-")
        if f"--{option}" in ALL_OPTIONS:
            by_option = outcome(capsys, start, f"--{option}", value)
            by_word = outcome(capsys, start, f"{name}:{value}")
            assert found_or_refused(by_option) == found_or_refused(by_word), (start, name)


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("claims --camp optimist --camp skeptic", "a b c"),
        ("claims --line line --camp optimist --camp skeptic", "a b c"),
        ("claims --supported-by b --supported-by *", ""),
        ("claims --contradicts a --supported-by c", "b"),
        ("claims --contradicts a --contradicts b", ""),
        ("evidence --sample 100.. --sample ..110", ""),
        ("evidence --sample 100.. --sample ..130", "a#tried"),
    ],
)
def test_an_option_given_twice_holds_twice_but_for_names(
    capsys: pytest.CaptureFixture[str], options: str, expected: str
) -> None:
    assert (
        printed_text(capsys, "find", *options.split(), "--format", "ids").split()
        == expected.split()
    )


@pytest.mark.parametrize(
    ("words", "cword", "expected"),
    [
        ("kg find --camp s", 3, "plain,skeptic"),
        ("kg find --method exp", 3, "plain,experiment"),
        ("kg find --topic n", 3, "plain,norms"),
        ("kg find --contradicts ", 3, "plain,b"),
        ("kg find --reaching a", 3, "plain,a#tried"),
        ("kg find supports:a", 2, "plain,supports:a#tried"),
        ("kg find --source e", 3, "plain,early"),
        ("kg find camp:s", 2, "plain,camp:skeptic"),
        ("kg find contradicts:b", 2, "plain,contradicts:b"),
        ("kg find evidence.me", 2, ""),
        ("kg find cam", 2, "plain,camp:"),
    ],
)
def test_a_shell_completes_options_and_words_of_find(
    notes: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    cword: int,
    expected: str,
) -> None:
    from click.shell_completion import BashComplete

    from kg.cli import main

    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(cword))
    lines = BashComplete(main, {}, "kg", "_KG_COMPLETE").complete().splitlines()
    assert expected in (lines or [""])


@every_row(
    ("line", "query", "ids"),
    [
        (None, None, "a b c d a#tried"),
        (None, "claims camp:optimist", "a d"),
        ("line", None, "a b c a#tried"),
        ("line", "claims camp:optimist", "a"),
    ],
)
def test_a_part_of_the_notes_is_a_line_or_a_query_or_both(
    line: str | None, query: str | None, ids: str
) -> None:
    text_apart = "---\ntype: claim\ncamp: optimist\n---\n\n# Apart\n"
    part = select_part(corpus_of_notes(**NOTES, d=text_apart), line, query)
    assert set(part.statements) == set(ids.split())
    assert [*part.lines] == (["line"] if line or not query else [])


@every_row("query", ["claims nobody", "count(claims)"])
def test_a_part_that_holds_nothing_is_refused(query: str) -> None:
    with pytest.raises(BadRequest):
        select_part(corpus_of_notes(**NOTES), None, query)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("claims",), "a b c"),
        (("--camp", "skeptic", "--line", "line"), "b c"),
        (("claims", "-answered_by:(camp:skeptic)"), "b c"),
        (("claims", "--unanswered"), "b c"),
        (("claims", "--unsupported"), "c"),
        (("claims", "studies:1"), "a"),
        (("evidence", "--method", "experiment", "--sample", "101.."), "a#tried"),
        (("evidence", "--sample", "121.."), ""),
        (("--supported-by", "evidence method:experiment"), "a"),
        (("claims", "evidence:(method:experiment)"), "a"),
        (("claims", "-(topic:norms)"), "b c"),
        (("claims", "--sort", "-title", "--limit", "1"), "a"),
        (("sources", "--year", "..2019"), "early"),
        (("edges", "origin:b"), "b--contradicts--a"),
        (("nor", "last"), "c"),
        (("kind:claim,evidence", "--topic", "norms"), "a a#tried"),
        (("claims", "--topic", "norms, norms,"), "a"),
        (("claims", "--topic", "norms", "--topic", ","), ""),
        (("evidence", "--line", "line", "--camp", "optimist"), "a#tried"),
        (("evidence", "--line", "line", "directly:yes"), ""),
        # text beside options
        (("claims camp:skeptic line:line -answered_by:(camp:optimist)",), "b c"),
        (("claims", "camp:skeptic", "-answers:*"), "c"),
        (("claims", "camp:optimist", "--line", "line"), "a"),
        (("camp:skeptic OR topic:norms", "kind:claim", "--sort", "-title"), "a c b"),
        (("claims sort:-title limit:1", "--camp", "skeptic"), "c"),
        (("claims", "not", "--camp", "skeptic"), "b"),
        (("-topic:norms", "--unsupported"), "c"),
        (("line:line OR nor", "--reaching", "a", "--over", "supports"), "a#tried"),
        (("nor OR not", "--reaching", "b", "--over", "supports"), "c"),
    ],
)
def test_find_prints_the_ids_that_match(
    notes: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
) -> None:
    assert ids(capsys, "find", *arguments) == expected.split()


def test_a_camp_in_the_text_is_that_of_the_line_that_an_option_names(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "line.md").write_text(NOTES["line"].replace("skeptic:: [[c]]", "optimist:: [[c]]"))
    for query in (("--camp", "optimist"), ("camp:optimist",)):
        assert ids(capsys, "find", "claims", *query, "--line", "line") == ["a", "c"]
