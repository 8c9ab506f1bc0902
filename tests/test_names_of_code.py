"""How names of the code are made: `docs/contributing/words.md`."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTICIPLE = re.compile(
    "(?i)_*(?:asked|drawn|found|given|kept|left|listed|looked|meant|named|said|seen|shown|stated"
    "|told|typed|wanted)_*"
)
BY_A_PARTICIPLE = {"kg/queries/language/selection.py: named": "a word of queries that people type"}
SUBJECTS = {
    "checks": "fixes quoted_words together what_follows",
    "cli": (
        "command_line diffs every_name faults golden_commands judging kills names refusals weigh"
    ),
    "editing": (
        "dataview mapped_vault merge_sources nothing_is_lost sources_beside split_and_retire"
    ),
    "exchange": "lying_servers push",
    "files": "attacks races sealed signals swapped",
    "git": "git_attacks git_borrowed git_endless",
    "importing": "import_command",
    "lsp": "places server",
    "model": "methods p_values repr",
    "notes/entries": "exports page_ranges",
    "notes/frontmatter": "schema",
    "notes/mapping": "map_source",
    "notes/markdown": "blocks_plain line_starts",
    "notes": "advice outer_bibliographies",
    "publish/build": "files_for_programs search_index shown_files unchanged_folder",
    "publish/components": "cite study",
    "publish/markup": "fragments work_links",
    "publish/pages": "agreement folding history pages repeated_lists same_numbers",
    "publish": "golden_site",
    "queries/engines": "groups inline_subqueries",
    "queries": "kept_answers thirty_questions",
    "rdf/shacl": "lexical_forms own_shapes validation",
    "rdf": "hints named_queries query_reach turtle",
    "reasoning/answers": "answer_cases plotted",
    "reasoning/attribution": "filed_directly",
    "reasoning": (
        "calibration_claims formulas_of_the_page invariants metamorphic replications "
        "reuse shared_sources strength_cases worked_examples"
    ),
    "serve": "current_site soak",
}
"""Test files, by room, that are not of one module: what they hold of a whole room."""
TRUTHS = {"bool", "Bools"}  # Bools: a truth for each of many
QUOTED = re.compile(r"`((?:[^`\s(]+\()[^`]*)`")  # not `text (in brackets)`

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def definitions() -> tuple[tuple[str, Function | ast.ClassDef], ...]:
    """Each function, method and class of the program, by `file: name`."""
    return tuple(
        (f"{file.relative_to(ROOT).as_posix()}: {node.name}", node)
        for file in sorted((ROOT / "kg").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, Function | ast.ClassDef)
    )


def functions(*beginnings: str) -> dict[str, str]:
    """What the functions return whose names begin so, as their annotations say."""
    return {
        name: ast.unparse(node.returns) if node.returns else ""
        for name, node in definitions()
        if isinstance(node, Function) and node.name.lstrip("_").startswith(beginnings)
    }


def test_what_raises_is_called_require() -> None:
    assert functions("need_") == {}


def test_what_requires_returns_nothing() -> None:
    found = functions("require_")
    assert list(found.values()).count("None") > 5
    wrong = {name for name, returned in found.items() if returned != "None"}
    assert wrong == set()


def test_a_truth_is_true_or_false() -> None:
    found = functions("is_", "has_", "can_", "may_", "are_", "wants_")
    assert list(found.values()).count("bool") > 50
    wrong = {name for name, returned in found.items() if returned not in TRUTHS}
    assert wrong == set()


def test_no_function_or_class_is_called_by_a_participle_alone() -> None:
    found = {name for name, node in definitions() if PARTICIPLE.fullmatch(node.name)}
    assert found == set(BY_A_PARTICIPLE)


def calls_named_in(file: Path) -> Iterator[tuple[str, set[str]]]:
    """What docstrings of a file quote that calls something, and the names it calls."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                for quoted in QUOTED.findall(text):
                    try:
                        tree = ast.parse(quoted.replace("…", "..."), mode="eval")
                    except SyntaxError:
                        continue
                    calls = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
                    yield (
                        quoted,
                        {
                            func.id if isinstance(func, ast.Name) else func.attr
                            for func in calls
                            if isinstance(func, ast.Name | ast.Attribute)
                        },
                    )


def names_taken_as_arguments(file: Path) -> set[str]:
    """Names of parameters and fields in a file, which may hold what is called."""
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    fields = [node.target for node in nodes if isinstance(node, ast.AnnAssign)]
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        field.id for field in fields if isinstance(field, ast.Name)
    }


def test_calls_in_docstrings_name_what_exists() -> None:
    known = {node.name for _, node in definitions()} | set(dir(builtins))
    wrong, seen = [], 0
    for file in sorted((ROOT / "kg").rglob("*.py")):
        for quoted, names in calls_named_in(file):
            seen += len(names)
            if names - known and names - known - names_taken_as_arguments(file):
                wrong.append((file.relative_to(ROOT).as_posix(), quoted))
    assert seen > 100
    assert wrong == []


def test_test_files_are_named_after_a_module_or_a_subject() -> None:
    subjects: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        room = file.parent.relative_to(ROOT / "tests")
        if not room.parts or not (ROOT / "kg" / room.parts[0]).is_dir():
            continue  # not of a room: the documents, the browser, the whole
        place = ROOT / "kg" / room / file.stem.removeprefix("test_")
        if not place.is_dir() and not place.with_suffix(".py").is_file():
            subjects.setdefault(room.as_posix(), set()).add(place.name)
    assert subjects == {room: set(names.split()) for room, names in SUBJECTS.items()}
