"""Find Virtuoso for the engine tests; with --install, unpack Debian's packages under build/."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = ("virtuoso-opensource-7-bin", "libpcre3")
PLACE = Path(__file__).parents[2] / "build" / "engines" / "virtuoso"
HELP = (
    "the engine tests need Virtuoso 7, and it is not here.\n"
    "  Debian, Ubuntu:  sudo apt-get install virtuoso-opensource-7-bin\n"
    "  elsewhere:       install it, and set KG_VIRTUOSO to the path of virtuoso-t"
)


def find_virtuoso() -> str | None:
    """The server's path: KG_VIRTUOSO, what is on the PATH, or what --install has fetched."""
    fetched = PLACE / "usr" / "bin" / "virtuoso-t"
    names = os.environ.get("KG_VIRTUOSO") or shutil.which("virtuoso-t")
    return names or (str(fetched) if fetched.is_file() else None)


def environment() -> dict[str, str]:
    """The environment in which what was fetched finds its libraries."""
    folders = [str(folder) for folder in PLACE.glob("**/lib/*-linux-*") if folder.is_dir()]
    return (
        {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders)} if folders else {**os.environ}
    )


def install() -> None:
    """Fetch and unpack Debian's packages under build/; nothing on the machine changes."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        subprocess.run(["apt-get", "download", "-qq", package], cwd=PLACE, check=False)
    for file in PLACE.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(file), str(PLACE)], check=True)


if __name__ == "__main__":
    if not find_virtuoso() and "--install" in sys.argv:
        install()
    if not find_virtuoso():
        sys.exit(HELP)
