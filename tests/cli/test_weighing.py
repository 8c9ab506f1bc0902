"""`kg verdict` and its like, as a stranger meets them."""

from __future__ import annotations

import json
import re
import tomllib
from html import escape
from pathlib import Path

import pytest

from kg.cli import run
from kg.cli.shared.output import print_answer, print_table
from kg.loader import load_corpus
from kg.reasoning import (
    SentenceAnswer,
    case,
    circles,
    crux,
    flips,
    gaps,
    impact,
    independence,
    positions,
    robustness,
    tensions,
    verdict,
    whatif,
)
from tests.support.own import own_corpus

LONG = "a-note-whose-name-is-as-long-as-names-of-notes-come"
NOTES = {
    "talk": "---\ntype: claim\n---\n\n# Talk grounds models\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)"
    " (reason:: a trial)\n",
    LONG: "---\ntype: counter-claim\ncamp: skeptic\n---\n\n# It does [red]not[/red]\n\n"
    "- contradicts:: [[talk]] — so\n\n"
    "> [!evidence] It failed ^failed\n> [@late] (method:: experiment) (reason:: a failure)\n",
    "more": "---\ntype: claim\ncamp: optimist\n---\n\n# More talk grounds more\n\n"
    "- supports:: [[talk]] — more\n\n"
    "> [!evidence] It grew ^grew\n> [@early] (method:: survey) (reason:: growth)\n",
    "line": "---\ntype: line\nproposition: '[[talk]]'\n---\n\n# Does talk ground models?\n\n"
    f"- optimist:: [[more]] — so\n- skeptic:: [[{LONG}]] — no\n",
}
BOOKS = "@misc{early, title={Early}, year={2019}}\n@misc{late, title={Late}, year={2020}}\n"
ANSWERS = (
    ("verdict", "line"),
    ("verdict", "line", "--detail"),
    ("verdict", "line", "--case", "skeptic"),
    ("crux", "line"),
    ("verdict", "line", "--flips"),
    ("verdict", "line", "--flips", "--by", "source"),
    ("verdict", "line", "--robustness", "--draws", "20"),
    ("verdict", "line", "--independence"),
    ("gaps",),
    ("tensions",),
    ("gaps", "--circles"),
    ("tensions", "line", "--positions"),
    ("whatif", "--falls", "early"),
    ("whatif", "--mute", LONG),
)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    printed = capsys.readouterr()
    return stop.value.code or 0, printed.out, printed.err


@pytest.mark.parametrize("arguments", ANSWERS, ids=" ".join)
def test_answers_are_readable_at_a_hundred_columns(
    notes: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.setattr("kg.cli.shared.output.WIDTH_WITHOUT_FOLDING", 100)
    code, output, err = run_command(capsys, *arguments)
    assert (code, err) == (0, "")
    assert "Traceback" not in output
    assert max(len(line.rstrip()) for line in output.splitlines()) <= 100
    assert not {"{", "}", "…"} & set(output), "no raw values, no ids cut short"
    _, as_json, _ = run_command(capsys, *arguments, "--format", "json")
    sentence = json.loads(as_json)["sentence"]
    assert " ".join(output.split()).startswith(" ".join(sentence.split()))


def test_python_prints_what_the_terminal_shows(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = load_corpus(notes)
    answers: dict[tuple[str, ...], SentenceAnswer] = {
        ("crux", "line"): crux(loaded, "line"),
        ("verdict", "line", "--flips", "--by", "source"): flips(loaded, "line", by="source"),
        ("verdict", "line", "--robustness"): robustness(loaded, "line"),
        ("verdict", "line", "--independence"): independence(loaded, "line"),
        ("verdict", "line", "--case", "skeptic"): case(loaded, "line", "skeptic"),
        ("gaps",): gaps(loaded),
        ("tensions",): tensions(loaded),
        ("gaps", "--circles"): circles(loaded),
        ("tensions", "line", "--positions"): positions(loaded, "line"),
        ("whatif", "--falls", "early"): impact(loaded, "early"),
        ("whatif", "--mute", LONG): whatif(loaded, mute=[LONG]),
    }
    for arguments, answer in answers.items():
        assert run_command(capsys, *arguments)[1] == f"{answer}\n"
        assert repr(answer) == f"<{type(answer).__name__}: {answer.sentence}>"
        assert escape(answer.sentence) in answer._repr_html_()
    line_verdict = verdict(loaded, "line")
    bill = str(line_verdict).partition("\nfor, in all ")[2]
    assert bill
    assert bill in run_command(capsys, "verdict", "line")[1]
    assert "<table>" in line_verdict._repr_html_()


def test_a_premise_that_holds_is_no_attack(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = NOTES["talk"].replace("\n\n>", "\n\n- depends-on:: [[words]] — it is about them\n\n>", 1)
    (notes / "talk.md").write_text(text, "utf-8")
    words = "---\ntype: claim\n---\n\n# Words\n\n> [!evidence] So ^so\n> [@early]\n"
    (notes / "words.md").write_text(words, "utf-8")
    command = run_command(capsys, "verdict", "line")[1]
    assert "\nlinked to it, adding less than 0.005 directly: more, words\n" in command
    assert not re.search(r"  words$", command, re.M)


def test_a_sentence_names_the_premise_that_fails(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = NOTES["talk"].replace("\n\n>", "\n\n- depends-on:: [[words]] — it is about them\n\n>", 1)
    (notes / "talk.md").write_text(text, "utf-8")
    (notes / "words.md").write_text("---\ntype: claim\n---\n\n# Words\n", "utf-8")
    (notes / f"{LONG}.md").unlink()
    wording = " ".join(run_command(capsys, "verdict", "talk", "--detail")[1].split())
    assert (
        "it depends on “Words”, but every chain of reasons from evidence to that has a weak link"
        in wording
    )


def test_lines_that_go_on_are_indented(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    lines = run_command(capsys, "verdict", "line", "--detail")[1].splitlines()
    assert lines[lines.index("  independent sources that it") + 1] == "    hangs on: 2"


def test_circles_of_objections_are_distinguished_from_circles_of_support(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "more.md").write_text(NOTES["more"].replace("supports::", "contradicts::"), "utf-8")
    text = NOTES["talk"].replace("\n\n>", "\n\n- contradicts:: [[more]] — so\n\n>", 1)
    (notes / "talk.md").write_text(text, "utf-8")
    wording = " ".join(run_command(capsys, "gaps", "--circles")[1].split())
    assert wording.startswith("No statements support each other in a circle.")
    assert "Some reasons and objections go in circles; each was followed" in wording


def test_long_ids_can_be_read(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert LONG in run_command(capsys, "verdict", "line")[1]


def test_numbers_say_what_they_count(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "sources that it hangs on: 2" in run_command(capsys, "verdict", "line", "--detail")[1]
    assert "works that fall: early" in run_command(capsys, "whatif", "--falls", "early")[1]


def test_piped_tables_break_no_word(capsys: pytest.CaptureFixture[str]) -> None:
    id = "-".join(["wording"] * 40)
    print_table(("id", "reason"), [(id, "so it is " * 40)])
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.integration
def test_the_crux_beneath_is_a_table_that_says_what_it_weighs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    loaded = own_corpus()
    print_answer(crux(loaded, "social-grounding"), "table")
    first, beneath = capsys.readouterr().out.split("\nwhat the first of these hangs on")
    heading = [
        "statement",
        "strength",
        "each",
        "camp",
        "alone",
        "sees",
        "if",
        "true",
        "if",
        "false",
        "if",
        "settled",
        "score",
    ]
    assert "cruxes, weighed for what was asked" in first
    assert beneath.splitlines()[1].split() == heading


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("verdict", "lime"), "did you mean line?"),
        (
            ("verdict", "line", "--case", "skeptics"),
            "no camp 'skeptics' in the corpus; did you mean skeptic?",
        ),
        (("verdict", "line", "--case"), "option '--case' requires an argument"),
        (("verdict", "line", "--robustness", "--draws", "0"), "0 is not in the range"),
        (("whatif",), "suppose something"),
        (("whatif", "--hold", "talk"), "write ID=NUMBER"),
        (("whatif", "--hold", "talk=2"), "not a number from 0 to 1"),
        (("whatif", "--base", "talk=nan"), "not a number from 0 to 1"),
        (("whatif", "--weight", "more--supports--talk=-2"), "not a number from -1 to 1"),
        (("whatif", "--weight", "more--supports--tall=1"), "did you mean more--supports--talk"),
        (("whatif", "--mute", "tall"), "did you mean talk?"),
        (("whatif", "--falls", "earlier"), "did you mean early?"),
        (("verdict", "line", "--flips", "--protect", "tall"), "did you mean talk?"),
        (("show", "tall", "--quality"), "did you mean talk?"),
        (("agreement",), "there are no judgements"),
    ],
)
def test_misuse_is_an_error_in_words(
    notes: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    code, output, err = run_command(capsys, *arguments)
    assert code == (1 if arguments == ("agreement",) else 2)
    assert (output, words in err) == ("", True), err


def test_a_protected_source_is_spared_by_its_key(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, output, _ = run_command(capsys, "verdict", "line", "--flips", "--by", "source")
    assert "@early" in output
    _, output, _ = run_command(
        capsys, "verdict", "line", "--flips", "--by", "source", "--protect", "early"
    )
    assert "@early" not in output


def test_a_line_ends_with_its_verdict(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = run_command(capsys, "show", "line")
    sentence = verdict(load_corpus(notes), "line").sentence
    assert " ".join(output.split()).endswith(" ".join(sentence.split()))


def test_a_line_shows_what_its_answer_means_and_no_escape_code_is_obeyed(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "if the proposition" not in run_command(capsys, "show", "line")[1]
    assert "Chief doubt" not in run_command(capsys, "verdict", "line")[1]
    (note,) = notes.rglob("line.md")
    text = 'answers: {holds: "Yes: [red]\\x1b[31m it does", fails: "No <b>"}\nproposition:'
    text = f"doubt: Nobody asked.\n{text}"
    note.write_text(note.read_text("utf-8").replace("proposition:", text), "utf-8")
    _, output, _ = run_command(capsys, "show", "line")
    assert "holds" in output
    assert "Yes: [red]�[31m it does" in output
    assert "No <b>" in output
    assert "Undecided: the notes do not settle it." in output
    assert "Chief doubt: Nobody asked." in output
    assert "\nChief doubt: Nobody asked.\n" in run_command(capsys, "verdict", "line")[1]
    verdict = json.loads(run_command(capsys, "verdict", "line", "--format", "json")[1])
    assert verdict["doubt"] == "Nobody asked."


def test_a_claim_has_no_grade_and_evidence_has(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "a claim is not graded" in run_command(capsys, "show", "talk", "--quality")[1]
    graded = run_command(capsys, "show", "talk#tried", "--quality")[1]
    assert "experiment" in graded
    assert "+3.00" in graded


def test_the_ladder_in_force_is_printed_to_copy(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = notes.parent / "kg.toml"
    settings.write_text("[quality.kinds]\nproof = 4.5\n", "utf-8")
    code, output, _ = run_command(capsys, "show", "--ladder")
    assert code == 0
    assert tomllib.loads(output)["quality"]["kinds"]["proof"] == 4.5
    settings.write_text(output, "utf-8")
    assert run_command(capsys, "show", "--ladder")[1] == output
    whole_data = json.loads(run_command(capsys, "show", "--ladder", "--format", "json")[1])
    assert whole_data == tomllib.loads(output)["quality"]


def test_judgements_beside_the_notes_count(notes: Path) -> None:
    edge = "more--supports--talk"
    before = verdict(load_corpus(notes), "line")
    (notes / "judgements").mkdir()
    rows = [f"{edge},{name},{label}" for name, label in (("ada", "supports"), ("ben", "neutral"))]
    text = "\n".join(["edge,annotator,label", *rows])
    (notes / "judgements" / "made-up.csv").write_text(text, "utf-8")
    after = verdict(load_corpus(notes), "line")
    weights = [{r.edge: r.weight for r in answer.reasons}[edge] for answer in (before, after)]  # type: ignore[union-attr]
    assert weights == [1.0, 0.5]
