"""What is told of one note while it is typed is what the whole check tells of it.

Of `kg/lsp/workspace.py`.
"""

from __future__ import annotations

from pathlib import Path

from kg.checks import RULES
from kg.files.read_files import NotesFolder
from kg.lsp.workspace import Workspace
from kg.model import Diagnostic
from tests.lsp.conftest import REST
from tests.support.every_row import every_row
from tests.support.scenes import SPECS, Scene, find_scenes

SCENES = [
    scene
    for scene in find_scenes(sorted(SPECS.glob("checks/*.md")))
    if any(name.startswith("notes/") for name in scene.files)
]

NOT_OF_ONE_NOTE = "reads links to other notes, so take `of_one_note=True` away"


def workspace_of(scene: Scene, folder: Path) -> Workspace:
    for name, text in scene.files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return Workspace(NotesFolder.from_path(folder / "notes"))


def problems_at_once(workspace: Workspace) -> dict[str, list[Diagnostic]]:
    """What is told of each note, as typed, before the others are read."""
    folder = workspace.folder.real
    paths = [place.relative_to(folder).as_posix() for place in folder.glob("**/*.md")]
    for path in paths:
        workspace.type(path, workspace.text(path).text)
    return {path: workspace.problems(path) for path in paths}


@every_row("scene", SCENES)
def test_a_note_by_itself_has_the_problems_that_it_has_among_all(
    scene: Scene, tmp_path: Path
) -> None:
    workspace = workspace_of(scene, tmp_path)
    at_once = problems_at_once(workspace)
    workspace.open()
    workspace.join()
    workspace.check()
    for path in (each.path for each in workspace.listing.notes):
        among_all = workspace.known_problems.get(path, [])
        assert workspace.problems(path) == among_all
        early = at_once.get(path, [])
        untrue = [each for each in early if each not in among_all]
        rules = {each.rule for each in untrue}
        assert untrue == [], f"these are gone once all notes are read: {rules} {NOT_OF_ONE_NOTE}"


@every_row("rule", [rule.name for rule in RULES if rule.of_one_note])
def test_problems_of_one_note_are_sent_before_the_others_are_read(
    rule: str, tmp_path: Path
) -> None:
    rules_found: set[str] = set()
    for number, scene in enumerate(scene for scene in SCENES if scene.page.stem == rule):
        at_once = problems_at_once(workspace_of(scene, tmp_path / str(number)))
        rules_found |= {problem.rule for problems in at_once.values() for problem in problems}
    assert rule in rules_found, f"not found before links are resolved: {rule} {NOT_OF_ONE_NOTE}"


def test_what_is_new_in_a_note_can_be_linked_to_before_it_is_saved(workspace: Workspace) -> None:
    new = "\n> [!evidence] So it was ^new\n> In a trial. [@doe2024] (reason:: seen)\n"
    workspace.type("rest.md", f"{REST}{new}\nAs in [[rest#^new]], but not in [[rest#^newer]].\n")
    workspace.join()
    workspace.check()
    [dead_link] = [each for each in workspace.problems("rest.md") if each.rule == "dead-link"]
    assert "`^newer`" in dead_link.message
