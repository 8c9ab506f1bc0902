from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.serve.live_site import LiveSite
from kg.serve.site_server import LastBuild, SiteServer
from tests.support.patience import PATIENCE
from tests.support.publish_pages import PAGES


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text(
        "---\ntype: claim\naliases: [old]\n---\n# Sleep helps\n\nIt does.\n"
    )
    (folder / "b.md").write_text("---\ntype: claim\n---\n# Naps help\n")
    return folder


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture
def live(notes: Path, work: Path) -> Iterator[LiveSite]:
    live = LiveSite(notes, pages=PAGES)
    live.refresh()
    yield live
    live.close()


@pytest.fixture
def server(live: LiveSite, tmp_path: Path) -> Iterator[SiteServer]:
    with SiteServer(live, LastBuild(tmp_path), 0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            live.close()
            server.shutdown()
        thread.join(PATIENCE)
        assert not thread.is_alive()
