"""The tutorial notebook, run: each cell shows what it showed. `UPDATE_SPECS=1` writes it anew."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "tutorial.ipynb"


def run_cell(code: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of a cell: what it printed, and the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if out.getvalue():
        text = out.getvalue().splitlines(True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(True)
        shown = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        outputs.append({**shown, "data": data})
    return outputs


def plain(outputs: list[dict[str, Any]]) -> list[list[str]]:
    return [output.get("text") or output["data"]["text/plain"] for output in outputs]


def test_every_cell_shows_what_it_showed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FILE.parent)  # where Jupyter starts it
    notebook = json.loads(FILE.read_text("utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 8
    for cell in cells:
        outputs = run_cell("".join(cell["source"]), names)
        if os.environ.get("UPDATE_SPECS"):
            cell["outputs"] = outputs
        else:
            assert plain(outputs) == plain(cell["outputs"]), "".join(cell["source"])
    if os.environ.get("UPDATE_SPECS"):
        FILE.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
