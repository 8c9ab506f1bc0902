"""Find Chromium for the browser tests; with --install, install it where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# The first has no windows, which every other draws though nobody sees them.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HELP = (
    "the browser tests need Chromium, and it is not installed.\n"
    "  Debian:          sudo apt-get install chromium-headless-shell\n"
    "  Ubuntu:          sudo apt-get install chromium\n"
    "  macOS:           brew install --cask chromium\n"
    "  elsewhere:       install it, and set KG_CHROMIUM to its path"
)


def find_chromium() -> str | None:
    """The browser's path: KG_CHROMIUM, or the first known name on the PATH."""
    names = os.environ.get("KG_CHROMIUM")
    return names or next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> None:
    """Install Debian's Chromium, if this user may."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("installing chromium")
    quiet = {
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        "stdout": subprocess.DEVNULL,
    }
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    for name in NAMES[:2]:  # older systems have only the second
        if not find_chromium():
            words = ["apt-get", "install", "-y", "-qq", name]
            subprocess.run(words, check=False, **quiet)


if __name__ == "__main__":
    if not find_chromium() and "--install" in sys.argv:
        install()
    if not find_chromium():
        sys.exit(HELP)
