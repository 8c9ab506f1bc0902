"""Promises about the whole: what is listed exists, what is light stays light."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType

import click
import pytest
from packaging.specifiers import SpecifierSet

import kg
from kg import reasoning
from kg.checks import RULES
from kg.checks.rule import Rule
from kg.cli import COMMANDS, main
from tests.support.every_row import every_row
from tests.support.source_code import ROOT, SOURCES, nodes_of, tree_of

HEAVY = (
    "matplotlib",
    "networkx",
    "rdflib",
    "pyvis",
    "mkdocs",
    "numpy",
    "scipy",
    "pyoxigraph",
    "rich",
    "pydantic",
)


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {page.stem for page in (ROOT / "tests" / "specs" / "checks").glob("*.md")}
    names = {rule.name for rule in RULES}
    assert pages - names == set(), (
        "these pages are of no rule: enter it in RULES, in kg/checks/__init__.py; "
        "docs/contributing/rule.md, step 2"
    )
    assert names - pages == set(), (
        "these rules have no page: write tests/specs/checks/NAME.md; "
        "docs/contributing/rule.md, step 3"
    )


def test_every_rule_is_in_the_table() -> None:
    """A rule that is written and not entered would never be asked."""
    folder = ROOT / "kg" / "checks" / "rules"
    modules = [
        importlib.import_module(f"kg.checks.rules.{file.stem}") for file in folder.glob("*.py")
    ]
    rule_names = {
        value.name for each in modules for value in vars(each).values() if isinstance(value, Rule)
    }
    assert rule_names - {rule.name for rule in RULES} == set(), (
        "enter these in RULES, in kg/checks/__init__.py; docs/contributing/rule.md, step 2"
    )


def test_every_rule_gives_its_reason() -> None:
    assert [rule.name for rule in RULES if not rule.reason.strip()] == [], (
        "the docstring of these says what is found, and why it matters; docs/contributing/rule.md"
    )


@every_row("name", [name for name, *_ in COMMANDS])
def test_every_command_explains_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.help
    if command.params:
        assert "Example" in command.get_help(click.Context(command))


def test_public_names_exist() -> None:
    assert [name for name in kg.__all__ if not hasattr(kg, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kg.nothing


@pytest.mark.integration
def test_import_loads_nothing_heavy() -> None:
    script = "import sys, kg; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    modules = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert modules.isdisjoint(HEAVY)


@pytest.mark.integration
def test_a_build_loads_nothing_of_notebooks() -> None:
    """pyvis draws, and would bring IPython and jedi along."""
    script = "import sys, kg.publish.graphics.explorer; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    modules = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert "pyvis" in modules
    assert modules.isdisjoint(("IPython", "jedi", "parso", "matplotlib_inline", "traitlets"))


@pytest.mark.integration
def test_an_edit_of_a_text_loads_nothing_that_weighs_or_draws_graphs() -> None:
    """Loading these takes longer than all that such an edit needs."""
    script = "import sys, kg.publish.build.site as s; s.all_pages(); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    modules = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert modules.isdisjoint(("scipy", "networkx", "pyvis", "pandas", "rdflib"))


MAX_LINES_OF_FILE, MAX_LINES_OF_FUNCTION = 400, 60


def test_files_and_functions_stay_short() -> None:
    long = [
        f"{file.relative_to(ROOT)}: {count} lines"
        for file in SOURCES
        if (count := len(file.read_text("utf-8").splitlines())) > MAX_LINES_OF_FILE
    ]
    for file in SOURCES:
        for node in nodes_of(file):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = (node.end_lineno or 0) - node.lineno + 1
                if count > MAX_LINES_OF_FUNCTION:
                    long.append(f"{file.relative_to(ROOT)}: {node.name} has {count} lines")
    assert long == [], (
        f"a file has at most {MAX_LINES_OF_FILE} lines, a function {MAX_LINES_OF_FUNCTION}: divide "
        "by idea, not by length, and name the new module or function by its idea; see “Where "
        "things are” in docs/contributing/README.md and docs/contributing/words.md"
    )


MAX_FILES = 15


def test_no_folder_is_crowded() -> None:
    folders = [ROOT / "kg", *(place for place in (ROOT / "kg").rglob("*") if place.is_dir())]
    crowded = {
        str(folder.relative_to(ROOT)): count
        for folder in folders
        if (count := len(list(folder.glob("*.py")))) > MAX_FILES
    }
    assert crowded == {}, (
        f"a folder has at most {MAX_FILES} modules: divide it by subject, into folders with an "
        "`__init__.py` each; see “Where things are” in docs/contributing/README.md"
    )


def test_a_name_alone_tells_which_module_is_meant() -> None:
    """But for parts of the site, which may be called as what they show."""
    site = [file for file in SOURCES if "publish" in file.parts]
    for files in (site, set(SOURCES) - set(site)):
        names = Counter(file.name for file in files if file.name != "__init__.py")
        assert {name: count for name, count in names.items() if count > 1} == {}, (
            "two modules have this name: say in it what sets one apart, in two or three words; "
            "docs/contributing/words.md, “How names are made”"
        )


def test_the_table_of_rooms_is_in_the_order_of_their_imports() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (whole,) = (each for each in settings["contracts"] if each.get("containers") == ["kg"])
    level = {
        room: number
        for number, layer in enumerate(reversed(whole["layers"]))
        for room in layer.split(" | ")
    }
    guide = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = guide.partition("\n| room | what is in it |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.split("\n")[2:]]
    listed = [room for row in rows for room in re.findall(r"`kg/(\w+)(?:/|\.py)`", row)]
    assert {*listed} == {*level}, "each room has a row in docs/architecture.md, `kg/ROOM/`"
    levels = [level[room] for room in listed]
    assert levels == sorted(levels), "a row stands above those of the rooms that import its room"


def test_the_table_of_commands_names_their_modules() -> None:
    guide = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = guide.partition("\n| command | its options and output |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`([^`]+)`", row) for row in table.split("\n")[2:]]
    modules = {name: f"kg/cli/{module}.py" for name, module, _ in COMMANDS}
    answered_by_name = {
        name: f"kg/reasoning/answers/{name}.py"
        for name, module in modules.items()
        if module == "kg/cli/weighing.py" and name not in {row[0] for row in rows}
    }
    assert {name: module for name, module, *_ in rows} == {
        name: module for name, module in modules.items() if name not in answered_by_name
    }
    paths = {path for _, *paths in rows for path in paths} | {*answered_by_name.values()}
    assert [path for path in paths if not (ROOT / path).exists()] == []
    answers = {
        f"kg/reasoning/answers/{file.name}": file.stem
        for file in (ROOT / "kg" / "reasoning" / "answers").glob("[!_]*.py")
        if hasattr(importlib.import_module(f"kg.reasoning.answers.{file.stem}"), file.stem)
    }
    sessions = "".join(
        each.read_text("utf-8") for each in (ROOT / "tests" / "cli" / "golden").glob("*.txt")
    )
    lacking = {
        "kg/reasoning/__init__.py": {*answers.values()} - {*vars(reasoning)},
        "COMMANDS in kg/cli/__init__.py, or docs/architecture.md": answers.keys() - paths,
        "tests/cli/golden": {name for name in answered_by_name if f"$ kg {name} " not in sessions},
    }
    assert {place: names for place, names in lacking.items() if names} == {}, (
        "enter these questions there; docs/contributing/question.md, step 2"
    )


def test_no_name_of_a_package_hides_a_module_in_it() -> None:
    """Else `import kg.room.module as name` would fail."""
    inits = [file for file in SOURCES if file.name == "__init__.py"]
    packages = [
        importlib.import_module(".".join(init.parent.relative_to(ROOT).parts)) for init in inits
    ]
    hidden_modules = [
        f"{package.__name__}.{module.name}"
        for package in packages
        for module in pkgutil.iter_modules(package.__path__)
        if not isinstance(getattr(package, module.name, package), ModuleType)
    ]
    assert hidden_modules == []


def test_no_module_imports_itself() -> None:
    """import-linter sees circles of two modules and more."""
    own_imports = []
    for file in SOURCES:
        own_text = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for node in nodes_of(file):
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{each.name}" for each in node.names)]
            else:
                continue
            if own_text in names:
                own_imports.append(f"{own_text}:{node.lineno}")
    assert own_imports == [], "a module needs no import of itself: use the name as it stands there"


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    expected = [
        *project["dependencies"],
        *(d for extra in project["optional-dependencies"].values() for d in extra),
    ]
    names = {_name(requirement) for requirement in expected}
    pins = _pins()
    assert [
        line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+]+", line)
    ] == []
    assert names - {_name(line) for line in pins} == set()


def test_every_pin_holds_on_the_oldest_python_there_is() -> None:
    """Its first release: Debian 12 comes with 3.11.2, and one pin too new ends the installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    needs = {  # by `json`, since readers differ in what `[…]` does where a field is not there
        f"{_name(distribution.name)}=={distribution.version}": SpecifierSet(
            str(distribution.metadata.json.get("requires_python", ""))
        )
        for distribution in distributions()
    }
    pins = {f"{_name(pin)}=={pin.partition('==')[2]}" for pin in _pins()}
    assert len(needs.keys() & pins) > 50
    assert [pin for pin in sorted(needs.keys() & pins) if oldest not in needs[pin]] == []


