from __future__ import annotations

from pathlib import Path

import pytest

SLEEP_HELPS = """---
type: claim
---

# Sleep helps

> [!evidence] It was seen ^seen
> Here. (reason:: so)
"""
EARLY = "@misc{early, title={Early}, year={2019}}"


@pytest.fixture
def notes(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module's `NOTES`, in a folder beside which commands are run, and its `BOOKS`, if any."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in request.module.NOTES.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    books = getattr(request.module, "BOOKS", EARLY)
    if books:
        (folder / "references.bib").write_text(books, "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder
