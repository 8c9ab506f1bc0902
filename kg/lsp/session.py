"""Schedule the checks: a note's own problems at every pause, those of all notes soon after."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Callable, Sequence

from kg.lsp.workspace import Problems, Workspace
from kg.model import Diagnostic

PAUSE_OF_TYPING = 0.01  # seconds: keystrokes that come faster are handled together
PAUSE_BEFORE_ALL = 0.4  # seconds without a keystroke before all notes are checked again
MAX_TURN_SECONDS = 0.0005  # for which background work may delay a keystroke
FILES_AT_ONCE = 50  # published before requests are handled again


class Session:
    """One editor's session on one corpus."""

    def __init__(
        self,
        workspace: Workspace,
        publish: Callable[[str, Sequence[Diagnostic]], None],
        on_weighed: Callable[[], None],
    ) -> None:
        self.workspace = workspace
        self.shown: dict[str, list[Diagnostic]] = {}
        self._publish = publish
        self._on_weighed = on_weighed
        self._pending_checks: dict[str, asyncio.TimerHandle] = {}
        self._pending_full_check: asyncio.TimerHandle | None = None
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._settled = False

    async def start(self) -> None:
        """Read the corpus, and publish the problems of open files, then of all."""
        gc.disable()  # a collection takes longer than the time between two keystrokes
        sys.setswitchinterval(MAX_TURN_SECONDS)
        await asyncio.get_running_loop().run_in_executor(None, self.workspace.open)
        for path in self.workspace.texts:
            self.tell(path)
        self.schedule_full_check(0)

    def type_text(self, path: str, text: str) -> None:
        """Take in what is typed, and publish its problems at the next pause."""
        self._stop.set()  # work in progress is outdated
        self.workspace.type(path, text)
        self._check_after_typing_pause(path)

    def close_file(self, path: str) -> None:
        """Handle the closing of a file."""
        self.workspace.close(path)
        self.schedule_full_check()

    def handle_changes(self, paths: Sequence[str]) -> None:
        """Handle changes of files on disk."""
        self.workspace.forget(paths)
        self.schedule_full_check()

    def _check_after_typing_pause(self, path: str) -> None:
        if handle := self._pending_checks.pop(path, None):
            handle.cancel()
        loop = asyncio.get_running_loop()
        self._pending_checks[path] = loop.call_later(
            PAUSE_OF_TYPING, self._publish_after_pause, path
        )

    def _publish_after_pause(self, path: str) -> None:
        self._pending_checks.pop(path, None)
        self.tell(path)
        self.schedule_full_check()

    def tell(self, path: str) -> list[Diagnostic]:
        """Publish and return the current problems of one note."""
        return self._publish_if_changed(path, self.workspace.problems(path))

    def current_problems(self, path: str) -> list[Diagnostic]:
        """The current problems of a note, published at once if it was just typed."""
        if handle := self._pending_checks.pop(path, None):
            handle.cancel()
            self.schedule_full_check()
            return self.tell(path)
        return self.shown.get(path, [])

    def _publish_if_changed(self, path: str, problems: list[Diagnostic]) -> list[Diagnostic]:
        if problems != self.shown.get(path, []) or path in self.workspace.texts:
            self.shown[path] = problems
            self._publish(path, problems)
        return problems

    # -- all notes ---------------------------------------------------------------------

    def schedule_full_check(self, pause: float = PAUSE_BEFORE_ALL) -> None:
        """Join and check all notes after a pause, unless something is typed before that."""
        self._stop.set()
        if self._pending_full_check is not None:
            self._pending_full_check.cancel()
        self._pending_full_check = asyncio.get_running_loop().call_later(
            pause, self._begin_full_check
        )

    def _begin_full_check(self) -> None:
        self._pending_full_check = None
        if self._task is not None and not self._task.done():
            self.schedule_full_check(PAUSE_OF_TYPING)  # it is stopping
            return
        self._stop = threading.Event()
        self._task = asyncio.get_running_loop().create_task(self._run_full_check(self._stop))

    async def _run_full_check(self, stop: threading.Event) -> None:
        loop = asyncio.get_running_loop()
        try:
            problems = await loop.run_in_executor(None, self._join_and_check, stop)
        except asyncio.CancelledError:  # the editor is gone
            stop.set()
            raise
        if problems is None:
            return
        await self._publish_all(problems, stop)
        await loop.run_in_executor(None, self._weigh_corpus)
        self._on_weighed()

    def _join_and_check(self, stop: threading.Event) -> Problems | None:
        self.workspace.join()
        return self.workspace.check(stop.is_set)

    def _weigh_corpus(self) -> None:
        self.workspace.weigh()
        gc.collect()  # the last corpus
        if not self._settled:
            self._settled = True
            gc.freeze()  # the notes stay, and are most of the objects

    async def _publish_all(self, problems: Problems, stop: threading.Event) -> None:
        paths = [*self.workspace.texts, *sorted({*problems, *self.shown} - {*self.workspace.texts})]
        for number, path in enumerate(paths):
            if stop.is_set():
                return  # something was typed, so all will be published again soon
            self._publish_if_changed(path, list(problems.get(path, ())))
            if number % FILES_AT_ONCE == FILES_AT_ONCE - 1:
                await asyncio.sleep(0)

    def stop(self) -> None:
        """Stop work in progress."""
        self._stop.set()
        if self._pending_full_check is not None:
            self._pending_full_check.cancel()
