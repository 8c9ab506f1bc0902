"""Take the picture of the README from the site in build/: `make picture`."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import ARGUMENTS, HELP, find_chromium

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "site" / "html"
PICTURE = ROOT / "docs" / "line.png"
PAGE = "lines/face-or-perspective.html"
WIDE, TALL = 1280, 860
COLOURS = 256  # fewer lose the colour of a small mark


def take_picture() -> None:
    """The first screen of an inquiry line, in light."""
    path = find_chromium()
    if path is None:
        sys.exit(HELP)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": WIDE, "height": TALL}, color_scheme="light")
        page.goto((SITE / PAGE).as_uri())
        taken = Image.open(BytesIO(page.screenshot()))
        browser.close()
    taken.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE).save(
        PICTURE, optimize=True
    )


if __name__ == "__main__":
    take_picture()
