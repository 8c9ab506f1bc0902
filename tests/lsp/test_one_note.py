"""What is told of one note while it is typed is what the whole check tells of it."""

from __future__ import annotations

from pathlib import Path

from kg.files.read import NotesFolder
from kg.lsp.one_note import ALONE
from kg.lsp.workspace import Workspace
from tests.lsp.conftest import REST
from tests.test_specs import SPECS, find_scenes


def reads(workspace: Workspace, path: Path) -> bool:
    return workspace.note(str(path)) is not None


def test_a_note_by_itself_has_the_problems_that_it_has_among_all(tmp_path: Path) -> None:
    compared = 0
    told_before: set[str] = set()
    for number, scene in enumerate(find_scenes(sorted(SPECS.glob("checks/*.md")))):
        folder = tmp_path / str(number)
        for name, text in scene.files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        if not (folder / "notes").is_dir():
            continue
        workspace = Workspace(NotesFolder.of(folder / "notes"))
        notes = [each.relative_to(folder / "notes") for each in folder.glob("notes/**/*.md")]
        first = {
            str(path): workspace.problems(str(path)) for path in notes if reads(workspace, path)
        }
        workspace.open()
        workspace.join()
        workspace.check()
        for path in workspace.notes:
            whole = workspace.known.get(path, [])
            assert workspace.problems(path) == whole, f"{scene.page.stem}: {scene.title}: {path}"
            early = first.get(path, [])
            assert [each for each in early if each not in whole] == [], "told before all is read"
            told_before |= {each.rule for each in early}
            compared += 1
    assert compared > 150
    assert told_before >= ALONE


def test_what_is_new_in_a_note_is_known_before_all_is_joined(workspace: Workspace) -> None:
    new = "\n> [!evidence] So it was ^new\n> In a trial. [@doe2024] (reason:: seen)\n"
    workspace.type("rest.md", f"{REST}{new}\nAs in [[rest#^new]], but not in [[rest#^newer]].\n")
    [problem] = workspace.problems("rest.md")
    assert "`^newer`" in problem.message
