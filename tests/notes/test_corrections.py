"""A fix mends its problem: once its edits are made, the problem is gone.

What is read only then may be wrong in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kg.checks import check
from kg.loader import load_corpus
from kg.model import Diagnostic, Edit, Fix, Span
from kg.model.diagnostic import fix_at
from kg.notes.corrections import MAX_FIX_DISTANCE, find_fix, find_intended
from kg.text.line_starts import TextLineStarts
from tests.support.every_row import every_row
from tests.support.scenes import SPECS, Scene, find_scenes

PAGES = sorted(SPECS.glob("checks/*.md"))
FIXED_AT_LEAST = 55  # problems of the spec pages


def _write(folder: Path, scene: Scene) -> None:
    for name, text in scene.files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")


def _problems(folder: Path) -> list[Diagnostic]:
    return check(load_corpus(folder / "notes"))


def _with_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text`, the whole of one file, with edits of that file made; they do not overlap."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        begin = starts[edit.line - 1] + edit.column - 1
        end = starts[edit.end_line - 1] + edit.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text


def _mend(folder: Path, edits: tuple[Edit, ...]) -> None:
    for path in {edit.path for edit in edits}:
        place = folder / "notes" / path
        mine = [edit for edit in edits if edit.path == path]
        place.write_text(_with_edits(place.read_text("utf-8"), mine), "utf-8")


def test_every_fix_mends_its_problem(tmp_path: Path) -> None:
    fixed: Counter[str] = Counter()
    for number, scene in enumerate(find_scenes(PAGES)):
        folder = tmp_path / str(number)
        _write(folder, scene)
        before = _problems(folder)
        for problem in before:
            if problem.fix is None:
                continue
            _mend(folder, problem.fix.edits)
            after = _problems(folder)
            _write(folder, scene)
            message = f"{scene.page.stem}: {scene.title}: {problem.span} {problem.fix}"
            expected = (problem.rule, problem.message)
            left = [each for each in after if (each.rule, each.message) == expected]
            assert len(left) < sum((p.rule, p.message) == expected for p in before), message
            fixed[problem.rule] += 1
    assert fixed.total() >= FIXED_AT_LEAST, fixed


def test_a_fix_is_at_the_word_and_only_there() -> None:
    text = "one Two three\n\nfour two\n"
    starts = TextLineStarts(text)

    def fix_behind(position: int) -> Fix | None:
        return find_fix(
            text, position, "two", "2", lambda offset: Span("a.md", *starts.place(offset))
        )

    fix = fix_behind(starts.offset(1, 3))
    assert fix == fix_at(Span("a.md", 1, 5), "Two", "2")
    assert fix_behind(starts.offset(1, 6)) is None  # in the next paragraph
    assert _with_edits(text, fix.edits) == "one 2 three\n\nfour two\n"


@every_row(
    ("text", "old", "place"),
    [
        ("two", "", None),  # there is nothing to replace
        ("one Two two", "two", 8),  # as it is written, if that is there, too
        ("Écrit", "Écrit", 0),
        ("Écrit two", "Two", None),  # in another case, characters may be of another number
        ("-" * (MAX_FIX_DISTANCE - 3) + "two", "two", MAX_FIX_DISTANCE - 3),
        ("-" * (MAX_FIX_DISTANCE - 2) + "two", "two", None),
    ],
)
def test_what_a_fix_replaces_is_found_within_bounds(text: str, old: str, place: int | None) -> None:
    fix = find_fix(f"two {text}", 4, old, "2", lambda offset: Span("a.md", 1, offset - 3))
    assert (fix and fix.edits[0].column - 1) == place


def test_edits_are_made_from_the_last_to_the_first() -> None:
    first, last = (fix_at(Span("a.md", line, 1), "ab", "longer") for line in (1, 2))
    assert _with_edits("abc\nabd", (*first.edits, *last.edits)) == "longerc\nlongerd"


def test_a_fix_may_span_lines() -> None:
    fix = find_fix("a [[b\nc]] d", 0, "[[b\nc]]", "x", lambda offset: Span("a.md", 1, offset + 1))
    assert fix is not None
    assert (fix.edits[0].end_line, fix.edits[0].end_column) == (2, 4)
    assert _with_edits("a [[b\nc]] d", fix.edits) == "a x d"


def test_a_key_of_another_year_is_suggested_and_never_put_in(tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_text(
        "@misc{lewis2023, author={Lewis, K}, title={S}, year={2023}}"
    )
    for key, has_fix in (("lewis2021", False), ("lewiss2023", True)):
        text = f"---\ntype: claim\nopen: so\n---\n\n# Said\n\nSaid [@{key}].\n"
        (tmp_path / "a.md").write_text(text)
        problems = check(load_corpus(tmp_path))
        (problem,) = (each for each in problems if each.rule == "unknown-citation")
        assert "lewis2023" in problem.help
        assert (problem.fix is not None) is has_fix


def test_a_misspelt_word_stands_for_the_one_that_it_is_like() -> None:
    relations, synonyms = ["supports", "contradicts"], {"backs": "supports", "hits": "strikes"}
    words = ("suports", "backs", "hits", "supports", "zebra")
    intentions = [find_intended(word, relations, synonyms) for word in words]
    assert intentions == ["supports", "supports", None, "supports", None]
