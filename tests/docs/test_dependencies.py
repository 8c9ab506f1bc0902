"""The table of what `kg` stands on names just what is installed with it, and what that is."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([\w.-]+) \| [^|]+ \| ([^|]+) \| ([^|]*) ?\|$", re.MULTILINE)
PERMISSIVE = ("MIT", "BSD", "OFL", "Apache", "Unlicense")


def listed() -> dict[str, tuple[str, bool]]:
    """Each package of the table, with its licence, and whether it is native code."""
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    section = text.split("## What kg depends on")[1].split("**Audit.**")[0]
    rows = ROW.findall(section)
    return {name: (licence, native.strip() == "yes") for name, licence, native in rows[1:]}


def required() -> list[str]:
    """The names of what the project requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [re.split(r"[<>=\[;]", each)[0] for each in project["dependencies"]]


def test_the_table_has_what_is_required_and_nothing_else() -> None:
    assert sorted(listed()) == sorted(required())


@pytest.mark.parametrize("name", required())
def test_licence_and_kind_are_those_of_what_is_installed(name: str) -> None:
    licence, native = listed()[name]
    found = distribution(name)
    told = " ".join(
        (
            found.metadata.get("License-Expression") or "",
            found.metadata.get("License") or "",
            *found.metadata.get_all("Classifier", ()),
            *(file.read_text() for file in found.files or () if "LICENSE" in file.name.upper()),
        )
    )
    family = next(each for each in PERMISSIVE if licence.startswith(each))
    words = {"MIT": ("MIT", "Permission is hereby granted, free of charge")}.get(family, (family,))
    assert any(word in told for word in words)
    assert native == any(file.suffix in (".so", ".pyd") for file in found.files or ())