def _pins() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def _name(requirement: str) -> str:
    name = requirement
    for mark in "<>=!~;[ ":
        name = name.partition(mark)[0]
    return name.casefold().replace("_", "-")


def test_no_index_address_in_the_repository() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name] or SOURCES
    hosts = ("pypi" + ".org", "files.pythonhosted" + ".org", "registry.npmjs" + ".org")
    present_files = [
        file
        for file in files
        if file.is_file() and any(host.encode() in file.read_bytes() for host in hosts)
    ]
    assert present_files == [], "name no index: whoever installs chooses one"


READERS = ("open", "fdopen", "read_text", "read_bytes", "tomllib.load")
"""Calls that read a file: functions, and methods of paths and modules."""
OWN = {
    "starter/starter_corpus.py": "its own starter corpus",
    "cli/shared/output.py": "the null device",
    "corpus/record_file.py": "the file that it makes",
    "exchange/formats.py": "the export that it makes",
    "endpoints/client.py": "an address",
    "exchange/rdf_formats.py": "the file that it makes",
    "git/run_git.py": "the question that it has just written for git",
    "git/linked_objects.py": "objects of any size, which it opened as plain files",
    "mcp/commit_proposal.py": "objects that git has just made for it",
    "notes/notes_cache.py": "its own code",
    "publish/build/site_run.py": "the theme's files",
    "publish/build/theme/renderers.py": "the shell made of the theme, and what was built of it",
    "publish/build/theme/shell.py": "the theme's files, and the shell made of them",
    "rdf/ontology.py": "its own ontology",
    "rdf/quad_store.py": "the identity of the store that it opens",
    "runtime/forked_workers.py": "what its own copies send",
    "serve/live_site.py": "the theme's files",
    "serve/site_server.py": "its own script",
}
"""Modules that read files of this program itself, or that it made; every other asks `kg.files`."""


