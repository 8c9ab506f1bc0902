"""The table of what `kg` stands on names just what is installed with it, and what that is."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from importlib.metadata import distribution

from tests.support.every_row import every_row
from tests.support.source_code import ROOT, SOURCES, nodes_of

ROW = re.compile(r"^\| ([\w.-]+) \| [^|]+ \| ([^|]+) \| ([^|]*) ?\|$", re.MULTILINE)
PERMISSIVE = ("MIT", "BSD", "OFL", "Apache", "Unlicense")


def listed_packages() -> dict[str, tuple[str, bool]]:
    """Each package of the table, with its licence, and whether it is native code."""
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    section = text.split("## What kg depends on")[1].split("**Audit.**")[0]
    rows = ROW.findall(section)
    return {name: (licence, native.strip() == "yes") for name, licence, native in rows[1:]}


def required_names() -> list[str]:
    """The names of what the project requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [re.split(r"[<>=\[;]", each)[0] for each in project["dependencies"]]


def test_the_table_has_what_is_required_and_nothing_else() -> None:
    assert sorted(listed_packages()) == sorted(required_names())


@every_row("name", required_names())
def test_licence_and_kind_are_those_of_what_is_installed(name: str) -> None:
    licence, native = listed_packages()[name]
    package = distribution(name)
    text = " ".join(
        (
            package.metadata.get("License-Expression") or "",
            package.metadata.get("License") or "",
            *package.metadata.get_all("Classifier", ()),
            *(file.read_text() for file in package.files or () if "LICENSE" in file.name.upper()),
        )
    )
    family = next(each for each in PERMISSIVE if licence.startswith(each))
    words = {"MIT": ("MIT", "Permission is hereby granted, free of charge")}.get(family, (family,))
    assert any(word in text for word in words)
    assert native == any(file.suffix in (".so", ".pyd") for file in package.files or ())


def imported_libraries() -> dict[str, set[str]]:
    """The files of the program that import each library, also for types and inside functions."""
    files = defaultdict(set)
    for file in SOURCES:
        for node in nodes_of(file):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            for name in {each.partition(".")[0] for each in names} - sys.stdlib_module_names:
                if name != "kg":
                    files[name].add(file.relative_to(ROOT).as_posix())
    return files


def owners_by_library() -> dict[str, set[str]]:
    """The files and rooms that may name each library, as decision 0013 says."""
    (decision,) = (ROOT / "docs" / "decisions").glob("0013-*.md")
    rows = re.findall(r"^\| [^|]+ \| (`[^|]+) \| ([^|]+) \|", decision.read_text("utf-8"), re.M)
    return {
        library: set(re.findall("`([^`]+)`", owners))
        for libraries, owners in rows
        for library in re.findall(r"`(\w+)`", libraries)
    }


def test_a_library_is_named_where_the_decision_says() -> None:
    owners, imported = owners_by_library(), imported_libraries()
    assert owners.keys() == imported.keys()
    strays = {
        f"{library} in {file}"
        for library, files in imported.items()
        for file in files
        if not any(file == owner or file.startswith(f"{owner}/") for owner in owners[library])
    }
    assert strays == set()


def test_what_the_decision_names_holds_a_library_of_its_row() -> None:
    """Several libraries share a row; a place that none of them is in is out of date."""
    in_use = {file for files in imported_libraries().values() for file in files}
    names = set().union(*owners_by_library().values())
    assert {place for place in names if not any(f.startswith(place) for f in in_use)} == set()
