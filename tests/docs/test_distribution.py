"""The wheel works where the repository is not: built, installed alone, a corpus started."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from kg.publish.build.theme.shell import METHOD_PAGES
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel; dependencies are lent by path, without a network.

    A path file lends packages but not other path files, so this checkout is not importable there.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = next(place for place in sorted(scripts.glob("python*")) if place.is_file())
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True, timeout=PATIENCE)
    packages = next(folder.rglob("site-packages"))
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return python


def kg(python: Path, folder: Path, *arguments: str) -> str:
    script = python.with_name("kg")
    result = subprocess.run(
        [script, *arguments], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
    )
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def test_the_wheel_carries_what_it_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for expected in (
        "kg/py.typed",
        "kg/starter/kg.toml",
        "kg/_ontology/kg.ttl",
        "kg/_site/mkdocs.yml",
        *(f"kg/_site/pages/{name}" for name in METHOD_PAGES),
    ):
        assert expected in names


def test_a_new_corpus_is_made_checked_and_built_from_the_wheel(
    python: Path, tmp_path: Path
) -> None:
    place = subprocess.run(
        [python, "-c", "import kg; print(kg.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert not Path(place.stdout).is_relative_to(ROOT)
    kg(python, tmp_path, "init", "demo")
    demo = tmp_path / "demo"
    assert "no problems" in kg(python, demo, "check")
    assert "naps-help-memory" in kg(python, demo, "find", "--camp", "optimist")
    kg(python, demo, "build")
    page = demo / "build" / "site" / "html" / "statements" / "naps-help-memory.html"
    assert "A short nap helps people" in page.read_text("utf-8")
