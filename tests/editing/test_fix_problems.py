"""Fixes made as one change: which are, and which wait."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg.editing.fix_problems as fix_problems_module
from kg.checks import check
from kg.editing.change import Change
from kg.editing.fix_problems import MAX_TRIES, _FixState, fix_diagnostics, make_fixes
from kg.editing.folder_files import FolderFiles
from kg.loader import load_corpus
from kg.model import Diagnostic, Severity, Span
from kg.model.diagnostic import fix_at
from tests.support.every_row import every_row


def problem(path: str, line: int, column: int, old: str, new: str) -> Diagnostic:
    place = Span(path, line, column)
    fix = fix_at(place, old, new)
    return Diagnostic(rule="r", severity=Severity.ERROR, message="m", span=place, fix=fix)


def test_fixes_that_meet_wait_and_each_file_keeps_its_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one two\r\nthree\r\n")
    (tmp_path / "b.md").write_bytes(b"four\n")
    problems = [
        problem("a.md", 1, 5, "two", "2"),
        problem("a.md", 1, 6, "wo", "w"),
        problem("a.md", 1, 5, "two", "2"),
        problem("a.md", 2, 1, "three\n", "3\n3\n"),
        problem("b.md", 1, 1, "four", "4"),
        problem("../beside.bib", 1, 1, "x", "y"),
        problem("b.md", 9, 1, "x", "y"),
    ]
    change, fixes = fix_diagnostics(FolderFiles(tmp_path), problems)
    assert change.files_after == {"a.md": b"one 2\r\n3\r\n3\r\n", "b.md": b"4\n"}
    assert len(fixes) == 4
    assert fixes[0] == f"{tmp_path}/a.md:1:5: Write `2` for `two`"


@every_row("order", [(0, 1), (1, 0)])
def test_of_two_fixes_that_touch_the_second_waits(tmp_path: Path, order: tuple[int, int]) -> None:
    (tmp_path / "a.md").write_text("onetwo six\n")
    both = problem("a.md", 1, 1, "one", "1"), problem("a.md", 1, 4, "two", "2")
    problem_apart = problem("a.md", 1, 8, "six", "6")
    change, fixes = fix_diagnostics(
        FolderFiles(tmp_path), [*(both[order] for order in order), problem_apart]
    )
    assert change.files_after == {"a.md": (b"1two 6\n", b"one2 6\n")[order[0]]}
    assert len(fixes) == 2


CLAIM = "---\ntype: claim\nopen: so\n{head}---\n\n# {title}\n\n{body}\n"


def change_by_fixes(folder: Path, **notes: str) -> Change:
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(text)
    files, corpus = FolderFiles(folder), load_corpus(folder)
    return make_fixes(files, corpus, check)


def test_what_a_fix_lays_bare_is_mended_with_it(tmp_path: Path) -> None:
    odd = CLAIM.format(head="upated:2026-01-01\n", title="A", body="")
    change = change_by_fixes(tmp_path, a=odd)
    assert change.files_after == {"a.md": odd.replace("upated:", "updated: ").encode()}
    assert change.title == "fix 2 problems"
    assert change.files_before == {"a.md": odd.encode()}


def test_a_fix_that_brings_an_error_is_left_alone_and_says_why(tmp_path: Path) -> None:
    change = change_by_fixes(
        tmp_path,
        a=CLAIM.format(head="", title="A", body="- suports:: [[b]] with [[a]] — so"),
        b=CLAIM.format(head="upated: 2026-01-01\n", title="B", body="- suports:: [[a]] — so"),
    )
    text = CLAIM.format(head="updated: 2026-01-01\n", title="B", body="- supports:: [[a]] — so")
    assert change.files_after == {"b.md": text.encode()}
    assert change.title == "fix 2 problems"
    assert change.remarks[-1] == (
        f"not fixed: {tmp_path}/a.md:8:3: there is no relation `suports`: its fix would "
        f"cause a new error: {tmp_path}/a.md:8:25: `with` names the statement itself"
    )


def test_where_many_fixes_would_bring_errors_the_rest_is_left_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fix_problems_module, "MAX_NOTES_READ", 5)
    monkeypatch.setattr(fix_problems_module, "MIN_TRIES", 3)
    keys = "".join(f"tpoics{number}: x\n" for number in range(8))  # all would become `topics`
    change = change_by_fixes(tmp_path, a=CLAIM.format(head=keys, title="A", body=""))
    text = next(iter(change.files_after.values())) or b""
    assert text.count(b"\ntopics:") == 1
    untried = [each for each in change.remarks if "was not tried" in each]
    assert untried
    assert "too many others would cause new errors" in untried[0]


def test_a_few_fixes_that_bring_errors_cost_a_few_tries(tmp_path: Path) -> None:
    """By halves: two tries a halving, where one by one would take as many as there are fixes."""
    body = "- suports:: [[a]]\n" * 64
    texts = {
        "a": CLAIM.format(head="", title="A", body=""),
        "b": CLAIM.format(head="", title="B", body=body),
        "c": CLAIM.format(head="tpoics1: x\ntpoics2: y\n", title="C", body=""),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_text(text)
    corpus = load_corpus(tmp_path)
    state = _FixState(FolderFiles(tmp_path), corpus)
    fixable = [each for each in check(corpus) if each.fix]
    assert len(fixable) > 60
    state.apply_fixes(fixable)
    assert len(state.reasons_unfixed) == 1
    assert MAX_TRIES - state.tries <= 2 * len(fixable).bit_length() + 1
