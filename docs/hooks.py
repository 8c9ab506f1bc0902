"""What `make docs` adds to the pages of this folder: the decisions, the notebook with what it
showed, and files that pages link to.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

LINKED = ("SECURITY.md", "ontology/kg.ttl", "ontology/shapes.ttl", "ontology/context.jsonld")
"""Files outside this folder that its pages link to; they are copied beside the pages."""

NOTEBOOK = "tutorial.ipynb"
NOTE = re.compile(r'href="\.\./(notes/[^"]+)\.md"')
"""A link in the notebook to one of our notes, which lie outside this folder."""
NAMED_BLOCK = re.compile(r"^```(?:note|file) (\S+)$", re.M)
"""A block that tests write to a file of this name; Markdown knows no such language."""
LISTED = re.compile(r"^::: (\S+)$", re.M)
"""What a page of the reference documents."""
QUESTION = re.compile(r"^from (kg\.reasoning\.answers\.\w+) import (\w+)", re.M)
"""A question that `kg.reasoning` offers, and its module."""
REST_OF_REASONING = "reference/reasoning.md"
WRAPPED = '<pre style="white-space: pre-wrap"><code>{}</code></pre>'


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List every decision, so that a new one needs no line in `mkdocs.yml`."""
    docs = Path(config.docs_dir)
    found = sorted(page.relative_to(docs).as_posix() for page in docs.glob("decisions/*.md"))
    config.nav = [*(config.nav or ()), {"Decisions": found}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Copy what links lead to."""
    for name in LINKED:
        place = str(Path(config.docs_dir).parent / name)
        unlisted = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, name, abs_src_path=place, inclusion=unlisted))
    docs = Path(config.docs_dir)
    page = render_notebook(json.loads((docs / NOTEBOOK).read_text("utf-8")))
    for name in sorted(set(NOTE.findall(page))):
        text = show_file(f"{name}.md", (docs.parent / f"{name}.md").read_text("utf-8"))
        files.append(File.generated(config, f"{name}.md", content=text, inclusion=unlisted))
    page = NOTE.sub(r'href="\1.html"', page)
    files.append(File.generated(config, NOTEBOOK.replace("ipynb", "md"), content=page))
    return files


def render_notebook(notebook: dict[str, Any]) -> str:
    """The cells of a notebook and their outputs as a page."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += [f"<div>{show_output(each, text)}</div>" for each in cell.get("outputs", ())]
    return "\n\n".join(parts) + "\n"


def show_output(output: dict[str, Any], code: str) -> str:
    """What a cell gave, as HTML: a picture, else what is HTML already, else text."""
    data = output.get("data", {})
    if picture := data.get("image/png"):
        return f'<img src="data:image/png;base64,{picture}" alt="{escape(f"drawn by {code}")}">'
    if html := data.get("text/html"):
        return "".join(html).replace('<table border="1" class="dataframe">', "<table>")
    return WRAPPED.format(escape("".join(output.get("text") or data["text/plain"])))


def show_file(name: str, text: str) -> str:
    """A page that shows a file as it is; searches of the documentation leave it out."""
    shown = WRAPPED.format(escape(text))
    return f"---\nsearch:\n  exclude: true\n---\n\n# {name}\n\n{shown}\n"


def unlisted_questions(docs: Path) -> list[str]:
    """The modules of questions that no page of the reference documents, to be shown whole."""
    pages = [page.read_text("utf-8") for page in docs.glob("reference/*.md")]
    listed = {name for page in pages for name in LISTED.findall(page)}
    room = (docs.parent / "kg" / "reasoning" / "__init__.py").read_text("utf-8")
    questions = QUESTION.findall(room)
    documented = {
        module
        for module, name in questions
        if {module, f"kg.{name}", f"kg.reasoning.{name}"} & listed
    }
    return [
        each for each in dict.fromkeys(module for module, _ in questions) if each not in documented
    ]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Make links lead to the copies, and from these back; show files under their names, and
    questions that no page lists.
    """
    if page.file.src_uri == REST_OF_REASONING:
        questions = unlisted_questions(Path(config.docs_dir))
        markdown = "\n\n".join([markdown, *(f"::: {module}" for module in questions)])
    markdown = NAMED_BLOCK.sub(r'```text title="\1"', markdown)
    markdown = markdown.replace(f"]({NOTEBOOK})", f"]({NOTEBOOK.replace('ipynb', 'md')})")
    if page.file.src_uri in LINKED:
        return markdown.replace("](docs/", "](")
    for name in LINKED:
        markdown = markdown.replace(f"](../{name})", f"]({name})")
    return markdown
