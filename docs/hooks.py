"""What `make docs` adds to the pages of this folder: the decisions, and files they link to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

LINKED = ("SECURITY.md", "ontology/kg.ttl", "ontology/shapes.ttl", "ontology/context.jsonld")
"""Files outside this folder that its pages link to; they are copied beside the pages."""


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
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Make links lead to the copies, and from these back."""
    if page.file.src_uri in LINKED:
        return markdown.replace("](docs/", "](")
    for name in LINKED:
        markdown = markdown.replace(f"](../{name})", f"]({name})")
    return markdown
