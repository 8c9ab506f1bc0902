"""The tutorial notebook, run: each cell shows what it showed. `UPDATE_SPECS=1` writes it anew."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import re
import runpy
from pathlib import Path
from typing import Any

import markdown
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from PIL import Image

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "tutorial.ipynb"


HOOKS = runpy.run_path(str(ROOT / "docs" / "hooks.py"))


def run_cell(code: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of a cell as Jupyter has them: what it printed, the value of its last line if no
    semicolon ends that, and the figures that it drew.
    """
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if stream.getvalue():
        text = stream.getvalue().splitlines(True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None and not code.endswith(";"):
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(True)
        cell_output = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
        outputs.append({**cell_output, "data": data})
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        data = {"text/plain": [repr(figure)], "image/png": picture_data(figure)}
        outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
    pyplot.close("all")
    return outputs


def picture_data(figure: Figure) -> str:
    """A picture of few colours, a third of the bytes."""
    whole, small = io.BytesIO(), io.BytesIO()
    figure.savefig(whole, dpi=110)
    Image.open(whole).convert("RGB").quantize(64).save(small, "png", optimize=True)
    return base64.b64encode(small.getvalue()).decode()


def shown_text(outputs: list[dict[str, Any]]) -> list[tuple[list[str], list[str] | None]]:
    """What each shows without pictures, whose bytes differ between versions of matplotlib."""
    data_of_outputs = [output.get("data", {"text/plain": output.get("text")}) for output in outputs]
    return [(data["text/plain"], data.get("text/html")) for data in data_of_outputs]


@pytest.mark.integration
def test_every_cell_shows_what_it_showed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FILE.parent)  # where Jupyter starts it
    monkeypatch.setenv("COLUMNS", "100")  # pandas cuts frames to the terminal
    pyplot.close("all")  # what tests before this one have left open
    notebook = json.loads(FILE.read_text("utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 8
    for cell in cells:
        outputs = run_cell("".join(cell["source"]), names)
        if os.environ.get("UPDATE_SPECS"):
            cell["outputs"] = outputs
        else:
            assert shown_text(outputs) == shown_text(cell["outputs"]), "".join(cell["source"])
    if os.environ.get("UPDATE_SPECS"):
        FILE.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


def test_its_links_lead_to_files() -> None:
    links = re.findall(r'href=\\"([^"\\]+)\\"', FILE.read_text("utf-8"))
    local = {link for link in links if not link.startswith("http")}
    assert len(local) > 9
    assert [link for link in local if not (FILE.parent / link).is_file()] == []


def test_the_documentation_shows_what_cells_showed() -> None:
    notebook = json.loads(FILE.read_text("utf-8"))
    page = HOOKS["render_notebook"](notebook)
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    assert page.count("<div>") >= len(outputs) > 20
    assert page.count('<img src="data:image/png;base64,') == 3
    assert "```python\nimport kg\n" in page
    printed = HOOKS["show_output"]({"output_type": "stream", "text": ["<b>", " & more"]}, "")
    assert printed.endswith("<code>&lt;b&gt; &amp; more</code></pre>")


def test_a_note_is_shown_as_it_is() -> None:
    page = HOOKS["show_file"]("notes/a.md", "# A\n\n```\n</code></pre><script>\n```\n")
    html = markdown.markdown(page.partition("\n\n")[2])
    assert html.startswith("<h1>notes/a.md</h1>")
    assert "<code># A\n\n```\n&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;\n```\n</code>" in html
