"""What who writes waits for: `python -m bench.editor [notes]`, the language server over stdio.

Cold is the first start ever; warm one with what earlier runs left. Each figure is in milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import tempfile
import time

from lsprotocol import types as lsp

from bench.vault import get_vault
from tests.lsp.client import Editor, editing

NOTE = "part-000/note-000001.md"
STARTS = 4  # the corpus is kept when it was the same twice
LETTERS = 40


async def _start(size: int) -> tuple[float, float]:
    """From the start of the process to the first problems of an open note, and to all."""
    begin = time.perf_counter()
    async with editing(get_vault(size).parent) as editor:
        editor.open(NOTE)
        while editor.uri(NOTE) not in editor.problems:
            await editor.news.wait()
        first = time.perf_counter() - begin
        await _quiet(editor, size // 10)
        return first * 1000, (time.perf_counter() - begin) * 1000


async def _quiet(editor: Editor, files: int) -> None:
    while len(editor.problems) < files:
        editor.news.clear()
        await editor.news.wait()


async def _answers(size: int) -> dict[str, list[float]]:
    """How long problems and completions take while somebody types, once all is read."""
    found: dict[str, list[float]] = {"problems": [], "completion": [], "hover": []}
    draw = random.Random(1)
    async with editing(get_vault(size).parent) as editor:
        editor.open(NOTE)
        await _quiet(editor, size // 10)
        await asyncio.sleep(3)
        text = (editor.root / "notes" / NOTE).read_text("utf-8")
        row = text.count("\n") + 1
        for number in range(LETTERS):
            word = f"note-00{draw.randrange(1000):03}"
            typed = f"{text}\n- supports:: [[{word}{number}"
            editor.problems.pop(editor.uri(NOTE), None)
            begin = time.perf_counter()
            editor.type(NOTE, typed)
            while editor.uri(NOTE) not in editor.problems:
                editor.news.clear()
                await editor.news.wait()
            found["problems"].append(time.perf_counter() - begin)
            begin = time.perf_counter()
            place = editor.params_at(NOTE, row, 20)
            await editor.text_document_completion_async(lsp.CompletionParams(**place))
            found["completion"].append(time.perf_counter() - begin)
            begin = time.perf_counter()
            await editor.text_document_hover_async(lsp.HoverParams(**editor.params_at(NOTE, 10, 3)))
            found["hover"].append(time.perf_counter() - begin)
            await asyncio.sleep(draw.choice((0.05, 0.2, 0.8)))
    return found


def main() -> None:
    """Print every figure."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    get_vault(size)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["KG_CACHE_DIR"] = cache
        for number in range(STARTS):
            first, whole = asyncio.run(_start(size))
            kind = "cold" if number == 0 else "warm"
            print(f"{kind} start: first problems {first:.0f}, all problems {whole:.0f}")
        for name, seconds in asyncio.run(_answers(size)).items():
            taken = sorted(1000 * each for each in seconds)
            middle, worst = statistics.median(taken), taken[int(0.95 * len(taken))]
            print(f"{name}: median {middle:.1f}, 95% within {worst:.1f}")


if __name__ == "__main__":
    main()
