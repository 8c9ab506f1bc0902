"""Programs from npm that judge what is written; `make npm` installs them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS, FOLDER = ROOT / "tests" / "npm", ROOT / "build" / "npm"


def output_of_script(script: str, package: str, data: bytes) -> Any:
    """What a script of `tests/npm` prints as JSON when it is given `data`."""
    if not shutil.which("node") or not (FOLDER / "node_modules" / package).exists():
        pytest.skip(f"{package} of npm is not here: run `make npm`")
    kind = "module" if script.endswith(".mjs") else "commonjs"
    # Given as text, it finds its modules from where it runs.
    command = ["node", f"--input-type={kind}", "--eval", (SCRIPTS / script).read_text("utf-8")]
    result = subprocess.run(
        command, cwd=FOLDER, input=data, capture_output=True, check=True, timeout=120
    )
    return json.loads(result.stdout)
