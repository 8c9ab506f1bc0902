"""The reference holds every public name, and the examples in their docstrings run."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import pytest
from matplotlib import pyplot

import kg
from kg import Corpus, reasoning
from kg.model import Span
from kg.model.settings.reasoning_settings import Reasoning
from kg.queries.language.selection import Grouped, Selection
from kg.queries.timeline import Timeline
from kg.reasoning import EdgeLabel, Judgement, Judgements
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.independence import Independence
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict
from tests.support.own import own_corpus

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
PAGES = sorted(FOLDER.glob("*.md"))
UNLISTED_QUESTIONS = runpy.run_path(str(ROOT / "docs" / "hooks.py"))["unlisted_questions"]
NAMED = [
    *(name for page in PAGES for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.M)),
    *UNLISTED_QUESTIONS(ROOT / "docs"),
]
"""What the reference documents, by its dotted name."""
PUBLIC = {
    kg: kg.__all__,
    reasoning: [
        name
        for name, each in vars(reasoning).items()
        if not (name.startswith("_") or isinstance(each, ModuleType))
    ],
}
STARTS = (kg.statements(), kg.sources(), kg.lines(), kg.edges(), kg.evidence().group_by("method"))
"""A selection of each class, whose methods examples name alone."""
PLOTTED = (
    *((owner, "plot") for owner in (Verdict, Flips, Robustness, Independence, Timeline)),
    (reasoning.LineWithoutProposition, "plot"),
    (Verdict, "plot_balance"),
)
"""What draws pictures."""
PLAIN = {
    *("KgError", "Misuse", "ConfigError", "EndpointError", "NotACorpus"),
    *("connect", "connect_store", "diff", "load_rdf", "store_notes"),
}
"""Names without an example that runs here: bases of errors, what needs broken settings, a server,
a store, a file or a history, and what answers nothing.
"""


def examples(thing: object) -> list[str]:
    """The pieces of code in a docstring that call something."""
    return [code for code in re.findall(r"`([^`]+)`", inspect.getdoc(thing) or "") if _calls(code)]


def _calls(code: str) -> bool:
    try:
        return any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(code, mode="eval")))
    except SyntaxError:
        return False


def documented_names() -> Iterator[tuple[str, object]]:
    """Public names, and the methods by which a corpus is asked and a selection narrowed."""
    for room, names in PUBLIC.items():
        yield from ((f"{room.__name__}.{name}", getattr(room, name)) for name in names)
    yield from ((f"Corpus.{name}", each) for name, each in inspect.getmembers(Corpus, callable))
    for owner in (Selection, *map(type, STARTS)):
        yield from ((f"{owner.__name__}.{name}", each) for name, each in vars(owner).items())
    yield from ((f"{owner.__name__}.{name}", getattr(owner, name)) for owner, name in PLOTTED)
    yield from (
        (f"FoundRecords.{name}", getattr(kg.FoundRecords, name)) for name in ("rows", "to_json")
    )


NAMES = {
    name: thing
    for name, thing in documented_names()
    if callable(thing) and not name.rpartition(".")[2].startswith("_")
}


@cache
def _names() -> dict[str, Any]:
    """What the examples may name."""
    corpus = own_corpus()
    edges = [edge.id for edge in corpus.edges[:9]]
    span = Span("judgements/panel.csv")
    edge_labels = [EdgeLabel("supports"), EdgeLabel("contradicts"), EdgeLabel("supports")]
    rows = tuple(
        Judgement(edge=edge, annotator=who, label=edge_labels[(position + len(who)) % 3], span=span)
        for position, edge in enumerate(edges)
        for who in ("ann", "bo", "cleo")
    )
    models = {name: dict.fromkeys(edges, (0.6, 0.3, 0.1)) for name in ("large", "small")}
    return {
        **{name: getattr(kg, name) for name in kg.__all__},
        **{"kg": kg, "reasoning": reasoning, "corpus": corpus, "Path": Path},
        **{"records": corpus.find(kg.claims(topic="norms")), "Reasoning": Reasoning},
        "judgements": Judgements(rows=rows, models=models),
    }


def _run(code: str, name: str) -> object:
    owner, _, method = name.rpartition(".")
    scope = dict(_names())
    for start in STARTS:
        if type(start).__name__ == owner:
            scope[method] = getattr(start, method)
    value = eval(code, scope)
    return _names()["corpus"].find(value) if isinstance(value, Selection | Grouped) else value


def test_every_public_name_stands_in_the_reference_once() -> None:
    documented = []
    for thing in map(resolve_name, NAMED):
        own = vars(thing).values() if isinstance(thing, ModuleType) else ()
        documented += [
            each for each in own if getattr(each, "__module__", "") == thing.__name__
        ] or [thing]
    public = [getattr(room, name) for room, names in PUBLIC.items() for name in names]
    assert [name for name in public if name not in documented] == []
    assert len({id(each) for each in documented}) == len(documented)


def test_a_question_that_no_page_lists_is_documented_whole(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("docs/reference", "kg/reasoning")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    (folders["docs/reference"] / "a.md").write_text("::: kg.crux\n\n::: kg.reasoning.gaps\n")
    imports = "".join(
        f"from kg.reasoning.answers.{module} import {name} as {name}\n"
        for module, name in (("crux", "crux"), ("gaps", "gaps"), ("new", "one"), ("new", "other"))
    )
    (folders["kg/reasoning"] / "__init__.py").write_text(imports)
    assert UNLISTED_QUESTIONS(tmp_path / "docs") == ["kg.reasoning.answers.new"]


def test_every_page_is_listed() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (FOLDER / "README.md").read_text("utf-8")))
    assert listed == {page.name for page in PAGES} - {"README.md"}


def test_every_name_has_an_example() -> None:
    without = {name.rpartition(".")[2] for name, thing in NAMES.items() if not examples(thing)}
    assert without - PLAIN == set()


@pytest.mark.integration
@pytest.mark.parametrize("room", sorted({name.rpartition(".")[0] for name in NAMES}))
def test_examples_run(room: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name, thing in NAMES.items():
        owner, _, last = name.rpartition(".")
        for code in examples(thing) if owner == room and last not in PLAIN else ():
            if isinstance(thing, type) and issubclass(thing, Exception):
                with pytest.raises(thing):
                    _run(code, name)
            else:
                assert _run(code, name) is not None, (name, code)
    pyplot.close("all")
