"""Every kind of page of a small corpus, byte by byte as it was last read and found right.

The notes in `golden/notes` hold one of everything. Where a page is meant to change,
`python -m tests.publish.test_golden_site` writes `golden/site` anew: read the difference before
you commit it.
"""

from __future__ import annotations

import gzip
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main as kg
from tests.support.golden import write_golden_notes

pytestmark = pytest.mark.integration

GOLDEN = Path(__file__).parent / "golden"
SITE = GOLDEN / "site"
SHOWN = (
    "about.html",
    "about/Dusk~20~Nap~20~Timer.html",
    "about/index.html",
    "api/v1/records/sources-0.ttl",
    "api/v1/records/statements-0.json",
    "camps/index.html",
    "camps/wakers.html",
    "disputes.html",
    "feed.xml",
    "figures.html",
    "gaps.html",
    "index.html",
    "lines/index.html",
    "lines/should-one-nap.graph.js",
    "lines/should-one-nap.html",
    "lines/should-one-nap.weigh.js",
    "lines/who-sleeps-at-work.html",
    "llms-full.txt",
    "llms.txt",
    "recent.html",
    "search/facets.js",
    "search/t-.js",
    "sitemap.xml",
    "sources/doe2019.html",
    "sources/index.html",
    "sources/mix2020.html",
    "sources/poe2021.html",
    "statements/all-studies.html",
    "statements/circle-b.html",
    "statements/index.html",
    "statements/index.rows.js",
    "statements/naps-at-work-pay.html",
    "statements/naps-steal-nights.html",
    "statements/old-view.html",
    "statements/short-naps-help.again.html",
    "statements/short-naps-help.html",
    "statements/short-naps-help.shift.html",
    "statements/tired-is-tired.html",
    "topics/index.html",
    "topics/naps.html",
)
_OWN = re.compile(
    r"<title>.*?</title>|<meta (?:name=\"description\"|property=)[^>]*>"
    r"|<link rel=\"(?:describedby|canonical)\"[^>]*>"
    r"|<script type=\"application/ld\+json\">.*?</script>|<article.*?</article>",
    re.DOTALL,
)
_BLOCK = re.compile(
    r"(?=<(?:h\d|p|ul|ol|li|tr|dt|dd|div|section|details|summary|aside|table|svg|g|path|rect|line"
    r"|circle|text|figure|blockquote|nav|form|label|template)\b)"
)


def build_into(place: Path) -> Path:
    """The folder of the site made from the golden notes."""
    notes = write_golden_notes(place)
    result = CliRunner().invoke(kg, ["build", "--notes", str(notes), "--out", str(place / "site")])
    assert result.exit_code == 0, result.output
    return place / "site" / "html"


def own_part_of_page(site: Path, name: str) -> str:
    """What is the project's own of a page, one block a line."""
    if name.endswith(".ttl"):  # packed on the site
        return gzip.decompress((site / f"{name}.gz").read_bytes()).decode("utf-8")
    text = (site / name).read_text("utf-8")
    if name.endswith(".html"):
        text = "\n".join(_OWN.findall(text))
        return re.sub(r"\n+", "\n", _BLOCK.sub("\n", text)).strip() + "\n"
    return re.sub(r"(?<=[,}\]])(?=[\"{\[])", "\n", text).strip() + "\n"


def test_every_kind_of_page_is_as_it_was_read(tmp_path: Path) -> None:
    site = build_into(tmp_path)
    kept_texts = {name: (SITE / name).read_text("utf-8") for name in SHOWN}
    assert {name: own_part_of_page(site, name) for name in SHOWN} == kept_texts


def test_no_page_is_kept_that_is_not_made() -> None:
    kept_paths = {file.relative_to(SITE).as_posix() for file in SITE.rglob("*") if file.is_file()}
    assert kept_paths == set(SHOWN)


if __name__ == "__main__":
    shutil.rmtree(SITE, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        site_folder = build_into(Path(place))
        for name in SHOWN:
            (SITE / name).parent.mkdir(parents=True, exist_ok=True)
            (SITE / name).write_text(own_part_of_page(site_folder, name), "utf-8")
