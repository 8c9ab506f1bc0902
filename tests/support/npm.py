"""Programs from npm that judge what is written; `make npm` installs them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "npm"


def judged_by(script: str, package: str, data: bytes) -> Any:
    """What a script beside `package.json` prints as JSON when it is given `data`."""
    if not shutil.which("node") or not (FOLDER / "node_modules" / package).exists():
        pytest.skip(f"{package} of npm is not here: run `make npm`")
    done = subprocess.run(
        ["node", script], cwd=FOLDER, input=data, capture_output=True, check=True, timeout=120
    )
    return json.loads(done.stdout)
