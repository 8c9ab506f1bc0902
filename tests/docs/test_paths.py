"""Files and modules that the documents name are there."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").glob("specs/*.md")]
)
FILES = {file.name for room in ("kg", "tests", "bench") for file in (ROOT / room).rglob("*.py")}
PATH = re.compile(r"(?<![\w./-])(?:bench|docs|kg|ontology|tests)/[\w./-]*\w")
MODULE = re.compile(r"(?<![\w./-])kg(?:\.[a-z_]\w*)+(?:\.[A-Z]\w*)?(?![\w/-])")
MADE = re.compile(r"^Make `([^`]+)`:", re.M)
BARE = re.compile(r"(?<![\w./-])(\w+\.py)\b")
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]+`", re.M | re.S)
TARGET = re.compile(r"\[[^\]\n]*\]\(([\w./-]+\.\w+)(?:#[\w-]+)?\)")
GONE = {"CHANGELOG.md"}
"""Pages that tell of the past."""
ELSEWHERE = {"kg.toml", "kg.ttl"}
"""Names of files that look like names of modules."""


def missing_paths(text: str) -> list[str]:
    """Files and folders of this repository that a page names and that are not there."""
    bare = [name for name in BARE.findall(text) if name not in FILES]
    return bare + [path for path in PATH.findall(text) if not (ROOT / path).exists()]


def missing_names(text: str) -> list[str]:
    """Modules of this program, and names in them, that a page names and that are not there."""
    return [name for name in MODULE.findall(text) if name not in ELSEWHERE and not _is_there(name)]


def missing_targets(page: Path) -> list[str]:
    """Files beside a page that its links lead to and that are not there."""
    links = TARGET.findall(CODE.sub("", page.read_text("utf-8")))
    return [link for link in links if not (page.parent / link).exists()]


def _module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def _is_there(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def _is_made(name: str, expected: set[str]) -> bool:
    """Whether a page makes this file or module, or a name in one, which `kg` may give, too."""
    module, _, last = name.rpartition(".")
    value = module == "kg" and any(file.endswith(f"/{last}.py") for file in expected)
    return name in expected or module in expected or value


def test_what_a_page_names_is_there() -> None:
    for page in (page for page in PAGES if page.name not in GONE):
        text = page.read_text("utf-8")
        places = {place for file in MADE.findall(text) for place in (file, _module(file))}
        missing = {*missing_paths(text), *missing_names(text)}
        assert {name for name in missing if not _is_made(name, places)} == set(), page
        assert missing_targets(page) == [], page


def test_what_is_not_there_is_found() -> None:
    assert missing_paths("see `kg/model/gone.py`, kg/model/edge.py and `nothing.py`") == [
        "nothing.py",
        "kg/model/gone.py",
    ]
    assert missing_names("`kg.model.gone`, kg.toml, `kg.corpus.Corpus` and kg.corpus.None_") == [
        "kg.model.gone",
        "kg.corpus.None_",
    ]


CONSTANT = re.compile(r"`([A-Z]+(?:_[A-Z]+)+)`")


def test_constants_that_decisions_name_are_in_the_code() -> None:
    code = "\n".join(file.read_text("utf-8") for file in (ROOT / "kg").rglob("*.py"))
    text = "\n".join(page.read_text("utf-8") for page in PAGES if page.parent.name == "decisions")
    names = {*CONSTANT.findall(text)}
    assert names
    assert {name for name in names if not re.search(rf"\b{name}\b", code)} == set()


NAME_IN_FILE = re.compile(r"`(\w+)` (?:in|of) `(kg/[\w/]+\.py)`")


def names_missing_in_files(text: str) -> list[tuple[str, str]]:
    """Names that a page says to be in a file of this program and that are not in it."""
    return [
        (name, file)
        for name, file in NAME_IN_FILE.findall(text)
        if f"def {name}(" not in text  # a name that the page adds
        and (ROOT / file).exists()
        and not re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8"))
    ]


def test_what_a_page_says_stands_in_a_file_stands_there() -> None:
    texts = {page.name: page.read_text("utf-8") for page in PAGES if page.name not in GONE}
    assert names_missing_in_files("`no_such_name` in `kg/api.py`") == [
        ("no_such_name", "kg/api.py")
    ]
    assert {
        name: missing for name in texts if (missing := names_missing_in_files(texts[name]))
    } == {}