def _calls(file: Path) -> set[str]:
    """The functions that a module calls, by their last names and behind that of a module."""
    names = set()
    for node in nodes_of(file):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute):
                names.add(called.attr)
                if isinstance(called.value, ast.Name):
                    names.add(f"{called.value.id}.{called.attr}")
            elif isinstance(called, ast.Name):
                names.add(called.id)
    return names


def test_one_reader_reads_what_a_corpus_brings() -> None:
    readers = {
        file.relative_to(ROOT / "kg").as_posix()
        for file in SOURCES
        if _calls(file) & set(READERS) and "files" not in file.relative_to(ROOT / "kg").parts[:1]
    }
    assert readers - OWN.keys() == set(), "use kg.files.read_files, or give the reason in OWN"
    assert OWN.keys() - readers == set(), "these read no files any more"


LATE = {
    "__init__.py": "`import kg` loads nothing until a name is used",
    "__main__.py": "Ctrl-C while the command loads shows no traceback",
    "api.py": "`kg.load` loads nothing that weighs or draws",
    "checks/rules/parsing_rules.py": "labels of edges: only where there are tables of them",
    "checks/check_shapes.py": "linked data, for one check",
    "cli/": "each command loads what it alone needs",
    "files/folder_exchange.py": "the C library, where folders can be exchanged",
    "files/measure_picture.py": "Pillow, for pictures",
    "git/linked_objects.py": "limits of processes, which Windows does not have",
    "git/run_git.py": "limits of processes, which Windows does not have",
    "history/moved_answers.py": "numpy, where both states have an answer",
    "lsp/statement_facts.py": "numpy, once something has been weighed",
    "lsp/workspace.py": "numpy, once something is to be weighed",
    "mcp/latest_corpus.py": "numpy, once something is to be weighed",
    "notes/bibliography/bibtex.py": "the reader of BibTeX, for what the fast one leaves to it",
    "notes/bibliography/tex.py": "the reader of TeX, for names and titles that hold some",
    "notes/frontmatter/yaml.py": "the slow reader of YAML, for what the fast one leaves to it",
    "notes/frontmatter/yaml_errors.py": "the slow reader of YAML, for brackets that are not closed",
    "notes/markdown/maths.py": "the reader of TeX, for formulas",
    "publish/build/site.py": "what makes pages, which a folder without changes needs not",
    "publish/graphics/card.py": "Pillow, for pictures",
    "publish/pages/line.py": "pyvis, for lines that are made anew",
    "queries/results/found_records.py": "networkx and linked data, for records that are taken away",
    "queries/results/edge_drawing.py": "networkx, for graphs in notebooks",
    "queries/results/tables.py": "rich, for tables on a terminal",
    "queries/conditions/fields.py": "numpy, for selections by strength",
    "queries/review.py": "numpy, where strengths are asked for",
    "graphs_with_strengths/stored_notes.py": "numpy, when the graph is stored",
    "queries/timeline.py": "numpy, where strengths are asked for",
    "rdf/query_limits.py": "limits of processes, which Windows does not have",
    "reasoning/annotation/agreement.py": "scipy, for one figure",
    "reasoning/annotation/panel.py": "scipy, to resample what annotators say",
    "reasoning/graph/arrays.py": "scipy, for circles among many arcs",
    "record_report.py": "numpy, for the answer of a line, and the strength of a statement",
    "reporting/plots.py": "matplotlib, for pictures",
    "text/spelling.py": "rapidfuzz, for names that are not found",
}
"""Modules and rooms in which functions import, and why it pays to load that late or never."""


