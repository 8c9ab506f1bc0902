"""Whatever names a thing names it in every command: an id, an alias, a title, a camp's label."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg import load, statements
from tests.support.command import CompletedCommand, kg
from tests.support.every_row import every_row
from tests.support.golden import write_golden_notes

CLAIM, PART, LINE, SOURCE = "short-naps-help", "short-naps-help#words", "should-one-nap", "doe2019"
NAMES = {
    CLAIM: ("naps-help", "A short nap helps people to remember"),
    PART: ("short-naps-help#^words", "naps-help#words", "naps-help#^words"),
    LINE: ("Should one nap?", "SHOULD ONE  NAP?"),
    SOURCE: ("@doe2019",),
    "wakers": ("Wakers", "WAKERS"),
}
COMMANDS = (
    *(f"show {each}" for each in (CLAIM, PART, LINE, SOURCE)),
    *(f"show {PART} --quality", f"sparql reasons --id statement={CLAIM}"),
    *(f"why {each}" for each in (CLAIM, PART, LINE)),
    *(f"why {each} {CLAIM}" for each in ("--against", "--by-year")),
    f"why {PART} --to {CLAIM}",
    *(f"compare {CLAIM} {PART}", f"compare {LINE} {CLAIM}"),
    *(f"verdict {each}" for each in (CLAIM, LINE)),
    *(f"verdict {LINE} {each}" for each in ("--flips", "--independence", "--case wakers")),
    *(f"verdict {LINE} --flips --protect {each}" for each in (PART, SOURCE)),
    *(f"{each} {LINE}" for each in ("crux", "gaps", "tensions")),
    *(f"whatif --falls {each}" for each in (PART, SOURCE)),
    *(f"whatif --mute {CLAIM}", f"whatif --hold {CLAIM}=0.2", f"whatif --base {PART}=0.9"),
    f"whatif --mute {CLAIM} --mute {PART}",
    *(f"find --{each} {CLAIM}" for each in ("supports", "contradicts", "reaching")),
    *(f"find {each}:{CLAIM}" for each in ("part_of", "answers", "id")),
    *(f"find --source {SOURCE}", "find claims --camp wakers"),
    *(f"find edges origin:{PART}", f"find edges target:{CLAIM}", f"find lines places:{CLAIM}"),
    *(f"find sources cited_by:{PART}", f"find --between {PART},{CLAIM}", "find camp:wakers"),
    *(f"find supports:{CLAIM}", f"find edges of:{PART}"),
)
# What has spaces or a colon is a short query there.
QUERIES = re.compile(r"^find ")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("named")
    write_golden_notes(folder)
    return folder


def run_with_values(place: Path, words: list[str]) -> CompletedCommand:
    return kg(place, *words, "--format", "csv" if words[0] == "sparql" else "json")


def with_other_name(words: list[str], name: str, other: str) -> list[str]:
    """The words, in which what is called by a name is called by another."""
    whole = re.compile(rf"(?<![\w#-]){re.escape(name)}(?![\w#-])")
    return [whole.sub(lambda _: other, word) for word in words]


@every_row("command", COMMANDS)
def test_a_command_answers_the_same_by_any_name(command: str, place: Path) -> None:
    """Each command takes one other name of each thing, which one differs by the command."""
    words = command.split()
    first = run_with_values(place, words)
    assert first.returncode == 0, first.stderr
    attempts = 0
    for name, others in NAMES.items():
        fit = [each for each in others if not (QUERIES.match(command) and " " in each)]
        if fit and (change := with_other_name(words, name, fit[len(command) % len(fit)])) != words:
            assert run_with_values(place, change) == first, change
            attempts += 1
    assert attempts


def test_tables_that_are_piped_break_no_id(place: Path) -> None:
    ids = kg(place, "find", "--format", "ids").stdout.split()
    for what in ("statements", "edges", "sources", "lines"):
        text_lines = kg(place, "find", what, "--columns", "id").stdout.splitlines()[1:-1]
        assert text_lines == kg(place, "find", what, "--format", "ids").stdout.splitlines()
        assert "…" not in "".join(text_lines)
    words = kg(place, "find", COLUMNS="20").stdout.split()
    assert {*ids} <= {*words}


def test_python_answers_the_same_by_any_name(place: Path) -> None:
    corpus = load(place / "notes")
    weighing = ("verdict", "crux", "flips", "gaps", "tensions")
    for name in ("why", "against", "support", "timeline", "statement", *weighing):
        for id in (CLAIM, PART) if name not in weighing else (CLAIM, LINE):
            first = getattr(corpus, name)(id)
            for other in NAMES[id]:
                assert getattr(corpus, name)(other) == first, (name, other)
    for id, others in NAMES.items():
        for other in others:
            if id == SOURCE:
                assert corpus.source(other) == corpus.source(id)
                assert corpus.impact([other]) == corpus.impact(id)
            elif id == LINE:
                assert corpus.view_line(other) == corpus.view_line(id)
                assert corpus.case(other, "Wakers") == corpus.case(id, "wakers")
            elif id in corpus.statements:
                assert corpus.whatif(mute=[other]) == corpus.whatif(mute=id)
                assert corpus.whatif(hold={other: 0.1}) == corpus.whatif(hold={id: 0.1})
                for query in (corpus, corpus.stored()):
                    assert query.find(statements().linked("supports", other)).ids == (
                        corpus.find(statements().linked("supports", id)).ids
                    )