def _imports_in_functions(file: Path) -> bool:
    functions = (n for n in nodes_of(file) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(
        isinstance(node, ast.Import | ast.ImportFrom)
        for function in functions
        for node in ast.walk(function)
    )


def test_what_is_imported_in_functions_has_a_reason() -> None:
    files = {
        file.relative_to(ROOT / "kg").as_posix() for file in SOURCES if _imports_in_functions(file)
    }
    rooms = tuple(place for place in LATE if place.endswith("/"))
    places = {next(filter(file.startswith, rooms), file) for file in files}
    assert places - LATE.keys() == set(), "import at the top, or give the reason in LATE"
    assert LATE.keys() - places == set(), "these import nothing in functions any more"


def test_modules_keep_constants_and_a_bounded_number_of_results() -> None:
    kept_values = []
    for file in SOURCES:
        for node in tree_of(file).body:
            if isinstance(node, ast.FunctionDef):
                kept_parts = {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}
                has_arguments = bool(node.args.args or node.args.vararg)
                is_unbounded = any("maxsize=None" in each for each in kept_parts)
                if is_unbounded or ("cache" in kept_parts and has_arguments):
                    kept_values.append(f"{file}: {node.name}")
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                is_filled_later = ast.unparse(node.value) in ("{}", "[]", "dict()", "set()")
                kept_values += [f"{file}: {ast.unparse(node)}"] * is_filled_later
        kept_values += [
            f"{file}: global" for node in nodes_of(file) if isinstance(node, ast.Global)
        ]
    assert kept_values == [], (
        "what is remembered in a module lives as long as the process: bound it (`lru_cache` with a "
        "size), or keep it in a value that is passed on"
    )


def test_two_modules_start_programs() -> None:
    """One starts git, which is made to run nothing else; one the builder of the site's shell."""
    starters = {
        file.relative_to(ROOT / "kg").as_posix()
        for file in SOURCES
        for node in nodes_of(file)
        if (isinstance(node, ast.Import) and any(a.name == "subprocess" for a in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "subprocess")
        or (isinstance(node, ast.Attribute) and node.attr in ("system", "popen", "posix_spawn"))
    }
    assert starters == {"git/run_git.py", "publish/build/theme/shell.py"}


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {file.parent for file in (ROOT / "tests").rglob("test_*.py")}
    names = {name for folder in folders for name in folder.relative_to(ROOT).parts}
    assert [name for name in names if any(fnmatch(name, p) for p in passed_over)] == []


def test_constants_stand_before_what_uses_them() -> None:
    """At the top of their module, but for tables of its functions and classes."""
    late = [
        f"{file.relative_to(ROOT).as_posix()}:{line_number} {name}"
        for file in SOURCES
        for line_number, name in late_constants(tree_of(file))
    ]
    assert late == [], "move them above the first function or class; docs/contributing/words.md"


def late_constants(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and name of each constant that could stand above all functions and classes."""
    is_late, names_of_module = False, set[str]()
    changed_later = {ast.unparse(n.target) for n in module.body if isinstance(n, ast.AugAssign)}
    for node in module.body:
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                is_late = True
                names_of_module.add(name)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) if is_late:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = names_used(targets)
                is_constant = all(map(str.isupper, names)) and names.isdisjoint(changed_later)
                if is_constant and names_of_module.isdisjoint(names_used([value])):
                    yield node.lineno, ", ".join(sorted(names))
                names_of_module |= names
            case ast.If() | ast.Try() | ast.For() | ast.With():
                names_of_module |= names_used([node])


def names_used(nodes: Iterable[ast.AST]) -> set[str]:
    """All names in some expressions or statements."""
    return {name.id for node in nodes for name in ast.walk(node) if isinstance(name, ast.Name)}
